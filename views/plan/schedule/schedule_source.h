#pragma once

#include "core/base/result.h"
#include "core/plan/schedule/schedule_edit.h"
#include "core/project/project.h"
#include "views/plan/schedule/schedule_chart.h"

#include <functional>
#include <string>

namespace views {

/// The slots that a project would run, or the rule its schedule breaks; `file` names the project in
/// diagnostics. Called on a worker.
using ScheduleSource =
    std::function<core::Result<ScheduleChart>(const core::Project&, core::RunMode, const std::string& file)>;

/// A project with a table of its own, in which a piece of work is in another slot, or why not.
using ScheduleMover = std::function<core::Result<core::Project>(
    const core::Project&, const core::ScheduleMove&, const std::string& file)>;

} // namespace views
