#pragma once

#include "simulator/graph/training_graph.h"

#include <cstdint>
#include <vector>

namespace simulator {

/// How a value gets from one stage to another.
enum class TransferPath : std::uint8_t {
    InterIpuCopy, ///< over the links, at the end of a slot
    IntraIpuCopy, ///< consecutive stages on one IPU that run in the same slot
    LocalFifo,    ///< pass-through shortcut: the stages between are skipped, on the same IPU
    Direct,       ///< read in place by a stage of the same IPU
};

/// A tensor that goes from one stage to another once per micro-batch. Copies join neighbours of the pipeline:
/// a tensor needed further on takes one hop per stage.
struct StageTransfer {
    core::TensorId tensor;
    core::StageId from;
    core::StageId to;
    /// Forward transfers go to a later stage, backward ones to an earlier.
    Phase phase = Phase::Forward;
    /// The tensor is only passed through `from` on its way.
    bool passThrough = false;
    std::int64_t bytes = 0;
    TransferPath path = TransferPath::InterIpuCopy;
    /// Micro-batches a LocalFifo holds; 0 otherwise.
    std::int64_t fifoDepth = 0;

    bool operator==(const StageTransfer&) const = default;
};

/// A tensor that a stage keeps from its forward to its backward pass.
struct Stash {
    core::TensorId tensor;
    core::StageId stage;
    /// Micro-batches held at once: the FIFO depth. 0: the tensor itself stays alive, without a FIFO.
    std::int64_t depth = 0;
    /// In streaming memory instead of on the tiles.
    bool offloaded = false;
    std::int64_t bytesPerEntry = 0;

    /// On the tiles: the FIFO and the tensor it pops into.
    [[nodiscard]] std::int64_t onChipBytes() const {
        return depth == 0 ? 0 : (offloaded ? bytesPerEntry : (depth + 1) * bytesPerEntry);
    }
    bool operator==(const Stash&) const = default;
};

/// Where a weight, optimizer slot or accumulator is between its uses.
enum class Placement : std::uint8_t {
    OnChip,
    Remote,        ///< in streaming memory
    RemoteSharded, ///< in streaming memory, one slice per replica
    Host,          ///< never on the device: rows of it come and go (host embeddings)
};

/// Whether a variable comes to the device as a whole for its uses.
[[nodiscard]] constexpr bool isFetched(Placement placement) {
    return placement == Placement::Remote || placement == Placement::RemoteSharded;
}

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
    /// What the last stage hands to the host for each micro-batch, in the order of the graph.
    std::vector<core::TensorId> outfeeds;
    /// Placement of every tensor.
    std::vector<Placement> placements;

    [[nodiscard]] core::StageId stageOf(core::OperationId id) const { return stageOfOperation[id.index()]; }
};

} // namespace simulator
