#pragma once

#include "core/base/diagnostic.h"
#include "core/profile/records/memory_records.h"
#include "simulator/graph/operation.h"
#include "simulator/memory/liveness.h"
#include "simulator/memory/tile_mapping.h"

#include <cstdint>
#include <vector>

namespace simulator {

/// One operation of an IPU's program order.
struct MemoryStep {
    core::OperationId operation;
    core::StageId stage;
    /// What the program does; a recomputed operation is in a Recompute or Backward program.
    Phase phase = Phase::Forward;

    bool operator==(const MemoryStep&) const = default;
};

/// What a block holds, for its name.
enum class BlockKind : std::uint8_t {
    Tensor,     ///< a tensor of the graph
    Arrival,    ///< where a copy from another stage lands
    Fifo,       ///< circular buffer of a stash or of a pass-through shortcut
    Popped,     ///< the tensor a FIFO pops into
    Recomputed, ///< a tensor computed again
    Clone,      ///< second copy of a stage input, so that forward and recomputation share code
    Fetched,    ///< buffer for a tensor from streaming memory
    Temporary,  ///< what an operation's plan takes while it runs
    Code,       ///< of one codelet, operation or program
};

/// A piece of an IPU's memory.
struct MemoryBlock {
    core::MemoryCategory category = core::MemoryCategory::Activations;
    BlockKind kind = BlockKind::Tensor;
    /// Invalid for code.
    core::TensorId tensor;
    /// Of temporaries and code; invalid for what every program has.
    core::OperationId operation;
    core::StageId stage;
    TileMapping mapping;
    /// Of no meaning where the category is always live.
    LiveInterval interval;
    /// Values that a FIFO holds; the mapping is of all of them.
    std::int64_t entries = 1;

    [[nodiscard]] std::int64_t bytes() const { return mapping.bytes(); }
    [[nodiscard]] bool alwaysLive() const { return core::isAlwaysLive(category); }
};

/// The tile that takes most, at the step at which it does.
struct WorstTile {
    std::int64_t tile = 0;
    std::int64_t bytes = 0;
    std::uint32_t step = 0;
};

/// Memory of one IPU of a replica: what is live when, and where it is heaviest. Bytes are what the blocks
/// take with their padding, so sums over blocks are exact.
struct IpuMemoryPlan {
    core::IpuId ipu;
    std::int64_t tiles = 0;
    /// Program order of a full slot, then the update.
    std::vector<MemoryStep> steps;
    /// Last step of the slot; the update follows.
    std::uint32_t slotEnd = 0;
    std::vector<MemoryBlock> blocks;

    // Found by `measure`.
    /// Not always live, at every step.
    std::vector<std::int64_t> live;
    std::uint32_t peakStep = 0;
    WorstTile worst;
    /// Code of the tile that has most of it.
    std::int64_t worstTileCode = 0;
    core::IpuMemorySummary summary;
};

/// Fills in what follows from the blocks: liveness, peaks, the worst tile, bytes by category.
void measure(IpuMemoryPlan& plan, std::int64_t memoryPerTileBytes);

/// Bytes of every tile by category at the worst tile's peak.
[[nodiscard]] core::TileMemoryRecord tileMemory(const IpuMemoryPlan& plan);

/// Always live, or live at a step.
[[nodiscard]] bool isLiveAt(const IpuMemoryPlan& plan, const MemoryBlock& block, std::uint32_t step);

struct MemoryPlan {
    std::vector<IpuMemoryPlan> ipus;
    /// One finding per IPU that does not fit: by how much, on which tile, and what holds it. A run goes on
    /// all the same.
    core::Diagnostics findings;

    [[nodiscard]] bool fits() const { return findings.empty(); }
};

} // namespace simulator
