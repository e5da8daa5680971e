#pragma once

#include "app/reports/report.h"
#include "core/plan/schedule_outcome.h"
#include "simulator/planner/schedule_request.h"

#include <string>
#include <vector>

namespace app {

/// The JSON of `schedule`.
[[nodiscard]] core::Json scheduleJson(const core::PipelineSchedule& schedule,
                                      const simulator::ScheduleRequest& request);
[[nodiscard]] core::Json refusedScheduleJson(const simulator::ScheduleRequest& request,
                                             const core::Diagnostics& findings);
/// One line per piece of work.
[[nodiscard]] std::string scheduleCsv(const core::PipelineSchedule& schedule);

/// `schedule PROJECT --all`: a row per schedule.
[[nodiscard]] Report outcomesReport(const std::vector<core::ScheduleOutcome>& outcomes);

} // namespace app
