#pragma once

#include "simulator/compiler/ordering/scheduling_algorithm.h"

namespace simulator {

/// Tries the next choices some levels deep and takes the one whose best continuation keeps the least alive.
/// The tree is bounded by a number of nodes, shared equally among the children; the first child wins ties.
[[nodiscard]] NodeOrder lookAheadSchedule(const Computation& computation, const OrderingOptions& options);

} // namespace simulator
