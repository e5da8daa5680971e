#include "simulator/cost/communication.h"
#include "simulator/cost/query/cost_arguments.h"
#include "simulator/target/link_topology.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace simulator {

namespace {

using core::ceilDivide;
using Kind = CostKeyKind;

/// A rectangle of cells.
struct Block {
    std::int64_t rows = 0;
    std::int64_t columns = 0;

    [[nodiscard]] std::int64_t cells() const { return rows * columns; }
    /// Cells of the frame of `width` around it.
    [[nodiscard]] std::int64_t frame(std::int64_t width) const {
        return (rows + 2 * width) * (columns + 2 * width) - cells();
    }
};

/// The largest block when `part` is cut over `tiles`: of the cuts with the fewest cells, the one with the
/// shortest frame.
Block largestBlock(const Block& part, std::int64_t tiles, std::int64_t width) {
    Block best = part;
    for (std::int64_t down = 1; down <= std::min(tiles, part.rows); ++down) {
        const std::int64_t across = std::min(tiles / down, part.columns);
        const Block block{ceilDivide(part.rows, down), ceilDivide(part.columns, across)};
        if (std::pair(block.cells(), block.frame(width)) < std::pair(best.cells(), best.frame(width)))
            best = block;
    }
    return best;
}

/// One sweep of a k × k stencil written as a vertex of its own. The IPUs take strips across the longer side,
/// the tiles of each a block.
///
/// A worker spends per cell 2 k + 2 cycles on addresses and the loop, and per vector of the cell k² cycles
/// that load one neighbour and accumulate the last, and two that scale and store. That is a count of
/// instructions, not a measurement: real vertices differ by a factor, which ratios between two of them do not
/// hold.
core::Result<CostAnswer> priceStencil(const CostArguments& arguments, const CostOperation&) {
    const IpuTarget& target = arguments.target();
    const std::int64_t ipus = arguments.integer("ipus");
    const std::int64_t kernel = arguments.integer("kernel");
    const std::int64_t width = kernel / 2;
    const std::int64_t cellBytes = arguments.integer("cell_bytes");
    const std::int64_t longer = std::max(arguments.integer("rows"), arguments.integer("columns"));
    const std::int64_t shorter = std::min(arguments.integer("rows"), arguments.integer("columns"));
    const Block strip{ceilDivide(longer, ipus), shorter};
    const std::int64_t tiles = arguments.tiles();
    const Block block = largestBlock(strip, tiles, width);

    const std::int64_t vectors = ceilDivide(cellBytes, arguments.integer("vector_bytes"));
    const std::int64_t cyclesPerCell = 2 * kernel + 2 + vectors * (kernel * kernel + 2);
    const std::int64_t workers = target.workersPerTile;
    CostAnswer answer;
    answer.tilesUsed = std::min(tiles, strip.cells());
    answer.compute = core::Cycles(ceilDivide(block.cells(), workers) * workers * cyclesPerCell);

    // Four sides and four corners, from eight neighbours.
    constexpr std::int64_t neighbours = 8;
    const bool isCut = block.cells() < strip.cells();
    const double words = static_cast<double>(block.frame(width) * cellBytes) / target.exchangeBytesPerCycle;
    const core::Cycles halo =
        isCut ? core::Cycles(std::llround(words) + neighbours * target.exchangeFragmentCycles)
              : core::Cycles();
    IpuSystem system;
    system.target = target;
    system.ipus = system.ipusPerReplica = ipus;
    system.physicalIndex = physicalIndices(SelectionOrder::Zigzag, ipus);
    const core::Cycles sync = ipus > 1 ? globalSync(target, ipus) : core::Cycles(target.internalSyncCycles);
    // Both borders of a strip move side by side, over links of their own. The copy's own sync is the sweep's.
    const core::Cycles border =
        ipus > 1 ? interIpuCopyCycles(system, 0, 1, shorter * width * cellBytes) - globalSync(target, 2)
                 : core::Cycles();
    answer.exchange = halo + border;
    answer.sync = sync;
    answer.cycles = answer.compute + answer.exchange + answer.sync;
    answer.details = {{"internal_exchange_cycles", static_cast<double>(halo.value())},
                      {"inter_ipu_exchange_cycles", static_cast<double>(border.value())},
                      {"cells_of_the_largest_block", static_cast<double>(block.cells())}};
    addRates(answer, target, core::DataType::Float32);
    return answer;
}

} // namespace

PricedOperation stencilOperation() {
    return {{"stencil",
             "vertex and program",
             "one sweep of a k x k stencil, a vertex written by hand, over a grid on all tiles; ratios hold, "
             "absolute cycles are a count of instructions",
             {{"rows", Kind::Integer, "", "rows of the grid", 1, 1e6},
              {"columns", Kind::Integer, "", "columns of the grid", 1, 1e6},
              {"cell_bytes", Kind::Integer, "8", "bytes of one cell", 1, 1e4},
              {"vector_bytes", Kind::Integer, "8",
               "bytes one instruction computes on: 8 half4 and float2, 4 float", 1, 16},
              {"kernel", Kind::Integer, "3", "width of the stencil", 1, 99},
              {"ipus", Kind::Integer, "1", "IPUs that share the grid", 1, 4096},
              {"tiles", Kind::Integer, "0", "tiles of each IPU; 0: all", 0, 1e7}}},
            priceStencil};
}

} // namespace simulator
