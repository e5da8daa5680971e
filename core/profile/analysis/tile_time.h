#pragma once

#include "core/profile/records/memory_records.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace core {

/// Whether every block says where it lies; runs of older programs do not.
[[nodiscard]] bool knowTiles(const std::vector<LiveRangeRecord>& ranges);

/// Always live, or live at a step.
[[nodiscard]] bool isLiveAt(const LiveRangeRecord& range, std::int64_t step);

/// Bytes of every tile of an IPU by category at a step of its program. `ranges`: all of that IPU, which has
/// `tiles`.
[[nodiscard]] TileMemoryRecord tileMemoryAt(const std::vector<LiveRangeRecord>& ranges, IpuId ipu,
                                            std::int64_t tiles, std::int64_t step);

/// Figures of the tiles of an IPU: of one category, or of all.
struct TileFigures {
    Bytes mean;
    Bytes most;
    Bytes least;
    /// The first of those with most.
    std::size_t worst = 0;
    /// Tiles beyond the limit.
    std::size_t over = 0;

    [[nodiscard]] double imbalance() const { return ratio(most, mean); }
    bool operator==(const TileFigures&) const = default;
};
[[nodiscard]] TileFigures tileFigures(const TileMemoryRecord& memory, std::optional<MemoryCategory> category,
                                      Bytes memoryPerTile);
/// Bytes of a tile in one category, or in all.
[[nodiscard]] Bytes bytesOn(const TileMemoryRecord& memory, std::size_t tile,
                            std::optional<MemoryCategory> category);

/// The tile with most bytes, the first of equals.
struct FullestTile {
    std::int64_t tile = 0;
    Bytes bytes;

    bool operator==(const FullestTile&) const = default;
};
/// At every step, 0 … `steps` − 1.
[[nodiscard]] std::vector<FullestTile> fullestTiles(const std::vector<LiveRangeRecord>& ranges,
                                                    std::int64_t tiles, std::int64_t steps);

/// A block that lies on a tile, and how much of it does.
struct BlockOnTile {
    /// Index into the ranges.
    std::size_t range = 0;
    Bytes bytes;
};
/// What lies on a tile at a step, largest first; its bytes add up to those of `tileMemoryAt`.
[[nodiscard]] std::vector<BlockOnTile> blocksOnTile(const std::vector<LiveRangeRecord>& ranges,
                                                    std::int64_t tiles, std::int64_t tile, std::int64_t step);

} // namespace core
