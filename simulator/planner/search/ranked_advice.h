#pragma once

#include "simulator/planner/plan_advice.h"

#include <functional>
#include <vector>

namespace simulator {

/// All advice about a project: single changes, combinations that make it fit where it does not
/// (`findRepairs`), and the best plan that a short search over everything finds on its IPUs. What fits on the
/// fewest IPUs comes first where the project does not fit, what gains most where it does; what changes the
/// effective batch, and so the training, comes last.
///
/// `early` is told what there is before the search, on the same thread.
[[nodiscard]] std::vector<Advice>
rankedAdvice(const AdviceRequest& request, CompilationCache& cache, const core::JobContext& job = {},
             const std::function<void(const std::vector<Advice>&)>& early = {});

} // namespace simulator
