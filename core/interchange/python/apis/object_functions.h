#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <string>
#include <vector>

namespace core {

/// The functions that ask what a value is and what it has: isinstance, type, vars, callable, getattr,
/// hasattr and setattr, as rows below `prefix`.
[[nodiscard]] std::vector<PythonApiName> objectFunctions(const std::string& prefix);

/// exit(), quit(), sys.exit(): the program ends here.
[[noreturn]] PythonValue endProgram(const PythonApiCall& call);

} // namespace core
