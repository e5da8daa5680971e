#pragma once

#include "simulator/graph/training_graph.h"
#include "simulator/memory/memory_plan.h"
#include "simulator/target/ipu_target.h"

#include <span>
#include <string>

namespace simulator {

/// What does not fit: "memory/out-of-memory" (a tile needs more than it has) and "memory/code-does-not-fit"
/// (more code than the executable part of a tile).
[[nodiscard]] core::Diagnostics memoryFindings(std::span<const IpuMemoryPlan> ipus,
                                               const TrainingGraph& graph, const IpuTarget& target);

/// Finds anew what is out of memory by the summaries alone, so without what holds it.
void findOutOfMemory(MemoryPlan& memory, const IpuTarget& target);

/// "dense256/kernel", "FIFO of conv1/out", "code of conv1/convolution", for people and profiles.
[[nodiscard]] core::SharedText nameOf(const MemoryBlock& block, const TrainingGraph& graph);

} // namespace simulator
