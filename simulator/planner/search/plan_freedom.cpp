#include "simulator/planner/search/plan_freedom.h"

#include "core/config/ipu_config/ipu_config_values.h"
#include "core/project/run_figures.h"

#include <algorithm>

namespace simulator {

namespace {

OffloadChoice presentOffload(const core::PipelineOptions& pipeline) {
    return {.optimizerState = pipeline.offloadWeightUpdateVariables.value_or(false),
            .activations = pipeline.offloadActivations.value_or(false)};
}

} // namespace

bool keeps(const PlanChoice& choice, const PlanFreedom& freedom, const core::Project& project) {
    const auto stages =
        std::max<std::size_t>(1, project.assignment.isPipelined() ? project.assignment.stageCount() : 1);
    const bool isPipeline = choice.stages > 1;
    return (freedom.split || choice.stages == stages) &&
           (freedom.replicas ||
            choice.replicas == core::runFigures(project, core::RunMode::Train, {}).replicas) &&
           (freedom.schedule || !isPipeline || choice.schedule == project.pipeline.schedule) &&
           (freedom.microBatch || choice.batchSize == project.training.batchSize) &&
           (freedom.recompute || !isPipeline ||
            choice.recompute == core::optionIsOn(project.ipuConfig, "allow_recompute")) &&
           (freedom.offload || !isPipeline || choice.offload == presentOffload(project.pipeline)) &&
           (freedom.memoryProportion || !choice.memoryProportion);
}

std::vector<std::optional<std::size_t>> presentStages(const core::Project& project) {
    std::vector<std::optional<std::size_t>> stages;
    if (project.assignment.isPipelined())
        for (const core::StageId stage : project.assignment.stages)
            stages.push_back(stage.isValid() ? std::optional(stage.index()) : std::nullopt);
    return stages;
}

} // namespace simulator
