#pragma once

#include "simulator/planner/plan_advice.h"

#include <functional>
#include <vector>

namespace simulator {

/// All advice about a project: single changes, combinations that make it fit where it does not
/// (`findRepairs`), and the best plan that a short search over everything finds on its IPUs. What fits on the
/// fewest IPUs comes first where the project does not fit, what gains most where it does; what changes the
/// effective batch, and so the training, comes last.
[[nodiscard]] std::vector<Advice> rankedAdvice(const AdviceRequest& request, CompilationCache& cache,
                                               const core::JobContext& job = {});

/// Everything that was simulated, for two questions: what is faster, and what takes less memory.
struct Recommendations {
    /// `rankedAdvice`.
    std::vector<Advice> advice;
    /// What lowers the peak of the fullest IPU, at most three: what costs least throughput first, after what
    /// keeps the effective batch. For a project that does not fit, what makes it fit on the fewest IPUs.
    std::vector<Advice> remedies;
};
/// `early` is told what there is before the search, on the same thread.
[[nodiscard]] Recommendations recommend(const AdviceRequest& request, CompilationCache& cache,
                                        const core::JobContext& job = {},
                                        const std::function<void(const Recommendations&)>& early = {});

} // namespace simulator
