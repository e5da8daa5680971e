#pragma once

#include "simulator/program/executable.h"

namespace simulator {

/// Fills in what one weight update sums over the replicas: the gradients of every IPU, once, after the last
/// micro-batch. Nothing in inference or with one replica.
void planAllReduce(CompiledPipeline& pipeline);

} // namespace simulator
