#pragma once

#include "core/base/json.h"
#include "core/base/result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace simulator {

enum class CalibrationKind : std::uint8_t {
    Micro,       ///< a vertex, a program step or one operation: priced by the cost query
    Application, ///< throughput of a training run: a project is compiled and simulated
    Memory,      ///< bytes of a compiled model
    Scaling,     ///< only ratios between rows are known
};

/// One published measurement with a description a program can follow.
struct CalibrationCase {
    std::string id;
    /// What was measured, for people, and where it was published.
    std::string what;
    std::string source;
    CalibrationKind kind = CalibrationKind::Micro;
    /// Weak rows leave something unsaid; they are predicted but counted apart.
    bool weak = false;
    /// Why the row is not predicted; empty when it is.
    std::string excluded;
    /// Rows that disagree with this one where a model has to agree with both, and how; empty for most rows.
    std::vector<std::string> inconsistentWith;
    std::string inconsistency;
    /// The row this one is a ratio to, where ratios alone are predictable (Scaling); else empty.
    std::string ratioTo;
    /// What the prediction takes for granted because it was not published; empty for most rows.
    std::string assumed;
    std::string metric;
    std::string unit;
    double measured = 0;
    std::string target;
    /// Keys of the description that nothing reads.
    std::vector<std::string> unknownKeys;
    /// The whole description, whose keys depend on the kind.
    core::Json description;
};

/// The keys that a description may have beside those of its template and its operation.
[[nodiscard]] std::span<const std::string_view> caseKeys();

/// Reads cases, one JSON object per line (`id`, `kind`, `metric`, `value`, `target`, …). `figures` overrides
/// figures of the target, as the "system" section of a project does. Every malformed line is reported as
/// FILE:LINE. A case that has only words for its model or operation and the id of a published row takes
/// that row's description.
[[nodiscard]] core::Result<std::vector<CalibrationCase>> readCalibrationCases(std::string_view text,
                                                                              std::string_view file);

/// The text under `key` of a row's description; empty where there is none.
[[nodiscard]] std::string textOf(const core::Json& description, const char* key);

/// Why something was refused, in one sentence: its first finding with the hints that mend it.
[[nodiscard]] std::string reasonOf(const core::Diagnostics& findings);

/// Why a row is not predicted, as the finding "calibration/no-prediction".
[[nodiscard]] core::Diagnostic noPrediction(std::string message);

/// The published rows that come with the program.
[[nodiscard]] std::span<const CalibrationCase> publishedCases();

/// Reads measurements as CSV with a header. Either the table of published rows (`id`, `value`, …): each row
/// takes its description from `described`, rows without one are kept as excluded. Or own measurements
/// (`operation`, `arguments` as KEY=VALUE joined by spaces, `measured`, and optionally `id`, `class`,
/// `target`, `metric`, by default "cycles"). Errors: "calibration/no-columns", "calibration/wrong-number",
/// "csv/quote" with FILE:LINE.
[[nodiscard]] core::Result<std::vector<CalibrationCase>>
readMeasurements(std::string_view csv, std::string_view file,
                 std::span<const CalibrationCase> described = publishedCases());

} // namespace simulator
