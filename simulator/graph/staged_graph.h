#pragma once

#include "simulator/graph/training_graph.h"

#include <cstdint>
#include <vector>

namespace simulator {

/// A tensor that crosses from one stage to the next (or back), once per micro-batch.
struct StageTransfer {
    core::TensorId tensor;
    core::StageId from;
    core::StageId to;
    /// Forward transfers go to a later stage, backward ones to an earlier.
    Phase phase = Phase::Forward;
    /// The tensor is only passed through `from` on its way.
    bool passThrough = false;
    std::int64_t bytes = 0;
};

/// A tensor that a stage keeps from its forward to its backward pass.
struct Stash {
    core::TensorId tensor;
    core::StageId stage;
    /// Micro-batches held at once: the FIFO depth.
    std::int64_t depth = 0;
    /// In streaming memory instead of on the tiles.
    bool offloaded = false;
    std::int64_t bytesPerEntry = 0;
};

/// The training graph with each operation on one stage; parameters with the stage that uses them, backward
/// with its forward. After `insertTransfers` no edge crosses an IPU or replica without a transfer or
/// collective; after `planActivations` each backward finds its activations stashed, recomputed or fetched.
struct StagedGraph {
    TrainingGraph graph;
    std::size_t stageCount = 1;
    /// IPU of every stage.
    std::vector<core::IpuId> ipus;
    /// Stage of every operation.
    std::vector<core::StageId> stageOfOperation;
    std::vector<StageTransfer> transfers;
    std::vector<Stash> stashes;
    /// Per stage: forward operations that run again before (or inside) the backward pass, in order.
    std::vector<std::vector<core::OperationId>> recomputed;
    /// True where the recomputed operations are part of the backward program
    /// (RecomputeAndBackpropagateInterleaved).
    bool recomputeInsideBackward = false;

    [[nodiscard]] core::StageId stageOf(core::OperationId id) const { return stageOfOperation[id.index()]; }
};

} // namespace simulator
