#pragma once

#include "simulator/program/scheduled_graph.h"

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
    /// Micro-batches that wait between the stages at most: entries of a LocalFifo, or of the buffer in which
    /// copies arrive. 0: each is read before the next one comes.
    std::int64_t fifoDepth = 0;

    bool operator==(const StageTransfer&) const = default;
};

/// A scheduled graph in which no edge crosses an IPU or replica without a transfer or collective.
struct RoutedGraph : ScheduledGraph {
    std::vector<StageTransfer> transfers;
};

} // namespace simulator
