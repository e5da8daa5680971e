#pragma once

#include "simulator/graph/training_graph.h"

#include <vector>

namespace simulator {

/// The training graph with each operation on one stage: parameters with the stage that uses them, backward
/// operations with their forward.
struct StagedGraph {
    TrainingGraph graph;
    std::size_t stageCount = 1;
    /// IPU of every stage.
    std::vector<core::IpuId> ipus;
    /// Stage of every operation.
    std::vector<core::StageId> stageOfOperation;
    /// What the last stage hands to the host for each micro-batch, in the order of the graph.
    std::vector<core::TensorId> outfeeds;

    [[nodiscard]] core::StageId stageOf(core::OperationId id) const { return stageOfOperation[id.index()]; }
};

} // namespace simulator
