#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <optional>

namespace core {

/// The loss that gradients are taken of. Where a program computes it by itself of what a model answers, it is
/// a loss function that holds that; where it adds up losses of several outputs, one for each. Nothing where
/// it is of no model; refused where it is of more than the labels and answers of one model.
[[nodiscard]] std::optional<PythonLoss> lossOfComputation(const PythonApiCall& call,
                                                          const PythonValue& target);
/// What a program computed of what a model answers, on the tensors that the model answers.
[[nodiscard]] PythonValue computedOfAnswers(const PythonApiCall& call, const PythonValue& value,
                                            const std::vector<PythonTensor>& answers, std::int64_t model);
/// A loss that is multiplied by a number, as a loss function.
[[nodiscard]] PythonLoss multipliedLoss(const PythonApiCall& call, const PythonLoss& loss, double factor);

} // namespace core
