#pragma once

#include "core/base/result.h"
#include "core/plan/schedule/pipeline_schedule.h"
#include "core/project/project.h"
#include "views/plan/schedule_chart.h"

#include <string>

namespace app {

/// The slots of a schedule as what the views draw; `subject` is the picture's title.
[[nodiscard]] views::ScheduleChart scheduleChart(const core::PipelineSchedule& schedule, std::string subject);
/// The slots that a project would run, or why it cannot; `file` names it in diagnostics. A
/// views::ScheduleSource.
[[nodiscard]] core::Result<views::ScheduleChart>
projectScheduleChart(const core::Project& project, core::RunMode mode, const std::string& file);

} // namespace app
