#pragma once

#include "simulator/numerics/kernels/vector.h"

namespace simulator::KERNEL_VARIANT {

/// Columns of the panel of a packed right operand that begins with `left` columns still to do. Four vectors
/// go as two and two: a panel of one keeps too few sums in flight.
[[gnu::always_inline]] inline std::int64_t panelColumns(std::int64_t left) {
    const std::int64_t vectors = blocks(left, lanes);
    return smaller(left, (vectors == blockVectors + 1 ? (blockVectors + 1) / 2 : blockVectors) * lanes);
}

} // namespace simulator::KERNEL_VARIANT
