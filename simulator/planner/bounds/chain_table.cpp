#include "simulator/planner/bounds/chain_table.h"

#include <algorithm>

namespace simulator {

namespace {

/// Of one layer and this end; then of it and all ends before; then of all layers from it on.
template <class Value>
void addUp(std::vector<Value>& table, std::size_t layers) {
    const auto at = [&](std::size_t first, std::size_t end) { return first * (layers + 1) + end; };
    for (std::size_t first = layers; first-- > 0;) {
        for (std::size_t end = first + 1; end <= layers; ++end)
            table[at(first, end)] += table[at(first, end - 1)];
        for (std::size_t end = first + 2; end <= layers; ++end)
            table[at(first, end)] += table[at(first + 1, end)];
    }
}

} // namespace

ChainTable::ChainTable(ChainBounds bounds)
    : m_bounds(std::move(bounds))
    , m_layers(m_bounds.layers.size())
    , m_before(m_layers + 1)
    , m_variables(m_layers + 1)
    , m_optimizer(m_layers + 1)
    , m_code(m_layers + 1)
    , m_recompute((m_layers + 1) * (m_layers + 1))
    , m_kept((m_layers + 1) * (m_layers + 1))
    , m_temporary((m_layers + 1) * (m_layers + 1))
    , m_arriving((m_layers + 1) * (m_layers + 1))
    , m_arrivingKept((m_layers + 1) * (m_layers + 1))
    , m_liveBackward((m_layers + 1) * (m_layers + 1))
    , m_live((m_layers + 1) * (m_layers + 1))
    , m_sharedCode((m_layers + 1) * (m_layers + 1)) {
    addArriving(m_bounds.arriving, m_arriving);
    addArriving(m_bounds.arrivingKept, m_arrivingKept);
    addLive();
    addSharedCode();
    for (std::size_t layer = 0; layer < m_layers; ++layer) {
        const LayerBound& bound = m_bounds.layers[layer];
        m_before[layer + 1] = {m_before[layer].forward + bound.forwardCycles,
                               m_before[layer].backward + bound.backwardCycles, 0,
                               m_before[layer].update + bound.updateCycles};
        m_variables[layer + 1] = m_variables[layer] + bound.variableBytes;
        m_optimizer[layer + 1] = m_optimizer[layer] + bound.optimizerBytes;
        m_code[layer + 1] = m_code[layer] + bound.codeBytes;
        for (const LateNeed& need : bound.needs) {
            m_recompute[at(layer, need.until + 1)] += need.recomputeCycles;
            if (need.keptBytes > 0)
                m_kept[at(layer, need.until + 1)] += {1, need.keptBytes};
        }
    }
    for (std::size_t first = 0; first < m_layers; ++first)
        for (std::size_t end = first + 1; end <= m_layers; ++end)
            m_temporary[at(first, end)] =
                std::max(m_temporary[at(first, end - 1)], m_bounds.layers[end - 1].temporaryBytes);
    addUp(m_recompute, m_layers);
    addUp(m_kept, m_layers);
}

void ChainTable::addArriving(const std::vector<ArrivingValue>& values,
                             std::vector<WaitingValues>& table) const {
    for (const ArrivingValue& value : values) {
        std::size_t last = value.home;
        for (const auto& reader : value.readers)
            last = std::max(last, reader.first);
        for (std::size_t first = value.home + 1; first <= last; ++first) {
            std::size_t until = m_layers;
            for (const auto& [position, reach] : value.readers)
                if (position >= first)
                    until = std::min(until, reach);
            if (until < m_layers && value.bytes > 0)
                table[at(first, until + 1)] += {1, value.bytes};
        }
    }
    for (std::size_t first = 1; first < m_layers; ++first)
        for (std::size_t end = first + 1; end <= m_layers; ++end)
            table[at(first, end)] += table[at(first, end - 1)];
}

void ChainTable::addLive() {
    const LiveBounds& live = m_bounds.live;
    for (std::size_t first = 0; first < m_layers; ++first)
        for (std::size_t end = first + 1; end <= m_layers; ++end) {
            m_liveBackward[at(first, end)] =
                std::max(m_liveBackward[at(first, end - 1)], live.backward[end - 1][first]);
            m_live[at(first, end)] = std::max(
                {m_live[at(first, end - 1)], live.backward[end - 1][first], live.forward[end - 1][first]});
        }
    m_bounds.live = {};
}

void ChainTable::addSharedCode() {
    std::vector<std::int64_t> tiles(m_bounds.codeletBytes.size());
    for (std::size_t first = 0; first < m_layers; ++first) {
        std::ranges::fill(tiles, 0);
        std::int64_t bytes = m_bounds.programBytes;
        for (std::size_t end = first + 1; end <= m_layers; ++end) {
            for (const CodeletUse& use : m_bounds.layers[end - 1].codelets) {
                bytes += m_bounds.codeletBytes[use.codelet] *
                         std::max<std::int64_t>(0, use.tiles - tiles[use.codelet]);
                tiles[use.codelet] = std::max(tiles[use.codelet], use.tiles);
            }
            m_sharedCode[at(first, end)] = bytes;
        }
    }
}

StageWork ChainTable::work(std::size_t first, std::size_t end, bool recomputes) const {
    return {m_before[end].forward - m_before[first].forward,
            m_before[end].backward - m_before[first].backward, recomputes ? m_recompute[at(first, end)] : 0,
            m_before[end].update - m_before[first].update};
}

std::int64_t ChainTable::variableBytes(std::size_t first, std::size_t end, bool withOptimizer) const {
    return m_variables[end] - m_variables[first] +
           (withOptimizer ? m_optimizer[end] - m_optimizer[first] : 0);
}

std::int64_t ChainTable::totalCycles() const {
    return m_before.back().total();
}

std::int64_t ChainTable::largestLayerCycles() const {
    std::int64_t largest = 0;
    for (const LayerBound& layer : m_bounds.layers)
        largest = std::max(largest, layer.forwardCycles + layer.backwardCycles);
    return largest;
}

bool ChainTable::isTied() const {
    return std::ranges::find(m_bounds.sharedWeights, std::pair<std::size_t, std::size_t>(0, m_layers - 1)) !=
           m_bounds.sharedWeights.end();
}

} // namespace simulator
