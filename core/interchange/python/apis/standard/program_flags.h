#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <string>
#include <vector>

namespace core {

// Flags are what the command line says that the program is read with, else their defaults.
/// DEFINE_integer() and its like, as rows of a module of flags.
[[nodiscard]] std::vector<PythonApiName> flagFunctions(const std::string& module);
/// app.run(main) under a name.
[[nodiscard]] PythonApiName mainFunction(const std::string& name);

} // namespace core
