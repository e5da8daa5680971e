#include "simulator/cost/operations/elementwise_step.h"

#include "core/base/quantity.h"
#include "simulator/cost/operations/operation_planners.h"
#include "simulator/cost/vertex/access_vertex.h"

#include <algorithm>
#include <cmath>

namespace simulator {

namespace {

using core::real;

constexpr CodeFootprint poolFootprint{96, 48, 48};

std::int64_t positions(const std::vector<std::int64_t>& kernel) {
    return std::max<std::int64_t>(countElements(kernel), 1);
}

/// A window that slides over `inputs` elements and gives `outputs`: gathered with its halo, then pooled.
OperationPlan slide(const PlanContext& context, std::int64_t outputs, std::int64_t inputs,
                    std::int64_t windowElements, bool maximumGradient) {
    const core::DataType type = context.input().type;
    const std::int64_t vector = core::elementBytes(type) <= 2 ? 4 : 2;
    const std::int64_t onTile = context.elementsOnTile(outputs);
    PlanTally tally(context);
    // Rows of a square patch of the tile's vectors.
    const auto rows =
        static_cast<std::int64_t>(std::ceil(std::sqrt(real(core::ceilDivide(onTile, vector)) / 6)));
    tally.addCompute(poolingCycles({core::ceilDivide(onTile, vector), windowElements, rows, maximumGradient,
                                    std::max<std::int64_t>(context.target().workersPerTile, 1)}));
    const double gathered = bytesPerTile(context, inputs, type) * context.target().layoutImbalance;
    tally.addReceived(gathered);
    tally.addExchangeBytes(gathered * real(context.tiles()));
    tally.setTemporary(gathered);
    tally.addSupersteps(2);
    tally.setTilesUsed(tilesFor(context, outputs));
    tally.setFlops(real(outputs) * real(windowElements));
    tally.setFootprint(poolFootprint);
    tally.addCodelet(codeletName(CodeletFamily::Pooling, type));
    return tally.finish();
}

} // namespace

static OperationPlan plan(const PlanContext& context, const Pool& operation) {
    return slide(context, countElements(context.output().extents), countElements(context.input().extents),
                 positions(operation.window.kernel), false);
}

static OperationPlan plan(const PlanContext& context, const PoolGradient& operation) {
    // Every input position meets the windows that cover it: window / stride of them.
    const std::int64_t overlapping = std::max<std::int64_t>(
        positions(operation.forward.window.kernel) / positions(operation.forward.window.stride), 1);
    return slide(context, countElements(context.output().extents), countElements(context.input(2).extents),
                 overlapping, operation.forward.function == PoolFunction::Maximum);
}

static OperationPlan plan(const PlanContext& context, const Upsample& operation) {
    const bool linear = operation.interpolation == Interpolation::Linear;
    const std::int64_t taps =
        linear ? std::int64_t{1} << std::min<std::size_t>(operation.factors.size(), 3) : 1;
    return slide(context, countElements(context.output().extents), countElements(context.input().extents),
                 taps, false);
}

static OperationPlan plan(const PlanContext& context, const UpsampleGradient& operation) {
    return slide(context, countElements(context.output().extents), countElements(context.input().extents),
                 positions(operation.forward.factors), false);
}

std::span<const PartRow<Planner>> poolingPlans() {
    static constexpr PartRow<Planner> rows[]{plannerRow<Pool, plan>(), plannerRow<PoolGradient, plan>(),
                                             plannerRow<Upsample, plan>(),
                                             plannerRow<UpsampleGradient, plan>()};
    return rows;
}

} // namespace simulator
