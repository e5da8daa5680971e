// Outputs and gradients of products, windows and recurrent cells.
#include "simulator/graph/rules/rule_families.h"

namespace simulator {

using core::DataType;
using core::TensorId;

namespace {

MatMulAxis swapped(MatMulAxis axis) {
    if (axis == MatMulAxis::Inner)
        return axis;
    return axis == MatMulAxis::Rows ? MatMulAxis::Columns : MatMulAxis::Rows;
}

/// The axis of the product `of` that is forward's serialised axis: for d(left) [M, K] the inner axis is N,
/// for d(right) [K, N] it is M.
MatMulAxis axisInLeftGradient(MatMulAxis forward) {
    if (forward == MatMulAxis::Rows)
        return MatMulAxis::Rows;
    return forward == MatMulAxis::Columns ? MatMulAxis::Inner : MatMulAxis::Columns;
}
MatMulAxis axisInRightGradient(MatMulAxis forward) {
    if (forward == MatMulAxis::Columns)
        return MatMulAxis::Columns;
    return forward == MatMulAxis::Rows ? MatMulAxis::Inner : MatMulAxis::Rows;
}

/// [..., M, K] as [M′, K]: leading axes joined with the rows.
TensorId flattenedRows(GraphBuilder& build, TensorId x) {
    const Extents extents = build.extents(x);
    const std::int64_t columns = extents.back();
    std::int64_t rows = 1;
    for (std::size_t i = 0; i + 1 < extents.size(); ++i)
        rows *= extents[i];
    return build.reshape(x, {rows, columns});
}

} // namespace

static InputGradients matMulGradients(const GradientRequest& request) {
    GraphBuilder& build = request.build;
    const auto& forward = request.attributes<MatMul>();
    const TensorId left = request.input(0);
    const TensorId right = request.input(1);
    const TensorId dy = request.gradient();
    const bool isShared = build.rank(right) == 2 && build.rank(left) > 2 && !forward.transposeLeft;
    InputGradients gradients(2);
    if (request.wanted[0]) {
        MatMul product{false, !forward.transposeRight, axisInLeftGradient(forward.serializedAxis),
                       forward.serialization};
        if (forward.transposeLeft)
            product = {forward.transposeRight, true, swapped(product.serializedAxis), forward.serialization};
        const TensorId dLeft = forward.transposeLeft ? build.add(product, {right, dy}, "left")
                                                     : build.add(product, {dy, right}, "left");
        gradients[0] = unbroadcast(build, dLeft, Extents(build.extents(left)));
    }
    if (request.wanted[1]) {
        const TensorId rows = isShared ? flattenedRows(build, left) : left;
        const TensorId dRows = isShared ? flattenedRows(build, dy) : dy;
        MatMul product{!forward.transposeLeft, false, axisInRightGradient(forward.serializedAxis),
                       forward.serialization};
        if (forward.transposeRight)
            product = {true, forward.transposeLeft, swapped(product.serializedAxis), forward.serialization};
        const TensorId dRight = forward.transposeRight ? build.add(product, {dRows, rows}, "weights")
                                                       : build.add(product, {rows, dRows}, "weights");
        gradients[1] = unbroadcast(build, dRight, Extents(build.extents(right)));
    }
    return gradients;
}

static InputGradients convolutionGradients(const GradientRequest& request) {
    GraphBuilder& build = request.build;
    Convolution attributes = request.attributes<Convolution>();
    const bool isTransposed = attributes.pass == ConvolutionPass::InputGradient;
    const TensorId x = request.input(0);
    const TensorId kernel = request.input(1);
    const TensorId dy = request.gradient();
    InputGradients gradients(2);
    if (request.wanted[0]) {
        attributes.pass = isTransposed ? ConvolutionPass::Forward : ConvolutionPass::InputGradient;
        gradients[0] = build.addAs(attributes, {dy, kernel}, "input", build.form(x));
    }
    if (request.wanted[1]) {
        attributes.pass = ConvolutionPass::WeightGradient;
        std::vector<TensorId> inputs = isTransposed ? std::vector{dy, x} : std::vector{x, dy};
        gradients[1] = build.addAs(attributes, std::move(inputs), "weights", build.form(kernel));
    }
    return gradients;
}

static InputGradients poolGradients(const GradientRequest& request) {
    const auto& pool = request.attributes<Pool>();
    const PoolGradient attributes{pool};
    std::vector<TensorId> inputs{request.gradient()};
    if (pool.function == PoolFunction::Maximum)
        inputs = {request.input(0), request.output(), request.gradient()};
    return {request.build.addAs(attributes, std::move(inputs), "", request.build.form(request.input(0)))};
}

static InputGradients patchesGradients(const GradientRequest& request) {
    const ExtractPatchesGradient attributes{request.attributes<ExtractPatches>()};
    return {request.build.addAs(attributes, {request.gradient()}, "", request.build.form(request.input(0)))};
}

static InputGradients recurrentGradients(const GradientRequest& request) {
    const auto& forward = request.attributes<Recurrent>();
    const std::size_t states = forward.cell == RecurrentCell::Lstm ? 2 : 1;
    std::vector<TensorId> inputs = request.operation.inputs;
    inputs.push_back(request.output(0));
    inputs.push_back(request.output(1 + states));
    for (std::size_t i = 0; i <= states; ++i)
        inputs.push_back(request.gradient(i));
    std::vector<TensorId> gradients = request.build.addAll(RecurrentGradient{forward}, std::move(inputs), "");
    gradients.resize(request.operation.inputs.size());
    return gradients;
}

// Outputs.

namespace {

Extents windowed(const WindowGeometry& window, const Extents& input, std::int64_t channels) {
    Extents extents{input.front()};
    for (std::size_t axis = 0; axis < window.kernel.size(); ++axis)
        extents.push_back(windowOutputs(window, axis, input[axis + 1]));
    extents.push_back(channels);
    return extents;
}

} // namespace

static OutputForms outputsOf(const MatMul& matMul, InputForms inputs) {
    const Extents& left = inputs[0].extents;
    const Extents& right = inputs[1].extents;
    const std::size_t leftRank = left.size();
    const std::size_t rightRank = right.size();
    const std::int64_t rows = left[leftRank - (matMul.transposeLeft ? 1 : 2)];
    const std::int64_t columns = right[rightRank - (matMul.transposeRight ? 2 : 1)];
    Extents extents = broadcastExtents({left.begin(), left.end() - 2}, {right.begin(), right.end() - 2});
    extents.push_back(rows);
    extents.push_back(columns);
    return oneOutput(std::move(extents), inputs[0].type);
}
static OutputForms outputsOf(const Convolution& convolution, InputForms inputs) {
    if (convolution.pass != ConvolutionPass::Forward)
        return {};
    return oneOutput(windowed(convolution.window, inputs[0].extents, inputs[1].extents.back()),
                     inputs[0].type);
}
static OutputForms outputsOf(const Pool& pool, InputForms inputs) {
    return oneOutput(windowed(pool.window, inputs[0].extents, inputs[0].extents.back()), inputs[0].type);
}
static OutputForms outputsOf(const PoolGradient&, InputForms inputs) {
    return sameOutput(inputs[0]);
}
static OutputForms outputsOf(const ExtractPatches& patches, InputForms inputs) {
    const std::int64_t channels = elementCount(patches.window.kernel) * inputs[0].extents.back();
    return oneOutput(windowed(patches.window, inputs[0].extents, channels), inputs[0].type);
}
static OutputForms outputsOf(const Recurrent& recurrent, InputForms inputs) {
    const std::int64_t samples = inputs[0].extents[0];
    const std::int64_t steps = inputs[0].extents[1];
    const std::int64_t units = inputs[2].extents[0];
    const DataType type = inputs[0].type;
    OutputForms outputs;
    if (recurrent.returnSequences)
        outputs.push_back({"", {{samples, steps, units}, type}});
    else
        outputs.push_back({"", {{samples, units}, type}});
    outputs.push_back({"state_h", {{samples, units}, type}});
    if (recurrent.cell == RecurrentCell::Lstm)
        outputs.push_back({"state_c", {{samples, units}, type}});
    if (recurrent.keepReserve)
        outputs.push_back({"reserve", {{samples, steps, reserveValues(recurrent) * units}, type}});
    return outputs;
}
static OutputForms outputsOf(const RecurrentGradient& gradient, InputForms inputs) {
    const Recurrent& forward = gradient.forward;
    OutputForms outputs{{"", inputs[0]}, {"kernel", inputs[1]}, {"recurrent_kernel", inputs[2]}};
    std::size_t next = 3;
    if (forward.useBias)
        outputs.push_back({"bias", inputs[next++]});
    outputs.push_back({"initial_h", inputs[next++]});
    if (forward.cell == RecurrentCell::Lstm)
        outputs.push_back({"initial_c", inputs[next++]});
    if (forward.attentionUpdate)
        outputs.push_back({"attention", inputs[next++]});
    return outputs;
}

std::span<const PartRow<GradientChoice>> productsGradients() {
    static constexpr PartRow<GradientChoice> rows[]{
        gradientRow<MatMul, matMulGradients>(),
        gradientRow<Convolution, convolutionGradients>(),
        gradientRow<Pool, poolGradients>(),
        noGradientRow<PoolGradient>("it is made by differentiation, which nothing differentiates again"),
        gradientRow<ExtractPatches, patchesGradients>(),
        noGradientRow<ExtractPatchesGradient>(
            "it is made by differentiation, which nothing differentiates again"),
        gradientRow<Recurrent, recurrentGradients>(),
        noGradientRow<RecurrentGradient>(
            "it is made by differentiation, which nothing differentiates again")};
    return rows;
}

std::span<const PartRow<OutputRule>> productsOutputs() {
    static constexpr PartRow<OutputRule> rows[]{
        outputRow<MatMul, outputsOf>(),
        outputRow<Convolution, outputsOf>(),
        outputRow<Pool, outputsOf>(),
        outputRow<PoolGradient, outputsOf>(),
        outputRow<ExtractPatches, outputsOf>(),
        {kindIndex<ExtractPatchesGradient>(), nullptr, "images of several extents have the same patches"},
        outputRow<Recurrent, outputsOf>(),
        outputRow<RecurrentGradient, outputsOf>()};
    return rows;
}

} // namespace simulator
