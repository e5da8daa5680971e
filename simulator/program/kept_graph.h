#pragma once

#include "simulator/program/routed_graph.h"

#include <cstdint>
#include <vector>

namespace simulator {

/// A tensor that a stage keeps from its forward to its backward pass, or from that to its weight gradients.
struct Stash {
    core::TensorId tensor;
    core::StageId stage;
    /// Micro-batches held at once: the FIFO depth. 0: the tensor itself stays alive, without a FIFO.
    std::int64_t depth = 0;
    /// In streaming memory instead of on the tiles.
    bool offloaded = false;
    std::int64_t bytesPerEntry = 0;

    /// Of the FIFO on the tiles. The tensor that it pops into is an activation of the program that reads it.
    [[nodiscard]] std::int64_t fifoBytes() const { return offloaded ? 0 : depth * bytesPerEntry; }
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

/// A routed graph in which each backward program finds its activations stashed, recomputed or fetched, and
/// every variable has its place.
struct KeptGraph : RoutedGraph {
    std::vector<Stash> stashes;
    /// The same from the backward pass to the weight gradients, where they run apart from it.
    std::vector<Stash> gradientStashes;
    /// Per stage: forward operations that run again before (or inside) the backward pass, in order.
    std::vector<std::vector<core::OperationId>> recomputed;
    /// True where the recomputed operations are part of the backward program
    /// (RecomputeAndBackpropagateInterleaved).
    bool recomputeInsideBackward = false;
    /// Placement of every tensor.
    std::vector<Placement> placements;
};

} // namespace simulator
