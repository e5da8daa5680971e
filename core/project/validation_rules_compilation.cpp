#include "core/config/ipu_config/ipu_config_values.h"
#include "core/config/keras_catalogue.h"
#include "core/plan/recomputation.h"
#include "core/plan/schedule/schedule_catalogue.h"
#include "core/plan/schedule/schedule_rules.h"
#include "core/project/validation_rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>

namespace core {

namespace {

bool isOn(OptionalSwitch value) {
    return value == OptionalSwitch(true);
}

void ipusDivideIntoReplicas(const RuleContext& context) {
    const RunFigures& figures = context.figures;
    if (figures.ipusPerReplica <= figures.ipusOfDevice && figures.ipusOfDevice % figures.ipusPerReplica != 0)
        context.refuse("internal-error/ipus-not-divisible", "/system/ipus",
                       fmt::format("the {} attached IPUs do not divide into replicas of {} IPUs",
                                   figures.ipusOfDevice, figures.ipusPerReplica),
                       fmt::format("use {} IPUs, or say how many replicas there are",
                                   figures.ipusOfDevice / figures.ipusPerReplica * figures.ipusPerReplica));
}

/// A layer with weights may be called from several stages only when they are on one IPU.
void sharedWeightsAreOnOneIpu(const RuleContext& context) {
    if (!context.hasUsableStages() || context.graph == nullptr)
        return;
    // Most layers are called once.
    std::map<LayerId, std::set<std::size_t>> stagesOfLayer;
    std::vector<StageId> firstStage(context.graph->layers.size());
    const std::vector<InvocationId>& assignable = context.flattened->assignable();
    for (std::size_t entry = 0; entry < assignable.size(); ++entry) {
        const LayerId layer = context.graph->invocation(assignable[entry]).layer;
        const StageId stage = context.stageOf(entry);
        StageId& first = firstStage[layer.index()];
        if (!first.isValid())
            first = stage;
        else if (stage != first)
            stagesOfLayer[layer].insert({first.index(), stage.index()});
    }
    for (const auto& [id, stages] : stagesOfLayer) {
        const TypedLayer& layer = context.graph->layer(id);
        std::set<IpuId> ipus;
        for (const std::size_t stage : stages)
            ipus.insert(context.figures.ipuOf[stage]);
        if (ipus.size() > 1 && !layer.weights.empty())
            context.refuse(
                "unimplemented/shared-variable", layer.path,
                fmt::format("the weights of {} are used by the stages {}, which are on different IPUs",
                            layer.path, fmt::join(stages, ", ")),
                "map these stages to one IPU with device_mapping, or put the calls on one stage");
    }
}

void recomputationModeFitsTheSchedule(const RuleContext& context) {
    if (!context.figures.isPipelined)
        return;
    const auto mode =
        resolveRecomputation(context.project.pipeline.schedule, context.project.pipeline.recomputationMode);
    if (!mode)
        context.add(mode.error().front());
}

/// The same for a sharded model: a variable is on the IPU of the layer that owns it.
void sharedWeightsAreOnOneShard(const RuleContext& context) {
    const StageAssignment& assignment = context.project.assignment;
    if (!assignment.isSharded() || context.graph == nullptr || context.flattened == nullptr)
        return;
    const std::vector<InvocationId>& assignable = context.flattened->assignable();
    if (assignable.size() != assignment.stages.size())
        return;
    std::vector<std::set<StageId>> shardsOfLayer(context.graph->layers.size());
    for (std::size_t entry = 0; entry < assignable.size(); ++entry)
        shardsOfLayer[context.graph->invocation(assignable[entry]).layer.index()].insert(
            assignment.stages[entry]);
    for (const TypedLayer& layer : context.graph->layers)
        if (shardsOfLayer[layer.id.index()].size() > 1 && !layer.weights.empty())
            context.refuse("unimplemented/shared-variable", layer.path,
                           fmt::format("the weights of {} are used on several shards", layer.path),
                           "put all calls of the layer on one shard");
}

/// Weights, once sharding and inheritance are resolved.
bool offloadsWeights(const PipelineOptions& options) {
    return isOn(options.offloadWeights ? options.offloadWeights : options.replicatedWeightSharding);
}

void offloadingNeedsRemoteMemory(const RuleContext& context) {
    if (context.figures.hasRemoteMemory)
        return;
    const PipelineOptions& options = context.project.pipeline;
    const auto refuse = [&](std::string_view key) {
        context.refuse("failed-precondition/remote-memory", fmt::format("/pipeline/{}", key),
                       fmt::format("{} needs remote memory, which the system does not offer", key),
                       "enable remote memory (system.remote_memory; device_connection.enable_remote_buffers "
                       "without an attached device), or turn the option off");
    };
    const bool hasFifos =
        !scheduleDefinition(options.schedule).isSerial || options.batchSerializationIterations > 1;
    if (isOn(options.offloadActivations) && hasFifos)
        refuse("offload_activations");
    if (isOn(options.offloadGradientAccumulationBuffers))
        refuse("offload_gradient_accumulation_buffers");
    if (offloadsWeights(options))
        refuse(options.offloadWeights ? "offload_weights" : "replicated_weight_sharding");
    if (isOn(options.offloadWeightUpdateVariables) && context.figures.isTraining &&
        keepsState(optimizerOf(context.project.training)))
        refuse("offload_weight_update_variables");
}

void updateVariablesExistOnlyInTraining(const RuleContext& context) {
    if (isOn(context.project.pipeline.offloadWeightUpdateVariables) && !context.figures.isTraining)
        context.warn("warning/offload-in-inference", "/pipeline/offload_weight_update_variables",
                     "offload_weight_update_variables has no effect in inference", "leave it out");
}

void shardedWeightsAreOffloaded(const RuleContext& context) {
    const PipelineOptions& options = context.project.pipeline;
    if (isOn(options.replicatedWeightSharding) && options.offloadWeights == OptionalSwitch(false))
        context.refuse("unimplemented/weight-sharding", "/pipeline/replicated_weight_sharding",
                       "weights can be sharded over replicas only when they are offloaded",
                       "set offload_weights to true or leave it out");
}

void microBatchesFitTheSchedule(const RuleContext& context) {
    const bool isCounted = !context.figures.isTraining || context.project.pipeline.gradientAccumulationSteps;
    if (!isCounted || !context.hasWholePipeline())
        return;
    const PipelineShape shape = pipelineShape(context.project, context.figures);
    if (const auto broken =
            brokenMicroBatchRule(scheduleDefinition(context.project.pipeline.schedule), shape))
        context.add(*broken);
}

/// What a schedule demands beyond the common rules, and whether a table of one's own is whole and true.
void theScheduleRunsTheStages(const RuleContext& context) {
    const ScheduleDefinition& definition = scheduleDefinition(context.project.pipeline.schedule);
    if (definition.brokenRule == nullptr || !context.hasWholePipeline())
        return;
    const PipelineShape shape = pipelineShape(context.project, context.figures);
    if (brokenMicroBatchBounds(shape) || brokenMappingLength(shape) ||
        brokenMicroBatchRule(definition, shape))
        return;
    if (const auto schedule = buildSchedule(definition, shape); !schedule)
        for (const Diagnostic& finding : schedule.error())
            context.add(finding);
}

/// Our own bound: the numbers that follow must stay countable.
void theEffectiveBatchIsCountable(const RuleContext& context) {
    std::int64_t product = context.project.training.batchSize;
    const bool isTooLarge =
        __builtin_mul_overflow(product, context.project.pipeline.batchSerializationIterations, &product) ||
        __builtin_mul_overflow(product, context.figures.microBatches, &product) ||
        __builtin_mul_overflow(product, context.figures.replicas, &product);
    constexpr std::int64_t largest = std::int64_t{1} << 53;
    if (isTooLarge || product > largest)
        context.refuse("resource-exhausted/effective-batch", "/training/batch_size",
                       "the effective batch (batch × micro-batches × replicas) is larger than 2^53 samples",
                       "use a smaller batch or fewer micro-batches");
}

/// Each execution of the program is a row of the profile.
void theExecutionsAreCountable(const RuleContext& context) {
    const RunFigures& figures = context.figures;
    if (!figures.isTraining || figures.stepsPerExecution < 1)
        return;
    const std::int64_t perEpoch =
        figures.stepsPerReplica
            ? std::max<std::int64_t>(1, *figures.stepsPerReplica / figures.stepsPerExecution)
            : 1;
    std::int64_t executions = 0;
    constexpr std::int64_t most = 1'000'000;
    if (__builtin_mul_overflow(perEpoch, context.project.training.epochs, &executions) || executions > most)
        context.refuse("resource-exhausted/executions", "/training/epochs",
                       fmt::format("{} epochs of {} executions are more than the {} that are recorded",
                                   context.project.training.epochs, perEpoch, most),
                       "use fewer epochs, or raise steps_per_execution");
}

void batchNormGroupsAreForDataParallelism(const RuleContext& context) {
    constexpr IntegerOptionName option = "norms.experimental.distributed_batch_norm_replica_group_size";
    const std::int64_t group = optionInteger(context.project.ipuConfig, option);
    if (group <= 1 || !context.figures.isTraining)
        return;
    const std::string place = fmt::format("/ipu_config/{}", option.text());
    const std::int64_t replicas = context.figures.replicas;
    if (replicas % group != 0)
        context.refuse("value-error/batch-norm-group", place,
                       fmt::format("groups of {} replicas cannot share batch statistics: {} replicas do not "
                                   "divide into them",
                                   group, replicas),
                       "use a divisor of the number of replicas");
    if (optionInteger(context.project.ipuConfig, "io_tiles.num_io_tiles") > 0)
        context.refuse("unimplemented/batch-norm-group", place,
                       "batch statistics over several replicas are not supported with I/O tiles",
                       "set io_tiles.num_io_tiles to 0, or leave the option at 1");
    if (context.figures.isPipelined)
        context.warn("warning/distributed-batch-norm", place,
                     "batch statistics over several replicas are not meant for pipelined models: every stage "
                     "waits for the other replicas in every micro-batch",
                     "leave the option at 1");
}

constexpr ValidationRule compilationRuleRows[]{
    {"the IPUs divide into replicas", ipusDivideIntoReplicas},
    {"shared weights are on one IPU", sharedWeightsAreOnOneIpu},
    {"shared weights are on one shard", sharedWeightsAreOnOneShard},
    {"the recomputation mode fits the schedule", recomputationModeFitsTheSchedule},
    {"offloading needs remote memory", offloadingNeedsRemoteMemory},
    {"update variables exist only in training", updateVariablesExistOnlyInTraining},
    {"sharded weights are offloaded", shardedWeightsAreOffloaded},
    {"the micro-batches fit the schedule", microBatchesFitTheSchedule},
    {"the schedule runs the stages", theScheduleRunsTheStages},
    {"the effective batch is countable", theEffectiveBatchIsCountable},
    {"the executions are countable", theExecutionsAreCountable},
    {"batch statistics over replicas", batchNormGroupsAreForDataParallelism},
};

} // namespace

std::span<const ValidationRule> compilationRules() {
    return compilationRuleRows;
}

} // namespace core
