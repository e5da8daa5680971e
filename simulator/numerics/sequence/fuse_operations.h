#pragma once

#include "simulator/graph/training_graph.h"

#include <functional>
#include <span>
#include <vector>

namespace simulator {

/// Operations that run as one: a product with the bias, batch normalisation by moving statistics, residual
/// addition, activation, accumulation or weight update that follows it. Tensors between them are never
/// written.
struct FusedOperation {
    core::OperationId main;
    /// Invalid: none.
    core::TensorId bias;
    /// Invalid: none.
    core::OperationId normalization;
    /// What is added to the product element by element. Invalid: nothing.
    core::TensorId addend;
    bool relu = false;
    bool accumulate = false;
    /// Takes the product piece by piece. Invalid: none.
    core::OperationId update;
    /// What the last of them writes.
    core::TensorId output;
    /// Every operation of it, in order.
    std::vector<core::OperationId> members;
};

/// Groups a list of operations, in its order (each group at the place of its last member). `isNeededOutside`
/// tells which tensors others than the list read.
[[nodiscard]] std::vector<FusedOperation>
fuseOperations(const TrainingGraph& graph, std::span<const core::OperationId> operations,
               const std::function<bool(core::TensorId)>& isNeededOutside);

/// Weight gradients that may be computed together with the update that reads them, so that they are never in
/// memory as a whole: products of matrices that nobody else reads, larger than what they are computed from.
/// Their operations, in the graph's order.
[[nodiscard]] std::vector<core::OperationId> deferrableGradients(const TrainingGraph& graph);

} // namespace simulator
