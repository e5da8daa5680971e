#include "simulator/memory/fifo_memory.h"

#include "tests/support/test_registry.h"

#include <QtTest>
#include <algorithm>
#include <random>

namespace {

using namespace simulator;

constexpr std::int64_t tilesOfIpu = 70;

/// Blocks of all kinds on few tiles, with FIFOs of up to three depths.
IpuMemoryPlan planWithFifos(std::mt19937& random, bool hasUpdate) {
    const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
    IpuMemoryPlan plan;
    plan.tiles = tilesOfIpu;
    plan.steps.resize(12);
    plan.slotEnd = hasUpdate ? 8 : 11;
    TileAllocator allocator(0, tilesOfIpu);
    const std::uint32_t blocks = 1 + below(30);
    for (std::uint32_t index = 0; index < blocks; ++index) {
        MemoryBlock block;
        block.mapping = allocator.spread(below(9000));
        block.category = std::array{core::MemoryCategory::Weights, core::MemoryCategory::Activations,
                                    core::MemoryCategory::Temporary}[below(3)];
        block.interval = {below(12), below(12)};
        if (block.interval.wraps())
            block.interval = {below(plan.slotEnd) + 1, 0};
        if (below(3) == 0) {
            block.kind = BlockKind::Fifo;
            block.category = core::MemoryCategory::Stash;
            block.interval = {0, plan.slotEnd};
            block.entries = std::array{2, 5, 9}[below(3)];
            block.mapping = repeated(block.mapping, block.entries);
        }
        plan.blocks.push_back(block);
    }
    // Now and then the update takes as much as a slot.
    if (hasUpdate && below(2) == 0) {
        MemoryBlock block;
        block.mapping = allocator.onEach(below(3000), 1 + below(tilesOfIpu));
        block.category = core::MemoryCategory::Temporary;
        block.interval = {9 + below(3), 11};
        plan.blocks.push_back(block);
    }
    measure(plan, 1024);
    return plan;
}

/// The plan with FIFOs of other depths, measured as any plan is.
IpuMemoryPlan withDepths(IpuMemoryPlan plan, const std::vector<std::int64_t>& from,
                         const std::vector<std::int64_t>& to) {
    for (MemoryBlock& block : plan.blocks) {
        if (block.kind != BlockKind::Fifo)
            continue;
        const auto depth = std::ranges::find(from, block.entries) - from.begin();
        block.mapping.bytesPerTile =
            block.mapping.bytesPerTile / block.entries * to[static_cast<std::size_t>(depth)];
        block.mapping.lastTileBytes =
            block.mapping.lastTileBytes / block.entries * to[static_cast<std::size_t>(depth)];
        block.entries = to[static_cast<std::size_t>(depth)];
    }
    measure(plan, 1024);
    return plan;
}

} // namespace

class FifoMemoryTest : public QObject {
    Q_OBJECT

private slots:
    void otherDepthsComeToWhatMeasuringThePlanFinds() {
        std::mt19937 random(3);
        std::size_t moved = 0;
        for (int i = 0; i < 1000; ++i) {
            const IpuMemoryPlan plan = planWithFifos(random, i % 3 > 0);
            const FifoMemory fifos(plan);
            QVERIFY(std::ranges::is_sorted(fifos.depths(), std::less_equal<>()));
            QVERIFY(fifos.at(fifos.depths()) == plan.summary);
            for (int j = 0; j < 4; ++j) {
                std::vector<std::int64_t> depths;
                for (std::size_t depth = 0; depth < fifos.depths().size(); ++depth)
                    depths.push_back(static_cast<std::int64_t>(1 + random() % 40));
                const IpuMemoryPlan measured = withDepths(plan, fifos.depths(), depths);
                QVERIFY(fifos.at(depths) == measured.summary);
                moved += measured.summary.worstTile != plan.summary.worstTile ? 1 : 0;
            }
        }
        QVERIFY(moved > 100);
    }

    void anIpuWithoutFifosStaysAsItIs() {
        IpuMemoryPlan plan;
        plan.tiles = tilesOfIpu;
        measure(plan, 1024);
        const FifoMemory fifos(plan);
        QVERIFY(fifos.depths().empty());
        QVERIFY(fifos.at({}) == plan.summary);
    }
};

REGISTER_TEST("fifo_memory", FifoMemoryTest)
#include "fifo_memory_test.moc"
