#pragma once

#include "core/plan/plan_estimate.h"
#include "views/common/text/number_text.h"
#include "views/common/widgets/tooltip_card.h"
#include "views/plan/schedule/schedule_layout.h"
#include "views/profile/tables/table_content.h"

namespace views {

/// What a slot does before, in and after the steady state: "Ramp-up", "Main", "Ramp-down".
[[nodiscard]] QString bandName(core::ScheduleBand band);

/// What a place of the chart says of itself; `estimate` (may be null) tells how long its work takes.
[[nodiscard]] ToolTipContent scheduleDetails(const ScheduleChart& chart, const SchedulePlace& place,
                                             const core::PlanEstimate* estimate, const Units& units);
/// "Backward, micro-batch 3, stage 1, IPU 1, slot 12": for those who hear it.
[[nodiscard]] QString spokenDetails(const ScheduleChart& chart, const SchedulePlace& place);

/// The chart as a list: one row per piece of work, in the order of execution; more than `most` are counted in
/// the last row.
[[nodiscard]] TableContent scheduleTable(const ScheduleChart& chart, std::size_t most = 20000);
/// All work in the order of execution, which is that of the rows of `scheduleTable`.
[[nodiscard]] std::vector<ScheduleCellId> scheduleTableCells(const ScheduleChart& chart);

} // namespace views
