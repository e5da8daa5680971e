#pragma once

#include "simulator/compiler/ordering/scheduling_algorithm.h"

namespace simulator {

/// Of the ready operations the one nearest to an output goes next, then the earlier one.
[[nodiscard]] NodeOrder shortestPathSchedule(const Computation& computation, const OrderingOptions& options);

} // namespace simulator
