#pragma once

#include "core/model/data_type.h"
#include "simulator/graph/operation_attributes.h"

#include <cstdint>

namespace simulator {

/// Cycles of element-wise vertices of one tile (poplibs, lib/popops/popopsCycleEstimators.cpp and
/// PerformanceEstimation.cpp; non-linearities also lib/popnn). A tile's elements are shared by its workers;
/// `elements` below are those of the tile.

/// What one inner loop costs: `cycles` for `elements` elements of each worker.
struct LoopRate {
    double cycles = 0;
    std::int64_t elements = 1;
};

/// An element-wise function: its loops by width, a worker's start and the supervisor's.
struct ElementwiseCost {
    LoopRate single;
    LoopRate half;
    std::int64_t singleLaunch = 17;
    std::int64_t halfLaunch = 17;
    std::int64_t supervisor = 20;

    /// supervisor + workers · (launch + loops · cycles), loops = ceil(ceil(elements / workers) / vector).
    [[nodiscard]] double cycles(std::int64_t elements, core::DataType type, std::int64_t workers) const;
};

[[nodiscard]] const ElementwiseCost& unaryCost(UnaryFunction function);
/// From dy and what the forward pass kept.
[[nodiscard]] const ElementwiseCost& unaryGradientCost(UnaryFunction function);
/// `scalarOperand`: one operand is a single element for the whole tile.
[[nodiscard]] const ElementwiseCost& binaryCost(BinaryFunction function, bool scalarOperand = false);
/// a · (1 / b), what a quotient becomes under fast mathematics.
[[nodiscard]] const ElementwiseCost& inverseProductCost();
/// condition ? a : b. Not published: three operands loaded, one stored.
[[nodiscard]] const ElementwiseCost& selectCost();
/// a += scale · b: 3 cycles per vector, 5 when one is half and the other float.
[[nodiscard]] const ElementwiseCost& scaledAddCost(bool mixed = false);

/// 12 + 6 · (37 + c · vectors + remainder).
[[nodiscard]] double castCycles(core::DataType from, core::DataType to, std::int64_t elements,
                                std::int64_t workers);
/// A worker vertex per worker; 6 · (setup + elements / vector).
[[nodiscard]] double fillCycles(core::DataType type, std::int64_t elements, std::int64_t workers);

} // namespace simulator
