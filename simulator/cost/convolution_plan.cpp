#include "simulator/cost/convolution_plan.h"

#include "core/base/quantity.h"
#include "simulator/cost/convolution_view.h"
#include "simulator/cost/vertex/reduction_vertex.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace simulator {

namespace {

using core::real;

using core::ceilDivide;
using Form = ConvolutionProblem::Form;

/// Serial splits of columns and inner dimension, fewest steps first: what fits early rules out what follows.
struct SerialSplit {
    std::int64_t columns;
    std::int64_t inner;
};
constexpr std::array<SerialSplit, 25> serialSplits{
    {{1, 1},  {2, 1},  {1, 2}, {4, 1},  {2, 2},  {1, 4},  {8, 1},  {4, 2}, {2, 4},
     {1, 8},  {16, 1}, {8, 2}, {4, 4},  {2, 8},  {1, 16}, {16, 2}, {8, 4}, {4, 8},
     {2, 16}, {16, 4}, {8, 8}, {4, 16}, {16, 8}, {8, 16}, {16, 16}}};

std::int64_t grains(std::int64_t extent, std::int64_t grain) {
    return std::max<std::int64_t>(ceilDivide(extent, grain), 1);
}

/// Extents (in grains) above which not every share is tried.
constexpr std::int64_t fineExtent = 512;

/// TileShares tried then: all up to 8, then steps of an eighth. They do not depend on the extent, so whatever
/// share a larger problem may have, a smaller one may have too.
const std::vector<std::int64_t>& coarseShares() {
    static const std::vector<std::int64_t> shares = [] {
        std::vector<std::int64_t> all;
        for (std::int64_t share = 1; share <= ConvolutionProblem::largestExtent;
             share += std::max<std::int64_t>(share / 8, 1))
            all.push_back(share);
        return all;
    }();
    return shares;
}

/// The next smaller share to try.
std::int64_t nextShare(std::int64_t extent, std::int64_t share) {
    if (extent <= fineExtent)
        return share - 1;
    const auto& shares = coarseShares();
    const auto found = std::ranges::lower_bound(shares, share);
    return found == shares.begin() ? 0 : *std::prev(found);
}

/// Calls `body()` for each way to split `extent` over at most `limit` tiles, with the split and a tile's
/// share in `split` and `share`: the fewest tiles of each share, and with `evenToo` also its even neighbour,
/// because pairs of tiles can share a bus.
template <class Body>
void forEachSplit(std::int64_t extent, std::int64_t limit, bool evenToo, std::int64_t& split,
                  std::int64_t& share, const Body& body) {
    for (std::int64_t wanted = extent; wanted >= 1; wanted = nextShare(extent, wanted)) {
        split = ceilDivide(extent, wanted);
        if (split > limit)
            break;
        share = ceilDivide(extent, split);
        wanted = share;
        body();
        if (evenToo && split > 1 && split % 2 == 1 && split < limit) {
            ++split;
            share = ceilDivide(extent, split);
            body();
        }
    }
}

class Search {
public:
    Search(const IpuTarget& target, const ConvolutionPlanOptions& options)
        : m_target(target)
        , m_options(options) {}

    void tryView(const ConvolutionView& view, bool serially);
    [[nodiscard]] const ConvolutionPlan& best() const { return m_fits ? m_fastest : m_leanest; }

private:
    [[nodiscard]] bool canBeBest(std::int64_t steps) const;
    void tryParallel(const ConvolutionView& view, ConvolutionPlan& plan, std::int64_t stepInner,
                     std::int64_t stepColumns);
    void trySplits(const ConvolutionView& view, ConvolutionPlan& plan, TileShares& shares);
    void tryRows(const ConvolutionView& view, ConvolutionPlan& plan, TileShares& shares,
                 std::int64_t rowSplit);
    void priceExchange(const ConvolutionView& view, ConvolutionPlan& plan, const TileShares& shares) const;
    void priceOutputs(const ConvolutionView& view, ConvolutionPlan& plan, const TileShares& shares) const;
    void offer(const ConvolutionPlan& plan);

    const IpuTarget& m_target;
    const ConvolutionPlanOptions& m_options;
    ConvolutionPlan m_fastest;
    ConvolutionPlan m_leanest;
    double m_fastestTotal = std::numeric_limits<double>::infinity();
    double m_leanestBytes = std::numeric_limits<double>::infinity();
    double m_leanestTotal = std::numeric_limits<double>::infinity();
    /// The fastest plan without serial loops, were memory free.
    double m_unboundedTotal = std::numeric_limits<double>::infinity();
    bool m_fits = false;
};

void Search::priceExchange(const ConvolutionView& view, ConvolutionPlan& plan,
                           const TileShares& shares) const {
    const ConvolutionProblem& problem = view.problem;
    const double groups = real(shares.groups * view.groupsPerPass);
    const double inner = std::min(real(shares.inner * view.innerGrain), real(problem.inner));
    const double columns = std::min(real(shares.columns * view.columnGrain), real(problem.columns));
    const double rows = real(shares.rows);
    const double positions = real(problem.window.positions());
    double rowOperand = rows * inner;
    double columnOperand = inner * columns;
    switch (problem.form) {
    case Form::Product:
        break;
    case Form::Window:
        rowOperand = inner * problem.window.operandElements(rows);
        columnOperand *= positions / real(plan.kernelSplit);
        break;
    case Form::WindowAsRows:
        rowOperand = std::ceil(rows / positions) * problem.window.operandElements(inner);
        break;
    case Form::WindowAsColumns:
        columnOperand = std::ceil(columns / positions) * problem.window.operandElements(inner);
        break;
    }
    plan.inputBytes = rowOperand * groups * problem.operandBytes;
    plan.weightBytes = columnOperand * groups * problem.operandBytes;
    const double perByte = 1 / m_target.exchangeBytesPerCycle;
    // A tile already holds its share of the inputs that the tiles of its row need; weights are kept once.
    plan.inputExchange =
        real(plan.serialInner) * plan.inputBytes * (1 - 1 / real(plan.columnSplit)) * perByte;
    plan.weightExchange =
        plan.rowSplit > 1 ? real(plan.serialInner * plan.serialColumns) * plan.weightBytes * perByte : 0;
    // The two tiles of a pair receive the same inputs or the same weights, whichever pays more.
    const double inputs = m_target.pairBus && plan.columnSplit % 2 == 0 ? plan.inputExchange / 2 : 0;
    const double weights = m_target.pairBus && plan.rowSplit % 2 == 0 ? plan.weightExchange / 2 : 0;
    if (inputs >= weights)
        plan.inputExchange -= inputs;
    else
        plan.weightExchange -= weights;
    plan.copyCycles = real(plan.serialInner) * plan.inputBytes * m_target.tileCopyCyclesPerByte;
}

void Search::priceOutputs(const ConvolutionView& view, ConvolutionPlan& plan,
                          const TileShares& shares) const {
    const ConvolutionProblem& problem = view.problem;
    const double steps = real(plan.serialInner * plan.serialColumns);
    const std::int64_t parts = plan.innerSplit * plan.kernelSplit;
    const double columns = std::min(real(shares.columns * view.columnGrain), real(problem.columns));
    const double outputs = real(shares.groups * view.groupsPerPass) * real(shares.rows) * columns *
                           real(problem.window.resultsPerRow);
    plan.partialsBytes = outputs * problem.partialBytes;
    const bool widens = problem.partialBytes != problem.outputBytes;
    plan.writesResult = parts == 1 && !widens && plan.serialInner == 1;
    if (parts > 1) {
        const int stages = reduceStages(parts);
        const double perStage = std::ceil(std::pow(real(parts), 1.0 / stages));
        // More than any tile holds is as bad as twice that, and stays within whole numbers.
        constexpr double mostOutputs = 1e14;
        const TileReduction work{
            static_cast<std::int64_t>(std::ceil(std::min(outputs / real(parts), mostOutputs))),
            static_cast<std::int64_t>(perStage), problem.partialBytes, m_target.workersPerTile};
        plan.partialExchange = steps * stages * plan.partialsBytes / m_target.exchangeBytesPerCycle;
        plan.reduceCycles = steps * stages * real(singleInputReduceCycles(work));
    } else if (widens) {
        const double perWorker = std::ceil(outputs / real(m_target.workersPerTile));
        plan.castCycles = steps * (std::ceil(perWorker / 2) + 26) * real(m_target.workersPerTile);
    }
    if (plan.serialInner > 1) {
        constexpr double addInPlacePerVector = 3;
        const double vectors = outputs / real(std::max<std::int64_t>(parts, 1)) * problem.partialBytes / 8;
        plan.reduceCycles += steps * addInPlacePerVector * vectors;
    }
    // Exchange and compute of each serial step, again for the reduction.
    plan.supersteps = (parts > 1 ? 4 : 2) * plan.serialInner * plan.serialColumns;
    plan.syncCycles =
        real(plan.supersteps) * real(m_target.superstepOverheadCycles + m_target.internalSyncCycles);
}

void Search::offer(const ConvolutionPlan& plan) {
    const double total = plan.total();
    const double bytes = plan.temporaryBytes();
    if (plan.serialColumns * plan.serialInner == 1)
        m_unboundedTotal = std::min(m_unboundedTotal, total);
    if (bytes <= m_options.memoryBound && total < m_fastestTotal) {
        m_fits = true;
        m_fastest = plan;
        m_fastestTotal = total;
    }
    if (bytes < m_leanestBytes || (bytes == m_leanestBytes && total < m_leanestTotal)) {
        m_leanest = plan;
        m_leanestBytes = bytes;
        m_leanestTotal = total;
    }
}

void Search::tryRows(const ConvolutionView& view, ConvolutionPlan& plan, TileShares& shares,
                     std::int64_t rowSplit) {
    plan.rowSplit = rowSplit;
    shares.rows = ceilDivide(view.problem.rows, rowSplit);
    plan.vertexCycles = plan.castCycles = plan.reduceCycles = plan.partialExchange = 0;
    priceExchange(view, plan, shares);
    priceOutputs(view, plan, shares);
    // Once a plan fits, a slower one is of no use, nor is one of serial steps that does not fit.
    const std::int64_t steps = plan.serialInner * plan.serialColumns;
    if (m_fits &&
        (plan.total() >= m_fastestTotal || (steps > 1 && plan.temporaryBytes() > m_options.memoryBound)))
        return;
    plan.vertexCycles = real(steps) * vertexCycles(view, shares);
    offer(plan);
}

void Search::trySplits(const ConvolutionView& view, ConvolutionPlan& plan, TileShares& shares) {
    // The weights alone may be too much, whatever the rows; a serial plan is only tried to need less.
    if (plan.serialInner * plan.serialColumns > 1 && view.problem.form != Form::WindowAsColumns) {
        const double weights = real(shares.groups * view.groupsPerPass) *
                               std::min(real(shares.inner * view.innerGrain), real(view.problem.inner)) *
                               std::min(real(shares.columns * view.columnGrain), real(view.problem.columns)) *
                               view.problem.operandBytes;
        if (weights > m_options.memoryBound && (m_fits || weights > m_leanestBytes))
            return;
    }
    const std::int64_t left =
        m_options.tiles / (plan.groupSplit * plan.kernelSplit * plan.innerSplit * plan.columnSplit);
    // Every term falls with the row split (or stays), so the finest cut and no cut suffice; of equal shares
    // the fewest tiles, and an even number of them where a pair can share its bus.
    const std::int64_t rows = std::max<std::int64_t>(view.problem.rows, 1);
    const std::int64_t split = ceilDivide(rows, ceilDivide(rows, left));
    tryRows(view, plan, shares, split);
    if (m_target.pairBus && split > 1 && split % 2 == 1)
        tryRows(view, plan, shares, split < left ? split + 1 : split - 1);
    if (split > 1)
        tryRows(view, plan, shares, 1);
}

void Search::tryView(const ConvolutionView& view, bool serially) {
    const std::int64_t innerGrains = grains(view.problem.inner, view.innerGrain);
    const std::int64_t columnGrains = grains(view.problem.columns, view.columnGrain);
    ConvolutionPlan plan;
    plan.method = view.method;
    plan.swapped = view.swapped;
    plan.groupsPerPass = view.groupsPerPass;
    for (const SerialSplit& serial : serialSplits) {
        const std::int64_t steps = serial.columns * serial.inner;
        if (serial.columns > columnGrains || serial.inner > innerGrains || (steps > 1) != serially ||
            (serially && !canBeBest(steps)))
            continue;
        plan.serialColumns = serial.columns;
        plan.serialInner = serial.inner;
        tryParallel(view, plan, ceilDivide(innerGrains, serial.inner),
                    ceilDivide(columnGrains, serial.columns));
    }
}

/// Whether a plan of that many serial steps can still be the best. The same parallel splits without the loop
/// are never slower, they only need more memory: what the loop adds is at least its supersteps.
bool Search::canBeBest(std::int64_t steps) const {
    const double loop =
        real(2 * (steps - 1)) * real(m_target.superstepOverheadCycles + m_target.internalSyncCycles);
    return !m_fits || m_unboundedTotal + loop < m_fastestTotal;
}

void Search::tryParallel(const ConvolutionView& view, ConvolutionPlan& plan, std::int64_t stepInner,
                         std::int64_t stepColumns) {
    const std::int64_t tiles = m_options.tiles;
    TileShares shares;
    const auto columns = [&] {
        const std::int64_t left = tiles / (plan.groupSplit * plan.kernelSplit * plan.innerSplit);
        forEachSplit(stepColumns, left, m_target.pairBus, plan.columnSplit, shares.columns,
                     [&] { trySplits(view, plan, shares); });
    };
    const auto inner = [&] {
        const std::int64_t left = tiles / (plan.groupSplit * plan.kernelSplit);
        forEachSplit(stepInner, left, false, plan.innerSplit, shares.inner, columns);
    };
    const auto kernel = [&] {
        forEachSplit(view.kernelOuter, tiles / plan.groupSplit, false, plan.kernelSplit, shares.kernelOuter,
                     inner);
    };
    forEachSplit(view.groups, tiles, false, plan.groupSplit, shares.groups, kernel);
}

ConvolutionProblem clamped(ConvolutionProblem problem) {
    for (std::int64_t* extent : {&problem.groups, &problem.rows, &problem.inner, &problem.columns})
        *extent = std::clamp<std::int64_t>(*extent, 0, ConvolutionProblem::largestExtent);
    return problem;
}

} // namespace

double FieldWindow::operandElements(double rows) const {
    if (rows <= 0)
        return 0;
    const double perImage = real(std::max<std::int64_t>(rowsPerImage, 1));
    const double images = std::max(rows / perImage, 1.0);
    const double inImage = std::min(rows, perImage);
    const double side = axes == 1 ? inImage : axes == 2 ? std::sqrt(inImage) : std::cbrt(inImage);
    double elements = 1;
    for (std::size_t axis = 0; axis < axes; ++axis) {
        const double k = real(reach[axis]);
        const double s = real(stride[axis]);
        elements *= (side - 1) * s + k;
    }
    return images * std::min({elements, inImage * real(positions()), real(elementsPerImage)});
}

MatrixUnit matrixUnit(const IpuTarget& target, int operandBytes, int partialBytes,
                      bool use128BitConvUnitLoad) {
    MatrixUnit unit;
    unit.operandBytes = operandBytes <= 2 ? 2 : 4;
    unit.partialBytes = partialBytes;
    unit.units = unit.operandBytes == 4 ? target.convUnitsFloat
                 : partialBytes == 2    ? target.convUnitsHalfHalf
                                        : target.convUnitsHalfFloat;
    unit.workers = target.workersPerTile;
    unit.coefficientLoadBytes = target.loadBytesPerCycle * (use128BitConvUnitLoad ? 2 : 1);
    return unit;
}

ConvolutionPlan planConvolution(const ConvolutionProblem& wanted, const IpuTarget& target,
                                const ConvolutionPlanOptions& options) {
    const ConvolutionProblem problem = clamped(wanted);
    if (std::min({problem.groups, problem.rows, problem.inner, problem.columns}) == 0)
        return {};
    const MatrixUnit unit =
        matrixUnit(target, problem.operandBytes, problem.partialBytes, options.use128BitConvUnitLoad);
    const std::vector<ConvolutionView> views = viewsOf(problem, unit);
    Search search(target, options);
    for (const bool serially : {false, true})
        for (const ConvolutionView& view : views)
            search.tryView(view, serially);
    return search.best();
}

std::string_view methodName(ConvolutionMethod method) {
    constexpr std::array<std::string_view, 4> names{"AMP", "SLIC", "VMAC", "HMAC"};
    return names[static_cast<std::size_t>(method)];
}

} // namespace simulator
