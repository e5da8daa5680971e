#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace simulator {

/// How a block of memory lies on the tiles of one IPU: a run of tiles (around the end to tile 0), each with
/// the same bytes but the last, which may have fewer. Bytes are padded to what the allocator gives.
struct TileMapping {
    std::int64_t firstTile = 0;
    std::int64_t tileCount = 0;
    std::int64_t bytesPerTile = 0;
    std::int64_t lastTileBytes = 0;

    [[nodiscard]] std::int64_t bytes() const {
        return tileCount == 0 ? 0 : (tileCount - 1) * bytesPerTile + lastTileBytes;
    }
    bool operator==(const TileMapping&) const = default;
};

/// Visits a mapping on an IPU of `tiles` as runs of tiles (first, end) with the same bytes on each.
template <class Visit>
void forEachRun(const TileMapping& mapping, std::size_t tiles, Visit visit) {
    if (mapping.tileCount == 0)
        return;
    const std::size_t first = static_cast<std::size_t>(mapping.firstTile) % tiles;
    const std::size_t full = first + static_cast<std::size_t>(mapping.tileCount) - 1;
    if (full > first)
        visit(first, std::min(full, tiles), mapping.bytesPerTile);
    if (full > tiles)
        visit(std::size_t(0), full - tiles, mapping.bytesPerTile);
    visit(full % tiles, full % tiles + 1, mapping.lastTileBytes);
}

/// `count` blocks of the same mapping, one after the other on each tile.
[[nodiscard]] TileMapping repeated(TileMapping mapping, std::int64_t count);

/// Allocations are padded to 8 bytes; a tile gets at least 128 bytes of a tensor that is spread over tiles,
/// so that small tensors stay on few. Source: the linear mapping of poputil, the tile's alignment.
inline constexpr std::int64_t allocationGrainBytes = 8;
inline constexpr std::int64_t smallestShareBytes = 128;

/// Gives out tiles of one IPU. Tensors start where the one before ended, so that small ones do not pile up on
/// tile 0.
class TileAllocator {
public:
    /// Tiles `firstTile` … `firstTile` + `tiles` − 1.
    TileAllocator(std::int64_t firstTile, std::int64_t tiles)
        : m_firstTile(firstTile)
        , m_tiles(tiles) {}

    /// Evenly over all tiles.
    [[nodiscard]] TileMapping spread(std::int64_t bytes);
    /// Evenly over the first `tiles` tiles, where an operation's plan wants its operand.
    [[nodiscard]] TileMapping spreadOver(std::int64_t bytes, std::int64_t tiles) const;
    /// The same bytes on each of the first `tiles` tiles.
    [[nodiscard]] TileMapping onEach(std::int64_t bytesPerTile, std::int64_t tiles) const;
    [[nodiscard]] std::int64_t tiles() const { return m_tiles; }

private:
    std::int64_t m_firstTile;
    std::int64_t m_tiles;
    std::int64_t m_next = 0;
};

/// Bytes of every tile of an IPU, for adding and removing blocks while watching the fullest tile. Tiles are
/// in groups: what covers a whole group is kept with the group, and a group that cannot hold the fullest tile
/// is not looked into, so that both cost little more than a look at every group.
class TileBytes {
public:
    explicit TileBytes(std::int64_t tiles);

    void add(const TileMapping& mapping) { change(mapping, 1); }
    void remove(const TileMapping& mapping) { change(mapping, -1); }

    struct Worst {
        std::int64_t tile = 0;
        std::int64_t bytes = 0;
    };
    /// The fullest tile, the first of equals.
    [[nodiscard]] Worst worst() { return *fullerThan(-1); }
    /// The same where it holds more than `bytes`.
    [[nodiscard]] std::optional<Worst> fullerThan(std::int64_t bytes);
    [[nodiscard]] std::int64_t at(std::size_t tile) const {
        return m_ofTile[tile] + m_groups[tile / groupTiles].common;
    }
    [[nodiscard]] std::size_t size() const { return m_ofTile.size(); }

private:
    static constexpr std::size_t groupTiles = 32;
    struct Group {
        /// Every tile of the group has these bytes beside its own.
        std::int64_t common = 0;
        /// No tile's own bytes are more; one has them where the group is exact.
        std::int64_t highest = 0;
        bool isExact = true;
    };

    void change(const TileMapping& mapping, std::int64_t sign);
    void changeRun(std::size_t first, std::size_t end, std::int64_t bytes);
    void changeWithinGroup(std::size_t first, std::size_t end, std::int64_t bytes);
    [[nodiscard]] std::span<const std::int64_t> tilesOf(std::size_t group) const;

    std::vector<std::int64_t> m_ofTile;
    std::vector<Group> m_groups;
};

/// Adds blocks up to what every tile of an IPU holds of them together, asked once all are added: a block
/// costs the ends of its run of tiles.
class TileSums {
public:
    explicit TileSums(std::int64_t tiles);

    void add(const TileMapping& mapping);
    /// By tile.
    [[nodiscard]] std::vector<std::int64_t> bytes() const;

private:
    /// What a tile has more than the one before it.
    std::vector<std::int64_t> m_steps;
};

} // namespace simulator
