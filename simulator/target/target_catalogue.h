#pragma once

#include "simulator/target/target_figures.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace simulator {

/// One built-in target: what it is, its figures, and where each comes from.
struct CatalogueTarget {
    std::string description;
    IpuTarget target;
    struct SourcedFigure {
        std::string_view key;
        std::string_view source;
    };
    /// One entry per figure of the table, in its order.
    std::vector<SourcedFigure> sources;
};

/// The version of the IPU that executables for a built-in target are made for, "ipu1" or "ipu2"; nothing for
/// a target of its own figures.
[[nodiscard]] std::optional<std::string_view> versionOfTarget(std::string_view name);

/// ipu1, ipu2, bow.
[[nodiscard]] std::span<const CatalogueTarget> targetCatalogue();

/// The built-in target called `name` (exactly); null when there is none.
[[nodiscard]] const CatalogueTarget* findTarget(std::string_view name);

} // namespace simulator
