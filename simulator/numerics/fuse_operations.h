#pragma once

#include "simulator/graph/training_graph.h"

#include <functional>
#include <span>
#include <vector>

namespace simulator {

/// Operations that run as one: a product with the bias, activation or accumulation that follows it. Tensors
/// between them are never written.
struct FusedOperation {
    core::OperationId main;
    /// Invalid: none.
    core::TensorId bias;
    bool relu = false;
    bool accumulate = false;
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

} // namespace simulator
