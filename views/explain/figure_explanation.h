#pragma once

#include "core/profile/queries/metric_explanation.h"
#include "views/common/text/number_text.h"
#include "views/common/theme/theme.h"
#include "views/profile/tables/table_content.h"

#include <QString>

namespace views {

/// A value in the units that the person reads: cycles as time, bytes as MiB, shares as per cent. `unit` as
/// `core::MetricExplanation` has it.
[[nodiscard]] QString figureValue(const std::string& metric, double value, const std::string& unit,
                                  const Units& units, const TimeScale& scale);
/// A row for each figure of a run, as `core::explainedMetrics` lists them: name, value, and how much of its
/// bound it is.
[[nodiscard]] TableContent figureTable(const core::RunSummary& summary, const Units& units);
/// What a figure is, as rich text; inputs that are figures themselves are links to their names.
[[nodiscard]] QString figurePage(const core::RunSummary& summary, const core::MetricExplanation& explanation,
                                 const Units& units, const Theme& theme);

} // namespace views
