#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <string>

namespace core {

/// Whether a class of an exported program says by its attribute workbench_layer which layer of the catalogue
/// it is.
[[nodiscard]] bool isWrittenLayer(const PythonClass& made);
/// An object of a class that the program derives from one of a library; the call's path is that one's.
PythonValue constructKerasClass(const PythonApiCall& call, const PythonClass& made);
/// Whether a decorator makes one layer of the convolutions of its function; others are left out with a
/// warning.
bool decoratorJoins(PythonProgramBuilder& builder, const std::string& function,
                    const PythonDecorator& decorator);

} // namespace core
