#pragma once

#include "simulator/compiler/ordering/ordering_algorithm.h"

namespace simulator {

/// Depth-first post-order: each operation right after its operands.
[[nodiscard]] NodeOrder postOrderOrder(const Computation& computation, const OrderingOptions& options);

} // namespace simulator
