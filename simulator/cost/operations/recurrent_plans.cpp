#include "simulator/cost/operations/elementwise_step.h"

#include "core/base/quantity.h"
#include "simulator/cost/operations/matrix_product.h"
#include "simulator/cost/operations/operation_planners.h"

#include <algorithm>

namespace simulator {

namespace {

using core::real;

constexpr CodeFootprint recurrentFootprint{256, 200, 256};

std::int64_t extentAt(const Tensor& tensor, std::size_t axis) {
    return axis < tensor.extents.size() ? std::max<std::int64_t>(tensor.extents[axis], 0) : 1;
}

/// Sizes of a recurrent layer: x [N, T, I], recurrent kernel [U, G·U].
struct RecurrentSize {
    std::int64_t batch = 0;
    std::int64_t steps = 0;
    std::int64_t inputs = 0;
    std::int64_t units = 0;
    std::int64_t gates = 1;
    core::DataType type = core::DataType::Float32;
};

std::int64_t gatesOf(RecurrentCell cell) {
    switch (cell) {
    case RecurrentCell::Lstm:
        return 4;
    case RecurrentCell::Gru:
        return 3;
    case RecurrentCell::Simple:
        break;
    }
    return 1;
}

RecurrentSize sizeOf(const PlanContext& context, const Recurrent& operation) {
    const Tensor& x = context.input(0);
    const Tensor& recurrentKernel = context.input(2);
    return {extentAt(x, 0),          extentAt(x, 1), extentAt(x, 2), extentAt(recurrentKernel, 0),
            gatesOf(operation.cell), x.type};
}

ConvolutionProblem product(const PlanContext& context, const RecurrentSize& size, std::int64_t rows,
                           std::int64_t inner, std::int64_t columns) {
    ConvolutionProblem problem;
    problem.rows = rows;
    problem.inner = inner;
    problem.columns = columns;
    problem.operandBytes = problem.outputBytes = core::elementBytes(size.type);
    problem.partialBytes = partialBytes(context, size.type);
    return problem;
}

/// Gate functions of one step: one non-linearity per gate and state, products and sums between them.
void addGates(PlanTally& tally, const PlanContext& context, const Recurrent& operation,
              const RecurrentSize& size, bool backward) {
    const std::int64_t elements = context.elementsOnTile(countElements({size.batch, size.units}));
    const std::int64_t workers = std::max<std::int64_t>(context.target().workersPerTile, 1);
    const auto cycles = [&](const ElementwiseCost& cost) {
        return cost.cycles(elements, size.type, workers);
    };
    // A softmax: the highest unit, exponentials and their sum, quotients; its gradient: two products, a sum.
    const double softmax = backward ? 2 * cycles(binaryCost(BinaryFunction::Multiply)) +
                                          2 * cycles(binaryCost(BinaryFunction::Subtract))
                                    : 2 * cycles(binaryCost(BinaryFunction::Maximum)) +
                                          cycles(unaryCost(UnaryFunction::Exponential)) +
                                          cycles(binaryCost(BinaryFunction::Add)) +
                                          cycles(binaryCost(BinaryFunction::Divide));
    const auto function = [&](const GateFunction& gate) {
        return gate.isSoftmax ? softmax : cycles((backward ? unaryGradientCost : unaryCost)(gate.function));
    };
    const double nonlinear = function(operation.activation) * (size.gates == 4 ? 2 : 1) +
                             function(operation.recurrentActivation) * real(size.gates - 1);
    const double arithmetic =
        cycles(binaryCost(BinaryFunction::Multiply)) * real(size.gates) * (backward ? 2 : 1);
    // Units of a sample lie on several tiles: their highest and their sum are two exchanges more.
    const int softmaxes = (operation.activation.isSoftmax ? 2 : 0) +
                          (size.gates > 1 && operation.recurrentActivation.isSoftmax ? 2 : 0);
    const double sets = real(size.gates) + 2 + softmaxes;
    tally.addCompute(real(size.steps) * (nonlinear + arithmetic));
    tally.addSupersteps(saturated(real(size.steps) * sets));
}

OperationPlan finishRecurrent(PlanTally& tally, const PlanContext& context, const RecurrentSize& size) {
    tally.setFootprint(recurrentFootprint);
    tally.addCodelet(codeletName(CodeletFamily::MatrixProduct, size.type));
    for (const char* function : {"Sigmoid", "Tanh", "Multiply", "Add"})
        tally.addCodelet(codeletName(CodeletFamily::Elementwise, size.type, function));
    tally.setTilesUsed(tilesFor(context, countElements({size.batch, size.units})));
    return tally.finish();
}

} // namespace

static OperationPlan plan(const PlanContext& context, const Recurrent& operation) {
    const RecurrentSize size = sizeOf(context, operation);
    const std::int64_t width = countElements({size.gates, size.units});
    PlanTally tally(context);
    // The input's products of the whole sequence at once, then one product of the state per step.
    const ConvolutionProblem inputs =
        product(context, size, countElements({size.batch, size.steps}), size.inputs, width);
    const ConvolutionProblem state = product(context, size, size.batch, size.units, width);
    addPlan(tally, searchPlan(context, inputs));
    addPlan(tally, searchPlan(context, state), real(size.steps));
    addGates(tally, context, operation, size, false);
    tally.setFlops(flopsOf(inputs) + real(size.steps) * flopsOf(state));
    return finishRecurrent(tally, context, size);
}

static OperationPlan plan(const PlanContext& context, const RecurrentGradient& operation) {
    const RecurrentSize size = sizeOf(context, operation.forward);
    const std::int64_t width = countElements({size.gates, size.units});
    const std::int64_t rows = countElements({size.batch, size.steps});
    PlanTally tally(context);
    const ConvolutionProblem inputs = product(context, size, rows, width, size.inputs);
    const ConvolutionProblem state = product(context, size, size.batch, width, size.units);
    const ConvolutionProblem kernel = product(context, size, size.inputs, rows, width);
    const ConvolutionProblem recurrentKernel = product(context, size, size.units, rows, width);
    for (const ConvolutionProblem& problem : {inputs, kernel, recurrentKernel})
        addPlan(tally, searchPlan(context, problem));
    addPlan(tally, searchPlan(context, state), real(size.steps));
    addGates(tally, context, operation.forward, size, true);
    tally.setFlops(flopsOf(inputs) + flopsOf(kernel) + flopsOf(recurrentKernel) +
                   real(size.steps) * flopsOf(state));
    return finishRecurrent(tally, context, size);
}

std::span<const PartRow<Planner>> recurrentPlans() {
    static constexpr PartRow<Planner> rows[]{plannerRow<Recurrent, plan>(),
                                             plannerRow<RecurrentGradient, plan>()};
    return rows;
}

} // namespace simulator
