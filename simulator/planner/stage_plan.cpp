#include "simulator/planner/stage_plan.h"

#include "core/project/validate.h"

#include <algorithm>
#include <bit>

namespace simulator {

core::Project projectForPricing(core::Project project) {
    project.assignment = {};
    project.deviceMapping = {};
    project.replicas.reset();
    project.training.dataset.reset();
    project.training.stepsPerEpoch.reset();
    project.training.stepsPerExecution = project.pipeline.gradientAccumulationSteps.value_or(1);
    project.pipeline.forwardStagesPoplarOptions.clear();
    project.pipeline.backwardStagesPoplarOptions.clear();
    project.pipeline.repeatCount.reset();
    return project;
}

core::Result<std::vector<Partition>> planStages(const core::Project& project, const std::string& file,
                                                const std::filesystem::path& folder,
                                                const PartitionRequest& request, CompilationCache& cache,
                                                const core::JobContext& job) {
    const auto validated = core::validate(projectForPricing(project), core::RunMode::Train, {}, file);
    if (!validated)
        return core::failure(validated.error());
    const auto problem = partitionProblem(*validated, request, cache, folder);
    if (!problem)
        return core::failure(problem.error());
    return partitionStages(*problem, job);
}

core::Project withPlan(const core::Project& project, const Partition& partition) {
    core::Project planned = project;
    planned.assignment = {};
    if (partition.stages.size() > 1) {
        for (const std::size_t stage : partition.assignment())
            planned.assignment.stages.emplace_back(stage);
    }
    if (planned.deviceMapping.ipus.size() != partition.stages.size())
        planned.deviceMapping.ipus.clear();
    const auto ipus = static_cast<std::int64_t>(std::bit_ceil(partition.stages.size()));
    if (planned.deviceMapping.ipus.empty())
        planned.system.ipus = std::max(planned.system.ipus, ipus * planned.replicas.value_or(1));
    return core::withoutLostStages(std::move(planned));
}

} // namespace simulator
