#include "simulator/cost/operations/elementwise_step.h"
#include "simulator/cost/operations/operation_planners.h"
#include "simulator/cost/operations/reduction_step.h"

#include <algorithm>
#include <array>

namespace simulator {

namespace {

/// What an optimizer does to every element of a parameter, as element-wise compute sets.
struct OptimizerRow {
    std::string_view className;
    /// Scaled adds and products.
    int sums;
    int squareRoots;
    int divides;
    /// Norms of whole tensors (layer-wise adaptive optimizers).
    int norms;
};

/// From the update rules of Keras' OptimizerV2.
constexpr std::array optimizerRows{
    OptimizerRow{"SGD", 1, 0, 0, 0},     OptimizerRow{"RMSprop", 4, 1, 1, 0},
    OptimizerRow{"Adagrad", 3, 1, 1, 0}, OptimizerRow{"Adadelta", 6, 2, 1, 0},
    OptimizerRow{"Adam", 5, 1, 1, 0},    OptimizerRow{"Adamax", 5, 0, 1, 0},
    OptimizerRow{"Nadam", 7, 1, 1, 0},   OptimizerRow{"Ftrl", 8, 2, 1, 0},
    OptimizerRow{"LAMB", 7, 1, 1, 2},    OptimizerRow{"LARS", 4, 0, 0, 2},
};
constexpr OptimizerRow anyOptimizer{"", 5, 1, 1, 0};

const OptimizerRow& optimizerRow(std::string_view className) {
    const auto found = std::ranges::find(optimizerRows, className, &OptimizerRow::className);
    return found == optimizerRows.end() ? anyOptimizer : *found;
}

} // namespace

OperationPlan plan(const PlanContext& context, const AccumulateGradient&) {
    const bool mixed = context.input(0).type != context.input(1).type;
    return elementwisePlan(context, scaledAddCost(mixed), mixed ? "ScaledAddMixed" : "ScaledAdd");
}

OperationPlan plan(const PlanContext& context, const OptimizerUpdate& operation) {
    const OptimizerRow& row = optimizerRow(operation.className);
    const Tensor& gradient = context.input(0);
    const std::int64_t elements = countElements(gradient.extents);
    // Slots beside gradient and parameter: momentum turns plain descent into two scaled adds more.
    const bool momentum = row.className == "SGD" && context.inputCount() > 2;
    PlanTally tally(context);
    for (int i = 0; i < row.sums + (momentum ? 2 : 0); ++i)
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
        tally.addCodelet(codeletName(CodeletFamily::Reduction, gradient.type));
    return tally.finish();
}

} // namespace simulator
