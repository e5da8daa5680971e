#pragma once

#include "simulator/target/ipu_target.h"

#include <span>
#include <string_view>
#include <variant>

namespace simulator {

/// One figure of a target: how a target file names it, what it means and where it lives.
struct TargetFigure {
    using Member = std::variant<std::int64_t IpuTarget::*, double IpuTarget::*, bool IpuTarget::*>;

    std::string_view key;
    std::string_view meaning;
    Member member;
    /// Bounds a target file has to keep; ignored for switches.
    double low = 0;
    double high = 0;
};

/// Every figure, in the order of display.
[[nodiscard]] std::span<const TargetFigure> targetFigures();

/// The figure called `key`; null when there is none.
[[nodiscard]] const TargetFigure* findFigure(std::string_view key);

/// The figure's value; a switch is 0 or 1.
[[nodiscard]] double figureValue(const IpuTarget& target, const TargetFigure& figure);
void setFigure(IpuTarget& target, const TargetFigure& figure, double value);

} // namespace simulator
