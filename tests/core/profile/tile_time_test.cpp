#include "core/profile/analysis/tile_time.h"

#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <numeric>

using core::Bytes;
using core::LiveRangeRecord;
using core::MemoryCategory;

namespace {

constexpr std::int64_t tiles = 8;

LiveRangeRecord block(const char* name, MemoryCategory category, std::int64_t first, std::int64_t last,
                      core::TileRun run) {
    LiveRangeRecord range;
    range.name = name;
    range.category = category;
    range.alwaysLive = core::isAlwaysLive(category);
    range.firstStep = first;
    range.lastStep = last;
    range.tiles = run;
    range.bytes = Bytes((run.count - 1) * run.bytesPerTile.value() + run.lastTileBytes.value());
    return range;
}

/// Weights everywhere, an activation that goes around the end to tile 0, a short-lived temporary.
std::vector<LiveRangeRecord> blocks() {
    return {block("weights", MemoryCategory::Weights, 0, 9, {0, 8, Bytes(100), Bytes(60)}),
            block("activation", MemoryCategory::Activations, 2, 6, {6, 4, Bytes(40), Bytes(8)}),
            block("temporary", MemoryCategory::Temporary, 4, 4, {1, 1, Bytes(0), Bytes(500)})};
}

std::int64_t sumAt(std::int64_t step) {
    std::int64_t sum = 0;
    for (const std::vector<std::int32_t>& category :
         core::tileMemoryAt(blocks(), core::IpuId(0), tiles, step).bytes)
        sum = std::accumulate(category.begin(), category.end(), sum);
    return sum;
}

} // namespace

class TileTimeTest : public QObject {
    Q_OBJECT

private slots:
    void aBlockGoesAroundTheEndToTileZero() {
        const core::TileRun run = blocks()[1].tiles;
        const std::vector<std::int64_t> expected{40, 8, 0, 0, 0, 0, 40, 40};
        for (std::int64_t tile = 0; tile < tiles; ++tile)
            QCOMPARE(run.on(tile, tiles).value(), expected[static_cast<std::size_t>(tile)]);
    }

    void tilesOfAStepAddUpToWhatIsLive() {
        for (std::int64_t step = 0; step < 10; ++step) {
            std::int64_t live = 0;
            for (const LiveRangeRecord& range : blocks())
                live += core::isLiveAt(range, step) ? range.bytes.value() : 0;
            QCOMPARE(sumAt(step), live);
        }
    }

    void theFullestTileIsThatOfEveryStep() {
        const auto fullest = core::fullestTiles(blocks(), tiles, 10);
        QCOMPARE(fullest.size(), std::size_t(10));
        for (std::int64_t step = 0; step < 10; ++step) {
            const auto figures =
                core::tileFigures(core::tileMemoryAt(blocks(), core::IpuId(0), tiles, step), {}, Bytes(600));
            QCOMPARE(fullest[static_cast<std::size_t>(step)].bytes.value(), figures.most.value());
            QCOMPARE(fullest[static_cast<std::size_t>(step)].tile, std::int64_t(figures.worst));
            QCOMPARE(figures.over, std::size_t(step == 4 ? 1 : 0));
        }
        QCOMPARE(fullest[0].tile, std::int64_t(0));
        QCOMPARE(fullest[3].bytes.value(), std::int64_t(140));
        QCOMPARE(fullest[4].tile, std::int64_t(1));
        QCOMPARE(fullest[4].bytes.value(), std::int64_t(608));
    }

    void whatLiesOnATileAddsUpToIt() {
        const auto on = core::blocksOnTile(blocks(), tiles, 1, 4);
        QCOMPARE(on.size(), std::size_t(3));
        QCOMPARE(on[0].range, std::size_t(2));
        QCOMPARE(on[0].bytes.value(), std::int64_t(500));
        QCOMPARE(on[2].bytes.value(), std::int64_t(8));
        QVERIFY(core::blocksOnTile(blocks(), tiles, 3, 4).size() == 1);
    }

    void blocksOfOlderProgramsSayNothing() {
        std::vector<LiveRangeRecord> old = blocks();
        QVERIFY(core::knowTiles(old));
        old[1].tiles = {};
        QVERIFY(!core::knowTiles(old));
        QVERIFY(!core::knowTiles({}));
    }

    /// A file of a stranger may say anything.
    void nonsenseIsBounded() {
        std::vector<LiveRangeRecord> odd{
            block("odd", MemoryCategory::Activations, 5, 2, {99, 1'000'000'000, Bytes(1), Bytes(1)})};
        QCOMPARE(core::fullestTiles(odd, tiles, 4).back().bytes.value(), std::int64_t(0));
        odd.front().firstStep = 0;
        QCOMPARE(core::fullestTiles(odd, tiles, 4).front().bytes.value(), std::int64_t(1));
        QVERIFY(core::fullestTiles(odd, 0, 4).empty());
    }
};

REGISTER_TEST("tile_time", TileTimeTest)
#include "tile_time_test.moc"
