#pragma once

#include "core/config/pipeline_options.h"
#include "simulator/program/kept_graph.h"

#include <cstdint>

namespace simulator {

/// The offloading options with the system's answers filled in.
struct OffloadOptions {
    core::OptionalSwitch activations;
    core::OptionalSwitch accumulators;
    core::OptionalSwitch updateVariables;
    core::OptionalSwitch shardedUpdateVariables = false;
    core::OptionalSwitch weights;
    core::OptionalSwitch shardedWeights;
    /// Streaming memory can be used.
    bool remoteMemory = true;
    bool pipelined = true;
    /// batch_serialization_iterations > 1 (which implies Sequential).
    bool batchSerialized = false;
    /// Tensors below this stay on the chip, per replica that holds a slice.
    std::int64_t minimumBytes = 128;
    std::int64_t replicas = 1;

    bool operator==(const OffloadOptions&) const = default;
};

/// Where every weight, optimizer slot and accumulator lives between its uses. Validation has accepted the
/// options.
[[nodiscard]] std::vector<Placement> placeVariables(const StagedGraph& staged, const OffloadOptions& options);

/// Bytes a variable takes on one replica, in streaming memory or on its IPU.
[[nodiscard]] std::int64_t shardedBytes(const Tensor& tensor, Placement placement, std::int64_t replicas);

} // namespace simulator
