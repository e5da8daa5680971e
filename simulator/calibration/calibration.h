#pragma once

#include "core/base/job_context.h"
#include "simulator/calibration/calibration_case.h"
#include "simulator/compiler/compilation_cache.h"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace simulator {

/// A row as predicted. `error` is predicted / measured − 1.
struct CalibrationRow {
    std::string id;
    std::string what;
    std::string className;
    double predicted = 0;
    double measured = 0;
    double error = 0;
    /// The kind of predicted figure that `ratio` says something about, whatever its class is called; nothing
    /// for code and state.
    std::optional<core::FigureClass> figure;
    /// Measured over predicted; of the cycles where an operation was measured as a rate.
    double ratio = 1;
    /// Leaves something unsaid; a ratio whose two rows are inconsistent is weak too.
    bool weak = false;
    /// With which rows it disagrees, and why; empty for most rows.
    std::string inconsistency;
};

struct ExcludedRow {
    std::string id;
    std::string what;
    std::string reason;
};

/// Keys of a case that nothing reads; it is predicted from the others.
struct UnreadKeys {
    std::string id;
    std::vector<std::string> keys;
};

/// Errors of the rows of one class: weak rows are classes of their own. Quantiles are of |error|.
struct CalibrationClass {
    std::string name;
    std::size_t rows = 0;
    double medianError = 0;
    double p90Error = 0;
    double worstError = 0;
    /// What predictions of the class have to be multiplied with to have no bias (median of measured /
    /// predicted).
    double factor = 1;
    /// Bounds of measured / predicted that hold 80 % of the rows when each row's bounds come from the others
    /// (jackknife, rounded outwards); nothing with fewer than 5 rows.
    std::optional<double> lowFactor;
    std::optional<double> highFactor;
    /// Rows that were held against the bounds of all others, and how many of them lay inside; 0 where the
    /// others were too few.
    std::size_t leftOut = 0;
    std::size_t leftOutInside = 0;
};

struct CalibrationReport {
    std::vector<CalibrationRow> rows;
    std::vector<CalibrationClass> classes;
    std::vector<ExcludedRow> excluded;
    std::vector<UnreadKeys> unread;
};

/// The class whose errors count a row: weak rows have one of their own.
[[nodiscard]] std::string className(const CalibrationRow& row);

/// Where measured / predicted lies, as logarithms.
struct RatioBounds {
    double centre = 0;
    double width = 0;

    [[nodiscard]] bool hold(double logRatio) const { return std::abs(logRatio - centre) <= width; }
};

/// Bounds that hold 80 % of such rows, each row's taken from the others (jackknife, rounded outwards);
/// nothing with fewer than 5 rows.
[[nodiscard]] std::optional<RatioBounds> ratioBounds(std::vector<double> logRatios);

/// Errors of some rows as one class.
[[nodiscard]] CalibrationClass summarize(std::string name, std::span<const CalibrationRow> rows);

/// Class of a row: "AMP vertex", "vendor model", "transformer training", …, or what its description says.
[[nodiscard]] std::string calibrationClass(const CalibrationCase& item);

/// What the cost model says of one case: the figure of its metric, in its unit. Errors say why it cannot
/// ("calibration/no-prediction" and whatever the cost query, the project or the compiler refuse).
[[nodiscard]] core::Result<double> predict(const CalibrationCase& item, CompilationCache& cache,
                                           const core::JobContext& job = {});

/// What kind of figure a case measures; nothing where its ratio says nothing about a predicted figure.
[[nodiscard]] std::optional<core::FigureClass> figureClass(const CalibrationCase& item);

/// Predicts every case and gathers the errors by class; scaling ratios between rows of one model, target and
/// machine family are added as rows of their own ("cal-034/cal-033").
[[nodiscard]] core::Result<CalibrationReport> calibrate(std::span<const CalibrationCase> cases,
                                                        const core::JobContext& job = {});

} // namespace simulator
