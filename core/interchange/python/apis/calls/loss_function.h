#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <functional>
#include <optional>
#include <string>

namespace core {

/// Whether a value given to compile() as a loss holds one that the program computes by itself: a function, a
/// function of an object, an object with call() or __call__(), or functools.partial() or tf.function() of any
/// of them.
[[nodiscard]] bool holdsOwnLoss(const PythonValue& given);

/// What such a loss computes of labels and predictions: a loss of Keras where it hands them on, else a loss
/// function that holds its layers. Lists and dictionaries have one for each output; anything else is what it
/// is. `labels`: what fit() is given, with the batch axis; null: it is not known.
PythonValue lossOfProgram(const PythonApiCall& call, PythonModelName model, const PythonValue& given,
                          const PythonValue* labels);

/// Extents behind the batch axis; null where they are not known.
struct LossShapes {
    Json predictions;
    Json labels;
    /// How many labels a batch has, where those are not as many as the first axis of the predictions is long.
    std::optional<std::int64_t> labelCount = {};
};

/// That count, of the shapes of both; nothing where it is not known, or they are as many.
[[nodiscard]] std::optional<std::int64_t> labelCountBeside(const Json& labels, const Json& predictions);

/// The same of what `compute` makes of the tensors of labels and predictions. It may be called twice: with
/// labels that are class numbers where they turn out to be.
PythonValue lossOfLabels(const PythonApiCall& call, const LossShapes& shapes,
                         const std::function<PythonValue(const PythonTensor&, const PythonTensor&)>& compute);

/// Says that what samples count for in a loss is not read.
void leaveSampleWeightsOut(PythonProgramBuilder& builder, PythonPlace place);

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

/// What gradients are taken of: those of one value for each sample are the gradients of their sum.
[[nodiscard]] PythonValue summedTarget(const PythonApiCall& call, const PythonValue& target);

/// tf.reduce_sum() of losses that Keras averages over an axis, or over some axes only: as many times their
/// mean as it sums. Nothing: it is the sum over all samples, or their extents are not known.
[[nodiscard]] std::optional<PythonValue> summedLoss(const PythonApiCall& call, const PythonLoss& loss);

} // namespace core
