#pragma once

#include "simulator/calibration/calibration.h"
#include "simulator/target/ipu_target.h"

#include <string_view>

namespace simulator {

/// A figure of a target before and after a fit, in its own unit.
struct RefittedFigure {
    std::string_view key;
    double before = 0;
    double after = 0;
};

/// A target fitted to somebody's own measurements.
struct TargetFit {
    IpuTarget target;
    /// Those that moved, in the order of the target's table.
    std::vector<RefittedFigure> figures;
    /// Mean |log(predicted / measured)| over the rows that are predicted.
    double errorBefore = 0;
    double errorAfter = 0;
    /// The rows as the fitted target predicts them.
    CalibrationReport report;
};

/// The figures that a fit may move: rates, times and overheads that a machine shows only when it is measured.
/// What its design states (tiles, memory, clock, links, convolution units) is never moved.
[[nodiscard]] std::span<const std::string_view> refittedFigures();

/// Fits the target of the cases to them: each figure is multiplied by steps that grow finer, and keeps a
/// value that makes the mean |log(predicted / measured)| less by a thousandth at least; weak rows count as
/// others. Figures that no row depends on stay. Errors: "calibration/targets" for rows of several targets,
/// "calibration/no-prediction" where no row is predicted, and those of a target that is not known.
[[nodiscard]] core::Result<TargetFit> fitTarget(std::span<const CalibrationCase> cases,
                                                const core::JobContext& job = {});

} // namespace simulator
