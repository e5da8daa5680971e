#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <vector>

namespace core {

/// ExitStack and what else of contextlib enters scopes, as rows.
[[nodiscard]] std::vector<PythonApiName> contextFunctions();

} // namespace core
