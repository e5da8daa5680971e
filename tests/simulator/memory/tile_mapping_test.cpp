#include "simulator/memory/tile_mapping.h"

#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <numeric>

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
        QCOMPARE(allocator.spread(1).firstTile, std::int64_t(4));
    }

    void largeTensorsCoverAllTilesOnceWithPaddedShares() {
        TileAllocator allocator(10, 100);
        const TileMapping mapping = allocator.spread(100'001);
        QCOMPARE(mapping, (TileMapping{10, 100, 1008, 216}));
        QVERIFY(mapping.bytes() >= 100'001 && mapping.bytes() < 100'001 + 8);
    }

    void nothingTakesNoTile() {
        TileAllocator allocator(0, 4);
        QCOMPARE(allocator.spread(0).tileCount, std::int64_t(0));
        QCOMPARE(allocator.onEach(0, 4).bytes(), std::int64_t(0));
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
