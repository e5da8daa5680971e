#pragma once

#include "simulator/graph/training_graph.h"

#include <optional>

namespace simulator {

/// What an operation exchanges with the same operation of other replicas while it runs.
struct ReplicaCollective {
    Collective collective;
    /// Payload of one replica.
    std::int64_t bytes = 0;
};

/// Collectives give what they combine. A batch normalisation that shares its statistics (`replicaGroup`) sums
/// two float32 numbers per channel over its group: mean and variance forwards, the gradients' sums backwards.
/// Nothing for every other operation: it stays inside its replica.
[[nodiscard]] std::optional<ReplicaCollective> replicaCollective(const TrainingGraph& graph,
                                                                 const Operation& operation);

/// Lets every batch normalisation that measures its batch share its statistics over groups of `replicas`.
void shareBatchStatistics(TrainingGraph& graph, std::int64_t replicas);

} // namespace simulator
