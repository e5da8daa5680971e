#pragma once

#include "core/profile/records/memory_records.h"
#include "core/profile/schema/profile_database.h"
#include "views/common/text/number_text.h"

#include <QRectF>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace views {

/// Memory of one IPU's tiles at the peak of the worst tile.
struct TileData {
    core::RunId run;
    core::IpuId ipu;
    std::vector<core::IpuId> ipus;
    core::TileMemoryRecord memory;
    core::Bytes memoryPerTile;

    [[nodiscard]] std::size_t tiles() const { return memory.bytes.empty() ? 0 : memory.bytes.front().size(); }
    /// Bytes of a tile in one category, or in all.
    [[nodiscard]] core::Bytes bytes(std::size_t tile, std::optional<core::MemoryCategory> category) const;
};

[[nodiscard]] core::Result<TileData> loadTiles(const core::ProfileDatabase& database, core::RunId run,
                                               std::optional<core::IpuId> ipu);

/// Figures of a map: one category, or all.
struct TileStatistics {
    core::Bytes mean;
    core::Bytes most;
    core::Bytes least;
    std::size_t worst = 0;
    /// Tiles beyond the limit.
    std::size_t over = 0;

    [[nodiscard]] double imbalance() const { return ratio(most, mean); }
};
[[nodiscard]] TileStatistics statisticsOf(const TileData& data, std::optional<core::MemoryCategory> category);

/// Tiles per bin of equal width from `from` to `to` bytes.
struct TileHistogram {
    core::Bytes from;
    core::Bytes to;
    std::vector<std::size_t> counts;

    [[nodiscard]] core::Bytes edge(std::size_t bin) const {
        return from + core::Bytes((to - from).value() * std::int64_t(bin) / std::int64_t(counts.size()));
    }
};
/// Covers every tile, and the limit when `category` is all.
[[nodiscard]] TileHistogram histogramOf(const TileData& data, std::optional<core::MemoryCategory> category,
                                        std::size_t bins);

/// Cells in rows of `columns` from the top left, in the software order of the tiles.
struct TileGrid {
    QRectF area;
    std::size_t tiles = 0;
    std::size_t columns = 1;
    double pitch = 1;

    [[nodiscard]] std::size_t rows() const { return columns == 0 ? 0 : (tiles + columns - 1) / columns; }
    [[nodiscard]] QRectF cell(std::size_t tile) const;
    [[nodiscard]] std::optional<std::size_t> tileAt(const QPointF& point) const;
};
/// The squarest cells that fit; for 1 472 tiles in a 46 : 32 area, 46 columns.
[[nodiscard]] TileGrid gridFor(std::size_t tiles, const QRectF& area);

} // namespace views
