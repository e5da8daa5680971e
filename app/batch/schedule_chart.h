#pragma once

#include "simulator/schedule/pipeline_schedule.h"
#include "views/plan/schedule_chart.h"

#include <string>

namespace app {

/// The slots of a schedule as what the views draw; `subject` is the picture's title.
[[nodiscard]] views::ScheduleChart scheduleChart(const simulator::PipelineSchedule& schedule,
                                                 std::string subject);

} // namespace app
