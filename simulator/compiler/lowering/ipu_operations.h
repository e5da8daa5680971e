#pragma once

#include "simulator/compiler/lowering/layer_lowering.h"

namespace simulator {

// The operations of the IPU extensions that consist of others. Layers lower to them.

/// n − 1 evenly spaced levels between the smallest and the largest value of x.
[[nodiscard]] core::TensorId addFixedWidthBins(GraphBuilder& build, core::TensorId x, std::int64_t bins);

/// (image·scale − offsets)·scales, per channel, with a fourth channel of zeros.
[[nodiscard]] core::TensorId addNormalisedImage(GraphBuilder& build, core::TensorId image, double scale,
                                                core::TensorId offsets, core::TensorId scales);

/// Slices of `counts` rows of `source` into `destination`; offsets that are invalid are running sums of the
/// counts: the slices are one after the other.
[[nodiscard]] core::TensorId addSequenceSlice(GraphBuilder& build, core::TensorId destination,
                                              core::TensorId source, core::TensorId counts,
                                              core::TensorId sourceOffsets, core::TensorId destinationOffsets,
                                              bool zeroUnused);

/// What a sampled loss compares: logits of the true classes and of drawn ones, less the logarithm of how
/// often each is expected, as TensorFlow's nce_loss and sampled_softmax_loss.
struct SampledClasses {
    std::int64_t classes = 0;
    std::int64_t sampled = 0;
    std::int64_t trueClasses = 1;
    std::uint64_t seed = 0;
    std::uint64_t stream = 0;
};
/// One loss per sample. inputs [N, D], labels [N, true] (int), weights [classes, D], biases [classes].
[[nodiscard]] core::TensorId addNceLoss(GraphBuilder& build, const SampledClasses& sampling,
                                        core::TensorId inputs, core::TensorId labels, core::TensorId weights,
                                        core::TensorId biases);
[[nodiscard]] core::TensorId addSampledSoftmaxLoss(GraphBuilder& build, const SampledClasses& sampling,
                                                   core::TensorId inputs, core::TensorId labels,
                                                   core::TensorId weights, core::TensorId biases);

/// The value of a formula of x0, x1, … such as "tanh(x0) * x1 + 0.5": numbers, + − * / and ^ (or **),
/// parentheses and functions by the names TensorFlow gives them. Refuses with the place where it stops making
/// sense.
[[nodiscard]] core::Result<core::TensorId> addExpression(GraphBuilder& build, std::string_view expression,
                                                         const std::vector<core::TensorId>& inputs);

} // namespace simulator
