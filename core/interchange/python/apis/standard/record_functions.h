#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <vector>

namespace core {

/// The functions of dataclasses as rows.
[[nodiscard]] std::vector<PythonApiName> recordFunctions();

} // namespace core
