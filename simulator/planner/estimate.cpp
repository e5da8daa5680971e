#include "simulator/planner/estimate.h"

#include "simulator/compiler/compile.h"
#include "simulator/engine/clock/executions.h"
#include "simulator/engine/clock/infeed_queue.h"
#include "simulator/engine/clock/timeline.h"
#include "simulator/engine/records/run_summary.h"

#include <algorithm>

namespace simulator {

namespace {

std::vector<core::StageEstimate> stageEstimates(const CompiledPipeline& pipeline,
                                                const std::vector<std::size_t>& invocations) {
    std::vector<core::StageEstimate> stages;
    for (const core::StageSummary& summary : stageSummaries(pipeline)) {
        core::StageEstimate stage;
        stage.stage = summary.stage;
        stage.ipu = summary.ipu;
        if (summary.stage.index() < invocations.size())
            stage.invocations = invocations[summary.stage.index()];
        stage.forward = summary.forward;
        stage.weightGradient = pipeline.stages[summary.stage.index()].weightGradient.total();
        stage.backward = summary.backward - stage.weightGradient;
        stage.recompute = summary.recompute;
        stage.update = summary.update;
        stage.stash = summary.stash;
        stages.push_back(stage);
    }
    const IpuTarget& target = pipeline.system.target;
    stages.front().host += hostCopyCycles(target, pipeline.infeedBytes);
    stages.back().host += hostCopyCycles(target, pipeline.outfeedBytes);
    for (const StageTransfer& transfer : pipeline.transfers)
        if (transfer.phase == Phase::Forward && transfer.path == TransferPath::InterIpuCopy)
            stages[transfer.from.index()].cut += core::Bytes(transfer.bytes);
    return stages;
}

core::IpuEstimate ipuEstimate(const IpuMemoryPlan& memory, const LaneSums& sums) {
    const auto category = [&](core::MemoryCategory of) {
        return memory.summary.byCategory[static_cast<std::size_t>(of)];
    };
    core::IpuEstimate ipu;
    ipu.ipu = memory.ipu;
    ipu.limit = memory.summary.limit;
    ipu.peak = memory.summary.peak;
    ipu.alwaysLive = memory.summary.alwaysLive;
    ipu.stash = category(core::MemoryCategory::Stash);
    ipu.temporary = category(core::MemoryCategory::Temporary);
    ipu.worstTile = memory.summary.worstTile;
    ipu.worstTileBytes = memory.summary.worstTileBytes;
    ipu.busy = sums.busy;
    ipu.idle = sums.idle;
    return ipu;
}

/// Sums of the operations that each call became; recomputation is a second run of the same and not counted.
std::vector<core::InvocationEstimate> invocationEstimates(const CompiledPipeline& pipeline,
                                                          const core::TypedGraph& graph) {
    std::vector<core::InvocationEstimate> estimates;
    for (const core::TypedInvocation& invocation : graph.invocations) {
        core::InvocationEstimate estimate;
        estimate.layer = graph.layer(invocation.layer).path;
        estimate.call = invocation.call;
        estimates.push_back(std::move(estimate));
    }
    for (const Operation& operation : pipeline.graph.operations) {
        if (!operation.origin.isValid() || operation.origin.index() >= estimates.size() ||
            operation.phase == Phase::WeightUpdate)
            continue;
        core::InvocationEstimate& estimate = estimates[operation.origin.index()];
        const OperationPlan& plan = pipeline.plans[operation.id.index()];
        (operation.phase == Phase::Forward ? estimate.forward : estimate.backward) += plan.total();
        estimate.temporaryPerTile = std::max(estimate.temporaryPerTile, plan.temporaryPerTile);
        estimate.tilesUsed = std::max(estimate.tilesUsed, plan.tilesUsed);
    }
    return estimates;
}

std::string refusalText(const core::Diagnostics& diagnostics) {
    std::string text = diagnostics.front().message;
    for (const std::string& hint : diagnostics.front().hints)
        text += "; " + hint;
    return text;
}

} // namespace

core::PlanEstimate estimateOf(const CompiledPipeline& pipeline, const std::vector<std::size_t>& invocations) {
    const SimulatedUpdate update = simulate(pipeline);
    core::PlanEstimate result;
    result.stages = stageEstimates(pipeline, invocations);
    for (std::size_t ipu = 0; ipu < pipeline.ipuCount(); ++ipu)
        result.ipus.push_back(ipuEstimate(pipeline.memory.ipus[ipu], update.sums[ipu]));
    result.step = update.timing.total;
    result.clockHz = pipeline.system.target.clockHz;
    result.samplesPerSecond = samplesPerSecond(pipeline, update.timing);
    result.idleFraction = idleFraction(update);
    result.fits = pipeline.memory.fits();
    return result;
}

core::PlanEstimate estimate(const core::ValidatedProject& project, CompilationCache& cache,
                            const core::JobContext& job, const std::filesystem::path& folder) {
    const auto executable = compile(project, job, &cache, folder);
    if (!executable) {
        core::PlanEstimate refused;
        refused.refusal = refusalText(executable.error());
        return refused;
    }
    std::vector<std::size_t> invocations(project.stageCount(), 0);
    for (const core::TypedInvocation& invocation : project.graph().invocations)
        if (project.graph().layerOf(invocation.id).className != "InputLayer")
            ++invocations[project.stageOf(invocation.id).index()];
    core::PlanEstimate result = estimateOf(*executable, invocations);
    result.invocations = invocationEstimates(*executable, project.graph());
    return result;
}

} // namespace simulator
