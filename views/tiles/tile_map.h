#pragma once

#include "core/profile/analysis/tile_time.h"
#include "core/profile/queries/memory_queries.h"
#include "core/profile/records/memory_records.h"
#include "core/profile/schema/profile_database.h"
#include "views/common/text/number_text.h"
#include "views/document/selection.h"

#include <QRectF>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace views {

/// What lies on the tiles of an IPU at each step of its program.
struct TileHistory {
    std::int64_t tiles = 0;
    std::vector<core::LiveRangeRecord> ranges;
    std::vector<core::LivenessStepRecord> steps;
    /// Where in their programs the steps are.
    std::vector<core::ProgramLiveness> places;
    /// By step.
    std::vector<core::FullestTile> fullest;

    /// The first at which a tile has most.
    [[nodiscard]] std::int64_t peakStep() const;
    /// The step that a place in a stage program is in; nothing where the program is not on this IPU.
    [[nodiscard]] std::optional<std::int64_t> stepAt(const TimeCursor& place) const;
    /// "Step 812 · backward · stage 1".
    [[nodiscard]] QString nameOf(std::int64_t step) const;
};

/// Memory of one IPU's tiles at a step of its program.
struct TileData {
    core::RunId run;
    core::IpuId ipu;
    std::vector<core::IpuId> ipus;
    core::TileMemoryRecord memory;
    core::Bytes memoryPerTile;
    /// Null where the run does not say where its blocks lie: `memory` is that of the peak, whichever step
    /// that is.
    std::shared_ptr<const TileHistory> history;
    std::int64_t step = 0;

    [[nodiscard]] std::size_t tiles() const { return memory.bytes.empty() ? 0 : memory.bytes.front().size(); }
    /// Bytes of a tile in one category, or in all.
    [[nodiscard]] core::Bytes bytes(std::size_t tile, std::optional<core::MemoryCategory> category) const;
};

/// The same IPU at another step (clamped); itself where nothing is known of steps.
[[nodiscard]] std::shared_ptr<const TileData> atStep(const std::shared_ptr<const TileData>& data,
                                                     std::int64_t step);

/// Why the run cannot be shown at another step than that of the peak.
[[nodiscard]] core::Diagnostic noTileSteps(core::RunId run);

/// At the peak of the worst tile. `ipu`: nothing takes the IPU with that tile.
[[nodiscard]] core::Result<TileData> loadTiles(const core::ProfileDatabase& database, core::RunId run,
                                               std::optional<core::IpuId> ipu);

/// Figures of a map: one category, or all.
using TileStatistics = core::TileFigures;
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
