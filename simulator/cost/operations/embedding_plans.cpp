#include "simulator/cost/operations/elementwise_step.h"

#include "core/base/quantity.h"
#include "simulator/cost/operations/operation_planners.h"
#include "simulator/cost/vertex/access_vertex.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>

namespace simulator {

namespace {

using core::real;

/// A compiled embedding gather.
constexpr CodeFootprint sliceFootprint{368, 64, 56};

/// Rows looked up (or added to) in a table, split as poplibs' slice plans do.
struct LookupProblem {
    std::int64_t tableRows = 1;
    std::int64_t rowElements = 1;
    std::int64_t lookups = 0;
    int elementBytes = 4;
    bool update = false;
};

struct LookupPlan {
    std::int64_t rowSplit = 1;
    std::int64_t columnSplit = 1;
    std::int64_t lookupSplit = 1;
    double compute = 0;
    double exchange = 0;
    double temporary = 0;
    std::int64_t supersteps = 2;
};

constexpr std::array<std::int64_t, 26> splits{1,   2,   3,    4,    6,    8,    12,   16,  24,
                                              32,  46,  64,   92,   96,   128,  184,  256, 368,
                                              512, 736, 1024, 1216, 1472, 2048, 2944, 4096};

/// One tile's part: it holds tableRows / rowSplit rows of rowElements / columnSplit elements and searches
/// lookups / lookupSplit indices; the partial answers of the row parts then meet.
LookupPlan price(const PlanContext& context, const LookupProblem& problem, LookupPlan plan) {
    const IpuTarget& target = context.target();
    const std::int64_t columns = core::ceilDivide(problem.rowElements, plan.columnSplit);
    const std::int64_t indices = core::ceilDivide(problem.lookups, plan.lookupSplit);
    // The fuller half of the indices' spread: twice the mean falls into one part.
    const std::int64_t inRange =
        plan.rowSplit == 1 ? indices : std::min(indices, core::ceilDivide(2 * indices, plan.rowSplit));
    const TileLookup work{inRange, indices - inRange, columns, problem.elementBytes <= 2 ? 4 : 2,
                          std::max<std::int64_t>(target.workersPerTile, 1)};
    // Indices are shared by the workers.
    TileLookup perWorker = work;
    perWorker.inRange = core::ceilDivide(work.inRange, work.workers);
    perWorker.outOfRange = core::ceilDivide(work.outOfRange, work.workers);
    plan.compute = problem.update ? multiUpdateAddCycles(perWorker) : multiSliceCycles(perWorker);
    const double rowBytes = real(columns) * problem.elementBytes;
    const double found = real(indices) * rowBytes;
    double received = real(indices) * 4;
    if (problem.update)
        received += found;
    if (plan.lookupSplit > 1) {
        // Copies of the table part go out to (or partial sums come back from) every group of lookups.
        received += real(core::ceilDivide(problem.tableRows, plan.rowSplit)) * rowBytes;
        plan.supersteps += 1;
    }
    if (plan.rowSplit > 1 && !problem.update) {
        // Second stage: each tile of a row group picks its share of the answers out of those of all parts.
        const double share = std::ceil(real(indices) / real(plan.rowSplit));
        received += share * real(std::min(plan.rowSplit, indices)) * rowBytes;
        plan.compute += 30 * 6 + share * (19 + std::ceil(rowBytes / 8) * 2);
        plan.supersteps += 2;
    }
    plan.exchange = received / target.exchangeBytesPerCycle;
    plan.temporary =
        found +
        (plan.lookupSplit > 1 ? real(core::ceilDivide(problem.tableRows, plan.rowSplit)) * rowBytes : 0);
    return plan;
}

double total(const PlanContext& context, const LookupPlan& plan) {
    return plan.compute + plan.exchange +
           real(plan.supersteps) *
               real(context.target().superstepOverheadCycles + context.target().internalSyncCycles);
}

/// What makes one plan better than another: keeping the bound, then two figures.
using Rank = std::tuple<bool, double, double>;

LookupPlan searchLookup(const PlanContext& context, const LookupProblem& problem) {
    LookupPlan best;
    Rank bestRank{true, std::numeric_limits<double>::infinity(), 0};
    const double bound =
        context.options().availableMemoryProportion * real(context.target().memoryPerTileBytes);
    for (const std::int64_t columnSplit : splits) {
        if (columnSplit > 1 && columnSplit > problem.rowElements)
            break;
        for (const std::int64_t rowSplit : splits) {
            if (columnSplit * rowSplit > context.tiles() || (rowSplit > 1 && rowSplit > problem.tableRows))
                break;
            for (const std::int64_t lookupSplit : splits) {
                if (columnSplit * rowSplit * lookupSplit > context.tiles() ||
                    (lookupSplit > 1 && lookupSplit > problem.lookups))
                    break;
                const LookupPlan plan =
                    price(context, problem, {rowSplit, columnSplit, lookupSplit, 0, 0, 0, 2});
                const double cycles = total(context, plan);
                // Where nothing keeps the bound, the smallest is best.
                const bool isOver = plan.temporary > bound;
                const Rank rank{isOver, isOver ? plan.temporary : cycles, isOver ? cycles : 0};
                if (rank < bestRank) {
                    best = plan;
                    bestRank = rank;
                }
            }
        }
    }
    return best;
}

OperationPlan planLookup(const PlanContext& context, const LookupProblem& problem, std::int64_t pieces) {
    PlanTally tally(context);
    if (problem.lookups > 0 && problem.rowElements > 0) {
        const LookupPlan best = searchLookup(context, problem);
        tally.addCompute(real(pieces) * best.compute);
        tally.addExchange(real(pieces) * best.exchange);
        tally.addSupersteps(saturated(real(pieces) * real(best.supersteps)));
        tally.setTilesUsed(best.rowSplit * best.columnSplit * best.lookupSplit);
        // Every tile that holds rows of the table takes part in finding them.
        constexpr double bytesOnTile = 16 * 1024;
        const double table = real(problem.tableRows) * real(problem.rowElements) * problem.elementBytes;
        tally.setTilesUsed(std::min(context.tiles(), saturated(std::ceil(table / bytesOnTile))));
        tally.setTemporary(best.temporary);
        tally.addExchangeBytes(best.exchange * context.target().exchangeBytesPerCycle *
                               real(context.tiles()));
        tally.addSplit("slicedDimSplit", best.rowSplit);
        tally.addSplit("unslicedDimSplit", best.columnSplit);
        tally.addSplit("lookupSplit", best.lookupSplit);
    }
    tally.setFlops(problem.update ? real(problem.lookups) * real(problem.rowElements) : 0);
    tally.setFootprint(sliceFootprint);
    tally.addCodelet(codeletName(problem.update ? CodeletFamily::SliceUpdate : CodeletFamily::Slice,
                                 context.output().type));
    return tally.finish();
}

std::int64_t axisRows(const Tensor& table, std::int64_t axis) {
    const auto rank = static_cast<std::int64_t>(table.extents.size());
    const std::int64_t index = axis < 0 ? axis + rank : axis;
    return index >= 0 && index < rank
               ? std::max<std::int64_t>(table.extents[static_cast<std::size_t>(index)], 1)
               : 1;
}

/// `serialization` runs the lookup over as many parts of the table, one after the other.
std::int64_t cutTable(LookupProblem& problem, std::int64_t serialization) {
    const std::int64_t pieces = std::clamp<std::int64_t>(serialization, 1, problem.tableRows);
    problem.tableRows = core::ceilDivide(problem.tableRows, pieces);
    return pieces;
}

} // namespace

static OperationPlan plan(const PlanContext& context, const Gather& operation) {
    const Tensor& table = context.input(0);
    LookupProblem problem;
    problem.tableRows = axisRows(table, operation.axis);
    problem.rowElements = std::max<std::int64_t>(countElements(table.extents) / problem.tableRows, 1);
    problem.lookups = countElements(context.input(1).extents);
    problem.elementBytes = core::elementBytes(table.type);
    const std::int64_t pieces = cutTable(problem, operation.serialization);
    return planLookup(context, problem, pieces);
}

static OperationPlan plan(const PlanContext& context, const GatherGradient& operation) {
    const Tensor& table = context.output();
    LookupProblem problem;
    problem.tableRows = axisRows(table, operation.forward.axis);
    problem.rowElements = std::max<std::int64_t>(countElements(table.extents) / problem.tableRows, 1);
    problem.lookups = countElements(context.input(0).extents);
    problem.elementBytes = core::elementBytes(table.type);
    problem.update = true;
    const std::int64_t pieces = cutTable(problem, operation.forward.serialization);
    return planLookup(context, problem, pieces);
}

static OperationPlan plan(const PlanContext& context, const SequenceSlice&) {
    const Tensor& destination = context.output();
    LookupProblem problem;
    problem.tableRows = axisRows(destination, 0);
    problem.rowElements = std::max<std::int64_t>(countElements(destination.extents) / problem.tableRows, 1);
    problem.lookups = axisRows(context.input(1), 0);
    problem.elementBytes = core::elementBytes(destination.type);
    problem.update = true;
    return planLookup(context, problem, 1);
}

std::span<const PartRow<Planner>> embeddingPlans() {
    static constexpr PartRow<Planner> rows[]{plannerRow<Gather, plan>(), plannerRow<GatherGradient, plan>(),
                                             plannerRow<SequenceSlice, plan>()};
    return rows;
}

} // namespace simulator
