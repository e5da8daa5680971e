#include "simulator/planner/partition_check.h"

#include "core/project/validate.h"
#include "simulator/planner/estimate.h"

#include <algorithm>

namespace simulator {

namespace {

std::int64_t cyclesOf(const core::StageEstimate& stage) {
    return (stage.forward + stage.backward + stage.recompute).value();
}

/// Whether every stage has an IPU of its own, so that bytes of stages and of IPUs can be held side by side.
bool hasOneStagePerIpu(const core::PlanEstimate& plan) {
    return plan.ipus.size() == plan.stages.size() &&
           std::ranges::all_of(plan.stages, [&](const core::StageEstimate& stage) {
               return std::ranges::count(plan.stages, stage.ipu, &core::StageEstimate::ipu) == 1;
           });
}

bool isSame(const core::PlanEstimate& plan, const Partition& partition) {
    if (plan.stages.size() != partition.stages.size() || !hasOneStagePerIpu(plan))
        return false;
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        const auto ipu = std::ranges::find(plan.ipus, plan.stages[i].ipu, &core::IpuEstimate::ipu);
        if (cyclesOf(plan.stages[i]) != partition.stages[i].cycles || ipu == plan.ipus.end() ||
            ipu->peak.value() != partition.stages[i].peakBytes)
            return false;
    }
    return true;
}

} // namespace

core::Result<CompiledPartition> compilePartition(const core::Project& planned, const Partition& partition,
                                                 const std::optional<core::DatasetFacts>& facts,
                                                 const std::string& file, const std::filesystem::path& folder,
                                                 CompilationCache& cache, const core::JobContext& job) {
    const auto validated = core::validate(planned, core::RunMode::Train, facts, file);
    if (!validated)
        return core::failure(validated.error());
    const core::PlanEstimate plan = estimate(*validated, cache, job, folder);
    if (!plan.refusal.empty())
        return core::failure(core::makeError(core::Trouble::Input, "plan/refused", {file, ""}, plan.refusal,
                                             {"`validate` says what is wrong with the plan"}));
    CompiledPartition compiled;
    for (const core::StageEstimate& stage : plan.stages)
        compiled.slowestStageCycles = std::max(compiled.slowestStageCycles, cyclesOf(stage));
    compiled.peakBytes = core::peakOf(plan).value();
    compiled.intervals = plan.intervals;
    compiled.agrees = isSame(plan, partition);
    return compiled;
}

} // namespace simulator
