#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <vector>

namespace core {

/// getopt.getopt() and gnu_getopt() as rows: they read the words that the program gives them.
[[nodiscard]] std::vector<PythonApiName> optionFunctions();

} // namespace core
