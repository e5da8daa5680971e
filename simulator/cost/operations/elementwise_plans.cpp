#include "simulator/cost/operations/elementwise_step.h"
#include "simulator/cost/operations/operation_planners.h"
#include "simulator/cost/vertex/random_vertex.h"

#include <algorithm>
#include <cmath>

namespace simulator {

namespace {

std::int64_t workersOf(const PlanContext& context) {
    return std::max<std::int64_t>(context.target().workersPerTile, 1);
}

UnaryFunction fastForm(const PlanContext& context, UnaryFunction function) {
    const bool shortens = context.options().fastMath && function == UnaryFunction::GeluErf;
    return shortens ? UnaryFunction::GeluTanh : function;
}

std::int64_t outputElements(const PlanContext& context) {
    return countElements(context.output().extents);
}

/// One compute set of vertices that cost `cycles` on the fullest tile.
OperationPlan singleStep(const PlanContext& context, double cycles, std::int64_t elements,
                         std::string codelet) {
    PlanTally tally(context);
    tally.addCompute(cycles);
    tally.addLocalStep();
    tally.setTilesUsed(tilesFor(context, elements));
    tally.setFlops(static_cast<double>(elements));
    tally.setFootprint(elementwiseFootprint);
    tally.addCodelet(std::move(codelet));
    return tally.finish();
}

} // namespace

std::int64_t tilesFor(const PlanContext& context, std::int64_t elements) {
    constexpr std::int64_t vector = 4;
    return std::min(context.tiles(), core::ceilDivide(elements, vector));
}

double bytesPerTile(const PlanContext& context, std::int64_t elements, core::DataType type) {
    return static_cast<double>(elements) / static_cast<double>(context.tiles()) * core::elementBytes(type);
}

void addElementwise(PlanTally& tally, const PlanContext& context, const ElementwiseCost& cost,
                    core::DataType type, std::int64_t elements) {
    tally.addCompute(cost.cycles(context.elementsOnTile(elements), type, workersOf(context)));
    tally.addLocalStep();
    tally.setTilesUsed(tilesFor(context, elements));
}

OperationPlan elementwisePlan(const PlanContext& context, const ElementwiseCost& cost,
                              std::string_view function) {
    const std::int64_t elements = outputElements(context);
    // Comparisons work on the type they compare, not on the boolean they give.
    const core::DataType type = context.input(context.inputCount() > 2 ? 1 : 0).type;
    PlanTally tally(context);
    addElementwise(tally, context, cost, type, elements);
    tally.setFlops(static_cast<double>(elements));
    tally.setFootprint(elementwiseFootprint);
    tally.addCodelet(codeletName(CodeletFamily::Elementwise, type, function));
    return tally.finish();
}

static OperationPlan plan(const PlanContext& context, const Unary& operation) {
    const UnaryFunction function = fastForm(context, operation.function);
    return elementwisePlan(context, unaryCost(function), toString(function));
}

static OperationPlan plan(const PlanContext& context, const UnaryGradient& operation) {
    const UnaryFunction function = fastForm(context, operation.forward.function);
    return elementwisePlan(context, unaryGradientCost(function),
                           std::string(toString(function)) + "Gradient");
}

/// A bias or a mask is sent to the tiles whose elements it is for: a tile's elements are a block, as far
/// across the broadcast operand as along it.
static double broadcastBytes(const PlanContext& context) {
    const std::int64_t elements = outputElements(context);
    double bytes = 0;
    for (const std::size_t operand : {0, 1}) {
        const Tensor& input = context.input(operand);
        const std::int64_t own = countElements(input.extents);
        if (own > 1 && own < elements)
            bytes += std::min(static_cast<double>(own),
                              std::ceil(std::sqrt(static_cast<double>(context.elementsOnTile(elements))))) *
                     core::elementBytes(input.type);
    }
    return bytes;
}

static OperationPlan plan(const PlanContext& context, const Binary& operation) {
    const bool scalar =
        countElements(context.input(0).extents) == 1 || countElements(context.input(1).extents) == 1;
    const bool isInverse =
        context.options().fastMath && operation.function == BinaryFunction::Divide && !scalar;
    OperationPlan plan = isInverse ? elementwisePlan(context, inverseProductCost(), "InverseProduct")
                                   : elementwisePlan(context, binaryCost(operation.function, scalar),
                                                     toString(operation.function));
    plan.temporaryPerTile = core::Bytes(saturated(broadcastBytes(context)));
    return plan;
}

static OperationPlan plan(const PlanContext& context, const Select&) {
    return elementwisePlan(context, selectCost(), "Select");
}

static OperationPlan plan(const PlanContext& context, const Cast& operation) {
    const std::int64_t elements = outputElements(context);
    const core::DataType from = context.input().type;
    return singleStep(
        context, castCycles(from, operation.to, context.elementsOnTile(elements), workersOf(context)),
        elements,
        codeletName(CodeletFamily::Elementwise, from, "Cast" + std::string(core::toString(operation.to))));
}

static OperationPlan plan(const PlanContext& context, const Fill&) {
    const std::int64_t elements = outputElements(context);
    const core::DataType type = context.output().type;
    return singleStep(context, fillCycles(type, context.elementsOnTile(elements), workersOf(context)),
                      elements, codeletName(CodeletFamily::Elementwise, type, "Fill"));
}

static OperationPlan plan(const PlanContext& context, const OneHot&) {
    // A fill, then one store per index.
    const std::int64_t elements = outputElements(context);
    const core::DataType type = context.output().type;
    const std::int64_t indices = context.elementsOnTile(countElements(context.input().extents));
    constexpr double perIndex = 6;
    const double cycles = fillCycles(type, context.elementsOnTile(elements), workersOf(context)) +
                          perIndex * static_cast<double>(indices);
    return singleStep(context, cycles, elements, codeletName(CodeletFamily::Elementwise, type, "OneHot"));
}

static OperationPlan dropoutPlan(const PlanContext& context) {
    const std::int64_t elements = outputElements(context);
    const core::DataType type = context.output().type;
    return singleStep(context, dropoutCycles(type, context.elementsOnTile(elements)), elements,
                      codeletName(CodeletFamily::Random, type));
}

static OperationPlan plan(const PlanContext& context, const Dropout&) {
    return dropoutPlan(context);
}

static OperationPlan plan(const PlanContext& context, const DropoutGradient&) {
    return dropoutPlan(context);
}

static OperationPlan plan(const PlanContext& context, const Random& operation) {
    const std::int64_t elements = outputElements(context);
    const core::DataType type = context.output().type;
    return singleStep(context, randomCycles(operation.distribution, type, context.elementsOnTile(elements)),
                      elements, codeletName(CodeletFamily::Random, type));
}

static OperationPlan plan(const PlanContext& context, const MovingAverage&) {
    return elementwisePlan(context, scaledAddCost(), "ScaledAdd");
}

std::span<const PartRow<Planner>> elementwisePlans() {
    static constexpr PartRow<Planner> rows[]{
        plannerRow<Unary, plan>(),  plannerRow<UnaryGradient, plan>(), plannerRow<Binary, plan>(),
        plannerRow<Select, plan>(), plannerRow<Cast, plan>(),          plannerRow<Fill, plan>(),
        plannerRow<OneHot, plan>(), plannerRow<Dropout, plan>(),       plannerRow<DropoutGradient, plan>(),
        plannerRow<Random, plan>(), plannerRow<MovingAverage, plan>()};
    return rows;
}

} // namespace simulator
