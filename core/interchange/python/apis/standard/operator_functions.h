#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <vector>

namespace core {

/// The functions of operator as rows, with itemgetter() and attrgetter(), and those of bisect.
[[nodiscard]] std::vector<PythonApiName> functionsOfOperator();

} // namespace core
