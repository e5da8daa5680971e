#pragma once

#include "simulator/planner/bounds/live_bounds.h"
#include "simulator/planner/partition_problem.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace simulator {

/// What work of a layer adds to a stage that reaches beyond layer `until`; a stage that ends before may do
/// without.
struct LateNeed {
    std::size_t until = 0;
    /// Forward operations that recomputation runs again.
    std::int64_t recomputeCycles = 0;
    /// What the backward pass reads, per micro-batch that waits.
    std::int64_t keptBytes = 0;
};

/// A value that a later stage than that of its layer keeps.
struct ArrivingValue {
    std::size_t home = 0;
    std::int64_t bytes = 0;
    /// Layers that read it, and how far their stage must reach for it to be kept.
    std::vector<std::pair<std::size_t, std::size_t>> readers;
};

/// A value that is read on other layers than the one it is made on.
struct CrossingValue {
    /// Layer that makes it; 0 for what comes from the host.
    std::size_t home = 0;
    /// Later layers where it travels forward, else earlier ones; sorted.
    std::vector<std::size_t> readers;
    std::int64_t bytes = 0;
    bool isForward = true;
    /// Values with the same memory have the same number.
    std::size_t storage = 0;
};

/// Code that operations of an IPU share: once on as many tiles as the widest of them uses.
struct CodeletUse {
    std::size_t codelet = 0;
    std::int64_t tiles = 0;
};

/// The least that a layer call adds to its stage, whatever else is on it; per micro-batch unless said
/// otherwise.
struct LayerBound {
    std::int64_t forwardCycles = 0;
    std::int64_t backwardCycles = 0;
    /// Once per weight update.
    std::int64_t updateCycles = 0;
    /// Weights, states and accumulators; the optimizer's variables by themselves.
    std::int64_t variableBytes = 0;
    std::int64_t optimizerBytes = 0;
    /// Of each of the optimizer's variables.
    std::vector<std::int64_t> slotBytes = {};
    /// Constants, and code and state of vertices that its operations have for themselves.
    std::int64_t codeBytes = 0;
    /// The largest temporary of its operations.
    std::int64_t temporaryBytes = 0;
    std::vector<LateNeed> needs = {};
    std::vector<CodeletUse> codelets = {};
};

/// A project's chain of layer calls as bounds: a stage of a compiled plan never takes fewer cycles or bytes
/// than its layers here. The one thing that makes a stage cheaper than its operations is that some are fused
/// over layers: the search holds every plan that it simulates against its bound.
struct ChainBounds {
    std::vector<LayerBound> layers;
    /// What a later stage keeps where it recomputes.
    std::vector<ArrivingValue> arriving = {};
    /// What a later stage keeps of them where it does not recompute: what its backward pass reads.
    std::vector<ArrivingValue> arrivingKept = {};
    std::vector<CrossingValue> crossing = {};
    LiveBounds live = {};
    /// Bytes per tile of every codelet.
    std::vector<std::int64_t> codeletBytes = {};
    /// Of every program: stack and control code of all tiles.
    std::int64_t programBytes = 0;
    /// Calls that share weights, the first and a later one: they are on one IPU.
    std::vector<std::pair<std::size_t, std::size_t>> sharedWeights;
    /// From the host, per micro-batch.
    std::int64_t hostBytes = 0;
    /// All gradients of an update.
    std::int64_t gradientBytes = 0;
};

[[nodiscard]] ChainBounds chainBounds(const PartitionSource& source);

} // namespace simulator
