#pragma once

#include "core/interchange/python/apis/calls/api_table.h"
#include "core/interchange/python/draft/sample_computation.h"

namespace core {

/// Whether a program computes of arrays, eagerly, in a scope of the device and has no model so far.
[[nodiscard]] bool isEager(const PythonProgramBuilder& builder, const PythonArguments& arguments);
/// Remembers an operation of such a scope by what it answered.
void rememberEager(PythonProgramBuilder& builder, PythonComputation computation, PythonValue& made);
/// What is computed of such an answer elsewhere is none.
void forgetEager(PythonValue& made);
/// At the end of a program without a model: what it computed last on the device is one that predicts. The
/// first array is its input; others are constants where the program says their numbers, else further inputs.
void compileEager(PythonInterpreter& interpreter, PythonProgramBuilder& builder);

} // namespace core
