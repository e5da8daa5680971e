#include "simulator/engine/records/run_summary.h"

#include "simulator/engine/clock/executions.h"

namespace simulator {

std::vector<core::StageSummary> stageSummaries(const CompiledPipeline& pipeline) {
    std::vector<core::StageSummary> summaries;
    for (std::size_t stage = 0; stage < pipeline.stages.size(); ++stage) {
        const StagePrograms& programs = pipeline.stages[stage];
        core::StageSummary summary;
        summary.stage = core::StageId(stage);
        summary.ipu = pipeline.ipus[stage];
        summary.forward = programs.forward.total();
        summary.backward = programs.backward.total() + programs.weightGradient.total();
        summary.recompute = programs.recompute.total();
        summary.update = programs.weightUpdate.total();
        summary.fifoDepth = pipeline.schedule.fifoDepths[stage];
        summaries.push_back(summary);
    }
    for (const StageTransfer& transfer : pipeline.transfers)
        if (transfer.path == TransferPath::InterIpuCopy && transfer.phase != Phase::WeightUpdate)
            summaries[transfer.from.index()].transfer += core::Bytes(transfer.bytes);
    for (const auto* stashes : {&pipeline.stashes, &pipeline.gradientStashes})
        for (const Stash& stash : *stashes)
            summaries[stash.stage.index()].stash += core::Bytes(stash.fifoBytes());
    return summaries;
}

double idleFraction(const SimulatedUpdate& update) {
    core::Cycles idle;
    for (const LaneSums& sums : update.sums)
        idle += sums.idleTotal();
    return ratio(idle, update.timing.total * static_cast<std::int64_t>(update.sums.size()));
}

core::RunSummary runSummary(const CompiledPipeline& pipeline, const SimulatedUpdate& update) {
    core::RunSummary summary;
    summary.fits = pipeline.memory.fits();
    summary.effectiveBatch = pipeline.execution.effectiveBatch;
    summary.executions = pipeline.execution.executionsPerEpoch * pipeline.execution.epochs;
    summary.step = update.timing.total;
    summary.samplesPerSecond = samplesPerSecond(pipeline, update.timing);
    summary.idleFraction = idleFraction(update);
    summary.hostStallFraction = hostStallFraction(pipeline, update.timing);
    summary.stages = stageSummaries(pipeline);
    for (const IpuMemoryPlan& plan : pipeline.memory.ipus)
        summary.memory.push_back(plan.summary);
    summary.idleByCause.resize(core::idleCauseCount);
    for (const LaneSums& sums : update.sums)
        for (std::size_t cause = 0; cause < core::idleCauseCount; ++cause)
            summary.idleByCause[cause] += sums.idle[cause];
    summary.diagnostics = pipeline.memory.findings;
    return summary;
}

} // namespace simulator
