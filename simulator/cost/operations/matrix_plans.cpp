#include "simulator/cost/operations/matrix_product.h"

#include "core/base/quantity.h"
#include "simulator/cost/operations/operation_planners.h"
#include "simulator/cost/vertex/access_vertex.h"

#include <algorithm>
#include <cmath>

namespace simulator {

namespace {

using core::real;

using Form = ConvolutionProblem::Form;

/// A dense product, a batched product, one pass of a spatial convolution (`CodeFootprint`).
constexpr CodeFootprint denseFootprint{64, 48, 40};
constexpr CodeFootprint batchedFootprint{72, 48, 40};
constexpr CodeFootprint spatialFootprint{400, 80, 64};

/// Beyond this an axis is no window any more; keeps the product of three axes representable.
constexpr std::int64_t longestReach = 1 << 20;

std::int64_t extentFromBack(const Tensor& tensor, std::size_t back) {
    const Extents& extents = tensor.extents;
    return back < extents.size() ? std::max<std::int64_t>(extents[extents.size() - 1 - back], 0) : 1;
}

std::int64_t leadingElements(const Extents& extents, std::size_t trailing) {
    if (extents.size() <= trailing)
        return 1;
    return countElements(Extents(extents.begin(), extents.end() - static_cast<std::ptrdiff_t>(trailing)));
}

/// Bytes of neighbouring elements that stay together when a tensor is rearranged.
std::int64_t runBytes(const Tensor& tensor) {
    return extentFromBack(tensor, 0) * core::elementBytes(tensor.type);
}

/// Operands of a batched product come out of reshapes and transpositions, not out of a product laid out for
/// them: where their rows do not fill 8-byte words they are put in order element by element beforehand.
void addAlignment(PlanTally& tally, const PlanContext& context, const Tensor& operand) {
    if (operand.extents.empty() || runBytes(operand) % 8 == 0)
        return;
    const double bytes = real(countElements(operand.extents)) * core::elementBytes(operand.type);
    tally.addRelayout(bytes / real(context.tiles()), relayoutCyclesPerByte(runBytes(operand)));
    tally.addRearranged(bytes / real(context.tiles()));
}

/// An operand that is stored the other way round: rearranged once, spread over all tiles.
void addTransposition(PlanTally& tally, const PlanContext& context, const Tensor& operand) {
    const double bytes = real(countElements(operand.extents)) * core::elementBytes(operand.type);
    tally.addRelayout(bytes / real(context.tiles()), context.target().tileCopyCyclesPerByte);
    tally.addRearranged(bytes / real(context.tiles()));
}

void addSplits(PlanTally& tally, const ConvolutionPlan& plan, std::int64_t batch) {
    const std::int64_t batchSplit = std::min(plan.rowSplit, std::max<std::int64_t>(batch, 1));
    tally.addSplit("batchSplit", batchSplit);
    tally.addSplit("convGroupSplit", plan.groupSplit);
    tally.addSplit("fieldSplit", core::ceilDivide(plan.rowSplit, batchSplit));
    tally.addSplit("kernelSplit", plan.kernelSplit);
    tally.addSplit("inChanSplit.parallel", plan.innerSplit);
    tally.addSplit("inChanSplit.serial", plan.serialInner);
    tally.addSplit("outChanSplit.parallel", plan.columnSplit);
    tally.addSplit("outChanSplit.serial", plan.serialColumns);
    tally.addSplit("convGroupsPerGroup", plan.groupsPerPass);
    tally.addSplit("swapOperands", plan.swapped ? 1 : 0);
    tally.addSplit("method", static_cast<std::int64_t>(plan.method));
}

/// Every vertex method has code of its own; the matrix unit's is the usual one. Partials of a product's inner
/// dimension or of its window that are split over tiles meet in a reduction.
void addCodelets(PlanTally& tally, const PlanContext& context, const ConvolutionPlan& plan,
                 CodeletFamily family) {
    const bool isUsual = plan.method == ConvolutionMethod::Amp;
    tally.addCodelet(
        codeletName(family, context.input().type, isUsual ? std::string_view() : methodName(plan.method)));
    if (plan.innerSplit * plan.kernelSplit > 1)
        tally.addCodelet(codeletName(CodeletFamily::PartialsReduction, context.input().type));
}

OperationPlan finishProduct(PlanTally& tally, const PlanContext& context, const ConvolutionProblem& problem,
                            const CodeFootprint& footprint, CodeletFamily family, std::int64_t batch) {
    const ConvolutionPlan best = searchPlan(context, problem);
    addPlan(tally, best);
    addSplits(tally, best, batch);
    tally.setFlops(flopsOf(problem));
    tally.setFootprint(footprint);
    addCodelets(tally, context, best, family);
    return tally.finish();
}

std::int64_t entry(const std::vector<std::int64_t>& values, std::size_t axis, std::int64_t otherwise) {
    return axis < values.size() ? std::max<std::int64_t>(values[axis], 1) : otherwise;
}

/// The window of a convolution over `operand` [N, field…, C], read at the positions of `result`.
FieldWindow windowOver(const Convolution& operation, const Tensor& operand, const Tensor& result) {
    FieldWindow window;
    window.axes = std::clamp<std::size_t>(operation.window.kernel.size(), 1, 3);
    const std::size_t fieldAxes = operand.extents.size() >= 2 ? operand.extents.size() - 2 : 0;
    std::int64_t padded = 1;
    for (std::size_t axis = 0; axis < window.axes; ++axis) {
        window.kernel[axis] = std::min(entry(operation.window.kernel, axis, 1), longestReach);
        window.stride[axis] = entry(operation.window.stride, axis, 1);
        const std::int64_t apart = std::min(entry(operation.window.dilation, axis, 1), longestReach);
        window.reach[axis] = std::min((window.kernel[axis] - 1) * apart + 1, longestReach);
        if (axis < fieldAxes)
            padded *=
                std::clamp<std::int64_t>(operand.extents[axis + 1] + window.reach[axis] - 1, 1, longestReach);
    }
    window.elementsPerImage = padded;
    window.rowsPerImage = std::max<std::int64_t>(
        leadingElements(result.extents, 1) /
            std::max<std::int64_t>(extentFromBack(result, result.extents.size() - 1), 1),
        1);
    return window;
}

/// Input gradient: a row per element of dOut, from which the window's positions write to the result's phases.
void toInputGradient(FieldWindow& window) {
    for (std::size_t axis = 0; axis < window.axes; ++axis) {
        window.resultsPerRow *= std::min(window.kernel[axis], window.stride[axis]);
        window.reach[axis] = core::ceilDivide(window.reach[axis], window.stride[axis]);
        window.stride[axis] = 1;
    }
}

ConvolutionProblem convolutionProblem(const PlanContext& context, const Convolution& operation) {
    ConvolutionProblem problem;
    problem.groups = std::max<std::int64_t>(operation.groups, 1);
    const Tensor& first = context.input(0);
    const Tensor& second = context.input(1);
    const Tensor& result = context.output();
    problem.operandBytes = core::elementBytes(first.type);
    problem.outputBytes = core::elementBytes(result.type);
    problem.partialBytes = partialBytes(context, first.type);
    if (operation.pass == ConvolutionPass::WeightGradient) {
        // first: input [N, field…, inC], second: dOut [N, field…, outC].
        problem.form = Form::WindowAsRows;
        problem.window = windowOver(operation, first, second);
        problem.rows =
            core::ceilDivide(extentFromBack(first, 0), problem.groups) * problem.window.positions();
        problem.inner = leadingElements(second.extents, 1);
        problem.columns = core::ceilDivide(extentFromBack(second, 0), problem.groups);
        return problem;
    }
    problem.form = Form::Window;
    const bool backward = operation.pass == ConvolutionPass::InputGradient;
    // Rows are the positions the window is at: those of the convolution's output.
    const Tensor& positions = backward ? first : result;
    problem.window = windowOver(operation, first, positions);
    if (backward)
        toInputGradient(problem.window);
    problem.rows = leadingElements(positions.extents, 1);
    problem.inner = core::ceilDivide(extentFromBack(first, 0), problem.groups);
    problem.columns = core::ceilDivide(extentFromBack(result, 0), problem.groups);
    if (problem.window.positions() == 1 && problem.window.stride == std::array<std::int64_t, 3>{1, 1, 1} &&
        problem.window.resultsPerRow == 1)
        problem.form = Form::Product;
    return problem;
}

ConvolutionProblem productProblem(const PlanContext& context, const MatMul& operation) {
    const Tensor& left = context.input(0);
    const Tensor& right = context.input(1);
    ConvolutionProblem problem;
    problem.inner = extentFromBack(left, operation.transposeLeft ? 1 : 0);
    problem.columns = extentFromBack(right, operation.transposeRight ? 1 : 0);
    problem.rows = left.extents.size() < 2 ? 1 : extentFromBack(left, operation.transposeLeft ? 0 : 1);
    const std::int64_t batch = std::max(leadingElements(left.extents, 2), leadingElements(right.extents, 2));
    if (right.extents.size() > 2)
        problem.groups = batch;
    else
        problem.rows = countElements({problem.rows, batch});
    problem.operandBytes = core::elementBytes(left.type);
    problem.outputBytes = core::elementBytes(context.output().type);
    problem.partialBytes = partialBytes(context, left.type);
    return problem;
}

/// `serialized_matmul`: one of the product's dimensions is cut and the pieces run one after the other.
std::int64_t cutSerially(ConvolutionProblem& problem, const MatMul& operation) {
    std::int64_t* const dimension = operation.serializedAxis == MatMulAxis::Rows      ? &problem.rows
                                    : operation.serializedAxis == MatMulAxis::Columns ? &problem.columns
                                                                                      : &problem.inner;
    const std::int64_t pieces =
        std::clamp<std::int64_t>(operation.serialization, 1, std::max<std::int64_t>(*dimension, 1));
    *dimension = core::ceilDivide(*dimension, pieces);
    return pieces;
}

} // namespace

int partialBytes(const PlanContext& context, core::DataType type) {
    const bool half =
        core::elementBytes(type) <= 2 && context.options().partialsType == core::DataType::Float16;
    return half ? 2 : 4;
}

ConvolutionPlan searchPlan(const PlanContext& context, const ConvolutionProblem& problem) {
    const IpuTarget& target = context.target();
    const double proportion = std::max(context.options().availableMemoryProportion, 0.0);
    return planConvolution(problem, target,
                           {context.tiles(), proportion * real(target.memoryPerTileBytes),
                            context.options().use128BitConvUnitLoad});
}

void addPlan(PlanTally& tally, const ConvolutionPlan& plan, double times) {
    tally.addCompute(times * plan.compute());
    tally.addExchange(times * plan.exchange());
    tally.addSupersteps(saturated(times * real(plan.supersteps)));
    tally.setTilesUsed(plan.tiles());
    tally.setTemporary(plan.ownBytes());
    const double received = plan.inputBytes + real(plan.serialColumns) * plan.weightBytes;
    tally.addExchangeBytes(times * real(plan.serialInner) * received * real(plan.tiles()));
}

double flopsOf(const ConvolutionProblem& problem) {
    const double positions = problem.form == Form::Window ? real(problem.window.positions()) : 1;
    return 2 * real(problem.groups) * real(problem.rows) * real(problem.inner) * real(problem.columns) *
           positions;
}

static OperationPlan plan(const PlanContext& context, const MatMul& operation) {
    ConvolutionProblem problem = productProblem(context, operation);
    PlanTally tally(context);
    const bool batched = problem.groups > 1;
    for (const std::size_t operand : {0, 1})
        if (batched)
            addAlignment(tally, context, context.input(operand));
    if (operation.transposeLeft)
        addTransposition(tally, context, context.input(0));
    if (operation.transposeRight)
        addTransposition(tally, context, context.input(1));
    const CodeFootprint& footprint = batched ? batchedFootprint : denseFootprint;
    if (operation.serialization <= 1)
        return finishProduct(tally, context, problem, footprint, CodeletFamily::MatrixProduct, 1);
    const std::int64_t pieces = cutSerially(problem, operation);
    const ConvolutionPlan piece = searchPlan(context, problem);
    addPlan(tally, piece, real(pieces));
    addSplits(tally, piece, 1);
    tally.addSplit("serializedPieces", pieces);
    tally.setFlops(flopsOf(problem) * real(pieces));
    tally.setFootprint(footprint);
    addCodelets(tally, context, piece, CodeletFamily::MatrixProduct);
    return tally.finish();
}

static OperationPlan plan(const PlanContext& context, const Convolution& operation) {
    const ConvolutionProblem problem = convolutionProblem(context, operation);
    PlanTally tally(context);
    if (operation.pass == ConvolutionPass::InputGradient)
        addTransposition(tally, context, context.input(1));
    const bool spatial = problem.window.positions() > 1;
    return finishProduct(tally, context, problem, spatial ? spatialFootprint : denseFootprint,
                         spatial ? CodeletFamily::Convolution : CodeletFamily::MatrixProduct,
                         extentFromBack(context.input(), context.input().extents.size() - 1));
}

std::span<const PartRow<Planner>> matrixPlans() {
    static constexpr PartRow<Planner> rows[]{plannerRow<MatMul, plan>(), plannerRow<Convolution, plan>()};
    return rows;
}

} // namespace simulator
