#include "simulator/numerics/aligned_memory.h"

#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <algorithm>
#include <random>

using simulator::ArenaBlock;

class AlignedMemoryTest : public QObject {
    Q_OBJECT

private slots:
    void memoryIsAlignedAndZero() {
        const simulator::AlignedMemory memory(1000);
        QCOMPARE(reinterpret_cast<std::uintptr_t>(memory.data()) % 64, std::uintptr_t{0});
        QVERIFY(
            std::all_of(memory.data(), memory.data() + 1000, [](std::byte b) { return b == std::byte{0}; }));
    }

    void blocksAliveTogetherDoNotOverlap() {
        std::mt19937 random(5);
        for (int round = 0; round < 50; ++round) {
            std::vector<ArenaBlock> blocks(random() % 30);
            for (ArenaBlock& block : blocks) {
                block.bytes = random() % 1000;
                block.first = random() % 20;
                block.last = block.first + random() % 8;
            }
            const std::size_t total = simulator::planArena(blocks);
            for (std::size_t i = 0; i < blocks.size(); ++i) {
                QVERIFY(blocks[i].offset % 64 == 0);
                QVERIFY(blocks[i].offset + blocks[i].bytes <= total);
                for (std::size_t k = i + 1; k < blocks.size(); ++k) {
                    const bool together =
                        blocks[i].first <= blocks[k].last && blocks[k].first <= blocks[i].last;
                    const bool apart = blocks[i].offset + blocks[i].bytes <= blocks[k].offset ||
                                       blocks[k].offset + blocks[k].bytes <= blocks[i].offset;
                    QVERIFY(!together || apart || blocks[i].bytes == 0 || blocks[k].bytes == 0);
                }
            }
        }
    }

    void memoryIsUsedAgain() {
        std::vector<ArenaBlock> blocks{{640, 0, 1, 0}, {640, 2, 3, 0}, {640, 4, 9, 0}};
        QCOMPARE(simulator::planArena(blocks), std::size_t{640});
    }
};

REGISTER_TEST("aligned_memory", AlignedMemoryTest)
#include "aligned_memory_test.moc"
