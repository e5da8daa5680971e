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
    /// With the intervals of its rows.
    IpuTarget target;
    /// Those that moved, in the order of the target's table.
    std::vector<RefittedFigure> figures;
    /// Mean |log(predicted / measured)| over the rows that are predicted.
    double errorBefore = 0;
    double errorAfter = 0;
    /// Rows that are predicted, and as many figures as they may move.
    std::size_t rows = 0;
    std::size_t mostFigures = 0;
    /// The rows as the fitted target predicts them.
    CalibrationReport report;
};

/// The figures that a fit may move: rates, times and overheads that a machine shows only when it is measured.
/// What its design states (tiles, memory, clock, links, convolution units) is never moved.
[[nodiscard]] std::span<const std::string_view> refittedFigures();

/// Rows that a fit needs for each figure that it moves: fewer would not be fitted but followed.
inline constexpr std::size_t rowsPerFigure = 3;
/// Rows whose prediction a figure has to change, so that it is moved.
inline constexpr std::size_t fewestRowsOfFigure = 2;

/// How well figures are known that a target predicts which was fitted to these rows, `fitted` of its figures.
/// Of a class with 5 rows or more: what `ratioBounds` says of them, wider by what the fitted figures
/// followed. Of one with fewer: what holds the rows and the published interval. Programs and operations
/// without rows of their own: what holds the published interval and all rows of times.
[[nodiscard]] core::PredictionIntervals intervalsOfRows(std::span<const CalibrationRow> rows,
                                                        std::size_t fitted);

/// Fits the target of the cases to them. One figure after the other is let move, that which gains most first,
/// as long as there are `rowsPerFigure` rows for each; those that move are multiplied by steps that grow
/// finer, and keep a value that makes the mean |log(predicted / measured)| less by a thousandth at least;
/// weak rows count as others. Errors: "calibration/targets" for rows of several targets,
/// "calibration/no-prediction" where no row is predicted, and those of a target that is not known.
[[nodiscard]] core::Result<TargetFit> fitTarget(std::span<const CalibrationCase> cases,
                                                const core::JobContext& job = {});

} // namespace simulator
