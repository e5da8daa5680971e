#include "simulator/cost/operations/reduction_step.h"

#include "core/base/quantity.h"
#include "simulator/cost/operations/elementwise_step.h"
#include "simulator/cost/operations/operation_planners.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>

namespace simulator {

namespace {

using core::real;

std::int64_t vectorOf(core::DataType type) {
    return core::elementBytes(type) <= 2 ? 4 : 2;
}

/// One way to reduce: over so many tiles, the partial sums of an output meeting in one of three ways.
struct ReductionPlan {
    std::int64_t tiles = 1;
    double computeCycles = 0;
    double exchangeBytes = 0;
    std::int64_t supersteps = 0;
    /// Of the fullest tile: its own partial sums, and those it receives in one stage.
    double temporaryBytes = 0;
};

/// Tile counts that are tried. The list does not depend on the target, so that a larger IPU can do whatever a
/// smaller one does.
constexpr std::array<std::int64_t, 36> tileCounts{
    1,    2,    3,    4,    6,    8,     12,    16,    24,     32,     46,     64,
    92,   128,  184,  256,  368,  512,   608,   736,   920,    1024,   1216,   1344,
    1472, 2048, 2944, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288, 1048576};

constexpr double bytesOfPartial = 4;

/// Summing a tile's own elements: 3 cycles per vector (strided variant) and the start of each output.
double localSum(const PlanContext& context, const SpreadReduction& work, double onTile, double partials) {
    constexpr double stridedPerVector = 3;
    constexpr double perOutput = 9;
    const double workers = real(std::max<std::int64_t>(context.target().workersPerTile, 1));
    const double vector = real(vectorOf(work.type));
    const double loops = std::ceil(std::ceil(onTile / workers) / vector);
    const double starts = std::ceil(std::ceil(partials / workers) / vector);
    return real(work.results) * workers * (32 + stridedPerVector * loops + perOutput * starts);
}

/// The partial sums of an output travel to the tile where it lives: `depth` of them in one stage, or in two
/// stages of their square root.
void meet(const PlanContext& context, const SpreadReduction& work, double depth, int stages, bool balanced,
          ReductionPlan& plan) {
    constexpr double grain = 8;
    const double perStage = stages == 1 ? depth : std::ceil(std::sqrt(depth));
    const double living = std::ceil(real(work.outputs) / real(context.tiles()));
    const double outputs = balanced ? grain * std::ceil(living / grain) : living;
    const double sent = balanced ? living * core::elementBytes(work.type) : 0;
    plan.exchangeBytes = stages * outputs * perStage * bytesOfPartial + sent;
    plan.temporaryBytes += outputs * perStage * bytesOfPartial;
    plan.computeCycles += stages * perStage * std::ceil(outputs / real(vectorOf(work.type)));
    plan.supersteps = stages + (balanced ? 1 : 0);
}

double cyclesOf(const PlanContext& context, const ReductionPlan& plan) {
    const IpuTarget& target = context.target();
    return plan.exchangeBytes / target.exchangeBytesPerCycle + plan.computeCycles +
           real(plan.supersteps) * real(target.superstepOverheadCycles + target.internalSyncCycles);
}

ReductionPlan bestReduction(const PlanContext& context, const SpreadReduction& work) {
    ReductionPlan best;
    double bestCycles = std::numeric_limits<double>::infinity();
    const double imbalance = context.options().inheritedLayout ? context.target().layoutImbalance : 1;
    for (const std::int64_t tiles : tileCounts) {
        if (tiles > context.tiles())
            break;
        const double onTile =
            std::min(std::ceil(real(work.elements) / real(tiles) * imbalance), real(work.elements));
        // A tile's elements are a block, as far across the outputs as along the reduced axes.
        const double partials = std::min(real(work.outputs), std::ceil(std::sqrt(onTile)));
        const double depth = real(tiles) * partials / real(work.outputs) * real(work.results);
        ReductionPlan plan;
        plan.tiles = tiles;
        plan.computeCycles = localSum(context, work, onTile, partials);
        plan.temporaryBytes = depth > 1 ? partials * real(work.results) * bytesOfPartial : 0;
        const auto offer = [&](const ReductionPlan& candidate) {
            if (const double cycles = cyclesOf(context, candidate); cycles < bestCycles) {
                best = candidate;
                bestCycles = cycles;
            }
        };
        if (depth <= 1) {
            offer(plan);
            continue;
        }
        for (const int stages : {1, 2})
            for (const bool balanced : {false, true}) {
                ReductionPlan candidate = plan;
                meet(context, work, depth, stages, balanced, candidate);
                offer(candidate);
            }
    }
    return best;
}

/// A mean is a sum that is scaled as it is written.
std::string_view codeletFunction(ReduceFunction function) {
    switch (function) {
    case ReduceFunction::Maximum:
        return "Maximum";
    case ReduceFunction::Minimum:
        return "Minimum";
    case ReduceFunction::Product:
        return "Multiply";
    case ReduceFunction::SumOfSquares:
        return "SquareAdd";
    case ReduceFunction::Any:
    case ReduceFunction::All:
        return "Logical";
    default:
        return "Add";
    }
}

OperationPlan planReduction(const PlanContext& context, const SpreadReduction& work, double flops,
                            std::string_view function) {
    PlanTally tally(context);
    addReduction(tally, context, work);
    tally.setFlops(flops);
    tally.setFootprint(reductionFootprint);
    tally.addCodelet(codeletName(CodeletFamily::Reduction, work.type, function));
    return tally.finish();
}

SpreadReduction reductionOf(const PlanContext& context) {
    const Tensor& input = context.input();
    return {countElements(input.extents), std::max<std::int64_t>(countElements(context.output().extents), 1),
            input.type, 1};
}

std::int64_t axisExtent(const Tensor& tensor, std::int64_t axis) {
    const auto rank = static_cast<std::int64_t>(tensor.extents.size());
    const std::int64_t index = axis < 0 ? axis + rank : axis;
    return index >= 0 && index < rank
               ? std::max<std::int64_t>(tensor.extents[static_cast<std::size_t>(index)], 1)
               : 1;
}

using Functions = std::initializer_list<std::string_view>;

/// Element-wise passes over a whole tensor with reductions along one axis in between.
OperationPlan planRows(const PlanContext& context, std::int64_t axis, double cyclesPerVector,
                       std::int64_t reductions, Functions functions = {},
                       Functions reductionFunctions = {"Add"}) {
    const Tensor& input = context.input();
    const std::int64_t elements = countElements(input.extents);
    const std::int64_t vector = vectorOf(input.type);
    PlanTally tally(context);
    const ElementwiseCost pass{{cyclesPerVector, vector}, {cyclesPerVector, vector}, 100, 100, 20};
    addElementwise(tally, context, pass, input.type, elements);
    // Where a row is spread over several tiles, their partial results meet once per reduction.
    constexpr std::int64_t partsOfRow = 4;
    const std::int64_t extent = axisExtent(input, axis);
    const double rowsOnTile = std::ceil(real(elements / extent) / real(context.tiles()));
    const double meeting = rowsOnTile * real(std::min(extent, partsOfRow)) * bytesOfPartial;
    for (std::int64_t i = 0; i < reductions; ++i) {
        tally.addReceived(meeting);
        tally.addSupersteps(1);
    }
    // Each reduction's partial results and what comes of them.
    tally.setTemporary(real(reductions) * (meeting + rowsOnTile * bytesOfPartial));
    tally.setFlops(real(elements) * (3 + real(reductions)));
    tally.setFootprint(reductionFootprint);
    for (const std::string_view function : reductionFunctions)
        tally.addCodelet(codeletName(CodeletFamily::Reduction, input.type, function));
    for (const std::string_view function : functions)
        tally.addCodelet(codeletName(CodeletFamily::Elementwise, input.type, function));
    return tally.finish();
}

} // namespace

void addReduction(PlanTally& tally, const PlanContext& context, const SpreadReduction& wanted) {
    SpreadReduction work = wanted;
    work.outputs = std::max<std::int64_t>(work.outputs, 1);
    const ReductionPlan best = bestReduction(context, work);
    tally.addCompute(best.computeCycles);
    tally.addReceived(best.exchangeBytes);
    tally.addSupersteps(best.supersteps);
    tally.addLocalStep();
    tally.setTilesUsed(std::min(best.tiles, std::max<std::int64_t>(work.elements, 1)));
    tally.addExchangeBytes(best.exchangeBytes * real(best.tiles));
    tally.setTemporary(best.temporaryBytes);
}

static OperationPlan plan(const PlanContext& context, const Reduce& operation) {
    const SpreadReduction work = reductionOf(context);
    return planReduction(context, work, real(work.elements), codeletFunction(operation.function));
}

static OperationPlan plan(const PlanContext& context, const Cumulative& operation) {
    // One pass over the tile's part of each row, then the parts' totals are handed on.
    constexpr double addAlongRow = 6;
    return planRows(context, operation.axis, addAlongRow, 1);
}

static OperationPlan plan(const PlanContext& context, const ArgReduce&) {
    // The position travels with the value.
    SpreadReduction work = reductionOf(context);
    work.results = 2;
    return planReduction(context, work, real(work.elements), "Position");
}

static OperationPlan plan(const PlanContext& context, const TopK& operation) {
    // Bitonic: log2² / 2 rounds of compare and exchange over the row.
    const Tensor& input = context.input();
    const double width = real(axisExtent(input, -1));
    const double stages = std::ceil(std::log2(std::max(width, 2.0)));
    const double kept = std::ceil(std::log2(std::max(real(operation.count), 2.0)));
    constexpr double compareExchange = 9;
    return planRows(context, -1, compareExchange * stages * kept / 2,
                    static_cast<std::int64_t>(std::min(stages, 8.0)));
}

static OperationPlan plan(const PlanContext& context, const Histogram&) {
    // Every element is compared with each level.
    const Tensor& input = context.input();
    const std::int64_t levels = countElements(context.input(1).extents);
    SpreadReduction work{countElements(input.extents), levels + 1, input.type, 1};
    constexpr double comparePerVector = 3;
    PlanTally tally(context);
    const double loops = comparePerVector * real(std::max<std::int64_t>(levels, 1));
    addElementwise(tally, context, {{loops, 2}, {loops, 4}, 30, 30, 20}, input.type, work.elements);
    work.elements = levels * tilesFor(context, work.elements);
    addReduction(tally, context, work);
    tally.setFlops(real(countElements(input.extents)) * real(levels));
    tally.setFootprint(reductionFootprint);
    tally.addCodelet(codeletName(CodeletFamily::Reduction, input.type, "Add"));
    return tally.finish();
}

static OperationPlan plan(const PlanContext& context, const Equalize& operation) {
    // Counting and the look-up address one element at a time; the table of a channel is made on one tile.
    const Tensor& input = context.input();
    const std::int64_t elements = countElements(input.extents);
    const double channels = real(input.extents.front()) * real(input.extents.back());
    const std::int64_t table = saturated(channels * real(operation.bins));
    const std::int64_t spread =
        channels < 1 ? 0 : saturated(real(operation.bins) * real(tilesFor(context, elements)));
    const SpreadReduction counts{spread, table, core::DataType::Float32, 1};
    constexpr double countPerElement = 6;
    constexpr double lookUpPerElement = 4;
    constexpr double perBin = 4;
    PlanTally tally(context);
    addElementwise(tally, context, {{countPerElement, 1}, {countPerElement, 1}, 30, 30, 20}, input.type,
                   elements);
    addReduction(tally, context, counts);
    addElementwise(tally, context, {{perBin, 1}, {perBin, 1}, 30, 30, 20}, core::DataType::Float32, table);
    addElementwise(tally, context, {{lookUpPerElement, 1}, {lookUpPerElement, 1}, 30, 30, 20}, input.type,
                   elements);
    tally.setFlops(real(elements));
    tally.setFootprint(reductionFootprint);
    tally.addCodelet(codeletName(CodeletFamily::Reduction, input.type, "Add"));
    return tally.finish();
}

static OperationPlan plan(const PlanContext& context, const Softmax& operation) {
    // Maximum, subtract, exponential, sum, product with the inverse.
    const bool half = core::elementBytes(context.input().type) <= 2;
    const double perVector = 1 + 3 + (half ? 4 : 6) + 1 + 2;
    return planRows(context, operation.axis, perVector + (operation.logarithm ? 3 : 0), 2,
                    {"Exponential", "Subtract"}, {"Maximum", "Add"});
}

static OperationPlan plan(const PlanContext& context, const SoftmaxGradient& operation) {
    // Product, sum, then a fused subtract and product.
    return planRows(context, operation.forward.axis, 3 + 1 + 5, 1, {"Multiply", "Subtract"});
}

std::span<const PartRow<Planner>> reductionPlans() {
    static constexpr PartRow<Planner> rows[]{
        plannerRow<Reduce, plan>(),          plannerRow<Cumulative, plan>(),
        plannerRow<ArgReduce, plan>(),       plannerRow<TopK, plan>(),
        plannerRow<Histogram, plan>(),       plannerRow<Softmax, plan>(),
        plannerRow<SoftmaxGradient, plan>(), plannerRow<Equalize, plan>()};
    return rows;
}

} // namespace simulator
