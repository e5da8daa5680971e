#include "simulator/planner/estimate.h"

#include "simulator/compiler/compile.h"
#include "simulator/compiler/compile_graph.h"
#include "simulator/compiler/planning/compile_options.h"
#include "simulator/compiler/rename_ipus.h"
#include "simulator/engine/clock/executions.h"
#include "simulator/engine/clock/infeed_queue.h"
#include "simulator/engine/clock/slot_pattern.h"
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

std::vector<std::size_t> callsOfStages(const core::ValidatedProject& project) {
    std::vector<std::size_t> calls(project.stageCount(), 0);
    for (const core::TypedInvocation& invocation : project.graph().invocations)
        if (project.graph().layerOf(invocation.id).className != "InputLayer")
            ++calls[project.stageOf(invocation.id).index()];
    return calls;
}

/// The programs of a project, with its IPUs as `renameIpus` names them.
struct Programs {
    const ProgramCache::Entry* entry = nullptr;
    /// What they are called in the project; empty: the same.
    std::vector<core::IpuId> ipus;
};

/// Known, or compiled and kept.
core::Result<Programs> programsOf(const core::ValidatedProject& project, CompilationCache& cache,
                                  const core::JobContext& job, const std::filesystem::path& folder) {
    auto system = systemOf(project, folder);
    if (!system)
        return core::failure(system.error());
    CompileOptions options = compileOptions(project);
    std::vector<core::IpuId> ipus = renameIpus(options, *system);
    const auto known = cache.programs().find(project, options, *system);
    if (known && *known != nullptr)
        return Programs{*known, std::move(ipus)};
    const auto remember = [&](CompiledPipeline pipeline) {
        auto invocations = invocationEstimates(pipeline, project.graph());
        return cache.programs().remember(std::move(pipeline), project, options, *system,
                                         std::move(invocations));
    };
    if (auto graph = cache.trainingGraph(project); known && graph)
        if (auto pipeline = compileGraph(std::move(*graph), options, *system, cache.plans(), job))
            return Programs{remember(std::move(*pipeline)), std::move(ipus)};
    // What is wrong is said of the IPUs as the project calls them.
    auto executable = compile(project, job, &cache, folder);
    if (!executable)
        return core::failure(std::move(executable.error()));
    options = compileOptions(project);
    system->physicalIndex = executable->system.physicalIndex;
    return Programs{remember(std::move(*executable)), {}};
}

/// An estimate of the programs: how well it is known, and with the IPUs as the project calls them.
core::PlanEstimate completed(core::PlanEstimate estimate, const Programs& programs) {
    estimate.intervals = programs.entry->pipeline.system.target.intervals.ofProgram(programs.entry->family);
    const std::vector<core::IpuId>& ipus = programs.ipus;
    if (ipus.empty())
        return estimate;
    for (core::StageEstimate& stage : estimate.stages)
        stage.ipu = ipus[stage.ipu.index()];
    for (core::IpuEstimate& ipu : estimate.ipus)
        ipu.ipu = ipus[ipu.ipu.index()];
    std::ranges::sort(estimate.ipus, {}, &core::IpuEstimate::ipu);
    return estimate;
}

} // namespace

core::PlanEstimate refusedEstimate(const core::Diagnostics& diagnostics) {
    const auto error = std::ranges::find(diagnostics, core::Severity::Error, &core::Diagnostic::severity);
    const core::Diagnostic& finding = error == diagnostics.end() ? diagnostics.front() : *error;
    core::PlanEstimate estimate;
    estimate.refusal = finding.message;
    for (const std::string& hint : finding.hints)
        estimate.refusal += "; " + hint;
    return estimate;
}

core::PlanEstimate estimateOf(const CompiledPipeline& pipeline, const std::vector<std::size_t>& invocations) {
    return estimateOf(pipeline, simulate(pipeline), invocations);
}

core::PlanEstimate estimateOf(const CompiledPipeline& pipeline, const SimulatedUpdate& update,
                              const std::vector<std::size_t>& invocations) {
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
    TimedUpdates updates;
    return estimateTotals(project, cache, updates, job, folder);
}

core::PlanEstimate estimateTotals(const core::ValidatedProject& project, CompilationCache& cache,
                                  TimedUpdates& updates, const core::JobContext& job,
                                  const std::filesystem::path& folder) {
    const auto programs = programsOf(project, cache, job, folder);
    return programs ? completed(updates.totals(*programs->entry, cache.programs()), *programs)
                    : refusedEstimate(programs.error());
}

core::PlanEstimate estimate(const core::ValidatedProject& project, CompilationCache& cache,
                            const core::JobContext& job, const std::filesystem::path& folder) {
    const auto programs = programsOf(project, cache, job, folder);
    if (!programs)
        return refusedEstimate(programs.error());
    core::PlanEstimate result =
        estimateOf(cache.programs().withSlots(*programs->entry), callsOfStages(project));
    result.invocations = programs->entry->invocations;
    return completed(std::move(result), *programs);
}

} // namespace simulator
