#include "simulator/catalogue/loss_formulas.h"
#include "simulator/catalogue/metric_formulas.h"
#include "simulator/cost/operations/elementwise_step.h"

#include "core/base/quantity.h"
#include "simulator/cost/operations/operation_planners.h"
#include "simulator/cost/operations/reduction_step.h"

#include <algorithm>

namespace simulator {

namespace {

using core::real;

std::int64_t samples(const Tensor& prediction) {
    return prediction.extents.empty() ? 1 : std::max<std::int64_t>(prediction.extents.front(), 1);
}

ElementwiseCost perElement(double cycles) {
    return {{cycles, 1}, {cycles / 2, 1}, 30, 30, 20};
}

OperationPlan finishLoss(PlanTally& tally, const PlanContext& context, double flops) {
    tally.setFlops(flops);
    tally.setFootprint(reductionFootprint);
    tally.addCodelet(codeletName(CodeletFamily::Loss, context.input().type));
    tally.addCodelet(codeletName(CodeletFamily::Reduction, context.input().type, "Add"));
    return tally.finish();
}

/// Softmax of the logits: three element-wise functions and two reductions per row.
void addRowSoftmax(PlanTally& tally, const PlanContext& context, const Tensor& logits) {
    const bool half = core::elementBytes(logits.type) <= 2;
    const double perVector = 1 + 3 + (half ? 4 : 6) + 1 + 2;
    addElementwise(tally, context, {{perVector, 2}, {perVector, 4}, 100, 100, 20}, logits.type,
                   countElements(logits.extents));
    tally.addSupersteps(2);
}

/// Passes of a trellis: `steps` sequential supersteps over `elements` values each.
OperationPlan trellis(const PlanContext& context, std::int64_t steps, std::int64_t elements, double cycles) {
    PlanTally tally(context);
    const double onTile = real(context.elementsOnTile(elements));
    const double count = real(std::max<std::int64_t>(steps, 0));
    tally.addCompute(count * (60 + cycles * onTile));
    tally.addReceived(count * onTile * core::elementBytes(context.input().type));
    tally.addSupersteps(saturated(count));
    tally.setTilesUsed(tilesFor(context, elements));
    return finishLoss(tally, context, count * real(elements) * 4);
}

std::int64_t extent(const Tensor& tensor, std::size_t axis) {
    return axis < tensor.extents.size() ? std::max<std::int64_t>(tensor.extents[axis], 1) : 1;
}

} // namespace

static OperationPlan plan(const PlanContext& context, const Loss& operation) {
    const Tensor& prediction = context.input();
    const std::int64_t elements = countElements(prediction.extents);
    const LossPrice& row = lossFormula(operation.className).price;
    PlanTally tally(context);
    if (row.overClasses && operation.fromLogits)
        addRowSoftmax(tally, context, prediction);
    addElementwise(tally, context, perElement(row.forward), prediction.type, elements);
    addReduction(tally, context, {elements, 1, core::DataType::Float32, 1});
    return finishLoss(tally, context, 4 * real(elements));
}

static OperationPlan plan(const PlanContext& context, const LossGradient& operation) {
    const Tensor& prediction = context.input();
    const std::int64_t elements = countElements(prediction.extents);
    const LossPrice& row = lossFormula(operation.forward.className).price;
    PlanTally tally(context);
    if (row.overClasses && operation.forward.fromLogits)
        addRowSoftmax(tally, context, prediction);
    addElementwise(tally, context, perElement(row.gradient), prediction.type, elements);
    tally.addSupersteps(1);
    return finishLoss(tally, context, 4 * real(elements));
}

static OperationPlan plan(const PlanContext& context, const Metric& operation) {
    // Best class (or threshold) of every sample, compared with the target, and the count of hits.
    const Tensor& prediction = context.input();
    const std::int64_t elements = countElements(prediction.extents);
    const MetricPrice price = priceOfMetric(operation.className);
    const double passes = price.passesAreParameter ? std::max(1.0, operation.parameter) : 1.0;
    const std::int64_t scanned = saturated(passes * real(elements));
    const std::int64_t compared = saturated(passes * real(samples(prediction)));
    PlanTally tally(context);
    addReduction(tally, context, {scanned, compared, prediction.type, price.resultsPerRow});
    addElementwise(tally, context, binaryCost(BinaryFunction::Equal), core::DataType::Int32,
                   price.comparesPerSample * compared);
    addReduction(tally, context, {compared, saturated(passes), core::DataType::Float32, 1});
    return finishLoss(tally, context, passes * 2 * real(elements));
}

static OperationPlan plan(const PlanContext& context, const CtcLoss&) {
    // Data [T, N, C], labels [N, L]: 2L + 1 states per sample, forwards and backwards through time.
    const Tensor& data = context.input(0);
    const std::int64_t states = countElements({extent(data, 1), 2 * extent(context.input(1), 1) + 1});
    constexpr double logAdd = 30;
    return trellis(context, 2 * extent(data, 0), states, logAdd);
}

static OperationPlan plan(const PlanContext& context, const CtcBeamSearch& operation) {
    const Tensor& data = context.input(0);
    const std::int64_t candidates =
        countElements({extent(data, 1), std::max<std::int64_t>(operation.beamWidth, 1), extent(data, 2) + 1});
    constexpr double scoreAndSelect = 40;
    return trellis(context, extent(data, 0), candidates, scoreAndSelect);
}

std::span<const PartRow<Planner>> lossPlans() {
    static constexpr PartRow<Planner> rows[]{plannerRow<Loss, plan>(), plannerRow<LossGradient, plan>(),
                                             plannerRow<Metric, plan>(), plannerRow<CtcLoss, plan>(),
                                             plannerRow<CtcBeamSearch, plan>()};
    return rows;
}

} // namespace simulator
