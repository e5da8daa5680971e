#include "simulator/memory/tile_mapping.h"

#include "core/base/quantity.h"

#include <algorithm>

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
    TileMapping mapping = evenly(bytes, m_tiles, 0);
    mapping.firstTile = m_firstTile + m_next;
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

void TileBytes::change(const TileMapping& mapping, std::int64_t sign) {
    const auto tiles = static_cast<std::int64_t>(m_difference.size());
    const std::int64_t bytes = sign * mapping.bytesPerTile;
    if (mapping.tileCount == 0)
        return;
    if (2 * mapping.tileCount <= tiles) {
        changeRun(mapping.firstTile, mapping.tileCount, bytes);
    } else {
        m_base += bytes;
        changeRun(mapping.firstTile + mapping.tileCount, tiles - mapping.tileCount, -bytes);
    }
    const std::int64_t last = (mapping.firstTile + mapping.tileCount - 1) % tiles;
    m_difference[static_cast<std::size_t>(last)] += sign * mapping.lastTileBytes - bytes;
}

void TileBytes::changeRun(std::int64_t first, std::int64_t count, std::int64_t bytes) {
    const auto tiles = static_cast<std::int64_t>(m_difference.size());
    first %= tiles;
    const std::int64_t untilEnd = std::min(count, tiles - first);
    const auto add = [&](std::int64_t from, std::int64_t length) {
        std::int64_t* tile = m_difference.data() + from;
        for (std::int64_t index = 0; index < length; ++index)
            tile[index] += bytes;
    };
    add(first, untilEnd);
    add(0, count - untilEnd);
}

TileBytes::Worst TileBytes::worst() const {
    std::int64_t highest = m_difference.front();
    for (const std::int64_t bytes : m_difference)
        highest = std::max(highest, bytes);
    const auto tile = std::ranges::find(m_difference, highest) - m_difference.begin();
    return {tile, m_base + highest};
}

} // namespace simulator
