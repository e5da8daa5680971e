#include "simulator/compiler/planning/compile_options.h"

#include "core/config/ipu_config/ipu_config_values.h"
#include "core/config/ipu_config/poplar_option_table.h"
#include "simulator/target/selection_order.h"

#include <algorithm>
#include <fmt/format.h>

namespace simulator {

namespace {

using core::IpuConfig;

/// The Poplar options that plans honour; the rest are carried along without effect.
void apply(PlanOptions& options, core::PoplarOperation operation, const core::PoplarFlags& flags) {
    const core::PoplarPlanHints hints = core::planHints(operation, flags);
    options.availableMemoryProportion =
        hints.availableMemoryProportion.value_or(options.availableMemoryProportion);
    options.partialsType = hints.partialsType.value_or(options.partialsType);
    options.use128BitConvUnitLoad = hints.use128BitConvUnitLoad.value_or(options.use128BitConvUnitLoad);
}

void apply(PlanOptions& options, core::PoplarOperation operation, const IpuConfig& config,
           core::PoplarOptionName option) {
    core::PoplarFlags flags;
    for (const auto& [key, value] : core::optionFlags(config, option).items())
        flags.emplace_back(key, value.get<std::string>());
    apply(options, operation, flags);
}

ProgramPlanOptions commonPlanOptions(const IpuConfig& config, std::int64_t tiles) {
    PlanOptions common;
    common.tiles = tiles;
    common.fastMath = core::optionIsOn(config, "optimizations.enable_fast_math");
    ProgramPlanOptions options{common, common, common, common};
    apply(options.convolution, core::PoplarOperation::Convolution, config, "convolutions.poplar_options");
    apply(options.matmul, core::PoplarOperation::MatMul, config, "matmuls.poplar_options");
    return options;
}

ProgramPlanOptions with(ProgramPlanOptions options, const core::PoplarOptions& stage) {
    apply(options.convolution, core::PoplarOperation::Convolution, stage.convolution);
    apply(options.matmul, core::PoplarOperation::MatMul, stage.matmul);
    apply(options.slice, core::PoplarOperation::Slice, stage.slice);
    return options;
}

std::vector<ProgramPlanOptions> perStage(const ProgramPlanOptions& common, std::size_t stages,
                                         const std::vector<core::PoplarOptions>& ofStages) {
    std::vector<ProgramPlanOptions> options(stages, common);
    for (std::size_t stage = 0; stage < std::min(stages, ofStages.size()); ++stage)
        options[stage] = with(common, ofStages[stage]);
    return options;
}

StageMap stageMap(const core::ValidatedProject& project) {
    StageMap map;
    map.count = project.stageCount();
    for (const core::TypedInvocation& invocation : project.graph().invocations)
        map.ofInvocation.push_back(project.stageOf(invocation.id));
    for (std::size_t stage = 0; stage < map.count; ++stage)
        map.ipus.push_back(project.ipuOf(core::StageId(stage)));
    return map;
}

/// Processes that share the replicas; validation has seen to it that they do so evenly.
std::int64_t processesOf(const IpuConfig& config) {
    return std::max<std::int64_t>(
        1, core::optionInteger(config, "experimental.multi_replica_distribution.process_count"));
}

OffloadOptions offloadOptions(const core::ValidatedProject& validated) {
    const core::Project& project = validated.project();
    const core::PipelineOptions& pipeline = project.pipeline;
    return {
        .activations = pipeline.offloadActivations,
        .accumulators = pipeline.offloadGradientAccumulationBuffers,
        .updateVariables = pipeline.offloadWeightUpdateVariables,
        .shardedUpdateVariables = pipeline.replicatedOptimizerStateSharding,
        .weights = pipeline.offloadWeights,
        .shardedWeights = pipeline.replicatedWeightSharding,
        .remoteMemory = validated.hasRemoteMemory(),
        .pipelined = validated.isPipelined(),
        .batchSerialized = pipeline.batchSerializationIterations > 1,
        .minimumBytes = core::optionInteger(project.ipuConfig, "optimizations.minimum_remote_tensor_size"),
        // A process shards over its own replicas.
        .replicas = validated.replicas() / processesOf(project.ipuConfig),
    };
}

ExecutionShape executionShape(const core::ValidatedProject& validated) {
    const core::Project& project = validated.project();
    const bool prefetches = core::optionIsOn(project.ipuConfig, "optimizations.prefetch_data_streams");
    return {
        .mode = validated.mode(),
        .updatesPerExecution = validated.updatesPerExecution(),
        .executionsPerEpoch = validated.executionsPerEpoch(),
        .epochs = validated.mode() == core::RunMode::Train ? project.training.epochs : 1,
        .effectiveBatch = validated.effectiveBatch(),
        .prefetchDepth = prefetches ? project.training.infeed.prefetchDepth : 0,
        .bufferDepth = project.training.outfeed.bufferDepth,
        .accumulateOutfeed = project.pipeline.accumulateOutfeed && validated.mode() != core::RunMode::Predict,
        .accumulateOutfeedType = project.pipeline.accumulateOutfeedType,
        .syntheticInfeed = project.training.syntheticData.infeed,
        .syntheticOutfeed = project.training.syntheticData.outfeed,
    };
}

} // namespace

CompileOptions compileOptions(const core::ValidatedProject& validated) {
    const core::Project& project = validated.project();
    const IpuConfig& config = project.ipuConfig;
    CompileOptions options;
    options.stages = stageMap(validated);
    options.isPipelined = validated.isPipelined();
    options.training = validated.mode() == core::RunMode::Train;
    options.schedule = project.pipeline.schedule;
    options.scheduleTable = project.pipeline.scheduleTable;
    options.recomputationMode = project.pipeline.recomputationMode;
    options.allowRecompute = core::optionIsOn(config, "allow_recompute");
    if (options.isPipelined) {
        options.recomputedStages = project.pipeline.recomputedStages;
        options.offloadedStages = project.pipeline.offloadedStages;
    }
    options.microBatches = validated.microBatches();
    options.batchSerialization = options.isPipelined ? project.pipeline.batchSerializationIterations : 1;
    options.offload = offloadOptions(validated);
    options.outfeed = {project.pipeline.outfeedLoss, project.pipeline.outfeedMask};
    options.combine = {core::optionIsOn(config, "optimizations.combine_matmuls"),
                       core::optionIsOn(config, "optimizations.combine_embedding_lookups")};
    options.crossReplicaSumBytes =
        core::optionInteger(config, "optimizations.maximum_cross_replica_sum_buffer_size");
    options.reduceScatterBytes =
        core::optionInteger(config, "optimizations.maximum_reduce_scatter_buffer_size");
    options.interIpuCopyBytes =
        core::optionInteger(config, "optimizations.maximum_inter_ipu_copies_buffer_size");
    options.outlines = core::optionIsOn(config, "optimizations.enable_graph_outlining");
    options.mergesInfeedCopies = core::optionIsOn(config, "optimizations.merge_infeed_io_copies");
    options.mergesRemoteBuffers =
        core::optionText(config, "optimizations.merge_remote_buffers") != "NO_MERGING";
    options.ordering = {
        orderingAlgorithmFromName(core::optionText(config, "scheduling.algorithm"))
            .value_or(OrderingAlgorithm::ChooseBest),
        core::optionInteger(config, "scheduling.maximum_scheduler_lookahead_depth"),
        core::optionInteger(config, "scheduling.maximum_scheduler_search_space_size"),
    };
    options.ioTiles = core::optionInteger(config, "io_tiles.num_io_tiles");
    options.overlapsHostIo =
        options.ioTiles > 0 && core::optionIsOn(config, "io_tiles.place_ops_on_io_tiles");
    options.ioTileProportion = core::optionNumber(config, "io_tiles.available_memory_proportion");
    const ProgramPlanOptions common = commonPlanOptions(config, 0);
    options.forward = perStage(common, options.stages.count, project.pipeline.forwardStagesPoplarOptions);
    options.backward = perStage(common, options.stages.count, project.pipeline.backwardStagesPoplarOptions);
    options.weightUpdate = project.pipeline.weightUpdatePoplarOptions
                               ? with(common, *project.pipeline.weightUpdatePoplarOptions)
                               : common;
    options.execution = executionShape(validated);
    return options;
}

std::optional<core::Diagnostic> brokenIoTiles(const IpuConfig& config, const IpuTarget& target) {
    const std::int64_t tiles = core::optionInteger(config, "io_tiles.num_io_tiles");
    if (tiles < target.tiles)
        return std::nullopt;
    return core::makeError(
        core::Trouble::Input, "value-error/io-tiles", {"", "/ipu_config/io_tiles.num_io_tiles"},
        fmt::format("{} I/O tiles leave none to compute on: an IPU of the target {} has {} tiles", tiles,
                    target.name, target.tiles),
        {fmt::format("keep fewer than {} tiles for input and output", target.tiles)});
}

core::Result<IpuSystem> systemOf(const core::ValidatedProject& validated,
                                 const std::filesystem::path& folder) {
    const core::Project& project = validated.project();
    std::vector<std::int64_t> ipuOfStage;
    for (std::size_t stage = 0; validated.isPipelined() && stage < validated.stageCount(); ++stage)
        ipuOfStage.push_back(static_cast<std::int64_t>(validated.ipuOf(core::StageId(stage)).index()));
    const SelectionOrder wanted =
        selectionOrderFromName(core::optionText(project.ipuConfig, "selection_order"))
            .value_or(SelectionOrder::Auto);
    auto system = makeSystem(project.system, validated.ipusPerReplica(), validated.replicas(),
                             resolveOrder(wanted, ipuOfStage), folder);
    if (!system)
        return system;
    if (auto broken = brokenIoTiles(project.ipuConfig, system->target))
        return core::failure(std::move(*broken));
    system->processes = processesOf(project.ipuConfig);
    system->reducesOnHosts =
        system->processes > 1 && project.training.distribution != core::TrainingOptions().distribution;
    return system;
}

} // namespace simulator
