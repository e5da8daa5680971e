#include "simulator/planner/search/ranked_advice.h"

#include "core/project/project_edit.h"
#include "simulator/planner/plan_repair.h"
#include "simulator/planner/search/plan_search.h"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

namespace simulator {

namespace {

/// Enough to find the best plan of small systems, and a good one of larger ones in about a second.
constexpr std::size_t shortSearch = 100;
constexpr double leastGain = 0.005;

/// "Plan anew: 4 stages × 2 replicas, Grouped, 8 micro-batches of 16".
std::string textOf(const PlanChoice& choice) {
    std::string text =
        fmt::format("Plan anew: {} stage{} × {} replica{}", choice.stages, choice.stages == 1 ? "" : "s",
                    choice.replicas, choice.replicas == 1 ? "" : "s");
    if (choice.stages > 1)
        text += ", " + choice.schedule;
    text += fmt::format(", {} micro-batch{} of {}", choice.accumulation, choice.accumulation == 1 ? "" : "es",
                        choice.batchSize);
    if (choice.recompute)
        text += ", recompute";
    if (!choice.offload.isNothing())
        text += !choice.offload.activations     ? ", offload the optimizer state"
                : choice.offload.optimizerState ? ", offload optimizer state and activations"
                                                : ", offload activations";
    if (choice.memoryProportion)
        text += fmt::format(", availableMemoryProportion {}", *choice.memoryProportion);
    return text;
}

std::optional<Advice> searched(const AdviceRequest& request, CompilationCache& cache,
                               const core::JobContext& job) {
    const core::JobContext quietly{job.stopToken, {}};
    const auto outcome = searchPlans({.project = request.project,
                                      .facts = request.facts,
                                      .file = request.file,
                                      .folder = request.folder,
                                      .ipus = request.project.system.ipus,
                                      .simulations = shortSearch,
                                      .locks = core::lockedStages(request.project)},
                                     cache, quietly);
    if (!outcome || outcome->front.empty())
        return std::nullopt;
    const SearchedPlan& best = outcome->front.front();
    return simulatedAdvice(textOf(best.choice), best.project, request, cache, job);
}

void rank(std::vector<Advice>& advice) {
    std::ranges::stable_sort(advice, [](const Advice& a, const Advice& b) {
        const auto place = [](const Advice& one) {
            return std::tuple(one.changesBatch, one.repairs ? one.ipus : 0, -one.samplesPerSecond);
        };
        return place(a) < place(b);
    });
}

} // namespace

std::vector<Advice> rankedAdvice(const AdviceRequest& request, CompilationCache& cache,
                                 const core::JobContext& job,
                                 const std::function<void(const std::vector<Advice>&)>& early) {
    std::vector<Advice> advice = findAdvice(request, cache, job);
    const auto add = [&](Advice&& one) {
        const bool isNew =
            std::ranges::none_of(advice, [&](const Advice& other) { return other.project == one.project; });
        if (isNew && (one.repairs || one.gain >= leastGain))
            advice.push_back(std::move(one));
    };
    for (Advice& repair : findRepairs(request, cache, job))
        add(std::move(repair));
    rank(advice);
    if (early && !job.isCancelled())
        early(advice);
    if (auto best = searched(request, cache, job))
        add(std::move(*best));
    rank(advice);
    return job.isCancelled() ? std::vector<Advice>() : advice;
}

} // namespace simulator
