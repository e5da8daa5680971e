#include "simulator/compiler/compile_graph.h"

#include "core/plan/schedule_traits.h"
#include "simulator/compiler/memory/plan_memory.h"
#include "simulator/compiler/planning/lower_to_program.h"
#include "simulator/compiler/planning/plan_operations.h"
#include "simulator/compiler/planning/schedule_pipeline.h"
#include "simulator/compiler/staging/insert_transfers.h"
#include "simulator/compiler/staging/plan_activations.h"
#include "simulator/compiler/staging/plan_all_reduce.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace simulator {

namespace {

using core::RecomputationMode;

/// What one execution of a stage brings from and sends to the host.
void measureHostTraffic(CompiledPipeline& pipeline, const CompileOptions& options) {
    const TrainingGraph& graph = pipeline.staged.graph;
    const ExecutionShape& execution = pipeline.execution;
    if (!execution.syntheticInfeed) {
        std::int64_t fed = 0;
        for (const Tensor& tensor : graph.tensors)
            if (isHostFed(tensor.role)) {
                ++fed;
                pipeline.infeedBytes += core::Bytes(tensor.bytes()) * pipeline.batchSerialization;
            }
        pipeline.infeedCopies = options.mergesInfeedCopies ? 1 : std::max<std::int64_t>(fed, 1);
    }
    if (execution.syntheticOutfeed)
        return;
    const std::vector<core::TensorId>& values = pipeline.staged.outfeeds;
    if (execution.accumulateOutfeed)
        pipeline.updateOutfeedBytes = outfeedBytes(graph, values, execution.accumulateOutfeedType);
    else
        pipeline.outfeedBytes = outfeedBytes(graph, values) * pipeline.batchSerialization;
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

/// Overlapped host I/O needs room on the I/O tiles for two micro-batches, one arriving and one read.
std::optional<core::Diagnostic> tooLargeForIoTiles(const TrainingGraph& graph, const CompileOptions& options,
                                                   const IpuTarget& target) {
    std::int64_t bytes = 0;
    for (const Tensor& tensor : graph.tensors)
        if (isHostFed(tensor.role))
            bytes += 2 * tensor.bytes() * options.batchSerialization;
    const double room = static_cast<double>(options.ioTiles) *
                        static_cast<double>(target.memoryPerTileBytes) * options.ioTileProportion;
    if (!options.overlapsHostIo || static_cast<double>(bytes) <= room)
        return std::nullopt;
    return core::Diagnostic{
        core::Severity::Warning,
        core::Trouble::Input,
        "warning/io-tiles",
        {"", "/ipu_config/io_tiles.num_io_tiles"},
        fmt::format(
            "{} bytes of input do not fit into the {:.0f} bytes that {} I/O tiles have for data: input "
            "and output are not overlapped",
            bytes, room, options.ioTiles),
        {"keep more tiles for input and output, or raise io_tiles.available_memory_proportion"}};
}

/// The stages of a pipeline, before anything is planned.
core::Result<CompiledPipeline> layOutStages(TrainingGraph graph, CompileOptions options,
                                            const IpuSystem& system, const TensorUses& uses) {
    CompiledPipeline pipeline;
    if (auto warning = tooLargeForIoTiles(graph, options, system.target)) {
        pipeline.warnings.push_back(std::move(*warning));
        options.overlapsHostIo = false;
    }
    pipeline.system = system;
    pipeline.execution = options.execution;
    pipeline.isPipelined = options.isPipelined;
    pipeline.ioTiles = options.ioTiles;
    pipeline.interIpuCopyBytes = options.interIpuCopyBytes;
    pipeline.batchSerialization = options.batchSerialization;
    pipeline.offloadsSerializedBuffers = options.batchSerialization > 1 && options.offload.remoteMemory &&
                                         options.offload.activations.value_or(true);

    pipeline.staged = assignStages(std::move(graph), options.stages);
    StagedGraph& staged = pipeline.staged;
    choosePartials(staged, options);
    staged.outfeeds = chooseOutfeeds(staged.graph, options.outfeed);

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

    staged.transfers = insertTransfers(staged, uses, pipeline.schedule.kind, !options.isPipelined);
    const ActivationOptions activations = activationOptions(options, *mode, pipeline.schedule);
    ActivationPlan kept = planActivations(staged, uses, activations);
    staged.stashes = std::move(kept.stashes);
    staged.recomputed = std::move(kept.recomputed);
    staged.recomputeInsideBackward = activations.recomputesInsideBackward();
    staged.placements = placeVariables(staged, options.offload);

    return pipeline;
}

/// Programs and memory of a pipeline that has its plans and orders.
core::Result<CompiledPipeline> finish(CompiledPipeline pipeline, const CompileOptions& options,
                                      const TensorUses& uses, const core::JobContext& job) {
    // What a program moves on the IPU depends on the stashes and placements found before.
    pipeline.stages = lowerToProgram(pipeline, pipeline.orders);
    planAllReduce(pipeline, options.crossReplicaSumBytes);
    measureHostTraffic(pipeline, options);

    job.report(0.9, "laying out memory");
    pipeline.memory = planMemory(pipeline, uses, pipeline.orders, options);
    if (job.isCancelled())
        return core::failure(interrupted());
    return pipeline;
}

/// Every operation is planned, and every order names operations of its stage.
bool fit(const CompiledParts& parts, const StagedGraph& staged) {
    if (parts.plans.size() != staged.graph.operations.size() || parts.orders.size() != staged.stageCount)
        return false;
    for (std::size_t stage = 0; stage < parts.orders.size(); ++stage)
        for (const auto* program : {&parts.orders[stage].forward, &parts.orders[stage].backward,
                                    &parts.orders[stage].recompute, &parts.orders[stage].weightUpdate})
            for (const core::OperationId id : *program)
                if (id.index() >= parts.plans.size() || staged.stageOf(id).index() != stage)
                    return false;
    return true;
}

} // namespace

core::Diagnostic interrupted() {
    return {core::Severity::Error, core::Trouble::Interrupted, "interrupted", {}, "stopped on request", {}};
}

core::Result<CompiledPipeline> compileGraph(TrainingGraph graph, const CompileOptions& options,
                                            const IpuSystem& system, PlanCache& plans,
                                            const core::JobContext& job) {
    job.report(0.1, "assigning stages");
    const TensorUses uses(graph);
    auto pipeline = layOutStages(std::move(graph), options, system, uses);
    if (!pipeline)
        return pipeline;

    job.report(0.2, "planning operations");
    pipeline->plans = planOperations(pipeline->staged, system, options, plans);
    if (job.isCancelled())
        return core::failure(interrupted());

    job.report(0.7, "ordering operations");
    pipeline->orders = orderOperations(pipeline->staged, uses, options.ordering);
    return finish(std::move(*pipeline), options, uses, job);
}

core::Result<CompiledPipeline> compileGraph(TrainingGraph graph, const CompileOptions& options,
                                            const IpuSystem& system, const CompiledParts& known,
                                            const core::JobContext& job) {
    const TensorUses uses(graph);
    auto pipeline = layOutStages(std::move(graph), options, system, uses);
    if (!pipeline)
        return pipeline;
    if (!fit(known, pipeline->staged))
        return core::failure({core::Severity::Error,
                              core::Trouble::Input,
                              "executable/format",
                              {},
                              "the executable was compiled from another graph",
                              {"compile the project again"}});
    pipeline->plans = known.plans;
    pipeline->orders = known.orders;
    return finish(std::move(*pipeline), options, uses, job);
}

} // namespace simulator
