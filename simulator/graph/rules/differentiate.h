#pragma once

#include "core/base/result.h"
#include "simulator/graph/graph_builder.h"

#include <map>
#include <span>
#include <vector>

namespace simulator {

/// Where differentiation starts: d(loss)/d(tensor) is `gradient`.
struct GradientSeed {
    core::TensorId tensor;
    core::TensorId gradient;
};

/// The gradient of one tensor from the operations of one invocation.
struct GradientPart {
    core::InvocationId origin;
    core::TensorId gradient;
};

/// Parts of the gradient of every wanted tensor, in the order in which the backward pass computes them. A
/// tensor the seeds do not depend on is missing.
using Gradients = std::map<core::TensorId, std::vector<GradientPart>>;

/// Appends the backward operations that answer the gradients of `wanted` to the builder's graph: the forward
/// operations in reverse, each by the rule of its kind, and nothing that leads to no wanted tensor. Backward
/// operations carry the invocation of their forward operation. Refuses a graph in which an operation without
/// a rule lies between a seed and a wanted tensor ("numerics/not-trainable").
[[nodiscard]] core::Result<Gradients> differentiate(GraphBuilder& build, std::span<const GradientSeed> seeds,
                                                    std::span<const core::TensorId> wanted);

/// One gradient per wanted tensor: the parts added up; invalid where there is none.
[[nodiscard]] core::TensorId sumOfParts(GraphBuilder& build, const Gradients& gradients,
                                        core::TensorId tensor);

} // namespace simulator
