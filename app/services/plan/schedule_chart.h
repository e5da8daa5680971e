#pragma once

#include "core/base/result.h"
#include "core/plan/schedule/pipeline_schedule.h"
#include "core/plan/schedule/schedule_edit.h"
#include "core/project/project.h"
#include "simulator/planner/schedule_outcomes.h"
#include "views/plan/schedule/schedule_chart.h"
#include "views/plan/schedule/schedule_outcomes_panel.h"

#include <filesystem>
#include <string>
#include <vector>

namespace app {

/// The slots of a schedule as what the views draw; `subject` is the picture's title.
[[nodiscard]] views::ScheduleChart scheduleChart(const core::PipelineSchedule& schedule, std::string subject);
/// The slots that a project would run, or why it cannot; `file` names it in diagnostics. A
/// views::ScheduleSource.
[[nodiscard]] core::Result<views::ScheduleChart>
projectScheduleChart(const core::Project& project, core::RunMode mode, const std::string& file);

/// The project with a table of its own, in which a piece of work is in another slot (`core::movedCells`); the
/// table has no file yet. A views::ScheduleMover.
[[nodiscard]] core::Result<core::Project>
withScheduleMove(const core::Project& project, const core::ScheduleMove& move, const std::string& file);

/// A project under every schedule of the catalogue (`simulator::scheduleOutcomes`), whatever its data are and
/// with the loss that its outputs ask for where it has none. `folder`: what its relative paths start from.
[[nodiscard]] core::Result<std::vector<core::ScheduleOutcome>>
projectScheduleOutcomes(core::Project project, const std::string& file, const std::filesystem::path& folder,
                        simulator::CompilationCache& cache, const core::JobContext& job = {});
/// The same, which keeps what was priced from one question to the next. A views::ScheduleOutcomesSource.
[[nodiscard]] views::ScheduleOutcomesSource scheduleOutcomesSource();

} // namespace app
