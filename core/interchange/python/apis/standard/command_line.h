#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <optional>
#include <string>
#include <vector>

namespace core {

/// The parsers of argparse as rows. An argument is what the command line says that the program is read with
/// (`PythonProgramBuilder::commandLine`), else its default; one that has to be given and is not is data.
/// Errors at parse_args(): "python/arguments" for what the parser does not know or take.
[[nodiscard]] std::vector<PythonApiName> commandLineFunctions();

/// sys.argv: the program's file and its arguments.
[[nodiscard]] PythonValue argumentsOfProgram(PythonProgramBuilder& builder);

/// Objects with the attributes that they are given: argparse.Namespace(batch=8).
PythonValue makeNamespace(const PythonApiCall& call);

} // namespace core
