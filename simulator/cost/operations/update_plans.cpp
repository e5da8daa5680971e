#include "simulator/catalogue/optimizer_formulas.h"
#include "simulator/cost/operations/elementwise_step.h"
#include "simulator/cost/operations/operation_planners.h"
#include "simulator/cost/operations/reduction_step.h"

namespace simulator {

static OperationPlan plan(const PlanContext& context, const AccumulateGradient&) {
    const bool mixed = context.input(0).type != context.input(1).type;
    return elementwisePlan(context, scaledAddCost(mixed), mixed ? "ScaledAddMixed" : "ScaledAdd");
}

static OperationPlan plan(const PlanContext& context, const OptimizerUpdate& operation) {
    const OptimizerPrice& row = optimizerFormula(operation.className).price;
    const Tensor& gradient = context.input(0);
    const std::int64_t elements = countElements(gradient.extents);
    const bool hasSlots = context.inputCount() > 2;
    PlanTally tally(context);
    for (int i = 0; i < row.sums + (hasSlots ? row.slotSums : 0); ++i)
        addElementwise(tally, context, scaledAddCost(), gradient.type, elements);
    for (int i = 0; i < row.squareRoots; ++i)
        addElementwise(tally, context, unaryCost(UnaryFunction::SquareRoot), gradient.type, elements);
    for (int i = 0; i < row.divides; ++i)
        addElementwise(tally, context, binaryCost(BinaryFunction::Divide), gradient.type, elements);
    for (int i = 0; i < row.norms; ++i)
        addReduction(tally, context, {elements, 1, gradient.type, 1});
    tally.setFlops(static_cast<double>(elements) *
                   (2 * row.sums + row.squareRoots + row.divides + 2 * row.norms));
    tally.setFootprint(elementwiseFootprint);
    tally.addCodelet(codeletName(CodeletFamily::Elementwise, gradient.type, "ScaledAdd"));
    if (row.squareRoots > 0)
        tally.addCodelet(codeletName(CodeletFamily::Elementwise, gradient.type, "SquareRoot"));
    if (row.divides > 0)
        tally.addCodelet(codeletName(CodeletFamily::Elementwise, gradient.type, "Divide"));
    if (row.norms > 0)
        tally.addCodelet(codeletName(CodeletFamily::Reduction, gradient.type, "SquareAdd"));
    return tally.finish();
}

std::span<const PartRow<Planner>> updatePlans() {
    static constexpr PartRow<Planner> rows[]{plannerRow<AccumulateGradient, plan>(),
                                             plannerRow<OptimizerUpdate, plan>()};
    return rows;
}

} // namespace simulator
