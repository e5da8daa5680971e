#pragma once

#include "simulator/compiler/ordering/scheduling_algorithm.h"

namespace simulator {

/// Depth-first post-order: each operation right after its operands.
[[nodiscard]] NodeOrder postOrderSchedule(const Computation& computation, const OrderingOptions& options);

} // namespace simulator
