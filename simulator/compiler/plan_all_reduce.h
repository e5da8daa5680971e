#pragma once

#include "simulator/program/executable.h"

namespace simulator {

/// Fills in what one weight update reduces over the replicas: the collectives of every IPU's update together,
/// once, after the last micro-batch. Nothing with one replica.
void planAllReduce(CompiledPipeline& pipeline);

} // namespace simulator
