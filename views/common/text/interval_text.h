#pragma once

#include "core/plan/prediction_interval.h"
#include "views/common/text/number_text.h"

#include <QString>

namespace views {

// How sure predicted figures are, in the words that every view uses.

/// What measured figures differ by from the predicted one, in per cent: "−12…+13 %".
[[nodiscard]] QString intervalText(const core::PredictionInterval& interval);

/// "945.0 to 1 112.0 samples/s", "1.2 to 1.4 ms", "60.9 to 68.2 MiB": where a figure lies once it is
/// measured.
[[nodiscard]] QString rateRangeText(const core::PredictedRanges& ranges);
[[nodiscard]] QString stepRangeText(const core::PredictedRanges& ranges, const Units& units,
                                    const TimeScale& scale);
[[nodiscard]] QString peakRangeText(const core::PredictedRanges& ranges, const Units& units);

/// Where the figures of a program lie once they are measured, a line each; the figures are those of `show`.
[[nodiscard]] QString rangesText(const core::PredictedRanges& ranges, const Units& units,
                                 const TimeScale& scale);

} // namespace views
