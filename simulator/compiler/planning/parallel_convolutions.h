#pragma once

#include "simulator/cost/operation_plan.h"
#include "simulator/graph/staged_graph.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace simulator {

/// Plans an operation of the graph on this many tiles.
using PartPlanner = std::function<OperationPlan(const Operation& operation, std::int64_t tiles)>;

/// Prices the convolutions of one `Convolution::parallelSet`, program and pass as a multi-convolution runs
/// them: side by side, each on a share of the `tiles` that follows its arithmetic. The first takes the time
/// of the slowest, the others none; each keeps its own memory and code.
void runInParallel(std::vector<OperationPlan>& plans, const StagedGraph& staged, std::int64_t tiles,
                   const PartPlanner& planner);

} // namespace simulator
