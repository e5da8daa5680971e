#pragma once

#include "simulator/program/planned_graph.h"

#include <vector>

namespace simulator {

/// The order of each program of a stage.
struct StageOrders {
    std::vector<core::OperationId> forward;
    /// The recomputed part of `forward`, in its order.
    std::vector<core::OperationId> recompute;
    /// With recomputation inside the backward pass, recomputed operations come right before the first
    /// backward operation that needs them, so that what lies before a checkpoint waits until it is needed.
    std::vector<core::OperationId> backward;
    /// Empty where the schedule does not split the backward pass.
    std::vector<core::OperationId> weightGradient;
    std::vector<core::OperationId> weightUpdate;

    bool operator==(const StageOrders&) const = default;
};

/// A planned graph in which every operation has its position in a program: after what it reads.
struct OrderedGraph : PlannedGraph {
    /// By stage; the programs are made from them.
    std::vector<StageOrders> orders;
};

} // namespace simulator
