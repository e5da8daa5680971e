#pragma once

#include "simulator/compiler/planning/compile_options.h"
#include "simulator/cost/communication.h"
#include "simulator/graph/replica_collective.h"

#include <vector>

namespace simulator {

/// Splits every operation over the tiles of its IPU, with the options of its stage and program; the I/O tiles
/// are not for computing. Collectives cost what they cost among the system's replicas; those of the weight
/// update take no time here, because an update reduces all its gradients at once (`planAllReduce`). Indexed
/// by operation.
[[nodiscard]] std::vector<OperationPlan> planOperations(const StagedGraph& staged, const IpuSystem& system,
                                                        const CompileOptions& options, PlanCache& cache);

/// Marks the products whose sums are float16: those of float16 operands where the options of their stage and
/// program say partialsType half. What is computed and what is priced is then the same.
[[nodiscard]] StagedGraph choosePartials(StagedGraph staged, const CompileOptions& options);

/// What an operation's exchange with other replicas costs among those of `system`.
[[nodiscard]] CollectiveCost replicaCost(const ReplicaCollective& exchanged, const IpuSystem& system);

/// Tiles that compute.
[[nodiscard]] std::int64_t computeTiles(const IpuTarget& target, std::int64_t ioTiles);

} // namespace simulator
