#pragma once

#include "core/base/diagnostic.h"
#include "core/base/json.h"

namespace app {

/// [{"severity", "code", "file", "place", "message", "hint"}]; several hints are in one text, apart by ";
/// ".
[[nodiscard]] core::Json toJson(const core::Diagnostics& diagnostics);

/// {"schema": "ipu-workbench/error", "version": 1, "diagnostics": […]}.
[[nodiscard]] core::Json errorJson(const core::Diagnostics& diagnostics);

} // namespace app
