#include "simulator/memory/tile_mapping.h"

#include "core/base/quantity.h"

#include <algorithm>
#include <numeric>

namespace simulator {

namespace {

TileMapping evenly(std::int64_t bytes, std::int64_t tiles, std::int64_t firstTile) {
    if (bytes <= 0 || tiles <= 0)
        return {firstTile, 0, 0, 0};
    const std::int64_t share =
        core::roundUp(std::max(core::ceilDivide(bytes, tiles), smallestShareBytes), allocationGrainBytes);
    const std::int64_t count = core::ceilDivide(bytes, share);
    const std::int64_t last = core::roundUp(bytes - (count - 1) * share, allocationGrainBytes);
    return {firstTile, count, share, last};
}

} // namespace

TileMapping repeated(TileMapping mapping, std::int64_t count) {
    mapping.bytesPerTile *= count;
    mapping.lastTileBytes *= count;
    return mapping;
}

TileMapping TileAllocator::spread(std::int64_t bytes) {
    const TileMapping mapping = evenly(bytes, m_tiles, m_firstTile + m_next);
    if (m_tiles > 0)
        m_next = (m_next + mapping.tileCount) % m_tiles;
    return mapping;
}

TileMapping TileAllocator::spreadOver(std::int64_t bytes, std::int64_t tiles) const {
    return evenly(bytes, std::clamp<std::int64_t>(tiles, 1, m_tiles), m_firstTile);
}

TileMapping TileAllocator::onEach(std::int64_t bytesPerTile, std::int64_t tiles) const {
    const std::int64_t count = std::clamp<std::int64_t>(tiles, 0, m_tiles);
    const std::int64_t bytes = core::roundUp(bytesPerTile, allocationGrainBytes);
    return {m_firstTile, bytes > 0 ? count : 0, bytes, bytes};
}

TileBytes::TileBytes(std::int64_t tiles)
    : m_ofTile(static_cast<std::size_t>(tiles), 0)
    , m_groups((m_ofTile.size() + groupTiles - 1) / groupTiles) {}

void TileBytes::change(const TileMapping& mapping, std::int64_t sign) {
    if (mapping.tileCount == 0)
        return;
    const std::size_t first = static_cast<std::size_t>(mapping.firstTile) % size();
    const std::size_t end = first + static_cast<std::size_t>(mapping.tileCount);
    const std::int64_t bytes = sign * mapping.bytesPerTile;
    changeRun(first, std::min(end, size()), bytes);
    if (end > size())
        changeRun(0, end - size(), bytes);
    const std::size_t last = (end - 1) % size();
    changeRun(last, last + 1, sign * mapping.lastTileBytes - bytes);
}

void TileBytes::changeRun(std::size_t first, std::size_t end, std::int64_t bytes) {
    while (first < end && bytes != 0) {
        const std::size_t group = first / groupTiles;
        const std::size_t groupEnd = std::min((group + 1) * groupTiles, size());
        if (first == group * groupTiles && end >= groupEnd)
            m_groups[group].common += bytes;
        else
            changeWithinGroup(first, std::min(end, groupEnd), bytes);
        first = groupEnd;
    }
}

void TileBytes::changeWithinGroup(std::size_t first, std::size_t end, std::int64_t bytes) {
    Group& group = m_groups[first / groupTiles];
    std::int64_t highest = group.highest;
    for (std::size_t tile = first; tile < end; ++tile) {
        m_ofTile[tile] += bytes;
        highest = std::max(highest, m_ofTile[tile]);
    }
    group.highest = highest;
    group.isExact = group.isExact && bytes > 0;
}

std::span<const std::int64_t> TileBytes::tilesOf(std::size_t group) const {
    const std::size_t first = group * groupTiles;
    return std::span(m_ofTile).subspan(first, std::min(groupTiles, size() - first));
}

std::optional<TileBytes::Worst> TileBytes::fullerThan(std::int64_t bytes) {
    std::optional<std::size_t> fullest;
    for (std::size_t index = 0; index < m_groups.size(); ++index) {
        Group& group = m_groups[index];
        if (group.common + group.highest <= bytes)
            continue;
        if (!group.isExact) {
            group.highest = std::ranges::max(tilesOf(index));
            group.isExact = true;
        }
        if (group.common + group.highest > bytes) {
            bytes = group.common + group.highest;
            fullest = index;
        }
    }
    if (!fullest)
        return std::nullopt;
    const std::span<const std::int64_t> tiles = tilesOf(*fullest);
    const auto tile = std::ranges::find(tiles, m_groups[*fullest].highest);
    return Worst{static_cast<std::int64_t>(*fullest * groupTiles) + (tile - tiles.begin()), bytes};
}

TileSums::TileSums(std::int64_t tiles)
    : m_steps(static_cast<std::size_t>(std::max<std::int64_t>(1, tiles)) + 1) {}

void TileSums::add(const TileMapping& mapping) {
    forEachRun(mapping, m_steps.size() - 1, [&](std::size_t first, std::size_t end, std::int64_t bytes) {
        m_steps[first] += bytes;
        m_steps[end] -= bytes;
    });
}

std::vector<std::int64_t> TileSums::bytes() const {
    std::vector<std::int64_t> sums(m_steps.begin(), m_steps.end() - 1);
    std::partial_sum(sums.begin(), sums.end(), sums.begin());
    return sums;
}

} // namespace simulator
