#include "simulator/cost/operations/elementwise_step.h"

#include "core/base/quantity.h"
#include "simulator/cost/operations/operation_planners.h"
#include "simulator/cost/operations/reduction_step.h"

#include <algorithm>

namespace simulator {

namespace {

using core::real;

constexpr CodeFootprint normFootprint{40, 88, 64};

/// Outputs of a norm's statistics: one per channel, per group and sample, or per row.
std::int64_t statistics(NormalizationKind kind, std::int64_t groups, const Tensor& x, const Tensor& gamma) {
    const std::int64_t batch = x.extents.empty() ? 1 : std::max<std::int64_t>(x.extents.front(), 1);
    const std::int64_t channels = std::max<std::int64_t>(countElements(gamma.extents), 1);
    switch (kind) {
    case NormalizationKind::Batch:
        return channels;
    case NormalizationKind::Group:
        return batch * std::max<std::int64_t>(groups, 1);
    case NormalizationKind::Instance:
        return batch * channels;
    case NormalizationKind::Layer:
        break;
    }
    return std::max<std::int64_t>(countElements(x.extents) / channels, 1);
}

/// Scale and shift (or their gradient): passes over the elements with operands broadcast per channel.
void addScaleAndShift(PlanTally& tally, const PlanContext& context, std::int64_t elements,
                      core::DataType type, double cyclesPerVector) {
    ElementwiseCost cost = scaledAddCost();
    cost.single.cycles = cost.half.cycles = cyclesPerVector;
    addElementwise(tally, context, cost, type, elements);
}

OperationPlan finishNormalization(PlanTally& tally, const PlanContext& context, double flops) {
    tally.setFlops(flops);
    tally.setFootprint(normFootprint);
    // Of the elements and of their squares.
    for (const char* function : {"Add", "SquareAdd"})
        tally.addCodelet(codeletName(CodeletFamily::Reduction, context.input().type, function));
    for (const char* function : {"InverseDeviation", "ScaledAdd"})
        tally.addCodelet(codeletName(CodeletFamily::Elementwise, context.input().type, function));
    return tally.finish();
}

} // namespace

static OperationPlan plan(const PlanContext& context, const Normalization& operation) {
    const Tensor& x = context.input();
    const std::int64_t elements = countElements(x.extents);
    PlanTally tally(context);
    // Subtract mean, scale, shift: two passes of a multiply-add with broadcast operands.
    addScaleAndShift(tally, context, elements, x.type, 3 + 3);
    if (operation.useMovingStatistics)
        return finishNormalization(tally, context, 2 * real(elements));
    SpreadReduction work{elements, statistics(operation.kind, operation.groups, x, context.input(1)), x.type,
                         2};
    if (operation.stableStatistics) {
        // The mean first; what is left of the elements without it is squared and summed after that.
        work.results = 1;
        addReduction(tally, context, work);
        addScaleAndShift(tally, context, elements, x.type, 3);
        tally.addReceived(bytesPerTile(context, work.outputs, core::DataType::Float32));
        tally.addSupersteps(1);
    }
    addReduction(tally, context, work);
    // The statistics travel back to where the elements are.
    tally.addReceived(bytesPerTile(context, work.outputs, core::DataType::Float32) * 2);
    tally.addSupersteps(2);
    tally.addLocalStep();
    return finishNormalization(tally, context, 7 * real(elements));
}

static OperationPlan plan(const PlanContext& context, const NormalizationGradient& operation) {
    const Tensor& x = context.input();
    const std::int64_t elements = countElements(x.extents);
    const std::int64_t channels = std::max<std::int64_t>(countElements(context.input(1).extents), 1);
    PlanTally tally(context);
    addScaleAndShift(tally, context, elements, x.type, 3 + 3);
    // Gradients of gamma and beta.
    addReduction(tally, context, {elements, channels, x.type, 2});
    if (!operation.forward.useMovingStatistics && operation.forward.kind != NormalizationKind::Batch)
        addReduction(tally, context,
                     {elements,
                      statistics(operation.forward.kind, operation.forward.groups, x, context.input(1)),
                      x.type, 2});
    tally.addReceived(bytesPerTile(context, channels, core::DataType::Float32) * 2);
    tally.addSupersteps(2);
    addScaleAndShift(tally, context, elements, x.type, 3);
    return finishNormalization(tally, context, 9 * real(elements));
}

std::span<const PartRow<Planner>> normalizationPlans() {
    static constexpr PartRow<Planner> rows[]{plannerRow<Normalization, plan>(),
                                             plannerRow<NormalizationGradient, plan>()};
    return rows;
}

} // namespace simulator
