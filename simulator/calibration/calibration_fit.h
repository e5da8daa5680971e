#pragma once

#include "simulator/calibration/calibration.h"

#include <array>

namespace simulator {

/// A figure of the target that no source states and that was fitted on the application rows, with the values
/// the search tries. Nothing else is fitted, and nothing per row or model.
struct FittedFigure {
    std::string_view key;
    std::array<double, 5> values;
};
[[nodiscard]] std::span<const FittedFigure> fittedFigures();

/// A value of every fitted figure, as positions in their lists.
using FitPoint = std::vector<std::size_t>;
/// As overrides of a target.
[[nodiscard]] core::Json figuresAt(const FitPoint& point);

/// A model family that the fit did not see.
struct LeftOutFamily {
    std::string family;
    FitPoint point;
    /// The family's rows, predicted with the figures that fit the others best.
    std::vector<CalibrationRow> rows;
};

struct CalibrationFit {
    /// Best for all rows together, and their mean |log(predicted / measured)| there.
    FitPoint point;
    double meanError = 0;
    std::vector<LeftOutFamily> leftOut;
};

/// Fits the figures on the application cases that are not weak: the best value of one figure at a time,
/// until none gets better, by the mean |log(predicted / measured)|; once with all rows and once
/// without each family (template). Cases that cannot be predicted are left out.
[[nodiscard]] core::Result<CalibrationFit> fitFigures(std::span<const CalibrationCase> cases,
                                                      const core::JobContext& job = {});

} // namespace simulator
