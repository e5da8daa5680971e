#include "simulator/graph/replica_collective.h"

namespace simulator {

namespace {

/// Normalization and its gradient alike.
template <class Norm>
bool measuresItsBatch(const Norm& norm) {
    return norm.kind == NormalizationKind::Batch && !norm.useMovingStatistics;
}

template <class Norm>
std::optional<ReplicaCollective> sharedStatistics(const TrainingGraph& graph, const Operation& operation,
                                                  const Norm& norm) {
    if (!measuresItsBatch(norm) || norm.replicaGroup <= 1)
        return std::nullopt;
    constexpr std::int64_t numbersPerChannel = 2;
    const std::int64_t channels = graph.tensor(operation.inputs.front()).extents.back();
    return ReplicaCollective{
        Collective{CollectiveKind::AllReduce, CollectiveFunction::Add, norm.replicaGroup, false},
        channels * numbersPerChannel * static_cast<std::int64_t>(sizeof(float))};
}

} // namespace

std::optional<ReplicaCollective> replicaCollective(const TrainingGraph& graph, const Operation& operation) {
    if (const auto* collective = std::get_if<Collective>(&operation.attributes))
        return ReplicaCollective{*collective, graph.tensor(operation.inputs.front()).bytes()};
    if (const auto* forward = std::get_if<Normalization>(&operation.attributes))
        return sharedStatistics(graph, operation, *forward);
    if (const auto* backward = std::get_if<NormalizationGradient>(&operation.attributes))
        return sharedStatistics(graph, operation, backward->forward);
    return std::nullopt;
}

void shareBatchStatistics(TrainingGraph& graph, std::int64_t replicas) {
    const auto share = [replicas](Normalization& norm) {
        if (measuresItsBatch(norm))
            norm.replicaGroup = replicas;
    };
    for (Operation& operation : graph.operations) {
        if (auto* forward = std::get_if<Normalization>(&operation.attributes))
            share(*forward);
        else if (auto* backward = std::get_if<NormalizationGradient>(&operation.attributes))
            share(backward->forward);
    }
}

} // namespace simulator
