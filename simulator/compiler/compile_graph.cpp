#include "simulator/compiler/compile_graph.h"

#include "core/plan/schedule_traits.h"
#include "simulator/compiler/insert_transfers.h"
#include "simulator/compiler/lower_to_program.h"
#include "simulator/compiler/plan_activations.h"
#include "simulator/compiler/plan_all_reduce.h"
#include "simulator/compiler/plan_memory.h"
#include "simulator/compiler/plan_operations.h"
#include "simulator/compiler/schedule_pipeline.h"

#include <utility>

namespace simulator {

namespace {

using core::RecomputationMode;

/// What one execution of a stage brings from and sends to the host.
void measureHostTraffic(CompiledPipeline& pipeline) {
    const TrainingGraph& graph = pipeline.staged.graph;
    core::Bytes results;
    for (const Tensor& tensor : graph.tensors) {
        if (isHostFed(tensor.role))
            pipeline.infeedBytes += core::Bytes(tensor.bytes());
        if (tensor.role == TensorRole::Metric)
            results += core::Bytes(tensor.bytes());
    }
    if (!graph.loss.isValid())
        for (const core::TensorId prediction : graph.predictions)
            results += core::Bytes(graph.tensor(prediction).bytes());
    pipeline.infeedBytes = pipeline.infeedBytes * pipeline.batchSerialization;
    results = results * pipeline.batchSerialization;
    pipeline.outfeedBytes = pipeline.execution.accumulateOutfeed ? core::Bytes(0) : results;
    pipeline.updateOutfeedBytes = pipeline.execution.accumulateOutfeed ? results : core::Bytes(0);
}

core::Result<RecomputationMode> recomputationMode(const CompileOptions& options) {
    // Without stages there is no pipeline to refuse a mode: recomputation runs inside the backward pass.
    if (!options.isPipelined)
        return RecomputationMode::RecomputeAndBackpropagateInterleaved;
    return core::resolveRecomputation(options.schedule, options.recomputationMode);
}

ActivationOptions activationOptions(const CompileOptions& options, RecomputationMode mode,
                                    const PipelineSchedule& schedule) {
    return {.recompute = options.allowRecompute && options.training,
            .mode = mode,
            .fifoDepths = schedule.fifoDepths,
            .offload = options.offload.activations.value_or(false)};
}

} // namespace

core::Diagnostic interrupted() {
    return {core::Severity::Error, core::Trouble::Interrupted, "interrupted", {}, "stopped on request", {}};
}

core::Result<CompiledPipeline> compileGraph(TrainingGraph graph, const CompileOptions& options,
                                            const IpuSystem& system, PlanCache& plans,
                                            const core::JobContext& job) {
    CompiledPipeline pipeline;
    pipeline.system = system;
    pipeline.execution = options.execution;
    pipeline.isPipelined = options.isPipelined;
    pipeline.ioTiles = options.ioTiles;
    pipeline.batchSerialization = options.batchSerialization;
    pipeline.offloadsSerializedBuffers = options.batchSerialization > 1 && options.offload.remoteMemory &&
                                         options.offload.activations.value_or(true);

    job.report(0.1, "assigning stages");
    pipeline.staged = assignStages(std::move(graph), options.stages);
    StagedGraph& staged = pipeline.staged;
    const TensorUses uses(staged.graph);

    // The mode is resolved, and refused, for every pipeline, whether or not anything is recomputed.
    const auto mode = recomputationMode(options);
    if (!mode)
        return core::failure(mode.error());

    // The slots come before the activations, because the FIFOs are as deep as the schedule makes them.
    const bool recomputes =
        options.allowRecompute && options.training && *mode == RecomputationMode::RecomputeThenBackpropagate;
    auto schedule = schedulePipeline(options, recomputes);
    if (!schedule)
        return core::failure(std::move(schedule.error()));
    pipeline.schedule = std::move(*schedule);
    pipeline.overlapsHostIo = options.overlapsHostIo && options.isPipelined &&
                              core::scheduleTraits(pipeline.schedule.kind).overlapsHostIo;

    staged.transfers = insertTransfers(staged, uses, pipeline.schedule.kind);
    const ActivationOptions activations = activationOptions(options, *mode, pipeline.schedule);
    ActivationPlan kept = planActivations(staged, uses, activations);
    staged.stashes = std::move(kept.stashes);
    staged.recomputed = std::move(kept.recomputed);
    staged.recomputeInsideBackward = activations.recomputesInsideBackward();
    staged.placements = placeVariables(staged, options.offload);

    job.report(0.2, "planning operations");
    pipeline.plans = planOperations(staged, system, options, plans);
    if (job.isCancelled())
        return core::failure(interrupted());

    job.report(0.7, "ordering operations");
    const std::vector<StageOrders> orders = orderOperations(staged, uses, options.ordering);

    // What a program moves on the IPU depends on the stashes and placements found above.
    pipeline.stages = lowerToProgram(pipeline, orders);
    planAllReduce(pipeline);
    measureHostTraffic(pipeline);

    job.report(0.9, "laying out memory");
    pipeline.memory = planMemory(pipeline, uses, orders, options);
    if (job.isCancelled())
        return core::failure(interrupted());
    return pipeline;
}

} // namespace simulator
