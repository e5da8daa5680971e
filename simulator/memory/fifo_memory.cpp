#include "simulator/memory/fifo_memory.h"

#include "simulator/memory/blocks_by_step.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

namespace simulator {

namespace {

constexpr auto stash = static_cast<std::size_t>(core::MemoryCategory::Stash);

bool isFifo(const MemoryBlock& block) {
    return block.kind == BlockKind::Fifo;
}

/// The most that every tile holds beside FIFOs in the slot and in the update, and the first step of each at
/// which it does.
class TilePeaks {
public:
    struct Most {
        std::int64_t bytes = 0;
        std::uint32_t step = 0;
    };

    explicit TilePeaks(const IpuMemoryPlan& plan)
        : m_now(static_cast<std::size_t>(plan.tiles), 0) {
        for (const MemoryBlock& block : plan.blocks)
            if (block.alwaysLive() && !isFifo(block))
                change(block.mapping, 1);
        const BlocksByStep blocks(plan);
        for (std::uint32_t step = 0; step < plan.steps.size(); ++step) {
            const auto forEach = [&](std::span<const std::uint32_t> indices, auto visit) {
                for (const std::uint32_t index : indices)
                    if (!isFifo(plan.blocks[index]))
                        visit(plan.blocks[index].mapping);
            };
            forEach(blocks.begin(step), [&](const TileMapping& mapping) { change(mapping, 1); });
            std::vector<Most>& most = m_most[step <= plan.slotEnd ? 0 : 1];
            if (most.empty())
                for (const std::int64_t bytes : m_now)
                    most.push_back({bytes, step});
            forEach(blocks.begin(step), [&](const TileMapping& mapping) { look(mapping, step, most); });
            forEach(blocks.end(step), [&](const TileMapping& mapping) { change(mapping, -1); });
        }
    }

    /// By tile.
    [[nodiscard]] const std::vector<Most>& inSlot() const { return m_most[0]; }
    /// Empty without an update.
    [[nodiscard]] const std::vector<Most>& inUpdate() const { return m_most[1]; }

private:
    void change(const TileMapping& mapping, std::int64_t sign) {
        forEachRun(mapping, m_now.size(), [&](std::size_t first, std::size_t end, std::int64_t bytes) {
            for (std::size_t tile = first; tile < end; ++tile)
                m_now[tile] += sign * bytes;
        });
    }
    void look(const TileMapping& mapping, std::uint32_t step, std::vector<Most>& most) const {
        forEachRun(mapping, m_now.size(), [&](std::size_t first, std::size_t end, std::int64_t) {
            for (std::size_t tile = first; tile < end; ++tile)
                if (m_now[tile] > most[tile].bytes)
                    most[tile] = {m_now[tile], step};
        });
    }

    std::vector<std::int64_t> m_now;
    std::array<std::vector<Most>, 2> m_most;
};

/// The summary of a plan whose FIFOs hold nothing, were `step` its peak.
core::IpuMemorySummary summaryAt(const IpuMemoryPlan& plan, std::uint32_t step) {
    core::IpuMemorySummary summary = plan.summary;
    core::Bytes notAlwaysLive;
    summary.byCategory.assign(core::memoryCategoryCount, core::Bytes(0));
    for (const MemoryBlock& block : plan.blocks) {
        if (isFifo(block) || !isLiveAt(plan, block, step))
            continue;
        summary.byCategory[static_cast<std::size_t>(block.category)] += core::Bytes(block.bytes());
        if (!block.alwaysLive())
            notAlwaysLive += core::Bytes(block.bytes());
    }
    summary.notAlwaysLivePeak = notAlwaysLive;
    summary.peak = summary.alwaysLive + notAlwaysLive;
    return summary;
}

} // namespace

FifoMemory::FifoMemory(const IpuMemoryPlan& plan) {
    for (const MemoryBlock& block : plan.blocks)
        if (isFifo(block))
            m_depths.push_back(block.entries);
    std::ranges::sort(m_depths);
    m_depths.erase(std::ranges::unique(m_depths).begin(), m_depths.end());

    m_bytesPerEntry.assign(m_depths.size(), 0);
    std::vector<TileSums> sums(m_depths.size(), TileSums(plan.tiles));
    for (const MemoryBlock& block : plan.blocks) {
        if (!isFifo(block))
            continue;
        const auto depth =
            static_cast<std::size_t>(std::ranges::lower_bound(m_depths, block.entries) - m_depths.begin());
        TileMapping one = block.mapping;
        one.bytesPerTile /= block.entries;
        one.lastTileBytes /= block.entries;
        sums[depth].add(one);
        m_bytesPerEntry[depth] += one.bytes();
    }
    std::vector<std::vector<std::int64_t>> bytesPerEntry;
    bytesPerEntry.reserve(sums.size());
    for (const TileSums& sum : sums)
        bytesPerEntry.push_back(sum.bytes());
    findTiles(plan, bytesPerEntry);

    // FIFOs take the same at every step of the slot: they do not move its peak.
    const auto update = plan.live.begin() + plan.slotEnd + 1;
    m_slot = summaryAt(
        plan, static_cast<std::uint32_t>(std::max_element(plan.live.begin(), update) - plan.live.begin()));
    if (update != plan.live.end())
        m_update = summaryAt(
            plan, static_cast<std::uint32_t>(std::max_element(update, plan.live.end()) - plan.live.begin()));
}

void FifoMemory::findTiles(const IpuMemoryPlan& plan,
                           const std::vector<std::vector<std::int64_t>>& bytesPerEntry) {
    const TilePeaks peaks(plan);
    std::map<std::vector<std::int64_t>, Tile> worst;
    const auto add = [&](std::size_t tile, const TilePeaks::Most& most,
                         const std::vector<std::int64_t>& entries) {
        const auto [known, isNew] = worst.try_emplace(entries);
        Tile& best = known->second;
        if (isNew || std::tuple(-most.bytes, most.step) < std::tuple(-best.bytes, best.step))
            best = {static_cast<std::int64_t>(tile), most.bytes, most.step, entries};
    };
    std::vector<std::int64_t> entries(m_depths.size());
    for (std::size_t tile = 0; tile < peaks.inSlot().size(); ++tile) {
        for (std::size_t depth = 0; depth < entries.size(); ++depth)
            entries[depth] = bytesPerEntry[depth][tile];
        add(tile, peaks.inSlot()[tile], entries);
    }
    const std::vector<std::int64_t> none(m_depths.size(), 0);
    for (std::size_t tile = 0; tile < peaks.inUpdate().size(); ++tile)
        add(tile, peaks.inUpdate()[tile], none);
    for (auto& [of, tile] : worst)
        m_tiles.push_back(std::move(tile));
}

core::IpuMemorySummary FifoMemory::at(std::span<const std::int64_t> depths) const {
    core::Bytes fifos;
    for (std::size_t depth = 0; depth < depths.size(); ++depth)
        fifos += core::Bytes(m_bytesPerEntry[depth] * depths[depth]);
    const bool isInUpdate = m_update && m_update->notAlwaysLivePeak > m_slot.notAlwaysLivePeak + fifos;
    core::IpuMemorySummary summary = isInUpdate ? *m_update : m_slot;
    if (!isInUpdate)
        for (core::Bytes* total : {&summary.notAlwaysLivePeak, &summary.peak, &summary.byCategory[stash]})
            *total += fifos;
    // The worst tile is the first of equals, at the first step that has any.
    std::tuple<std::int64_t, std::uint32_t, std::int64_t> worst{1, 0, 0};
    for (const Tile& tile : m_tiles) {
        std::int64_t bytes = tile.bytes;
        for (std::size_t depth = 0; depth < depths.size(); ++depth)
            bytes += tile.bytesPerEntry[depth] * depths[depth];
        worst = std::min(worst, std::tuple(-bytes, tile.step, tile.tile));
    }
    summary.worstTile = std::get<2>(worst);
    summary.worstTileBytes = core::Bytes(-std::get<0>(worst));
    return summary;
}

} // namespace simulator
