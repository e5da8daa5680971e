#include "simulator/memory/tile_mapping.h"

#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

using simulator::TileAllocator;
using simulator::TileBytes;
using simulator::TileMapping;

class TileMappingTest : public QObject {
    Q_OBJECT

private slots:
    void smallTensorsStayOnFewTilesAndFollowOneAnother() {
        TileAllocator allocator(0, 100);
        QCOMPARE(allocator.spread(100), (TileMapping{0, 1, 128, 104}));
        QCOMPARE(allocator.spread(300), (TileMapping{1, 3, 128, 48}));
        QCOMPARE(allocator.spread(1), (TileMapping{4, 1, 128, 8}));
        QCOMPARE(TileAllocator(0, 1).spread(300), (TileMapping{0, 1, 304, 304}));
    }

    void largeTensorsCoverAllTilesOnceWithPaddedShares() {
        TileAllocator allocator(10, 100);
        const TileMapping mapping = allocator.spread(100'001);
        QCOMPARE(mapping, (TileMapping{10, 100, 1008, 216}));
        QVERIFY(mapping.bytes() >= 100'001 && mapping.bytes() < 100'001 + 8);
    }

    void nothingTakesNoTile() {
        TileAllocator allocator(0, 4);
        QCOMPARE(allocator.spread(0), (TileMapping{0, 0, 0, 0}));
        QCOMPARE(allocator.onEach(0, 4), (TileMapping{0, 0, 0, 0}));
    }

    void theNextTensorBeginsWhereTheLastOneEndedAroundTheEnd() {
        TileAllocator allocator(20, 10);
        QCOMPARE(allocator.spread(8 * 128), (TileMapping{20, 8, 128, 128}));
        QCOMPARE(allocator.spread(3 * 128), (TileMapping{28, 3, 128, 128}));
        QCOMPARE(allocator.spread(5).firstTile, std::int64_t(21));
    }

    void anOperandLiesOnTheTilesThatItsPlanNames() {
        const TileAllocator allocator(20, 10);
        QCOMPARE(allocator.spreadOver(1280, 5), (TileMapping{20, 5, 256, 256}));
        QCOMPARE(allocator.spreadOver(1280, 0), (TileMapping{20, 1, 1280, 1280}));
        QCOMPARE(allocator.spreadOver(12800, 99), (TileMapping{20, 10, 1280, 1280}));
        QCOMPARE(allocator.onEach(9, 3), (TileMapping{20, 3, 16, 16}));
        QCOMPARE(allocator.onEach(8, 99), (TileMapping{20, 10, 8, 8}));
        QCOMPARE(allocator.onEach(8, -1).tileCount, std::int64_t(0));
        QCOMPARE(simulator::repeated({3, 2, 16, 8}, 5), (TileMapping{3, 2, 80, 40}));
        QCOMPARE(TileAllocator(7, 0).spread(100), (TileMapping{7, 0, 0, 0}));
    }

    /// However many tiles a block covers, whole groups of them or parts.
    void everyTileHoldsWhatWasPutOnIt() {
        std::mt19937 random(3);
        for (const std::int64_t tiles : {1, 31, 32, 33, 64, 100, 129}) {
            TileBytes bytes(tiles);
            std::vector<std::int64_t> expected(static_cast<std::size_t>(tiles), 0);
            std::vector<TileMapping> added;
            simulator::TileSums sums(tiles);
            for (int step = 0; step < 300; ++step) {
                const bool isRemoval = step % 3 == 2;
                const auto any = [&](std::int64_t bound) {
                    return static_cast<std::int64_t>(random()) % bound;
                };
                TileMapping mapping{any(2 * tiles), any(tiles + 1), 8 * any(20), 8 * any(20)};
                if (isRemoval) {
                    const std::size_t place = random() % added.size();
                    mapping = added[place];
                    added.erase(added.begin() + static_cast<std::ptrdiff_t>(place));
                    bytes.remove(mapping);
                } else {
                    added.push_back(mapping);
                    bytes.add(mapping);
                }
                // A sum takes nothing back.
                TileMapping summed = mapping;
                if (isRemoval) {
                    summed.bytesPerTile = -summed.bytesPerTile;
                    summed.lastTileBytes = -summed.lastTileBytes;
                }
                sums.add(summed);
                for (std::int64_t i = 0; i < mapping.tileCount; ++i)
                    expected[static_cast<std::size_t>((mapping.firstTile + i) % tiles)] +=
                        (isRemoval ? -1 : 1) *
                        (i + 1 == mapping.tileCount ? mapping.lastTileBytes : mapping.bytesPerTile);
                for (std::size_t tile = 0; tile < expected.size(); ++tile)
                    QCOMPARE(bytes.at(tile), expected[tile]);
                QVERIFY(sums.bytes() == expected);
                const auto fullest = std::ranges::max_element(expected);
                QCOMPARE(bytes.worst().bytes, *fullest);
                QCOMPARE(bytes.worst().tile, fullest - expected.begin());
            }
        }
    }

    void removingWhatWasAddedLeavesNothing() {
        TileBytes bytes(13);
        const std::vector<TileMapping> mappings{{0, 13, 8, 8}, {5, 13, 16, 8}, {11, 4, 24, 16}, {3, 9, 8, 8}};
        for (const TileMapping& mapping : mappings)
            bytes.add(mapping);
        std::int64_t sum = 0;
        for (std::size_t tile = 0; tile < bytes.size(); ++tile)
            sum += bytes.at(tile);
        QCOMPARE(sum, std::accumulate(mappings.begin(), mappings.end(), std::int64_t(0),
                                      [](std::int64_t total, const TileMapping& mapping) {
                                          return total + mapping.bytes();
                                      }));
        QCOMPARE(bytes.at(12), std::int64_t(8 + 16 + 24));
        for (const TileMapping& mapping : mappings)
            bytes.remove(mapping);
        QCOMPARE(bytes.worst().bytes, std::int64_t(0));
    }
};

REGISTER_TEST("tile_mapping", TileMappingTest)
#include "tile_mapping_test.moc"
