#pragma once

#include "app/reports/report.h"
#include "core/project/project.h"

#include <string>

namespace app {

/// The layers of a project's model with shapes, parameters and FLOPs, and the stage of every call. Errors:
/// those of shape inference.
[[nodiscard]] core::Result<Report> modelReport(const core::Project& project, const std::string& file);

} // namespace app
