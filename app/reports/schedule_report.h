#pragma once

#include "app/reports/report.h"
#include "simulator/planner/schedule_request.h"

#include <string>

namespace app {

/// The JSON of `schedule`.
[[nodiscard]] core::Json scheduleJson(const core::PipelineSchedule& schedule,
                                      const simulator::ScheduleRequest& request);
[[nodiscard]] core::Json refusedScheduleJson(const simulator::ScheduleRequest& request,
                                             const core::Diagnostics& findings);
/// One line per piece of work.
[[nodiscard]] std::string scheduleCsv(const core::PipelineSchedule& schedule);

} // namespace app
