#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <vector>

namespace core {

/// The commands that click, typer and fire make of functions: what the program is started with
/// (`PythonProgramBuilder::commandLine`) becomes the arguments of the function, as argparse would read it.
/// Errors at the call of a command: "python/arguments".
[[nodiscard]] std::vector<PythonApiName> commandFunctions();

} // namespace core
