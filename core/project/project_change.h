#pragma once

#include "core/project/project.h"

#include <string>
#include <string_view>
#include <vector>

namespace core {

/// What differs between two snapshots of a project, by name, so that a view redraws no more than that and a
/// comparison can tell it to people.
struct ProjectChange {
    /// A layer whose class, attributes, trainability or calls changed.
    struct ChangedLayer {
        std::string name;
        /// "class", "config", "calls", …
        std::vector<std::string> what;

        bool operator==(const ChangedLayer&) const = default;
    };
    /// A layer call on another stage; −1 stands for none.
    struct MovedCall {
        std::string layer;
        std::uint32_t call = 0;
        std::int64_t before = -1;
        std::int64_t after = -1;

        bool operator==(const MovedCall&) const = default;
    };
    /// A value of any section but the model, the stages and the canvas, by JSON path.
    struct ChangedValue {
        /// "pipeline.schedule", "ipu_config.allow_recompute".
        std::string path;
        Json before;
        Json after;

        bool operator==(const ChangedValue&) const = default;
    };

    std::vector<std::string> addedLayers;
    std::vector<std::string> removedLayers;
    std::vector<ChangedLayer> changedLayers;
    std::vector<MovedCall> movedCalls;
    std::vector<ChangedValue> changedValues;
    /// Inputs or outputs of the model, its name or kind.
    bool interfaceChanged = false;
    bool canvasChanged = false;

    [[nodiscard]] bool isEmpty() const;
    bool operator==(const ProjectChange&) const = default;
};

[[nodiscard]] ProjectChange differenceBetween(const Project& before, const Project& after);

} // namespace core
