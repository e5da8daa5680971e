#pragma once

#include "core/project/validate.h"
#include "simulator/planner/estimate.h"
#include "simulator/planner/search/plan_search.h"
#include "simulator/planner/search/ranked_advice.h"

namespace tests {

/// What a project's figures are, by themselves.
[[nodiscard]] inline core::PlanEstimate estimateAnew(const core::Project& project,
                                                     simulator::CompilationCache& cache) {
    const auto validated = core::validate(project, core::RunMode::Train);
    if (validated)
        return simulator::estimate(*validated, cache);
    core::PlanEstimate refused;
    refused.refusal = "the project is not valid";
    return refused;
}

struct AdviceWalk {
    core::Project project;
    core::PlanEstimate last;
    int steps = 0;
};

/// Takes the first advice that keeps the training as it is, again and again. `last.refusal` says where an
/// advice did not give what it promised.
[[nodiscard]] inline AdviceWalk followAdvice(core::Project project, simulator::CompilationCache& cache,
                                             int most) {
    AdviceWalk walk{std::move(project), {}, 0};
    walk.last = estimateAnew(walk.project, cache);
    while (walk.steps < most && walk.last.refusal.empty()) {
        const auto advice = simulator::rankedAdvice({walk.project, walk.last, {}, "p", {}}, cache);
        // Every one of them, not only the one that is taken.
        for (const simulator::Advice& one : advice) {
            const core::PlanEstimate got = estimateAnew(one.project, cache);
            if (!got.refusal.empty() || !got.fits || got.samplesPerSecond != one.samplesPerSecond ||
                got.step != one.step)
                walk.last.refusal = "advice does not hold: " + one.text;
        }
        if (!walk.last.refusal.empty() || advice.empty() || advice.front().changesBatch)
            break;
        ++walk.steps;
        walk.project = advice.front().project;
        walk.last = estimateAnew(walk.project, cache);
    }
    return walk;
}

} // namespace tests
