#pragma once

#include "simulator/program/lowered_pipeline.h"

#include <cstdint>

namespace simulator {

/// What one weight update reduces over the replicas, after the last micro-batch. Gradients of an IPU wait for
/// one another until they have `bufferBytes`, then go as one collective; 0: each goes by itself. Nothing with
/// one replica.
[[nodiscard]] GradientReduction planAllReduce(const StagedGraph& staged, const IpuSystem& system,
                                              std::int64_t bufferBytes);

/// The same reduction, of which `planned` says what goes together, with the prices of another system's links.
[[nodiscard]] GradientReduction pricedAnew(const GradientReduction& planned, const IpuSystem& system);

} // namespace simulator
