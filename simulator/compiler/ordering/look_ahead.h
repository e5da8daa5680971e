#pragma once

#include "simulator/compiler/ordering/ordering_algorithm.h"

namespace simulator {

/// Tries the next choices some levels deep and takes the one whose best continuation keeps the least alive.
/// The tree is bounded by a number of nodes, shared equally among the children; the first child wins ties.
[[nodiscard]] NodeOrder lookAheadOrder(const Computation& computation, const OrderingOptions& options);

} // namespace simulator
