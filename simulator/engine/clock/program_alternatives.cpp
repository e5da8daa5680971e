#include "simulator/engine/clock/program_alternatives.h"

#include "simulator/compiler/compare_algorithms.h"
#include "simulator/compiler/compile.h"
#include "simulator/compiler/planning/compile_options.h"
#include "simulator/cost/communication.h"
#include "simulator/engine/clock/executions.h"
#include "simulator/engine/clock/infeed_queue.h"
#include "simulator/engine/clock/timeline.h"

#include <algorithm>

namespace simulator {

namespace {

using core::Cycles;
using core::ExecutionAlternative;

ExecutionAlternative graphExecution(const CompiledPipeline& pipeline) {
    const UpdateTiming timing = simulate(pipeline).timing;
    const std::int64_t updates = std::max<std::int64_t>(pipeline.execution.updatesPerExecution, 1);
    const core::ExecutionRecord execution = executionRecords(pipeline, timing).front();
    ExecutionAlternative graph{"graph", 1.0 / static_cast<double>(updates), {}, timing.total, 0};
    graph.launch = Cycles((execution.hostBefore + execution.hostAfter).value() / updates);
    graph.samplesPerSecond = samplesPerSecond(pipeline, timing);
    return graph;
}

std::string nameOf(OrderingAlgorithm algorithm) {
    for (const OrderingAlgorithmRow& row : orderingAlgorithms())
        if (row.algorithm == algorithm)
            return std::string(row.name);
    return "CHOOSE_BEST";
}

/// Views take no program of their own.
bool isLaunched(const CompiledPipeline& pipeline, core::OperationId id) {
    return pipeline.plans[id.index()].total() > Cycles(0);
}

ExecutionAlternative eagerExecution(const CompiledPipeline& pipeline) {
    std::int64_t launches = 0;
    Cycles device;
    const auto run = [&](const std::vector<core::OperationId>& order, std::int64_t times) {
        for (const core::OperationId id : order)
            if (isLaunched(pipeline, id)) {
                launches += times;
                device += pipeline.plans[id.index()].total() * times;
            }
    };
    const std::int64_t microBatches =
        pipeline.schedule.shape.microBatches * std::max<std::int64_t>(pipeline.batchSerialization, 1);
    for (const StageOrders& stage : pipeline.orders) {
        run(stage.forward, microBatches);
        run(stage.backward, microBatches);
        run(stage.weightUpdate, 1);
    }
    const IpuTarget& target = pipeline.system.target;
    const Cycles data =
        hostCopyCycles(target, pipeline.infeedBytes) + hostCopyCycles(target, pipeline.outfeedBytes);
    device += data * microBatches;
    if (!pipeline.allReduce.empty())
        device += *std::ranges::max_element(pipeline.allReduce);
    ExecutionAlternative eager{"eager", static_cast<double>(launches), hostRendezvous(target) * launches,
                               device, 0};
    if (eager.total().value() > 0)
        eager.samplesPerSecond = static_cast<double>(pipeline.execution.effectiveBatch) * target.clockHz /
                                 static_cast<double>(eager.total().value());
    return eager;
}

} // namespace

std::vector<ExecutionAlternative> executionAlternatives(const CompiledPipeline& pipeline) {
    return {graphExecution(pipeline), eagerExecution(pipeline)};
}

core::Result<core::ProgramAlternatives> programAlternatives(const core::ValidatedProject& project,
                                                            CompilationCache& cache,
                                                            const core::JobContext& job,
                                                            const std::filesystem::path& folder) {
    const auto compared = compareAlgorithms(project, cache, job, folder);
    if (!compared)
        return core::failure(compared.error());
    core::ProgramAlternatives alternatives;
    const OrderingAlgorithm chosen = compileOptions(project).ordering.algorithm;
    for (const AlgorithmLiveness& algorithm : *compared) {
        core::SchedulerAlternative row{nameOf(algorithm.algorithm), algorithm.algorithm == chosen, {}};
        for (const IpuLiveness& ipu : algorithm.ipus)
            row.ipus.push_back(
                {ipu.ipu, ipu.live, core::Bytes(ipu.peakBytes), core::Bytes(ipu.worstTileBytes), ipu.fits});
        alternatives.schedulers.push_back(std::move(row));
    }
    const auto executable = compile(project, core::JobContext{job.stopToken, {}}, &cache, folder);
    if (!executable)
        return core::failure(executable.error());
    alternatives.executions = executionAlternatives(*executable);
    alternatives.intervals =
        executable->system.target.intervals.ofProgram(core::programFamily(project.project().model));
    return alternatives;
}

} // namespace simulator
