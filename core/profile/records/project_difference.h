#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// A field of the project file that two projects set differently; an empty side leaves it out. Values are
/// JSON text on one line.
struct OptionDifference {
    /// As `--set` writes it: "pipeline.schedule".
    std::string path;
    std::optional<std::string> before;
    std::optional<std::string> after;

    bool operator==(const OptionDifference&) const = default;
};

enum class LayerChange { Added, Removed, Changed };

/// A layer that is not the same in two models; the layers of a nested model are named "outer/inner".
struct LayerDifference {
    std::string layer;
    LayerChange change = LayerChange::Changed;
    /// What changed: "class_name", "config.units", "inputs"; empty for added and removed.
    std::string attribute;
    std::string before;
    std::string after;

    bool operator==(const LayerDifference&) const = default;
};

struct ProjectDifference {
    std::vector<OptionDifference> options;
    std::vector<LayerDifference> layers;
    /// A text that is no JSON object cannot be compared; then this says which.
    std::string trouble;
};

/// What changed between two project files: options by path in the order of the files, layers by name. The
/// model, the stage list and the canvas are not options; stages are distinguished by what ran (comparison.h).
[[nodiscard]] ProjectDifference differenceOf(std::string_view before, std::string_view after);

/// "added", "removed", "changed".
[[nodiscard]] std::string_view toString(LayerChange change);

} // namespace core
