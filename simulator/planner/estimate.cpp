#include "simulator/planner/estimate.h"

#include "simulator/compiler/compile.h"
#include "simulator/compiler/planning/compile_options.h"
#include "simulator/engine/clock/executions.h"
#include "simulator/engine/clock/infeed_queue.h"
#include "simulator/engine/clock/slot_pattern.h"
#include "simulator/engine/clock/timeline.h"
#include "simulator/engine/records/run_summary.h"

#include <algorithm>
#include <array>

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

core::IpuEstimate memoryEstimate(const IpuMemoryPlan& memory) {
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
    return ipu;
}

/// What each IPU works in an update, which work and idling fill: the sums of `computeLane`, without the lane.
std::vector<core::Cycles> busyCycles(const CompiledPipeline& pipeline) {
    // Items are many and programs few.
    std::array<std::vector<std::int64_t>, core::phaseCount> runs;
    for (std::vector<std::int64_t>& ofPhase : runs)
        ofPhase.resize(pipeline.stages.size());
    for (const WorkItem& item : pipeline.schedule.items)
        ++runs[static_cast<std::size_t>(item.phase)][item.stage.index()];
    std::vector<core::Cycles> busy(pipeline.ipuCount());
    for (std::size_t phase = 0; phase < runs.size(); ++phase)
        for (std::size_t stage = 0; stage < runs[phase].size(); ++stage)
            if (runs[phase][stage] > 0)
                busy[pipeline.ipus[stage].index()] +=
                    computeCycles(pipeline, static_cast<Phase>(phase), core::StageId(stage)) *
                    runs[phase][stage];
    for (std::size_t stage = 0; pipeline.schedule.weightUpdateAfterSlot && stage < pipeline.stages.size();
         ++stage)
        busy[pipeline.ipus[stage].index()] +=
            computeCycles(pipeline, Phase::WeightUpdate, core::StageId(stage));
    return busy;
}

core::PlanEstimate totalsOf(const CompiledPipeline& pipeline) {
    const UpdateTiming timing = simulateUpdate(pipeline, slotPattern(pipeline));
    core::PlanEstimate result;
    result.step = timing.total;
    result.clockHz = pipeline.system.target.clockHz;
    result.samplesPerSecond = samplesPerSecond(pipeline, timing);
    result.fits = pipeline.memory.fits();
    const std::vector<core::Cycles> busy = busyCycles(pipeline);
    core::Cycles idle;
    for (std::size_t ipu = 0; ipu < pipeline.ipuCount(); ++ipu) {
        result.ipus.push_back(memoryEstimate(pipeline.memory.ipus[ipu]));
        result.ipus.back().busy = busy[ipu];
        idle += timing.total - busy[ipu];
    }
    result.idleFraction = ratio(idle, timing.total * static_cast<std::int64_t>(pipeline.ipuCount()));
    return result;
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

core::PlanEstimate refused(const core::Diagnostics& diagnostics) {
    core::PlanEstimate estimate;
    estimate.refusal = diagnostics.front().message;
    for (const std::string& hint : diagnostics.front().hints)
        estimate.refusal += "; " + hint;
    return estimate;
}

std::vector<std::size_t> callsOfStages(const core::ValidatedProject& project) {
    std::vector<std::size_t> calls(project.stageCount(), 0);
    for (const core::TypedInvocation& invocation : project.graph().invocations)
        if (project.graph().layerOf(invocation.id).className != "InputLayer")
            ++calls[project.stageOf(invocation.id).index()];
    return calls;
}

/// The programs of a project: known, or compiled and kept.
core::Result<const ProgramCache::Entry*> programsOf(const core::ValidatedProject& project,
                                                    CompilationCache& cache, const core::JobContext& job,
                                                    const std::filesystem::path& folder) {
    const auto system = systemOf(project, folder);
    if (!system)
        return core::failure(system.error());
    const CompileOptions options = compileOptions(project);
    auto known = cache.programs().find(project, options, *system);
    if (!known || *known != nullptr)
        return known;
    auto executable = compile(project, job, &cache, folder);
    if (!executable)
        return core::failure(std::move(executable.error()));
    auto invocations = invocationEstimates(*executable, project.graph());
    return cache.programs().remember(std::move(*executable), project, options, std::move(invocations));
}

} // namespace

core::PlanEstimate estimateOf(const CompiledPipeline& pipeline, const std::vector<std::size_t>& invocations) {
    const SimulatedUpdate update = simulate(pipeline);
    core::PlanEstimate result;
    result.stages = stageEstimates(pipeline, invocations);
    for (std::size_t ipu = 0; ipu < pipeline.ipuCount(); ++ipu) {
        result.ipus.push_back(memoryEstimate(pipeline.memory.ipus[ipu]));
        result.ipus.back().busy = update.sums[ipu].busy;
        result.ipus.back().idle = update.sums[ipu].idle;
    }
    result.step = update.timing.total;
    result.clockHz = pipeline.system.target.clockHz;
    result.samplesPerSecond = samplesPerSecond(pipeline, update.timing);
    result.idleFraction = idleFraction(update);
    result.fits = pipeline.memory.fits();
    return result;
}

core::PlanEstimate estimateTotals(const core::ValidatedProject& project, CompilationCache& cache,
                                  const core::JobContext& job, const std::filesystem::path& folder) {
    const auto programs = programsOf(project, cache, job, folder);
    return programs ? totalsOf((*programs)->pipeline) : refused(programs.error());
}

core::PlanEstimate estimate(const core::ValidatedProject& project, CompilationCache& cache,
                            const core::JobContext& job, const std::filesystem::path& folder) {
    const auto programs = programsOf(project, cache, job, folder);
    if (!programs)
        return refused(programs.error());
    core::PlanEstimate result = estimateOf((*programs)->pipeline, callsOfStages(project));
    result.invocations = (*programs)->invocations;
    return result;
}

} // namespace simulator
