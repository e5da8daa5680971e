#pragma once

#include "core/plan/prediction_interval.h"
#include "views/common/text/number_text.h"

#include <QString>

namespace views {

// How sure predicted figures are, in the words that every view uses.

/// What measured figures differ by from the predicted one, in per cent: "−12…+13 %".
[[nodiscard]] QString intervalText(const core::PredictionInterval& interval);

/// Where the figures of a program lie once they are measured, a line each; the figures are those of `show`.
[[nodiscard]] QString rangesText(const core::PredictedRanges& ranges, const Units& units,
                                 const TimeScale& scale);

} // namespace views
