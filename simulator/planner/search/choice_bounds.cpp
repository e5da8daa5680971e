#include "simulator/planner/search/choice_bounds.h"

#include "core/config/ipu_config/ipu_config_values.h"
#include "core/plan/recomputation.h"
#include "core/plan/schedule/schedule_catalogue.h"
#include "simulator/compiler/planning/data_movement.h"
#include "simulator/cost/communication.h"
#include "simulator/engine/clock/infeed_queue.h"
#include "simulator/target/selection_order.h"

namespace simulator {

namespace {

core::RecomputationMode modeOf(const PlanSearchRequest& request, const PlanChoice& choice) {
    return core::resolveRecomputation(choice.schedule, request.project.pipeline.recomputationMode)
        .value_or(core::resolveRecomputation(choice.schedule, core::RecomputationMode::Auto)
                      .value_or(core::RecomputationMode::RecomputeThenBackpropagate));
}

core::Result<core::PipelineSchedule> scheduleOf(const PlanSearchRequest& request, const PlanChoice& choice,
                                                bool isTied) {
    core::PipelineShape shape{.stages = choice.stages, .microBatches = choice.accumulation};
    shape.recompute = choice.recompute && choice.stages > 1 &&
                      modeOf(request, choice) == core::RecomputationMode::RecomputeThenBackpropagate;
    for (std::size_t stage = 0; isTied && stage < choice.stages; ++stage)
        shape.deviceMapping.emplace_back(stage + 1 == choice.stages ? 0 : stage);
    return choice.stages > 1 ? core::buildSchedule(choice.schedule, shape)
                             : core::buildUnpipelinedSchedule(shape);
}

/// The rate at which FIFOs on the tiles or in streaming memory move large tensors.
double queueCyclesPerByte(const IpuTarget& target, const PlanChoice& choice) {
    constexpr std::int64_t large = std::int64_t(1) << 30;
    const core::Cycles cycles = choice.offload.activations ? streamingMemoryCycles(target, large)
                                                           : localCopyCycles(target, core::Bytes(large));
    return 0.99 * static_cast<double>(cycles.value()) / static_cast<double>(large);
}

/// What a FIFO on the tiles takes for each value beside its bytes; nothing in streaming memory.
std::int64_t queueCallCycles(const IpuTarget& target, const PlanChoice& choice) {
    return choice.offload.activations ? 0 : localCopyCycles(target, core::Bytes(1)).value() - 1;
}

/// Whether inputs are streamed from the host.
bool streamsInputs(const PlanSearchRequest& request) {
    return !request.project.training.syntheticData.infeed &&
           core::optionInteger(request.project.ipuConfig, "io_tiles.num_io_tiles") == 0;
}

/// The machine of the plans of a choice.
core::Result<IpuSystem> systemOfChoice(const PlanSearchRequest& request, const PlanChoice& choice,
                                       bool isTied) {
    std::vector<std::int64_t> ipuOfStage;
    for (std::size_t stage = 0; choice.stages > 1 && stage < choice.stages; ++stage)
        ipuOfStage.push_back(isTied && stage + 1 == choice.stages ? 0 : static_cast<std::int64_t>(stage));
    const SelectionOrder wanted =
        selectionOrderFromName(core::optionText(request.project.ipuConfig, "selection_order"))
            .value_or(SelectionOrder::Auto);
    const std::int64_t ipus = ipusPerReplica(choice, isTied);
    core::SystemOptions options = request.project.system;
    options.ipus = ipus * choice.replicas;
    return makeSystem(options, ipus, choice.replicas, resolveOrder(wanted, ipuOfStage), request.folder);
}

/// The sum of the gradients over the replicas.
std::int64_t leastReduction(const PlanSearchRequest& request, const ChainTable& chain,
                            const PlanChoice& choice, const core::Result<IpuSystem>& system) {
    if (choice.replicas < 2 || !system ||
        request.project.training.distribution != core::TrainingOptions().distribution)
        return 0;
    const auto used =
        static_cast<std::int64_t>(choice.stages) - (chain.isTied() && choice.stages > 1 ? 1 : 0);
    const std::vector<std::int64_t> bytes(static_cast<std::size_t>(used),
                                          chain.bounds().gradientBytes / used);
    return collectiveCost(*system, CollectiveKind::AllReduce, bytes).total().value();
}

/// Cycles of an update that all splits of a choice have: inputs from the host and the sum of the gradients
/// over the replicas, each as the least it can be.
std::int64_t commonCycles(const PlanSearchRequest& request, const PricedChains& chains,
                          const ChainTable& chain, const PlanChoice& choice,
                          const core::Result<IpuSystem>& system) {
    std::int64_t cycles = leastReduction(request, chain, choice, system);
    if (streamsInputs(request))
        cycles += choice.accumulation *
                  hostCopyCycles(chains.target(), core::Bytes(chain.bounds().hostBytes)).value();
    return cycles;
}

/// As `placeVariables` and `lowerToProgram` have it.
std::vector<std::int64_t> streamedCycles(const PlanSearchRequest& request, const IpuSystem& system,
                                         const ChainTable& chain) {
    const core::PipelineOptions& pipeline = request.project.pipeline;
    const bool isSplit = pipeline.replicatedOptimizerStateSharding.value_or(true);
    const std::int64_t parts = isSplit ? std::max<std::int64_t>(1, system.localReplicas()) : 1;
    const std::int64_t least =
        parts * core::optionInteger(request.project.ipuConfig, "optimizations.minimum_remote_tensor_size");
    std::vector<std::int64_t> cycles;
    for (const LayerBound& layer : chain.bounds().layers) {
        std::int64_t ofLayer = 0;
        for (const std::int64_t bytes : layer.slotBytes)
            if (bytes >= least)
                ofLayer += (parts > 1 ? shardedFetchCycles(system, bytes)
                                      : streamingMemoryCycles(system.target, bytes))
                               .value() +
                           streamingMemoryCycles(system.target, core::ceilDivide(bytes, parts)).value();
        cycles.push_back(ofLayer);
    }
    return cycles;
}

} // namespace

std::optional<ChoiceBounds> choiceBounds(const PlanSearchRequest& request, const PricedChains& chains,
                                         const ChainTable& chain, const PlanChoice& choice) {
    const bool isTied = chain.isTied();
    const auto schedule = scheduleOf(request, choice, isTied);
    if (!schedule)
        return std::nullopt;
    const core::PipelineOptions& pipeline = request.project.pipeline;
    const bool streamsWeights = pipeline.offloadWeights.value_or(false) ||
                                pipeline.replicatedWeightSharding.value_or(false) ||
                                pipeline.offloadGradientAccumulationBuffers.value_or(false);
    const bool isPlain = pipeline.batchSerializationIterations == 1;
    const bool recompute = choice.recompute && choice.stages > 1;
    // What is recomputed inside the backward pass is not there all at once.
    const bool isThereAtOnce =
        !recompute || modeOf(request, choice) == core::RecomputationMode::RecomputeThenBackpropagate;
    const auto system = systemOfChoice(request, choice, isTied);
    SplitProblem problem{.chain = &chain,
                         .stages = choice.stages,
                         .recompute = recompute,
                         .recomputesApart = recompute && isThereAtOnce,
                         .wraps = isTied && choice.stages > 1,
                         .countsVariables = isPlain && !streamsWeights,
                         .countsOptimizer = !choice.offload.optimizerState,
                         .countsStash = isPlain && !choice.offload.activations,
                         .countsActivations = isPlain && isThereAtOnce,
                         .landsEarly = schedule->hasRamps(),
                         .fifoDepths = schedule->fifoDepths,
                         .queueCyclesPerByte = isPlain ? queueCyclesPerByte(chains.target(), choice) : 0,
                         .queueCallCycles = isPlain ? queueCallCycles(chains.target(), choice) : 0,
                         .memoryLimit = chains.memoryLimit(),
                         .fixedCycles = commonCycles(request, chains, chain, choice, system),
                         .system = std::nullopt,
                         .shortensPassThrough = schedule->shortensPassThrough};
    problem.fifoDepths.resize(choice.stages);
    // Other calls that share weights bring other stages together, as the cuts are.
    if (system && choice.stages > 1 && chain.bounds().sharedWeights.size() == (isTied ? 1 : 0))
        problem.system = *system;
    if (system && choice.stages > 1 && choice.offload.optimizerState)
        problem.streamedCycles = streamedCycles(request, *system, chain);
    SlotBound slots(*schedule, recompute, problem.wraps);
    return ChoiceBounds{std::move(problem), std::move(slots)};
}

} // namespace simulator
