#include "views/tiles/tile_map.h"

#include "core/profile/queries/memory_queries.h"
#include "core/profile/queries/run_queries.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace views {

using core::Bytes;

Bytes TileData::bytes(std::size_t tile, std::optional<core::MemoryCategory> category) const {
    if (category)
        return Bytes(memory.bytes[static_cast<std::size_t>(*category)][tile]);
    Bytes total;
    for (const std::vector<std::int32_t>& perTile : memory.bytes)
        total += Bytes(perTile[tile]);
    return total;
}

core::Result<TileData> loadTiles(const core::ProfileDatabase& database, core::RunId run,
                                 std::optional<core::IpuId> ipu) {
    const core::Result<core::RunSummary> summary = core::loadRun(database, run);
    if (!summary)
        return core::failure(summary.error());
    TileData tiles;
    tiles.run = run;
    tiles.memoryPerTile = summary->provenance.memoryPerTile;
    Bytes most;
    for (const core::IpuMemorySummary& memory : summary->memory) {
        tiles.ipus.push_back(memory.ipu);
        if (memory.worstTileBytes > most || !tiles.ipu.isValid()) {
            most = memory.worstTileBytes;
            tiles.ipu = memory.ipu;
        }
    }
    if (ipu && std::find(tiles.ipus.begin(), tiles.ipus.end(), *ipu) != tiles.ipus.end())
        tiles.ipu = *ipu;
    auto memory = core::loadTileMemory(database, run, tiles.ipu);
    if (!memory)
        return core::failure(memory.error());
    tiles.memory = *std::move(memory);
    if (tiles.tiles() == 0)
        return core::failure(core::makeError(core::Trouble::Input, "run/no-tiles", {},
                                             fmt::format("run {} was recorded without tiles", run.value()),
                                             {"run the project with the profile level \"tile\""}));
    return tiles;
}

TileStatistics statisticsOf(const TileData& data, std::optional<core::MemoryCategory> category) {
    TileStatistics statistics;
    Bytes total;
    statistics.least = data.tiles() == 0 ? Bytes() : data.bytes(0, category);
    for (std::size_t tile = 0; tile < data.tiles(); ++tile) {
        const Bytes bytes = data.bytes(tile, category);
        total += bytes;
        statistics.least = std::min(statistics.least, bytes);
        if (bytes > statistics.most) {
            statistics.most = bytes;
            statistics.worst = tile;
        }
        statistics.over += bytes > data.memoryPerTile ? 1 : 0;
    }
    if (data.tiles() > 0)
        statistics.mean = Bytes(total.value() / static_cast<std::int64_t>(data.tiles()));
    return statistics;
}

TileHistogram histogramOf(const TileData& data, std::optional<core::MemoryCategory> category,
                          std::size_t bins) {
    const TileStatistics statistics = statisticsOf(data, category);
    TileHistogram histogram;
    histogram.from = statistics.least;
    histogram.to = std::max(statistics.most, category ? Bytes() : data.memoryPerTile) + Bytes(1);
    // A little space left of the lightest tile.
    histogram.from -= Bytes((histogram.to - histogram.from).value() / 12);
    histogram.from = std::max(histogram.from, Bytes());
    histogram.counts.assign(std::max<std::size_t>(1, bins), 0);
    for (std::size_t tile = 0; tile < data.tiles(); ++tile) {
        const double share =
            ratio(data.bytes(tile, category) - histogram.from, histogram.to - histogram.from);
        const auto bin = static_cast<std::size_t>(share * static_cast<double>(histogram.counts.size()));
        ++histogram.counts[std::min(bin, histogram.counts.size() - 1)];
    }
    return histogram;
}

QRectF TileGrid::cell(std::size_t tile) const {
    const double gap = pitch > 4 ? 0.8 : pitch > 2 ? 0.4 : 0;
    return {area.left() + pitch * static_cast<double>(tile % columns),
            area.top() + pitch * static_cast<double>(tile / columns), pitch - gap, pitch - gap};
}

std::optional<std::size_t> TileGrid::tileAt(const QPointF& point) const {
    if (!area.contains(point) || pitch <= 0)
        return std::nullopt;
    const auto column = static_cast<std::size_t>((point.x() - area.left()) / pitch);
    const std::size_t tile = static_cast<std::size_t>((point.y() - area.top()) / pitch) * columns + column;
    return column < columns && tile < tiles ? std::optional(tile) : std::nullopt;
}

TileGrid gridFor(std::size_t tiles, const QRectF& area) {
    TileGrid grid{area, tiles, 1, 1};
    if (tiles == 0 || area.isEmpty())
        return grid;
    double best = 0;
    for (std::size_t columns = 1; columns <= tiles; ++columns) {
        const std::size_t rows = (tiles + columns - 1) / columns;
        const double pitch =
            std::min(area.width() / static_cast<double>(columns), area.height() / static_cast<double>(rows));
        if (pitch <= best)
            continue;
        best = pitch;
        grid.columns = columns;
    }
    grid.pitch = best;
    return grid;
}

} // namespace views
