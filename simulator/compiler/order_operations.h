#pragma once

#include "simulator/compiler/scheduling/scheduling_algorithm.h"

#include <vector>

namespace simulator {

/// The order of each program of a stage.
struct StageOrders {
    std::vector<core::OperationId> forward;
    /// The recomputed part of `forward`, in its order.
    std::vector<core::OperationId> recompute;
    /// With recomputation inside the backward pass, recomputed operations stand right before the first
    /// backward operation that needs them, so that what lies before a checkpoint waits until it is needed.
    std::vector<core::OperationId> backward;
    std::vector<core::OperationId> weightUpdate;
};

/// Orders every program of every stage by the chosen algorithm.
[[nodiscard]] std::vector<StageOrders> orderOperations(const StagedGraph& staged, const TensorUses& uses,
                                                       const OrderingOptions& options);

} // namespace simulator
