#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <functional>
#include <optional>
#include <string>

namespace core {

/// What a function, lambda or object of the program given to compile() as a loss computes of labels and
/// predictions: a loss of Keras where it hands them on, else a loss function that holds its layers. Lists and
/// dictionaries have one for each output; anything else is what it is.
PythonValue lossOfProgram(const PythonApiCall& call, PythonModelName model, const PythonValue& given);

/// The same of what `compute` makes of the tensors of labels and predictions; `shape`: extents of predictions
/// behind the batch axis, null where they are not known. It may be called twice: with labels
/// that are class numbers where they turn out to be.
PythonValue lossOfLabels(const PythonApiCall& call, const Json& shape,
                         const std::function<PythonValue(const PythonTensor&, const PythonTensor&)>& compute);

/// Whether a class of the program is derived from Keras' base class of losses.
[[nodiscard]] bool isLossBase(const std::string& base);

/// A loss as a tensor, for what a loss function computes of it: a value for each sample, or the one that they
/// were reduced to.
[[nodiscard]] PythonTensor tensorOfLoss(PythonProgramBuilder& builder, const PythonLoss& loss,
                                        PythonPlace place);
/// An operator on losses of tensors; nothing for others.
[[nodiscard]] std::optional<PythonValue> operationOnLosses(PythonProgramBuilder& builder,
                                                           const std::string& operation,
                                                           const PythonValue& left, const PythonValue& right,
                                                           PythonPlace place);

/// tf.reduce_sum() of losses that Keras averages over an axis, or over some axes only: as many times their
/// mean as it sums. Nothing: it is the sum over all samples, or their extents are not known.
[[nodiscard]] std::optional<PythonValue> summedLoss(const PythonApiCall& call, const PythonLoss& loss);

} // namespace core
