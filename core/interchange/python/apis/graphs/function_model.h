#pragma once

#include "core/interchange/python/apis/calls/api_table.h"
#include "core/interchange/python/apis/calls/program_function.h"

namespace core {

/// The model that a function of the program computed: of the step of training, or of its outputs where there
/// is none (null).
void addTrainedModel(const PythonApiCall& call, const PythonTrainingStep* step, const PythonValues& outputs,
                     const PythonValues& elements, const PythonData& dataset, Json training);
/// The function that a call is given; `what` names it: "a body". What is none is refused.
[[nodiscard]] PythonProgramFunction functionOf(const PythonApiCall& call, const PythonValue* value,
                                               const char* what);

/// A function that a session runs on arrays that it feeds: their model, where it makes one.
bool compileGraph(const PythonApiCall& call, const PythonValue& function, PythonValues values);
/// The same of a function that a strategy runs on arrays: the first is the input of a model that predicts,
/// the others are its constants.
void compileDeviceCall(const PythonApiCall& call, const PythonValue& function);

} // namespace core
