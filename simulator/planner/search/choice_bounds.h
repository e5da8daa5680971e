#pragma once

#include "simulator/planner/search/priced_chains.h"
#include "simulator/planner/search/split_search.h"

#include <optional>

namespace simulator {

/// What the plans of one choice have in common, as bounds: the problem of its cuts, and its slots.
struct ChoiceBounds {
    SplitProblem problem;
    SlotBound slotBound;
};

/// Nothing where the schedule refuses the choice. `chain` is `chains.of(choice)`.
[[nodiscard]] std::optional<ChoiceBounds> choiceBounds(const PlanSearchRequest& request,
                                                       const PricedChains& chains, const ChainTable& chain,
                                                       const PlanChoice& choice);

} // namespace simulator
