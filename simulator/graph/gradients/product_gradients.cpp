// Gradients of the operations that multiply and add: matrix products, convolutions, windows, recurrent cells.
#include "simulator/graph/gradients/gradient_rule.h"

namespace simulator {

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

InputGradients matMulGradients(const GradientRequest& request) {
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

InputGradients convolutionGradients(const GradientRequest& request) {
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

InputGradients poolGradients(const GradientRequest& request) {
    const auto& pool = request.attributes<Pool>();
    const PoolGradient attributes{pool.function, pool.window, pool.countPadding};
    std::vector<TensorId> inputs{request.gradient()};
    if (pool.function == PoolFunction::Maximum)
        inputs = {request.input(0), request.output(), request.gradient()};
    return {request.build.addAs(attributes, std::move(inputs), "", request.build.form(request.input(0)))};
}

InputGradients patchesGradients(const GradientRequest& request) {
    const ExtractPatchesGradient attributes{request.attributes<ExtractPatches>().window};
    return {request.build.addAs(attributes, {request.gradient()}, "", request.build.form(request.input(0)))};
}

InputGradients recurrentGradients(const GradientRequest& request) {
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

} // namespace simulator
