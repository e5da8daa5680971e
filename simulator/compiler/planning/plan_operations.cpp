#include "simulator/compiler/planning/plan_operations.h"

#include "simulator/compiler/planning/combine_operations.h"
#include "simulator/compiler/planning/parallel_convolutions.h"
#include "simulator/graph/host_visit.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace simulator {

namespace {

const ProgramPlanOptions& programOptions(const CompileOptions& options, Phase phase, std::size_t stage) {
    switch (phase) {
    case Phase::Forward:
    case Phase::Recompute:
        return options.forward[stage];
    case Phase::Backward:
    case Phase::WeightGradient:
        return options.backward[stage];
    case Phase::WeightUpdate:
        break;
    }
    return options.weightUpdate;
}

const PlanOptions& optionsFor(const OperationAttributes& attributes, const ProgramPlanOptions& options) {
    if (std::holds_alternative<Convolution>(attributes))
        return options.convolution;
    if (std::holds_alternative<Gather>(attributes) || std::holds_alternative<GatherGradient>(attributes))
        return options.slice;
    const bool multiplies = std::holds_alternative<MatMul>(attributes) ||
                            std::holds_alternative<Recurrent>(attributes) ||
                            std::holds_alternative<RecurrentGradient>(attributes);
    return multiplies ? options.matmul : options.other;
}

/// Where an operation that multiplies says whether its sums are float16; null for every other.
template <class Attributes>
auto* halfPartialsOf(Attributes& attributes) {
    if (auto* product = std::get_if<MatMul>(&attributes))
        return &product->halfPartials;
    if (auto* convolution = std::get_if<Convolution>(&attributes))
        return &convolution->halfPartials;
    if (auto* recurrent = std::get_if<Recurrent>(&attributes))
        return &recurrent->halfPartials;
    auto* gradient = std::get_if<RecurrentGradient>(&attributes);
    return gradient == nullptr ? nullptr : &gradient->forward.halfPartials;
}

/// Comes on top of what the operation does by itself.
void addCost(OperationPlan& plan, const CollectiveCost& cost) {
    plan.exchange += cost.withinMachine + cost.acrossMachines;
    plan.sync += cost.sync;
}

/// A collective inside a micro-batch, or what the all-reduce of the update leaves to do.
void priceCollective(OperationPlan& plan, const Operation& operation, const ReplicaCollective& exchanged,
                     const IpuSystem& system) {
    plan.compute = plan.exchange = plan.sync = {};
    if (operation.phase != Phase::WeightUpdate && system.replicas > 1)
        addCost(plan, replicaCost(exchanged, system));
}

/// A tensor of every replica on its way to the host in the middle of a program, or back: a rendezvous, since
/// nothing can be prefetched, the data, and a sync that all IPUs leave together.
core::Cycles hostVisitCycles(const IpuSystem& system, std::int64_t bytes) {
    if (bytes <= 0)
        return {};
    return hostRendezvous(system.target) + hostFeedCycles(system, bytes) +
           core::Cycles(system.target.globalSyncCycles);
}

/// What the compiler prices of the host: visits in the middle of a program, and a host embedding that
/// replicas share.
void priceHostAccess(OperationPlan& plan, const Operation& operation, const TrainingGraph& graph,
                     const IpuSystem& system) {
    const auto bytes = [&](core::TensorId id) { return graph.tensor(id).bytes(); };
    if (isHostVisit(operation.attributes) && !operation.inputs.empty())
        plan.exchange = hostVisitCycles(system, bytes(operation.inputs.front()));
    if (system.replicas < 2)
        return;
    if (const auto* lookup = std::get_if<HostLookup>(&operation.attributes))
        plan.exchange = hostTableCycles(system, lookup->table,
                                        {bytes(operation.inputs[1]), bytes(operation.outputs[0]), false});
    if (const auto* update = std::get_if<HostUpdate>(&operation.attributes))
        plan.exchange = hostTableCycles(
            system, update->table,
            {bytes(operation.inputs[operation.inputs.size() - 2]), bytes(operation.inputs.back()), true});
}

/// Reduce-scatters of one program that wait for one another, up to `buffer` bytes, go as one: the first is
/// priced with the bytes of all.
void mergeReduceScatters(std::vector<OperationPlan>& plans, const StagedGraph& staged,
                         const IpuSystem& system, std::int64_t buffer) {
    const TrainingGraph& graph = staged.graph;
    const std::vector<std::size_t> depths = depthsInProgram(staged);
    using Program = std::tuple<core::StageId, Phase, std::size_t, std::int64_t, bool>;
    struct Waiting {
        core::OperationId first;
        std::int64_t bytes = 0;
    };
    std::map<Program, Waiting> waiting;
    for (const Operation& operation : graph.operations) {
        const auto* collective = std::get_if<Collective>(&operation.attributes);
        if (!collective || collective->kind != CollectiveKind::ReduceScatter)
            continue;
        const std::int64_t bytes = graph.tensor(operation.inputs.front()).bytes();
        Waiting& group = waiting[{staged.stageOf(operation.id), operation.phase, depths[operation.id.index()],
                                  collective->groupSize, collective->orthogonal}];
        if (!group.first.isValid() || group.bytes + bytes > buffer) {
            group = {operation.id, bytes};
            continue;
        }
        group.bytes += bytes;
        OperationPlan& whole = plans[group.first.index()];
        whole.exchange = whole.sync = {};
        addCost(whole, replicaCost({*collective, group.bytes}, system));
        OperationPlan& joined = plans[operation.id.index()];
        joined.compute = joined.exchange = joined.sync = {};
    }
}

/// What forward operations compute of a tensor that was sent to the host, until it comes back, the host
/// computes: on the device it takes nothing. Its gradients are the device's.
void leaveToHost(std::vector<OperationPlan>& plans, const TrainingGraph& graph) {
    std::vector<bool> isOnHost(graph.tensors.size(), false);
    for (const Operation& operation : graph.operations) {
        const auto* visit = std::get_if<StreamCopy>(&operation.attributes);
        const bool readsHost = std::ranges::any_of(
            operation.inputs, [&](core::TensorId input) { return isOnHost[input.index()]; });
        const bool isHosts = visit != nullptr ? visit->direction == StreamDirection::DeviceToHost : readsHost;
        if (operation.phase != Phase::Forward || !isHosts)
            continue;
        for (const core::TensorId output : operation.outputs)
            isOnHost[output.index()] = true;
        if (visit == nullptr)
            plans[operation.id.index()] = OperationPlan{};
    }
}

} // namespace

CollectiveCost replicaCost(const ReplicaCollective& exchanged, const IpuSystem& system) {
    const Collective& collective = exchanged.collective;
    const std::array bytes{exchanged.bytes};
    return collectiveCost(system, collective.kind, bytes, collective.groupSize, collective.orthogonal);
}

StagedGraph choosePartials(StagedGraph staged, const CompileOptions& options) {
    TrainingGraph& graph = staged.graph;
    for (Operation& operation : graph.operations) {
        const std::size_t stage = staged.stageOf(operation.id).index();
        const PlanOptions& wanted =
            optionsFor(operation.attributes, programOptions(options, operation.phase, stage));
        const bool isHalf =
            !operation.inputs.empty() && core::elementBytes(graph.tensor(operation.inputs[0]).type) <= 2;
        bool* halfPartials = halfPartialsOf(operation.attributes);
        if (halfPartials != nullptr && isHalf && wanted.partialsType == core::DataType::Float16)
            *halfPartials = true;
    }
    return staged;
}

std::int64_t computeTiles(const IpuTarget& target, std::int64_t ioTiles) {
    return std::max<std::int64_t>(target.tiles - ioTiles, 1);
}

std::vector<OperationPlan> planOperations(const StagedGraph& staged, const IpuSystem& system,
                                          const CompileOptions& options, PlanCache& cache) {
    const std::int64_t tiles = computeTiles(system.target, options.ioTiles);
    const auto planOn = [&](const Operation& operation, std::span<const Tensor> tensors,
                            core::OperationId like, std::int64_t share) {
        const std::size_t stage = staged.stageOf(like).index();
        PlanOptions wanted =
            optionsFor(operation.attributes, programOptions(options, operation.phase, stage));
        wanted.tiles = share;
        // A layer may ask for them by itself.
        const bool* halfPartials = halfPartialsOf(operation.attributes);
        if (halfPartials != nullptr && *halfPartials)
            wanted.partialsType = core::DataType::Float16;
        return planOperation(operation, tensors, system.target, wanted, cache);
    };
    const auto plan = [&](const Operation& operation, std::span<const Tensor> tensors,
                          core::OperationId like) { return planOn(operation, tensors, like, tiles); };
    std::vector<OperationPlan> plans;
    plans.reserve(staged.graph.operations.size());
    for (const Operation& operation : staged.graph.operations) {
        plans.push_back(plan(operation, staged.graph.tensors, operation.id));
        const auto exchanged = replicaCollective(staged.graph, operation);
        if (exchanged && std::holds_alternative<Collective>(operation.attributes))
            priceCollective(plans.back(), operation, *exchanged, system);
        else if (exchanged)
            addCost(plans.back(), replicaCost(*exchanged, system));
        priceHostAccess(plans.back(), operation, staged.graph, system);
    }
    combineOperations(plans, staged, options.combine, plan);
    if (options.reduceScatterBytes > 0 && system.replicas > 1)
        mergeReduceScatters(plans, staged, system, options.reduceScatterBytes);
    runInParallel(plans, staged, tiles, [&](const Operation& operation, std::int64_t share) {
        return planOn(operation, staged.graph.tensors, operation.id, share);
    });
    leaveToHost(plans, staged.graph);
    return plans;
}

} // namespace simulator
