#include "simulator/compiler/plan_operations.h"

#include "simulator/compiler/combine_operations.h"
#include "simulator/cost/communication.h"

#include <algorithm>
#include <array>

namespace simulator {

namespace {

const ProgramPlanOptions& programOptions(const CompileOptions& options, Phase phase, std::size_t stage) {
    switch (phase) {
    case Phase::Forward:
    case Phase::Recompute:
        return options.forward[stage];
    case Phase::Backward:
        return options.backward[stage];
    case Phase::WeightUpdate:
        break;
    }
    return options.weightUpdate;
}

const PlanOptions& optionsFor(const OperationAttributes& attributes, const ProgramPlanOptions& options) {
    if (std::holds_alternative<Convolution>(attributes))
        return options.convolution;
    const bool multiplies = std::holds_alternative<MatMul>(attributes) ||
                            std::holds_alternative<Recurrent>(attributes) ||
                            std::holds_alternative<RecurrentGradient>(attributes);
    return multiplies ? options.matmul : options.other;
}

/// A collective inside a micro-batch (shared statistics), or what the all-reduce of the update leaves to do.
void priceCollective(OperationPlan& plan, const Operation& operation, const Collective& collective,
                     const Tensor& tensor, const IpuSystem& system) {
    plan.compute = plan.exchange = plan.sync = {};
    if (operation.phase == Phase::WeightUpdate || system.replicas < 2)
        return;
    const std::array bytes{tensor.bytes()};
    const CollectiveCost cost =
        collectiveCost(system, collective.kind, bytes, collective.groupSize, collective.orthogonal);
    plan.exchange = cost.withinMachine + cost.acrossMachines;
    plan.sync = cost.sync;
}

} // namespace

std::int64_t computeTiles(const IpuTarget& target, std::int64_t ioTiles) {
    return std::max<std::int64_t>(target.tiles - ioTiles, 1);
}

std::vector<OperationPlan> planOperations(const StagedGraph& staged, const IpuSystem& system,
                                          const CompileOptions& options, PlanCache& cache) {
    const auto plan = [&](const Operation& operation, std::span<const Tensor> tensors,
                          core::OperationId like) {
        const std::size_t stage = staged.stageOf(like).index();
        PlanOptions wanted =
            optionsFor(operation.attributes, programOptions(options, operation.phase, stage));
        wanted.tiles = computeTiles(system.target, options.ioTiles);
        return planOperation(operation, tensors, system.target, wanted, cache);
    };
    std::vector<OperationPlan> plans;
    plans.reserve(staged.graph.operations.size());
    for (const Operation& operation : staged.graph.operations) {
        plans.push_back(plan(operation, staged.graph.tensors, operation.id));
        if (const auto* collective = std::get_if<Collective>(&operation.attributes))
            priceCollective(plans.back(), operation, *collective,
                            staged.graph.tensor(operation.inputs.front()), system);
    }
    combineOperations(plans, staged, options.combine, plan);
    return plans;
}

} // namespace simulator
