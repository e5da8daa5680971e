#pragma once

#include "simulator/compiler/ordering/scheduling_algorithm.h"
#include "simulator/program/executable.h"

#include <vector>

namespace simulator {

/// Orders every program of every stage by the chosen algorithm.
[[nodiscard]] std::vector<StageOrders> orderOperations(const StagedGraph& staged, const TensorUses& uses,
                                                       const OrderingOptions& options);

} // namespace simulator
