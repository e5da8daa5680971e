#include "simulator/memory/memory_plan.h"

#include "simulator/memory/blocks_by_step.h"

#include <algorithm>

namespace simulator {

namespace {

using core::MemoryCategory;

bool isCode(MemoryCategory category) {
    return category == MemoryCategory::VertexCode || category == MemoryCategory::ExchangeCode ||
           category == MemoryCategory::ControlCode;
}

void measureCurve(IpuMemoryPlan& plan) {
    std::vector<LiveInterval> intervals;
    std::vector<std::int64_t> bytes;
    for (const MemoryBlock& block : plan.blocks)
        if (!block.alwaysLive()) {
            intervals.push_back(block.interval);
            bytes.push_back(block.bytes());
        }
    plan.live = liveBytes(intervals, bytes, plan.steps.size(), plan.slotEnd);
    plan.peakStep = static_cast<std::uint32_t>(std::ranges::max_element(plan.live) - plan.live.begin());
}

void measureTiles(IpuMemoryPlan& plan) {
    TileBytes tiles(plan.tiles);
    TileBytes code(plan.tiles);
    for (const MemoryBlock& block : plan.blocks) {
        if (block.alwaysLive())
            tiles.add(block.mapping);
        if (isCode(block.category))
            code.add(block.mapping);
    }
    plan.worstTileCode = code.worst().bytes;
    const BlocksByStep blocks(plan);
    plan.worst = {0, -1, 0};
    for (std::uint32_t step = 0; step < plan.steps.size(); ++step) {
        for (const std::uint32_t index : blocks.begin(step))
            tiles.add(plan.blocks[index].mapping);
        if (const auto worst = tiles.fullerThan(plan.worst.bytes))
            plan.worst = {worst->tile, worst->bytes, step};
        for (const std::uint32_t index : blocks.end(step))
            tiles.remove(plan.blocks[index].mapping);
    }
}

} // namespace

bool isLiveAt(const IpuMemoryPlan& plan, const MemoryBlock& block, std::uint32_t step) {
    return block.alwaysLive() || block.interval.covers(step, plan.slotEnd);
}

void measure(IpuMemoryPlan& plan, std::int64_t memoryPerTileBytes) {
    // An IPU without work still holds its stack and has one moment to be looked at.
    if (plan.steps.empty())
        plan.steps.emplace_back();
    measureCurve(plan);
    measureTiles(plan);

    core::IpuMemorySummary& summary = plan.summary;
    summary = {};
    summary.ipu = plan.ipu;
    summary.limit = core::Bytes(memoryPerTileBytes * plan.tiles);
    summary.byCategory.assign(core::memoryCategoryCount, core::Bytes(0));
    for (const MemoryBlock& block : plan.blocks) {
        if (block.alwaysLive())
            summary.alwaysLive += core::Bytes(block.bytes());
        if (isLiveAt(plan, block, plan.peakStep))
            summary.byCategory[static_cast<std::size_t>(block.category)] += core::Bytes(block.bytes());
    }
    summary.notAlwaysLivePeak = core::Bytes(plan.live[plan.peakStep]);
    summary.peak = summary.alwaysLive + summary.notAlwaysLivePeak;
    summary.worstTile = plan.worst.tile;
    summary.worstTileBytes = core::Bytes(plan.worst.bytes);
}

core::TileMemoryRecord tileMemory(const IpuMemoryPlan& plan) {
    std::vector<TileSums> byCategory(core::memoryCategoryCount, TileSums(plan.tiles));
    for (const MemoryBlock& block : plan.blocks)
        if (isLiveAt(plan, block, plan.worst.step))
            byCategory[static_cast<std::size_t>(block.category)].add(block.mapping);
    core::TileMemoryRecord record;
    record.ipu = plan.ipu;
    for (const TileSums& category : byCategory) {
        const std::vector<std::int64_t> sums = category.bytes();
        std::vector<std::int32_t>& bytes = record.bytes.emplace_back(sums.size());
        std::ranges::transform(sums, bytes.begin(), [](std::int64_t sum) {
            return static_cast<std::int32_t>(std::min<std::int64_t>(sum, INT32_MAX));
        });
    }
    return record;
}

} // namespace simulator
