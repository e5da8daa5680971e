#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <vector>

namespace core {

/// The functions of `ipu.loops`: models that their bodies compute on what a queue feeds, trained by the
/// optimizer whose minimize() they call.
[[nodiscard]] std::vector<PythonApiName> deviceLoopNames();

} // namespace core
