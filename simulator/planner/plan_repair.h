#pragma once

#include "simulator/planner/plan_advice.h"

#include <vector>

namespace simulator {

/// Changes that together make a plan fit that does not, simulated: each combination has nothing in it that
/// can be left out, the effective batch stays, and there are as few IPUs as any of them needs. The stages of
/// a person stay while other changes are enough. Fewest IPUs first, then the highest throughput. Empty where
/// the plan fits, nothing helps, or when cancelled.
[[nodiscard]] std::vector<Advice> findRepairs(const AdviceRequest& request, CompilationCache& cache,
                                              const core::JobContext& job = {});

} // namespace simulator
