#pragma once

#include "simulator/compiler/ordering/ordering_algorithm.h"

namespace simulator {

/// Chains of operations with one user each stay together; of the ready clusters the one goes next that frees
/// the most, by Σ over its operations of (bytes read − bytes defined). Ties: the cluster whose first
/// operation comes later.
///
/// Copies and collectives are no operations of a stage here, so there are no queues of colocatable
/// operations.
[[nodiscard]] NodeOrder clusteringOrder(const Computation& computation, const OrderingOptions& options);

} // namespace simulator
