#pragma once

#include "simulator/compiler/ordering/ordering_algorithm.h"

namespace simulator {

/// Of the ready operations the one nearest to an output goes next, then the earlier one.
[[nodiscard]] NodeOrder shortestPathOrder(const Computation& computation, const OrderingOptions& options);

} // namespace simulator
