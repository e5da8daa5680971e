#pragma once

#include "core/base/result.h"
#include "core/project/project.h"
#include "views/plan/schedule/schedule_chart.h"

#include <functional>
#include <string>

namespace views {

/// The slots that a project would run, or the rule its schedule breaks; `file` names the project in
/// diagnostics. Called on a worker.
using ScheduleSource =
    std::function<core::Result<ScheduleChart>(const core::Project&, core::RunMode, const std::string& file)>;

} // namespace views
