#include "simulator/cost/convolution_plan.h"

#include "core/base/quantity.h"
#include "simulator/cost/vertex/reduction_vertex.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace simulator {

namespace {

using core::ceilDivide;
using Form = ConvolutionProblem::Form;

constexpr std::array<std::int64_t, 5> serialSplits{1, 2, 4, 8, 16};

double real(std::int64_t value) {
    return static_cast<double>(value);
}

std::int64_t grains(std::int64_t extent, std::int64_t grain) {
    return std::max<std::int64_t>(ceilDivide(extent, grain), 1);
}

/// The splits of `extent` (counted in grains) up to `limit` that change a tile's share, the smallest of each
/// share; with `evenToo` also its even neighbour, because pairs of tiles can share a bus.
std::vector<std::int64_t> splitsOf(std::int64_t extent, std::int64_t limit, bool evenToo) {
    std::vector<std::int64_t> splits;
    for (std::int64_t split = 1; split <= std::min(extent, limit);) {
        splits.push_back(split);
        if (evenToo && split > 1 && split % 2 == 1 && split < limit)
            splits.push_back(split + 1);
        const std::int64_t share = ceilDivide(extent, split);
        if (share == 1)
            break;
        split = std::max(split + 1, ceilDivide(extent, share - 1));
    }
    return splits;
}

/// A problem seen through one vertex method and operand order, with everything that does not change while
/// splits are tried.
struct View {
    ConvolutionProblem problem;
    ConvolutionMethod method = ConvolutionMethod::Amp;
    bool swapped = false;
    MatrixUnit unit;
    std::int64_t groupsPerPass = 1;
    std::int64_t groups = 1;     ///< passes' groups after packing
    std::int64_t innerGrain = 1; ///< input channels of one pass
    std::int64_t columnGrain = 1;
    std::int64_t kernelHeight = 1; ///< kernel rows that share one pass with few channels
    std::int64_t kernelOuter = 1;
    std::int64_t kernelInner = 1;
};

/// One combination of splits and a tile's shares under it.
struct Shares {
    std::int64_t groups = 1;
    std::int64_t rows = 1;
    std::int64_t inner = 1;   ///< grains per serial step
    std::int64_t columns = 1; ///< grains per serial step
    std::int64_t kernelOuter = 1;
};

class Search {
public:
    Search(const IpuTarget& target, const ConvolutionPlanOptions& options)
        : m_target(target)
        , m_options(options) {}

    void tryView(const View& view, bool serial);
    [[nodiscard]] const ConvolutionPlan& best() const { return m_fits ? m_fastest : m_leanest; }

private:
    [[nodiscard]] bool mayPay(std::int64_t steps) const;
    void tryParallel(const View& view, ConvolutionPlan& plan, std::int64_t stepInner,
                     std::int64_t stepColumns);
    void trySplits(const View& view, ConvolutionPlan& plan, Shares& shares);
    void tryRows(const View& view, ConvolutionPlan& plan, Shares& shares, std::int64_t rowSplit);
    void price(const View& view, ConvolutionPlan& plan, const Shares& shares) const;
    void priceExchange(const View& view, ConvolutionPlan& plan, const Shares& shares) const;
    void priceOutputs(const View& view, ConvolutionPlan& plan, const Shares& shares) const;
    [[nodiscard]] static double vertexCycles(const View& view, const Shares& shares);
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

double Search::vertexCycles(const View& view, const Shares& shares) {
    const std::int64_t positions = view.problem.window.positions();
    switch (view.method) {
    case ConvolutionMethod::Slic: {
        const auto side = static_cast<std::int64_t>(std::ceil(std::sqrt(real(shares.rows))));
        const std::int64_t perBlock = 4 / std::min<std::int64_t>(4, view.problem.columns);
        return slicCycles(view.unit, {side, ceilDivide(shares.rows, side), view.problem.window.stride[0],
                                      ceilDivide(shares.groups, perBlock),
                                      view.kernelOuter * view.kernelInner, view.problem.inner});
    }
    case ConvolutionMethod::Vmac:
        return vmacCycles(view.unit, {shares.rows, positions, shares.groups});
    case ConvolutionMethod::Hmac:
        return hmacCycles(view.unit, {shares.rows, positions, shares.inner, shares.columns, shares.groups});
    case ConvolutionMethod::Amp:
        break;
    }
    if (view.kernelOuter * view.kernelInner == 1)
        return conv1x1Cycles(view.unit, {shares.rows, shares.groups, shares.inner, shares.columns, 1, true},
                             true);
    // Rows of a square patch, cut so that the workers get equal numbers of elements.
    const auto side = static_cast<std::int64_t>(std::ceil(std::sqrt(real(shares.rows))));
    const std::int64_t workers = view.unit.workers;
    const std::int64_t runsPerWorker =
        ceilDivide(ceilDivide(shares.rows, std::max<std::int64_t>(side, 1)), workers);
    const std::int64_t elements = ceilDivide(shares.rows, workers);
    return convNx1Cycles(view.unit, {runsPerWorker * workers,
                                     ceilDivide(elements, std::max<std::int64_t>(runsPerWorker, 1)),
                                     shares.groups, shares.inner, shares.columns, 1, view.kernelHeight,
                                     shares.kernelOuter, view.kernelInner});
}

void Search::priceExchange(const View& view, ConvolutionPlan& plan, const Shares& shares) const {
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

void Search::priceOutputs(const View& view, ConvolutionPlan& plan, const Shares& shares) const {
    const ConvolutionProblem& problem = view.problem;
    const double steps = real(plan.serialInner * plan.serialColumns);
    const std::int64_t parts = plan.innerSplit * plan.kernelSplit;
    const double columns = std::min(real(shares.columns * view.columnGrain), real(problem.columns));
    const double outputs = real(shares.groups * view.groupsPerPass) * real(shares.rows) * columns *
                           real(problem.window.resultsPerRow);
    plan.partialsBytes = outputs * problem.partialBytes;
    const bool widens = problem.partialBytes != problem.outputBytes;
    if (parts > 1) {
        const int stages = reduceStages(parts);
        const double perStage = std::ceil(std::pow(real(parts), 1.0 / stages));
        const TileReduction work{static_cast<std::int64_t>(std::ceil(outputs / real(parts))),
                                 static_cast<std::int64_t>(perStage), problem.partialBytes,
                                 m_target.workersPerTile};
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

void Search::price(const View& view, ConvolutionPlan& plan, const Shares& shares) const {
    plan.castCycles = plan.reduceCycles = plan.partialExchange = 0;
    priceExchange(view, plan, shares);
    priceOutputs(view, plan, shares);
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

void Search::tryRows(const View& view, ConvolutionPlan& plan, Shares& shares, std::int64_t rowSplit) {
    plan.rowSplit = rowSplit;
    shares.rows = ceilDivide(view.problem.rows, rowSplit);
    plan.vertexCycles = real(plan.serialInner * plan.serialColumns) * vertexCycles(view, shares);
    // Nothing else can make up for slower vertices once a plan fits.
    if (m_fits && plan.vertexCycles >= m_fastestTotal)
        return;
    price(view, plan, shares);
    offer(plan);
}

void Search::trySplits(const View& view, ConvolutionPlan& plan, Shares& shares) {
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

/// Calls `body(share)` for each way to split `extent` over at most `limit` tiles, with the split in `split`.
template <class Body>
void forEachSplit(std::int64_t extent, std::int64_t limit, bool evenToo, std::int64_t& split,
                  std::int64_t& share, const Body& body) {
    for (const std::int64_t candidate : splitsOf(extent, limit, evenToo)) {
        split = candidate;
        share = ceilDivide(extent, candidate);
        body();
    }
}

void Search::tryView(const View& view, bool serial) {
    const std::int64_t innerGrains = grains(view.problem.inner, view.innerGrain);
    const std::int64_t columnGrains = grains(view.problem.columns, view.columnGrain);
    ConvolutionPlan plan;
    plan.method = view.method;
    plan.swapped = view.swapped;
    plan.groupsPerPass = view.groupsPerPass;
    for (const std::int64_t serialColumns : serialSplits) {
        for (const std::int64_t serialInner : serialSplits) {
            const std::int64_t steps = serialColumns * serialInner;
            if (serialColumns > columnGrains || serialInner > innerGrains || (steps > 1) != serial ||
                (serial && !mayPay(steps)))
                continue;
            plan.serialColumns = serialColumns;
            plan.serialInner = serialInner;
            tryParallel(view, plan, ceilDivide(innerGrains, serialInner),
                        ceilDivide(columnGrains, serialColumns));
        }
    }
}

/// Whether a plan of that many serial steps can still be the best. The same parallel splits without the loop
/// are never slower, they only need more memory: what the loop adds is at least its supersteps.
bool Search::mayPay(std::int64_t steps) const {
    const double loop =
        real(2 * (steps - 1)) * real(m_target.superstepOverheadCycles + m_target.internalSyncCycles);
    return !m_fits || m_unboundedTotal + loop < m_fastestTotal;
}

void Search::tryParallel(const View& view, ConvolutionPlan& plan, std::int64_t stepInner,
                         std::int64_t stepColumns) {
    const std::int64_t tiles = m_options.tiles;
    Shares shares;
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

/// Shape of the matrix unit's passes over a problem: how many small groups share one, and how the kernel's
/// rows fill the input channels.
View ampView(const ConvolutionProblem& problem, const MatrixUnit& unit) {
    View view;
    view.problem = problem;
    view.unit = unit;
    view.innerGrain = unit.inputChannels();
    view.columnGrain = unit.units;
    const std::int64_t widest = std::max(problem.inner, problem.columns);
    const std::int64_t room = std::min(unit.inputChannels(), unit.units);
    if (problem.groups > 1 && widest * 2 <= room)
        view.groupsPerPass = std::min(problem.groups, room / std::max<std::int64_t>(widest, 1));
    view.groups = ceilDivide(problem.groups, view.groupsPerPass);
    if (problem.form != Form::Window)
        return view;
    view.kernelOuter = problem.window.kernel[0];
    view.kernelInner = problem.window.kernel[1] * problem.window.kernel[2];
    const std::int64_t channels = problem.inner * view.groupsPerPass;
    if (problem.window.axes >= 2 && channels * 2 <= unit.inputChannels() && view.kernelOuter > 1) {
        view.kernelHeight = channels * 4 <= unit.inputChannels() && view.kernelOuter > 2 ? 4 : 2;
        view.kernelOuter = ceilDivide(view.kernelOuter, view.kernelHeight);
    }
    return view;
}

/// Views of a problem in one operand order.
std::vector<View> viewsOf(const ConvolutionProblem& problem, const MatrixUnit& unit, bool swapped) {
    std::vector<View> views{ampView(problem, unit)};
    const bool channelwise = problem.groups > 1 && problem.inner <= 4 && problem.inner == problem.columns;
    if (problem.form == Form::Window && channelwise) {
        View view;
        view.problem = problem;
        view.unit = unit;
        view.groups = problem.groups;
        view.columnGrain = problem.columns;
        view.innerGrain = problem.inner;
        if (problem.inner == 1) {
            view.method = ConvolutionMethod::Vmac;
            views.push_back(view);
        }
        if (unit.operandBytes == 2 && problem.inner != 3) {
            view.method = ConvolutionMethod::Slic;
            view.kernelOuter = problem.window.kernel[0] * problem.window.kernel[2];
            view.kernelInner = ceilDivide(problem.window.kernel[1], 4);
            views.push_back(view);
        }
    }
    if (problem.inner <= unit.inputChannels() && problem.columns <= unit.units) {
        View view;
        view.problem = problem;
        view.unit = unit;
        view.method = ConvolutionMethod::Hmac;
        view.groups = problem.groups;
        views.push_back(view);
    }
    for (View& view : views)
        view.swapped = swapped;
    return views;
}

ConvolutionProblem swappedProblem(ConvolutionProblem problem) {
    std::swap(problem.rows, problem.columns);
    if (problem.form == Form::WindowAsRows)
        problem.form = Form::WindowAsColumns;
    return problem;
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
    std::vector<View> views = viewsOf(problem, unit, false);
    if (problem.maySwap && problem.form != Form::Window)
        for (const View& view : viewsOf(swappedProblem(problem), unit, true))
            views.push_back(view);
    Search search(target, options);
    for (const bool serial : {false, true})
        for (const View& view : views)
            search.tryView(view, serial);
    return search.best();
}

} // namespace simulator
