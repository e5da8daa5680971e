#pragma once

#include "core/base/result.h"
#include "core/plan/schedule/pipeline_schedule.h"
#include "core/project/project.h"

#include <string>

namespace simulator {

/// A pipeline and the schedule it is to have.
struct ScheduleRequest {
    std::string schedule = "Grouped";
    core::RecomputationMode mode = core::RecomputationMode::Auto;
    core::PipelineShape shape;
    bool isPipelined = true;
    std::int64_t updatesPerExecution = 1;
    /// Names the project in diagnostics; empty without one.
    std::string file;
};

/// What a project asks for. Findings that are the schedule's own "no" have Trouble::Negative and are put into
/// `refusals`; whatever else is wrong with the project is the error.
[[nodiscard]] core::Result<ScheduleRequest> scheduleRequest(const core::Project& project, core::RunMode mode,
                                                            const std::string& file,
                                                            core::Diagnostics& refusals);

/// The slots, or why not (Trouble::Negative).
[[nodiscard]] core::Result<core::PipelineSchedule> scheduleFor(const ScheduleRequest& request);

/// The slots of a project, or why there are none.
[[nodiscard]] core::Result<core::PipelineSchedule>
projectSchedule(const core::Project& project, core::RunMode mode, const std::string& file);

} // namespace simulator
