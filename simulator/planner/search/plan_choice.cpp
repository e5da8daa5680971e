#include "simulator/planner/search/plan_choice.h"

#include "core/config/ipu_config/ipu_config_values.h"
#include "core/plan/recomputation.h"
#include "core/plan/schedule/schedule_catalogue.h"
#include "core/plan/schedule/schedule_rules.h"
#include "core/project/project_edit.h"
#include "core/project/run_figures.h"
#include "simulator/planner/plan_choices.h"

#include <algorithm>
#include <bit>
#include <set>

namespace simulator {

namespace {

std::vector<std::int64_t> microBatchSizes(const core::Project& project, std::int64_t ofReplicas) {
    std::vector<std::int64_t> sizes;
    for (std::int64_t size = 1; size <= std::min(largestMicroBatch, ofReplicas); ++size)
        if (ofReplicas % size == 0)
            sizes.push_back(size);
    const std::int64_t own = project.training.batchSize;
    if (own > largestMicroBatch && ofReplicas % own == 0)
        sizes.push_back(own);
    return sizes;
}

/// Whether a schedule takes so many stages and micro-batches.
bool isAccepted(const core::ScheduleDefinition& schedule, std::size_t stages, std::int64_t accumulation,
                bool isTied) {
    core::PipelineShape shape{.stages = stages, .microBatches = accumulation, .training = true};
    for (std::size_t stage = 0; isTied && stage < stages; ++stage)
        shape.deviceMapping.emplace_back(stage + 1 == stages ? 0 : stage);
    return !core::brokenScheduleRule(schedule, shape);
}

/// Counts that follow from the size of a micro-batch and of an update.
void setCounts(const PlanChoice& choice, const core::Project& before, core::Project& project) {
    const auto figures = core::runFigures(before, core::RunMode::Train, {});
    const std::int64_t accumulation = std::max<std::int64_t>(1, figures.microBatches);
    const std::int64_t updates = std::max<std::int64_t>(1, before.training.stepsPerExecution / accumulation);
    project.training.batchSize = choice.batchSize;
    project.pipeline.gradientAccumulationSteps = choice.accumulation;
    project.training.stepsPerExecution = updates * choice.accumulation;
    if (before.training.stepsPerEpoch) {
        const std::int64_t ofUpdate = accumulation * figures.replicas;
        const std::int64_t ofEpoch = std::max<std::int64_t>(1, *before.training.stepsPerEpoch / ofUpdate);
        project.training.stepsPerEpoch = ofEpoch * choice.accumulation * choice.replicas;
    }
}

} // namespace

std::string_view toString(OffloadChoice offload) {
    if (offload.isNothing())
        return "nothing";
    if (!offload.activations)
        return "optimizer_state";
    return offload.optimizerState ? "optimizer_state_and_activations" : "activations";
}

std::vector<std::size_t> ipusOfSplit(std::span<const std::size_t> ends,
                                     std::span<const std::pair<std::size_t, std::size_t>> shared) {
    const auto stageOf = [&](std::size_t layer) {
        return static_cast<std::size_t>(std::ranges::upper_bound(ends, layer) - ends.begin());
    };
    std::vector<std::size_t> first(ends.size());
    for (std::size_t stage = 0; stage < ends.size(); ++stage)
        first[stage] = stage;
    for (const auto& [owner, user] : shared)
        first[stageOf(user)] = std::min(first[stageOf(user)], first[stageOf(owner)]);
    std::vector<std::size_t> ipus;
    std::size_t next = 0;
    for (std::size_t stage = 0; stage < ends.size(); ++stage)
        ipus.push_back(first[stage] < stage ? ipus[first[stage]] : next++);
    return ipus;
}

core::Result<core::Project> withPlanChoice(const core::Project& before, const PlanChoice& choice,
                                           std::span<const std::size_t> ends,
                                           std::span<const std::pair<std::size_t, std::size_t>> shared) {
    core::Project project = before;
    project.assignment = {};
    project.deviceMapping = {};
    std::size_t ipus = 1;
    if (choice.stages > 1) {
        std::size_t layer = 0;
        for (std::size_t stage = 0; stage < ends.size(); ++stage)
            for (; layer < ends[stage]; ++layer)
                project.assignment.stages.emplace_back(stage);
        const std::vector<std::size_t> mapping = ipusOfSplit(ends, shared);
        ipus = *std::ranges::max_element(mapping) + 1;
        if (ipus < ends.size())
            for (const std::size_t ipu : mapping)
                project.deviceMapping.ipus.emplace_back(ipu);
        project.pipeline.schedule = choice.schedule;
        project.pipeline.scheduleTable = {};
        if (!core::resolveRecomputation(choice.schedule, project.pipeline.recomputationMode))
            project.pipeline.recomputationMode = core::RecomputationMode::Auto;
        project.pipeline.offloadWeightUpdateVariables = choice.offload.optimizerState;
        project.pipeline.offloadActivations = choice.offload.activations;
    }
    project.pipeline.recomputedStages.reset();
    project.pipeline.offloadedStages.reset();
    project.pipeline.forwardStagesPoplarOptions.clear();
    project.pipeline.backwardStagesPoplarOptions.clear();
    setCounts(choice, before, project);
    project.replicas = choice.replicas;
    project.system.ipus = choice.replicas * static_cast<std::int64_t>(std::bit_ceil(ipus));
    for (const std::string_view option : {"select_ipus", "auto_select_ipus"})
        project.ipuConfig.values.erase(std::string(option));
    // A model without stages recomputes nothing, whatever the option says.
    auto result = choice.stages > 1 ? core::withIpuOption(project, "allow_recompute", choice.recompute)
                                    : core::Result<core::Project>(project);
    if (result && choice.memoryProportion)
        return withMemoryProportion(*result, *choice.memoryProportion);
    return result;
}

std::int64_t effectiveBatchOf(const core::Project& project) {
    return samplesOfUpdate(project);
}

std::int64_t ipusPerReplica(const PlanChoice& choice, bool isTied) {
    const std::size_t ipus = choice.stages - (isTied && choice.stages > 1 ? 1 : 0);
    return static_cast<std::int64_t>(std::bit_ceil(ipus));
}

std::vector<PlanChoice> planChoices(const core::Project& project, std::int64_t ipus,
                                    std::int64_t effectiveBatch, std::size_t layers, bool isTied) {
    std::vector<PlanChoice> choices;
    const std::int64_t serial = project.pipeline.batchSerializationIterations;
    if (effectiveBatch % serial != 0)
        return choices;
    std::vector<std::optional<double>> proportions{std::nullopt};
    proportions.insert(proportions.end(), std::begin(memoryProportions), std::end(memoryProportions));
    const auto add = [&](PlanChoice choice) {
        for (const bool recompute : {false, true})
            for (const OffloadChoice offload :
                 {OffloadChoice{}, OffloadChoice{.optimizerState = true}, OffloadChoice{.activations = true},
                  OffloadChoice{.optimizerState = true, .activations = true}})
                for (const auto proportion : proportions) {
                    choice.recompute = recompute;
                    choice.offload = offload;
                    choice.memoryProportion = proportion;
                    // Without stages nothing is recomputed as a pipeline does, nor offloaded.
                    const bool isPlain = !recompute && offload.isNothing();
                    if ((choice.stages > 1 || isPlain) &&
                        (project.system.remoteMemory || offload.isNothing()))
                        choices.push_back(choice);
                }
    };
    const std::size_t mostStages =
        std::min(layers, static_cast<std::size_t>(ipus) + (isTied && ipus > 1 ? 1 : 0));
    for (std::size_t stages = 1; stages <= mostStages; ++stages) {
        PlanChoice choice{.stages = stages};
        const std::int64_t ofReplica = ipusPerReplica(choice, isTied);
        for (choice.replicas = 1; choice.replicas * ofReplica <= ipus; ++choice.replicas) {
            if (effectiveBatch / serial % choice.replicas != 0)
                continue;
            for (const std::int64_t size :
                 microBatchSizes(project, effectiveBatch / serial / choice.replicas)) {
                choice.batchSize = size;
                choice.accumulation = effectiveBatch / serial / choice.replicas / size;
                if (stages == 1)
                    add(choice);
                for (const core::ScheduleDefinition& schedule : core::scheduleCatalogue())
                    if (stages > 1 && !schedule.isWhatIf &&
                        isAccepted(schedule, stages, choice.accumulation, isTied)) {
                        choice.schedule = schedule.name;
                        add(choice);
                    }
                choice.schedule = project.pipeline.schedule;
            }
        }
    }
    return choices;
}

} // namespace simulator
