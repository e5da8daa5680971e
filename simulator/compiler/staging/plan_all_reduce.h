#pragma once

#include "simulator/program/executable.h"

#include <cstdint>

namespace simulator {

/// Fills in what one weight update reduces over the replicas, after the last micro-batch. Gradients of an IPU
/// wait for one another until they have `bufferBytes`, then go as one collective; 0: each goes by itself.
/// Nothing with one replica.
void planAllReduce(CompiledPipeline& pipeline, std::int64_t bufferBytes);

} // namespace simulator
