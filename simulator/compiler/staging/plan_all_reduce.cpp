#include "simulator/compiler/staging/plan_all_reduce.h"

#include "simulator/cost/communication.h"

#include <algorithm>
#include <map>
#include <vector>

namespace simulator {

namespace {

/// The gradient that the update of each parameter reads, by parameter.
std::map<core::TensorId, core::TensorId> gradientsOf(const TrainingGraph& graph) {
    std::map<core::TensorId, core::TensorId> gradients;
    for (const ParameterSlots& slots : graph.parameters)
        if (!slots.gradients.empty())
            gradients[slots.parameter] =
                slots.accumulator.isValid() ? slots.accumulator : slots.gradients.front();
    return gradients;
}

/// The collectives of each IPU, not priced yet: gradients wait for one another up to `buffer` bytes.
std::vector<std::vector<UpdateCollective>> collectivesOfIpus(const StagedGraph& staged, std::size_t ipus,
                                                             std::int64_t buffer) {
    const auto gradients = gradientsOf(staged.graph);
    std::vector<std::vector<UpdateCollective>> collectives(ipus);
    for (const Operation& operation : staged.graph.operations) {
        if (!std::holds_alternative<OptimizerUpdate>(operation.attributes))
            continue;
        const auto gradient = gradients.find(operation.outputs.front());
        if (gradient == gradients.end())
            continue;
        const core::IpuId ipu = staged.ipus[staged.stageOf(operation.id).index()];
        std::vector<UpdateCollective>& ofIpu = collectives[ipu.index()];
        const core::Bytes bytes(staged.graph.tensor(gradient->second).bytes());
        if (ofIpu.empty() || ofIpu.back().bytes + bytes > core::Bytes(buffer))
            ofIpu.push_back({ipu, {}, {}, {}, {}, {}});
        ofIpu.back().gradients.push_back(gradient->second);
        ofIpu.back().bytes += bytes;
    }
    return collectives;
}

GradientReduction nothingReduced(const IpuSystem& system) {
    const auto ipus = static_cast<std::size_t>(system.ipusPerReplica);
    GradientReduction reduction;
    reduction.allReduce.assign(ipus, core::Cycles(0));
    reduction.allReduceBytes.assign(ipus, core::Bytes(0));
    return reduction;
}

/// Takes the collectives of each IPU, in their order.
GradientReduction priced(std::vector<std::vector<UpdateCollective>> collectives, const IpuSystem& system) {
    const std::size_t ipus = collectives.size();
    GradientReduction reduction = nothingReduced(system);
    // The IPUs reduce side by side: their first collectives together, then their second ones, ….
    std::size_t rounds = 0;
    for (const auto& ofIpu : collectives)
        rounds = std::max(rounds, ofIpu.size());
    for (std::size_t round = 0; round < rounds; ++round) {
        std::vector<std::int64_t> bytes(ipus, 0);
        for (std::size_t ipu = 0; ipu < ipus; ++ipu)
            bytes[ipu] = round < collectives[ipu].size() ? collectives[ipu][round].bytes.value() : 0;
        const CollectiveCost cost = system.reducesOnHosts
                                        ? hostReductionCost(system, bytes)
                                        : collectiveCost(system, CollectiveKind::AllReduce, bytes);
        for (std::size_t ipu = 0; ipu < ipus; ++ipu) {
            if (round >= collectives[ipu].size())
                continue;
            UpdateCollective& collective = collectives[ipu][round];
            collective.withinMachine = cost.withinMachine;
            collective.acrossMachines = cost.acrossMachines;
            collective.sync = cost.sync;
            reduction.allReduce[ipu] += cost.total();
            reduction.allReduceBytes[ipu] += collective.bytes;
            reduction.collectives.push_back(std::move(collective));
        }
    }
    return reduction;
}

} // namespace

GradientReduction planAllReduce(const StagedGraph& staged, const IpuSystem& system,
                                std::int64_t bufferBytes) {
    if (system.replicas < 2)
        return nothingReduced(system);
    const auto ipus = static_cast<std::size_t>(system.ipusPerReplica);
    return priced(collectivesOfIpus(staged, ipus, bufferBytes), system);
}

GradientReduction pricedAnew(const GradientReduction& planned, const IpuSystem& system) {
    if (system.replicas < 2)
        return nothingReduced(system);
    std::vector<std::vector<UpdateCollective>> collectives(static_cast<std::size_t>(system.ipusPerReplica));
    for (const UpdateCollective& collective : planned.collectives)
        collectives[collective.ipu.index()].push_back(collective);
    return priced(std::move(collectives), system);
}

} // namespace simulator
