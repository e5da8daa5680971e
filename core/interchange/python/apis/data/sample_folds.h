#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <vector>

namespace core {

/// sklearn's KFold and the like, whose split() answers places of samples so often as they say.
[[nodiscard]] std::vector<PythonApiName> foldNames();

} // namespace core
