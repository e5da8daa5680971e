#include "views/tiles/tile_map.h"

#include "core/profile/queries/memory_queries.h"
#include "core/profile/queries/run_queries.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace views {

using core::Bytes;

Bytes TileData::bytes(std::size_t tile, std::optional<core::MemoryCategory> category) const {
    return core::bytesOn(memory, tile, category);
}

core::Diagnostic noTileSteps(core::RunId run) {
    return core::makeError(core::Trouble::Input, "run/no-tile-steps",
                           {"", fmt::format("run {}", run.value())},
                           "an older version recorded this run, which does not say on which tiles its blocks "
                           "lie; its tiles are known at their peak only",
                           {"run the project again"});
}

std::int64_t TileHistory::peakStep() const {
    const auto most = std::ranges::max_element(fullest, {}, &core::FullestTile::bytes);
    return most == fullest.end() ? 0 : most - fullest.begin();
}

std::optional<std::int64_t> TileHistory::stepAt(const TimeCursor& place) const {
    std::optional<std::int64_t> step;
    for (const core::ProgramLiveness& at : places)
        if (at.stage == place.stage && at.phase == place.phase && (!step || at.from <= place.inside))
            step = at.step;
    return step;
}

QString TileHistory::nameOf(std::int64_t step) const {
    QString name = QStringLiteral("Step %1").arg(groupedText(step));
    if (step < 0 || step >= static_cast<std::int64_t>(steps.size()))
        return name;
    const core::LivenessStepRecord& record = steps[static_cast<std::size_t>(step)];
    QString phase = QString::fromUtf8(core::toString(record.phase).data());
    phase.replace(u'_', u' ');
    name += QStringLiteral(" · ") + phase;
    if (record.stage.isValid())
        name += QStringLiteral(" · stage %1").arg(record.stage.value());
    return name;
}

std::shared_ptr<const TileData> atStep(const std::shared_ptr<const TileData>& data, std::int64_t step) {
    if (!data || !data->history || data->history->fullest.empty())
        return data;
    const TileHistory& history = *data->history;
    const std::int64_t wanted =
        std::clamp<std::int64_t>(step, 0, static_cast<std::int64_t>(history.fullest.size()) - 1);
    if (wanted == data->step)
        return data;
    auto other = std::make_shared<TileData>(*data);
    other->step = wanted;
    other->memory = core::tileMemoryAt(history.ranges, data->ipu, history.tiles, wanted);
    return other;
}

namespace {

/// Null for runs whose blocks do not say where they lie.
core::Result<std::shared_ptr<const TileHistory>>
loadHistory(const core::ProfileDatabase& database, core::RunId run, core::IpuId ipu, std::size_t tiles) {
    TileHistory history;
    history.tiles = static_cast<std::int64_t>(tiles);
    auto ranges = core::liveRanges(database, run, ipu);
    if (!ranges)
        return core::failure(ranges.error());
    if (!core::knowTiles(*ranges))
        return std::shared_ptr<const TileHistory>();
    history.ranges = *std::move(ranges);
    auto steps = core::loadLivenessSteps(database, run, ipu);
    if (!steps)
        return core::failure(steps.error());
    history.steps = *std::move(steps);
    // Of steps on a damaged page nothing is known, not even how many there were.
    if (history.steps.empty() || history.steps.back().step + 1 != std::ssize(history.steps))
        return std::shared_ptr<const TileHistory>();
    auto places = core::programLiveness(database, run, ipu);
    if (!places)
        return core::failure(places.error());
    history.places = *std::move(places);
    history.fullest =
        core::fullestTiles(history.ranges, history.tiles, static_cast<std::int64_t>(history.steps.size()));
    return std::make_shared<const TileHistory>(std::move(history));
}

} // namespace

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
    auto history = loadHistory(database, run, tiles.ipu, tiles.tiles());
    if (!history)
        return core::failure(history.error());
    tiles.history = *std::move(history);
    if (tiles.history)
        tiles.step = tiles.history->peakStep();
    return tiles;
}

TileStatistics statisticsOf(const TileData& data, std::optional<core::MemoryCategory> category) {
    return core::tileFigures(data.memory, category, data.memoryPerTile);
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
