#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <optional>
#include <string>

namespace core {

/// What a function, lambda or object of the program given to compile() as a loss computes of labels and
/// predictions: a loss of Keras where it hands them on, else a loss function that holds its layers. Lists and
/// dictionaries have one for each output; anything else is what it is.
PythonValue lossOfProgram(const PythonApiCall& call, PythonModelName model, const PythonValue& given);

/// Whether a class of the program is derived from Keras' base class of losses.
[[nodiscard]] bool isLossBase(const std::string& base);

/// A loss as a tensor, for what a loss function computes of it: a value for each sample, or the one that they
/// were reduced to.
[[nodiscard]] PythonTensor tensorOfLoss(PythonProgramBuilder& builder, const PythonLoss& loss,
                                        PythonPlace place);
/// An operator on losses within a loss function; nothing elsewhere.
[[nodiscard]] std::optional<PythonValue> operationOnLosses(PythonProgramBuilder& builder,
                                                           const std::string& operation,
                                                           const PythonValue& left, const PythonValue& right,
                                                           PythonPlace place);

} // namespace core
