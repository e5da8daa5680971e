#include "simulator/memory/memory_plan.h"

#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <random>

using core::MemoryCategory;
using simulator::IpuMemoryPlan;
using simulator::MemoryBlock;

namespace {

constexpr std::int64_t tiles = 37;
constexpr std::uint32_t steps = 20;
constexpr std::uint32_t slotEnd = 15;

/// Blocks of all kinds on random tiles and steps.
IpuMemoryPlan randomPlan(std::uint32_t seed) {
    std::mt19937 random(seed);
    IpuMemoryPlan plan;
    plan.tiles = tiles;
    plan.steps.resize(steps);
    plan.slotEnd = slotEnd;
    simulator::TileAllocator allocator(0, tiles);
    for (int count = 0; count < 60; ++count) {
        MemoryBlock block;
        block.category = static_cast<MemoryCategory>(random() % core::memoryCategoryCount);
        const auto bytes = static_cast<std::int64_t>(random() % 20000);
        block.mapping =
            random() % 2 == 0 ? allocator.spread(bytes) : allocator.onEach(bytes / 50, 1 + random() % tiles);
        const std::uint32_t first = random() % steps;
        const std::uint32_t last = random() % steps;
        const bool wraps = first > last && first <= slotEnd;
        block.interval = wraps ? simulator::LiveInterval{first, last}
                               : simulator::LiveInterval{std::min(first, last), std::max(first, last)};
        plan.blocks.push_back(block);
    }
    simulator::measure(plan, 638976);
    return plan;
}

std::int64_t bytesOnTile(const MemoryBlock& block, std::int64_t tile) {
    for (std::int64_t index = 0; index < block.mapping.tileCount; ++index)
        if ((block.mapping.firstTile + index) % tiles == tile)
            return index + 1 == block.mapping.tileCount ? block.mapping.lastTileBytes
                                                        : block.mapping.bytesPerTile;
    return 0;
}

} // namespace

class MemoryPlanTest : public QObject {
    Q_OBJECT

private slots:
    void peaksEqualBruteForceOverStepsAndTiles() {
        for (std::uint32_t seed = 1; seed <= 30; ++seed) {
            const IpuMemoryPlan plan = randomPlan(seed);
            std::int64_t peak = 0;
            std::uint32_t peakStep = 0;
            std::int64_t worst = 0;
            std::uint32_t worstStep = 0;
            std::int64_t worstTile = 0;
            for (std::uint32_t step = 0; step < steps; ++step) {
                std::int64_t all = 0;
                std::vector<std::int64_t> onTile(tiles, 0);
                for (const MemoryBlock& block : plan.blocks) {
                    if (!simulator::isLiveAt(plan, block, step))
                        continue;
                    all += block.bytes();
                    for (std::int64_t tile = 0; tile < tiles; ++tile)
                        onTile[static_cast<std::size_t>(tile)] += bytesOnTile(block, tile);
                }
                if (all > peak) {
                    peak = all;
                    peakStep = step;
                }
                const auto fullest = std::ranges::max_element(onTile);
                if (*fullest > worst) {
                    worst = *fullest;
                    worstStep = step;
                    worstTile = fullest - onTile.begin();
                }
            }
            QCOMPARE(plan.summary.peak.value(), peak);
            QCOMPARE(plan.peakStep, peakStep);
            QCOMPARE(plan.summary.worstTileBytes.value(), worst);
            QCOMPARE(plan.summary.worstTile, worstTile);
            QCOMPARE(plan.worst.step, worstStep);
        }
    }

    /// Whether it is live or not: it stays on its tile.
    void theFullestTileOfCodeCountsAllKindsOfCodeAndNothingElse() {
        for (std::uint32_t seed = 1; seed <= 30; ++seed) {
            const IpuMemoryPlan plan = randomPlan(seed);
            std::int64_t most = 0;
            for (std::int64_t tile = 0; tile < tiles; ++tile) {
                std::int64_t code = 0;
                for (const MemoryBlock& block : plan.blocks)
                    if (block.category == MemoryCategory::VertexCode ||
                        block.category == MemoryCategory::ExchangeCode ||
                        block.category == MemoryCategory::ControlCode)
                        code += bytesOnTile(block, tile);
                most = std::max(most, code);
            }
            QCOMPARE(plan.worstTileCode, most);
        }
    }

    void theLimitIsWhatAllTilesHave() { QCOMPARE(randomPlan(1).summary.limit.value(), 638976 * tiles); }

    void categoriesSumToThePeakExactly() {
        for (std::uint32_t seed = 1; seed <= 30; ++seed) {
            const IpuMemoryPlan plan = randomPlan(seed);
            core::Bytes sum;
            for (const core::Bytes bytes : plan.summary.byCategory)
                sum += bytes;
            QCOMPARE(sum, plan.summary.peak);
            QCOMPARE(plan.summary.alwaysLive + plan.summary.notAlwaysLivePeak, plan.summary.peak);
        }
    }

    void tileRecordSumsToTheWorstTile() {
        const IpuMemoryPlan plan = randomPlan(5);
        const core::TileMemoryRecord record = simulator::tileMemory(plan);
        QCOMPARE(record.bytes.size(), core::memoryCategoryCount);
        std::int64_t sum = 0;
        for (const auto& category : record.bytes)
            sum += category[static_cast<std::size_t>(plan.summary.worstTile)];
        QCOMPARE(sum, plan.summary.worstTileBytes.value());
        for (std::size_t category = 0; category < record.bytes.size(); ++category) {
            QCOMPARE(record.bytes[category].size(), static_cast<std::size_t>(tiles));
            for (std::int64_t tile = 0; tile < tiles; ++tile) {
                std::int64_t live = 0;
                for (const MemoryBlock& block : plan.blocks)
                    if (static_cast<std::size_t>(block.category) == category &&
                        simulator::isLiveAt(plan, block, plan.worst.step))
                        live += bytesOnTile(block, tile);
                QCOMPARE(std::int64_t(record.bytes[category][static_cast<std::size_t>(tile)]), live);
            }
        }
    }

    void anIpuWithoutWorkHoldsItsProgramAndNothingElse() {
        IpuMemoryPlan plan;
        plan.tiles = tiles;
        plan.blocks.push_back({MemoryCategory::Stack,
                               simulator::BlockKind::Code,
                               {},
                               {},
                               {},
                               simulator::TileAllocator(0, tiles).onEach(100, tiles),
                               {}});
        simulator::measure(plan, 638976);
        QCOMPARE(plan.summary.peak.value(), tiles * 104);
        QCOMPARE(plan.summary.notAlwaysLivePeak.value(), std::int64_t(0));
    }
};

REGISTER_TEST("memory_plan", MemoryPlanTest)
#include "memory_plan_test.moc"
