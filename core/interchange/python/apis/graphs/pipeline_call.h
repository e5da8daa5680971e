#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <string_view>

namespace core {

/// pipelining_ops.pipeline(): a model of the layers that its stage functions call one after the other, with
/// their stages, its options, and the loss and optimizer of its optimizer function.
PythonValue callPipeline(const PythonApiCall& call);
/// The same of an estimator that evaluates: a loss that the last stage hands on is measured, and nothing
/// trained. Answers what the last stage returns.
PythonValue evaluatePipeline(const PythonApiCall& call);
/// A type that a function of the program chooses for each variable: the function's answer for one of them.
PythonValue typeOfVariables(const PythonApiCall& call, std::string_view argument, const PythonValue& value);
/// Calls the function of the program that is argument 0 or has this name, with the list behind it as its
/// arguments.
PythonValue callWithList(const PythonApiCall& call, const char* function, const char* list);
/// What a program says of a queue that a loop of its own feeds or reads.
void useQueue(PythonProgramBuilder& builder, const PythonQueue& queue);
/// Remembers which stage reads the infeed; a second one is refused.
void takeInfeed(PythonProgramBuilder& builder, std::int64_t stage, PythonPlace place);

} // namespace core
