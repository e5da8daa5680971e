#pragma once

#include "simulator/program/executable.h"

namespace simulator {

/// Fills in what one weight update reduces over the replicas: the gradients of every IPU's parameters
/// together, once, after the last micro-batch. Nothing with one replica.
void planAllReduce(CompiledPipeline& pipeline);

} // namespace simulator
