#pragma once

#include "core/base/result.h"
#include "simulator/compiler/place_variables.h"
#include "simulator/compiler/tensor_uses.h"
#include "simulator/graph/staged_graph.h"

#include <optional>

namespace simulator {

// What the programming system finds only when it compiles; kinds and order of its checks.

/// "internal-error/ipus-not-divisible": the attached IPUs are no multiple of one replica's.
[[nodiscard]] std::optional<core::Diagnostic> checkReplication(std::int64_t ipus,
                                                               std::int64_t ipusPerReplica);

/// "unimplemented/shared-variable": a weight used by stages on different IPUs.
[[nodiscard]] std::optional<core::Diagnostic> checkVariables(const StagedGraph& staged,
                                                             const TensorUses& uses);

/// "failed-precondition/remote-memory": something is to be offloaded and there is no remote memory;
/// "unimplemented/weight-sharding": sharded weights that are not offloaded.
[[nodiscard]] std::optional<core::Diagnostic> checkOffloading(const StagedGraph& staged,
                                                              const OffloadOptions& options);

} // namespace simulator
