#pragma once

#include "simulator/cost/operations/plan_context.h"

namespace simulator {

/// A reduction of elements that are spread over all tiles.
struct SpreadReduction {
    std::int64_t elements = 0;
    std::int64_t outputs = 1;
    core::DataType type = core::DataType::Float32;
    /// Reductions that read the elements together (mean and mean of squares: 2).
    std::int64_t results = 1;
};

/// Adds a reduction: each tile sums its own elements, then the partial results meet where the outputs live,
/// or balanced over all tiles when that is not dearer (poplibs, lib/popops/reduction/ReductionPlan.cpp).
void addReduction(PlanTally& tally, const PlanContext& context, const SpreadReduction& work);

inline constexpr CodeFootprint reductionFootprint{24, 48, 56};

} // namespace simulator
