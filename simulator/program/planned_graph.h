#pragma once

#include "simulator/cost/operation_plan.h"
#include "simulator/program/kept_graph.h"

#include <vector>

namespace simulator {

/// A graph in which each operation is split over the tiles of its IPU and priced.
struct PlannedGraph : KeptGraph {
    /// Plan of every operation.
    std::vector<OperationPlan> plans;
};

} // namespace simulator
