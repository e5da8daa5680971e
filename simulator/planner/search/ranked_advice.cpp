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
constexpr std::size_t mostRemedies = 3;
/// Of the peak; less is not worth a change.
constexpr double leastRelief = 0.01;

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

std::vector<Advice> remediesOf(std::vector<Advice> changes, const core::PlanEstimate& present) {
    const double most = (1 - leastRelief) * core::real(core::peakOf(present).value());
    std::erase_if(changes, [&](const Advice& one) { return core::real(one.peak.value()) > most; });
    rank(changes);
    if (changes.size() > mostRemedies)
        changes.resize(mostRemedies);
    return changes;
}

} // namespace

std::vector<Advice> rankedAdvice(const AdviceRequest& request, CompilationCache& cache,
                                 const core::JobContext& job) {
    return recommend(request, cache, job).advice;
}

Recommendations recommend(const AdviceRequest& request, CompilationCache& cache, const core::JobContext& job,
                          const std::function<void(const Recommendations&)>& early) {
    std::vector<Advice> changes = simulatedChanges(request, cache, job);
    std::vector<Advice> advice = adviceOf(changes);
    const auto addTo = [](std::vector<Advice>& list, const Advice& one) {
        if (std::ranges::none_of(list, [&](const Advice& other) { return other.project == one.project; }))
            list.push_back(one);
    };
    const auto add = [&](const Advice& one) {
        addTo(changes, one);
        if (one.repairs || one.gain >= leastGain)
            addTo(advice, one);
    };
    const auto found = [&] {
        rank(advice);
        return Recommendations{advice, remediesOf(changes, request.present)};
    };
    for (const Advice& repair : findRepairs(request, cache, job))
        add(repair);
    if (early && !job.isCancelled())
        early(found());
    if (const auto best = searched(request, cache, job))
        add(*best);
    return job.isCancelled() ? Recommendations() : found();
}

} // namespace simulator
