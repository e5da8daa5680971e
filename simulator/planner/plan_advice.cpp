#include "simulator/planner/plan_advice.h"

#include "core/config/ipu_config/ipu_config_values.h"
#include "core/plan/schedule/schedule_catalogue.h"
#include "core/project/choices/pipeline_choices.h"
#include "core/project/project_edit.h"
#include "core/project/validate.h"
#include "simulator/planner/estimate.h"
#include "simulator/planner/plan_choices.h"
#include "simulator/planner/stage_plan.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace simulator {

namespace {

constexpr double leastGain = 0.005;
constexpr std::size_t mostAdvice = 8;

struct Candidate {
    std::string text;
    core::Result<core::Project> project;
};

void addMicroBatches(const core::Project& project, std::vector<Candidate>& candidates) {
    const std::int64_t present = microBatchesOf(project);
    for (const std::int64_t factor : {2, 4}) {
        // More micro-batches fill the pipeline better; the effective batch grows with them, which is said.
        candidates.push_back({fmt::format("Use {} micro-batches instead of {} (effective batch × {})",
                                          present * factor, present, factor),
                              core::withMicroBatchChoice(project, present * factor)});
    }
}

/// The same samples of an update in smaller or larger micro-batches.
void addMicroBatchSizes(const core::Project& project, std::vector<Candidate>& candidates) {
    for (const std::int64_t size : {project.training.batchSize / 2, project.training.batchSize * 2})
        if (auto resized = withMicroBatchSize(project, size))
            candidates.push_back(
                {fmt::format("Use micro-batches of {} samples, {} an update", size, microBatchesOf(*resized)),
                 std::move(resized)});
}

void addProportions(const core::Project& project, std::vector<Candidate>& candidates) {
    for (const double proportion : {0.15, 0.3})
        candidates.push_back(
            {fmt::format("Let matrix products and convolutions use {:.0f} % of the memory", 100 * proportion),
             withMemoryProportion(project, proportion)});
}

void addSchedules(const core::Project& project, std::vector<Candidate>& candidates) {
    for (const core::ScheduleDefinition& schedule : core::scheduleCatalogue()) {
        // Advice is for the programming system.
        if (!schedule.isWhatIf && schedule.name != project.pipeline.schedule)
            candidates.push_back({fmt::format("Use the schedule {}", schedule.name),
                                  core::withSchedule(project, std::string(schedule.name))});
    }
}

void addOptions(const core::Project& project, std::vector<Candidate>& candidates) {
    const bool isOn = core::optionIsOn(project.ipuConfig, "allow_recompute");
    core::Project alike = project;
    alike.pipeline.recomputedStages.reset();
    candidates.push_back(
        {isOn ? "Do not recompute activations" : "Recompute activations instead of keeping them",
         core::withIpuOption(alike, "allow_recompute", !isOn)});
    if (project.pipeline.offloadWeightUpdateVariables != std::optional(false)) {
        core::PipelineOptions options = project.pipeline;
        options.offloadWeightUpdateVariables = false;
        candidates.push_back(
            {"Keep the optimizer state on the IPUs", core::withPipelineOptions(project, options)});
    }
    if (project.pipeline.offloadWeightUpdateVariables != std::optional(true)) {
        core::PipelineOptions options = project.pipeline;
        options.offloadWeightUpdateVariables = true;
        candidates.push_back(
            {"Keep the optimizer state in streaming memory", core::withPipelineOptions(project, options)});
    }
}

/// A launch of the program costs a rendezvous with the host; more weight updates in one share it. The most
/// that the epoch's steps divide into.
void addLaunches(const AdviceRequest& request, std::vector<Candidate>& candidates) {
    for (const std::int64_t factor : {64, 32, 16, 8, 4, 2}) {
        core::Project project = request.project;
        project.training.stepsPerExecution *= factor;
        if (!core::validate(project, core::RunMode::Train, request.facts, request.file))
            continue;
        candidates.push_back(
            {fmt::format("Launch the program once for {} times as many steps", factor), std::move(project)});
        return;
    }
}

void addSplits(const AdviceRequest& advice, CompilationCache& cache, const core::JobContext& job,
               std::vector<Candidate>& candidates) {
    const core::Project& project = advice.project;
    PartitionRequest request;
    request.stages = project.assignment.stageCount();
    request.locks = core::lockedStages(project);
    constexpr std::array objectives{std::pair{PartitionObjective::Time, "time"},
                                    std::pair{PartitionObjective::Memory, "memory"}};
    for (const auto& [objective, name] : objectives) {
        request.objective = objective;
        const auto plans = planStages(project, advice.file, advice.folder, request, cache, job);
        if (plans && !plans->empty())
            candidates.push_back({fmt::format("Split into {} stages of equal {}", request.stages, name),
                                  withPlan(project, plans->front())});
    }
}

} // namespace

std::optional<Advice> simulatedAdvice(std::string text, core::Project project, const AdviceRequest& request,
                                      CompilationCache& cache, const core::JobContext& job) {
    const auto validated = core::validate(project, core::RunMode::Train, request.facts, request.file);
    if (!validated)
        return std::nullopt;
    const core::PlanEstimate plan = estimateTotals(*validated, cache, job, request.folder);
    if (!plan.refusal.empty() || !plan.fits)
        return std::nullopt;
    const double present = request.present.samplesPerSecond;
    return Advice{.text = std::move(text),
                  .project = std::move(project),
                  .gain = present > 0 ? plan.samplesPerSecond / present - 1 : 0,
                  .samplesPerSecond = plan.samplesPerSecond,
                  .step = plan.step,
                  .peak = core::peakOf(plan),
                  .intervals = plan.intervals,
                  .repairs = !request.present.fits,
                  .ipus = validated->ipusPerReplica() * validated->replicas(),
                  .changesBatch = validated->effectiveBatch() != samplesOfUpdate(request.project)};
}

std::vector<Advice> simulatedChanges(const AdviceRequest& request, CompilationCache& cache,
                                     const core::JobContext& job) {
    const core::Project& project = request.project;
    std::vector<Candidate> candidates;
    if (project.assignment.isPipelined()) {
        addSplits(request, cache, job, candidates);
        addSchedules(project, candidates);
    }
    addMicroBatchSizes(project, candidates);
    addProportions(project, candidates);
    addMicroBatches(project, candidates);
    addLaunches(request, candidates);
    addOptions(project, candidates);
    std::vector<Advice> changes;
    for (Candidate& candidate : candidates) {
        if (job.isCancelled())
            return {};
        if (!candidate.project || *candidate.project == project)
            continue;
        auto simulated =
            simulatedAdvice(std::move(candidate.text), std::move(*candidate.project), request, cache, job);
        if (simulated)
            changes.push_back(std::move(*simulated));
    }
    return changes;
}

std::vector<Advice> adviceOf(std::vector<Advice> advice) {
    std::erase_if(advice, [](const Advice& one) { return !one.repairs && one.gain < leastGain; });
    std::stable_sort(advice.begin(), advice.end(),
                     [](const Advice& a, const Advice& b) { return a.gain > b.gain; });
    if (advice.size() > mostAdvice)
        advice.resize(mostAdvice);
    return advice;
}

std::vector<Advice> findAdvice(const AdviceRequest& request, CompilationCache& cache,
                               const core::JobContext& job) {
    return adviceOf(simulatedChanges(request, cache, job));
}

} // namespace simulator
