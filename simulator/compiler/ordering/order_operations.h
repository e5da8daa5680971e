#pragma once

#include "simulator/compiler/ordering/ordering_algorithm.h"
#include "simulator/compiler/staging/tensor_uses.h"
#include "simulator/program/ordered_graph.h"

#include <vector>

namespace simulator {

/// Orders every program of every stage by the chosen algorithm.
[[nodiscard]] std::vector<StageOrders> orderOperations(const KeptGraph& kept, const TensorUses& uses,
                                                       const OrderingOptions& options);

} // namespace simulator
