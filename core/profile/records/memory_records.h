#pragma once

#include "core/base/ids.h"
#include "core/base/quantity.h"
#include "core/base/shared_text.h"
#include "core/profile/records/memory_category.h"
#include "core/profile/records/program_phase.h"

#include <vector>

namespace core {

// What a run tells of memory. All sizes are bytes.

/// One point of an IPU's program order. The order is that of a full slot: backward, forward, recompute, then
/// the update.
struct LivenessStepRecord {
    IpuId ipu;
    std::int64_t step = 0;
    StageId stage;
    ProgramPhase phase = ProgramPhase::Forward;
    OperationId operation;
    /// All tiles together, not always live.
    Bytes live;

    bool operator==(const LivenessStepRecord&) const = default;
};

/// How a block lies on the tiles of its IPU: a run of tiles (around the end to tile 0), each with the same
/// bytes but the last.
struct TileRun {
    /// −1: not recorded.
    std::int64_t first = -1;
    std::int64_t count = 0;
    Bytes bytesPerTile;
    Bytes lastTileBytes;

    [[nodiscard]] bool isKnown() const { return first >= 0; }
    /// Bytes on a tile of an IPU that has `tiles`.
    [[nodiscard]] Bytes on(std::int64_t tile, std::int64_t tiles) const {
        if (first < 0 || tiles <= 0)
            return {};
        const std::int64_t place = ((tile - first) % tiles + tiles) % tiles;
        return place + 1 < count ? bytesPerTile : place + 1 == count ? lastTileBytes : Bytes();
    }
    bool operator==(const TileRun&) const = default;
};

/// A block of memory and the program steps over which it is live (both ends included). Always live: 0 … last
/// step.
struct LiveRangeRecord {
    IpuId ipu;
    SharedText name;
    MemoryCategory category = MemoryCategory::Activations;
    bool alwaysLive = false;
    Bytes bytes;
    /// Offset in the IPU's memory as laid out by the planner, all tiles together.
    Bytes address;
    std::int64_t firstStep = 0;
    std::int64_t lastStep = 0;
    SharedText layer;
    StageId stage;
    /// Text of the extents, "16×56×56×256"; empty for code.
    SharedText shape;
    TileRun tiles = {};

    bool operator==(const LiveRangeRecord&) const = default;
};

/// Bytes of one IPU's tiles by category at the peak of the worst tile: `bytes[category][tile]`.
struct TileMemoryRecord {
    IpuId ipu;
    std::vector<std::vector<std::int32_t>> bytes;

    bool operator==(const TileMemoryRecord&) const = default;
};

struct IpuMemorySummary {
    IpuId ipu;
    Bytes limit;
    Bytes peak;
    Bytes alwaysLive;
    Bytes notAlwaysLivePeak;
    std::int64_t worstTile = 0;
    Bytes worstTileBytes;
    /// Indexed by MemoryCategory: always-live bytes, and at the peak for the others.
    std::vector<Bytes> byCategory;

    bool operator==(const IpuMemorySummary&) const = default;
};

} // namespace core
