#pragma once

#include "simulator/program/lowered_pipeline.h"

#include <cstdint>

namespace simulator {

/// What one weight update reduces over the replicas, after the last micro-batch. Gradients of an IPU wait for
/// one another until they have `bufferBytes`, then go as one collective; 0: each goes by itself. Nothing with
/// one replica.
[[nodiscard]] GradientReduction planAllReduce(const StagedGraph& staged, const IpuSystem& system,
                                              std::int64_t bufferBytes);

} // namespace simulator
