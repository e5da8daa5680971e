#include "core/project/choices/pipeline_choices.h"

#include "core/plan/assignment_entries.h"
#include "core/plan/schedule/schedule_catalogue.h"
#include "core/plan/schedule/schedule_rules.h"
#include "core/project/project_edit.h"
#include "core/project/run_figures.h"
#include "core/project/validate.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

namespace core {

namespace {

/// Batches of an epoch as far as the project itself says: those of made-up samples.
std::optional<std::int64_t> knownSteps(const TrainingOptions& training) {
    constexpr std::int64_t presetSamples = 1024;
    if (training.stepsPerEpoch)
        return training.stepsPerEpoch;
    if (!training.dataset || training.dataset->kind != "synthetic" || training.validationSplit > 0)
        return std::nullopt;
    const auto samples = training.dataset->parameters.find("samples");
    const std::int64_t count = samples != training.dataset->parameters.end() && samples->is_number_integer()
                                   ? samples->get<std::int64_t>()
                                   : presetSamples;
    return count / std::max<std::int64_t>(1, training.batchSize);
}

/// An epoch of as many steps as the updates divide, at most those there are.
void fitEpoch(Project& project) {
    const auto steps = knownSteps(project.training);
    if (!steps)
        return;
    const std::int64_t replicas = runFigures(project, RunMode::Train, {}).replicas;
    const std::int64_t whole = std::max<std::int64_t>(1, project.training.stepsPerExecution) * replicas;
    if (*steps % whole != 0)
        project.training.stepsPerEpoch = std::max<std::int64_t>(1, *steps / whole) * whole;
}

/// Stages of every layer that is called on several, by its path.
std::map<std::string, std::set<std::size_t>> layersOfSeveralStages(const Project& project) {
    std::map<std::string, std::set<std::size_t>> stagesOf;
    for (const AssignmentEntry& entry : flattened(assignmentEntries(project.model))) {
        if (entry.index < project.assignment.stages.size())
            stagesOf[entry.path].insert(project.assignment.stages[entry.index].index());
    }
    std::erase_if(stagesOf, [](const auto& layer) { return layer.second.size() < 2; });
    return stagesOf;
}

std::ptrdiff_t errorsIn(const Diagnostics& findings) {
    return std::ranges::count(findings, Severity::Error, &Diagnostic::severity);
}

} // namespace

std::optional<std::int64_t> legalMicroBatches(const Project& project, std::int64_t from) {
    constexpr std::int64_t mostTried = 4096;
    const ScheduleDefinition& definition = scheduleDefinition(project.pipeline.schedule);
    PipelineShape shape = pipelineShape(project, runFigures(project, RunMode::Train, {}));
    const std::int64_t first = std::max<std::int64_t>(1, from);
    for (std::int64_t n = first; n <= first + mostTried; ++n) {
        shape.microBatches = n;
        if (!brokenMicroBatchRule(definition, shape))
            return n;
    }
    return std::nullopt;
}

Result<Project> withMicroBatchChoice(const Project& project, std::int64_t steps) {
    const std::int64_t before = runFigures(project, RunMode::Train, {}).microBatches;
    auto next = withMicroBatches(project, steps);
    if (!next)
        return next;
    TrainingOptions training = next->training;
    if (training.stepsPerExecution == before ||
        training.stepsPerExecution % std::max<std::int64_t>(1, steps) != 0) {
        training.stepsPerExecution = steps;
        if (training.stepsPerEpoch && *training.stepsPerEpoch % steps != 0)
            training.stepsPerEpoch = (*training.stepsPerEpoch + steps - 1) / steps * steps;
        return withTraining(*next, training);
    }
    return next;
}

Result<Project> withReplicaChoice(const Project& project, std::int64_t replicas) {
    Result<Project> next = withReplicas(project, replicas);
    if (!next)
        return next;
    SystemOptions system = next->system;
    system.ipus = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(
        runFigures(*next, RunMode::Train, {}).ipusPerReplica * std::max<std::int64_t>(1, replicas))));
    return withSystem(*next, system);
}

std::optional<Project> withSharedWeightsTogether(const Project& project) {
    if (!project.assignment.isPipelined() || !project.deviceMapping.ipus.empty())
        return std::nullopt;
    const auto stagesOf = layersOfSeveralStages(project);
    if (stagesOf.empty())
        return std::nullopt;
    // Which of them have weights, the rule about them knows.
    const Diagnostics findings = validateAll(project, RunMode::Train).findings;
    std::vector<std::size_t> first(project.assignment.stageCount());
    for (std::size_t stage = 0; stage < first.size(); ++stage)
        first[stage] = stage;
    for (const Diagnostic& finding : findings) {
        const auto layer = stagesOf.find(finding.location.place);
        if (finding.code != "unimplemented/shared-variable" || layer == stagesOf.end())
            continue;
        std::set<std::size_t> joined;
        for (const std::size_t stage : layer->second)
            joined.insert(first[stage]);
        for (std::size_t& stage : first) {
            if (joined.contains(stage))
                stage = *joined.begin();
        }
    }
    Project next = project;
    std::size_t ipus = 0;
    for (std::size_t stage = 0; stage < first.size(); ++stage)
        next.deviceMapping.ipus.push_back(first[stage] < stage ? next.deviceMapping.ipus[first[stage]]
                                                               : IpuId(ipus++));
    // IPUs that become free do not make further replicas, which would change the effective batch.
    const std::int64_t replicas = runFigures(project, RunMode::Train, {}).replicas;
    if (runFigures(next, RunMode::Train, {}).replicas != replicas)
        next.replicas = replicas;
    // Not every schedule has several stages on one IPU.
    if (ipus == first.size() || errorsIn(validateAll(next, RunMode::Train).findings) >= errorsIn(findings))
        return std::nullopt;
    return next;
}

Result<Project> withPipelineNeeds(const Project& before, Result<Project> edited) {
    if (!edited || !edited->assignment.isPipelined() ||
        (before.assignment.isPipelined() &&
         before.assignment.stageCount() == edited->assignment.stageCount()))
        return edited;
    if (auto together = withSharedWeightsTogether(*edited))
        *edited = std::move(*together);
    const std::int64_t ipus = runFigures(*edited, RunMode::Train, {}).ipusPerReplica *
                              std::max<std::int64_t>(1, edited->replicas.value_or(1));
    edited->system.ipus = std::max(edited->system.ipus, std::min(ipus, largestSystem));
    const auto& decided = edited->pipeline.gradientAccumulationSteps;
    if (decided && (!before.assignment.isPipelined() || decided != legalMicroBatches(before)))
        return edited;
    const auto needed = legalMicroBatches(*edited);
    if (!needed)
        return edited;
    auto next = withMicroBatchChoice(*edited, *needed);
    if (!next)
        return edited;
    fitEpoch(*next);
    return next;
}

} // namespace core
