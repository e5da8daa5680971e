#include "core/profile/analysis/tile_time.h"

#include <algorithm>
#include <limits>

namespace core {

namespace {

/// Bytes of one block on one tile, at most; more is nonsense and would not add up.
constexpr std::int64_t mostOnTile = std::int64_t(1) << 40;

/// Calls `visit` with each tile of a block and its bytes there.
template <class Visit>
void forEachTile(const TileRun& run, std::int64_t tiles, Visit visit) {
    if (!run.isKnown() || tiles <= 0)
        return;
    // A file of a stranger may say anything.
    const std::int64_t count = std::min(run.count, tiles);
    for (std::int64_t i = 0; i < count; ++i)
        visit(static_cast<std::size_t>((run.first % tiles + i) % tiles),
              std::clamp<std::int64_t>(
                  i + 1 < run.count ? run.bytesPerTile.value() : run.lastTileBytes.value(), 0, mostOnTile));
}

/// Numbers of the blocks in the order of a step of theirs.
std::vector<std::size_t> inOrderOf(const std::vector<LiveRangeRecord>& ranges,
                                   std::int64_t LiveRangeRecord::*step) {
    std::vector<std::size_t> order(ranges.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return ranges[i].*step; });
    return order;
}

} // namespace

bool knowTiles(const std::vector<LiveRangeRecord>& ranges) {
    return !ranges.empty() &&
           std::ranges::all_of(ranges, [](const LiveRangeRecord& range) { return range.tiles.isKnown(); });
}

bool isLiveAt(const LiveRangeRecord& range, std::int64_t step) {
    return range.alwaysLive || (range.firstStep <= step && step <= range.lastStep);
}

TileMemoryRecord tileMemoryAt(const std::vector<LiveRangeRecord>& ranges, IpuId ipu, std::int64_t tiles,
                              std::int64_t step) {
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(0, tiles));
    std::vector<std::vector<std::int64_t>> sums(memoryCategoryCount, std::vector<std::int64_t>(count));
    for (const LiveRangeRecord& range : ranges)
        if (isLiveAt(range, step)) {
            std::vector<std::int64_t>& category = sums[static_cast<std::size_t>(range.category)];
            forEachTile(range.tiles, tiles,
                        [&](std::size_t tile, std::int64_t bytes) { category[tile] += bytes; });
        }
    TileMemoryRecord record;
    record.ipu = ipu;
    for (const std::vector<std::int64_t>& category : sums) {
        std::vector<std::int32_t>& bytes = record.bytes.emplace_back(count);
        std::ranges::transform(category, bytes.begin(), [](std::int64_t sum) {
            return static_cast<std::int32_t>(
                std::clamp<std::int64_t>(sum, 0, std::numeric_limits<std::int32_t>::max()));
        });
    }
    return record;
}

Bytes bytesOn(const TileMemoryRecord& memory, std::size_t tile, std::optional<MemoryCategory> category) {
    if (category)
        return Bytes(memory.bytes[static_cast<std::size_t>(*category)][tile]);
    Bytes total;
    for (const std::vector<std::int32_t>& perTile : memory.bytes)
        total += Bytes(perTile[tile]);
    return total;
}

TileFigures tileFigures(const TileMemoryRecord& memory, std::optional<MemoryCategory> category,
                        Bytes memoryPerTile) {
    TileFigures figures;
    const std::size_t tiles = memory.bytes.empty() ? 0 : memory.bytes.front().size();
    if (tiles == 0)
        return figures;
    Bytes total;
    figures.least = bytesOn(memory, 0, category);
    for (std::size_t tile = 0; tile < tiles; ++tile) {
        const Bytes bytes = bytesOn(memory, tile, category);
        total += bytes;
        figures.least = std::min(figures.least, bytes);
        if (bytes > figures.most) {
            figures.most = bytes;
            figures.worst = tile;
        }
        figures.over += bytes > memoryPerTile ? 1 : 0;
    }
    figures.mean = Bytes(total.value() / static_cast<std::int64_t>(tiles));
    return figures;
}

std::vector<FullestTile> fullestTiles(const std::vector<LiveRangeRecord>& ranges, std::int64_t tiles,
                                      std::int64_t steps) {
    std::vector<FullestTile> fullest;
    if (tiles <= 0)
        return fullest;
    std::vector<std::int64_t> bytes(static_cast<std::size_t>(tiles));
    const auto add = [&](const LiveRangeRecord& range, std::int64_t sign) {
        forEachTile(range.tiles, tiles,
                    [&](std::size_t tile, std::int64_t part) { bytes[tile] += sign * part; });
    };
    for (const LiveRangeRecord& range : ranges)
        if (range.alwaysLive)
            add(range, 1);
    const std::vector<std::size_t> births = inOrderOf(ranges, &LiveRangeRecord::firstStep);
    const std::vector<std::size_t> deaths = inOrderOf(ranges, &LiveRangeRecord::lastStep);
    std::size_t born = 0;
    std::size_t died = 0;
    for (std::int64_t step = 0; step < steps; ++step) {
        bool isChanged = step == 0;
        for (; born < births.size() && ranges[births[born]].firstStep <= step; ++born)
            if (const LiveRangeRecord& range = ranges[births[born]];
                !range.alwaysLive && range.lastStep >= range.firstStep) {
                add(range, 1);
                isChanged = true;
            }
        for (; died < deaths.size() && ranges[deaths[died]].lastStep < step; ++died)
            if (const LiveRangeRecord& range = ranges[deaths[died]];
                !range.alwaysLive && range.lastStep >= range.firstStep) {
                add(range, -1);
                isChanged = true;
            }
        if (isChanged) {
            const auto most = std::ranges::max_element(bytes);
            fullest.push_back({most - bytes.begin(), Bytes(*most)});
        } else {
            fullest.push_back(fullest.back());
        }
    }
    return fullest;
}

std::vector<BlockOnTile> blocksOnTile(const std::vector<LiveRangeRecord>& ranges, std::int64_t tiles,
                                      std::int64_t tile, std::int64_t step) {
    std::vector<BlockOnTile> blocks;
    for (std::size_t i = 0; i < ranges.size(); ++i)
        if (isLiveAt(ranges[i], step))
            if (const Bytes bytes = ranges[i].tiles.on(tile, tiles); bytes.value() > 0)
                blocks.push_back({i, bytes});
    std::ranges::stable_sort(blocks, std::greater(), &BlockOnTile::bytes);
    return blocks;
}

} // namespace core
