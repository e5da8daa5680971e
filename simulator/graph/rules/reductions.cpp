// Outputs and gradients of reductions, softmax and normalisations.
#include "simulator/graph/rules/rule_families.h"

namespace simulator {

using core::DataType;
using core::TensorId;

namespace {

/// `reduced` with the axes of `axes` put back as extents of 1.
TensorId withAxes(GraphBuilder& build, TensorId reduced, const Extents& whole,
                  const std::vector<std::int64_t>& axes) {
    Extents extents = whole;
    for (const std::int64_t axis : axes)
        extents[normalizedAxis(axis, whole.size())] = 1;
    return build.reshape(reduced, std::move(extents));
}

/// For every element of x the product of the others that are reduced with it. Not y / x: factors may be zero.
TensorId productOfOthers(GraphBuilder& build, TensorId x, const std::vector<std::int64_t>& axes) {
    const Extents whole = build.extents(x);
    std::vector<bool> isReduced(whole.size(), false);
    for (const std::int64_t axis : axes)
        isReduced[normalizedAxis(axis, whole.size())] = true;
    std::vector<std::int64_t> permutation;
    Extents rows{1, 1};
    for (const bool reducedOnes : {false, true}) {
        for (std::size_t i = 0; i < whole.size(); ++i) {
            if (isReduced[i] != reducedOnes)
                continue;
            permutation.push_back(static_cast<std::int64_t>(i));
            rows[reducedOnes ? 1 : 0] *= whole[i];
        }
    }
    const TensorId sorted = build.transpose(x, permutation);
    const Extents sortedExtents = build.extents(sorted);
    const TensorId factors = build.reshape(sorted, rows);
    const TensorId before = build.add(Cumulative{ReduceFunction::Product, 1, true, false}, {factors}, "");
    const TensorId behind = build.add(Cumulative{ReduceFunction::Product, 1, true, true}, {factors}, "");
    const TensorId others = build.binary(BinaryFunction::Multiply, before, behind);
    std::vector<std::int64_t> inverse(permutation.size());
    for (std::size_t i = 0; i < permutation.size(); ++i)
        inverse[static_cast<std::size_t>(permutation[i])] = static_cast<std::int64_t>(i);
    return build.transpose(build.reshape(others, sortedExtents), std::move(inverse));
}

} // namespace

static InputGradients reduceGradients(const GradientRequest& request) {
    GraphBuilder& build = request.build;
    const auto& reduce = request.attributes<Reduce>();
    const TensorId x = request.input(0);
    const Extents whole = build.extents(x);
    const TensorId dy = withAxes(build, request.gradient(), whole, reduce.axes);
    const auto times = [&](TensorId a, TensorId b) { return build.binary(BinaryFunction::Multiply, a, b); };
    switch (reduce.function) {
    case ReduceFunction::Sum:
        return {build.broadcast(dy, whole)};
    case ReduceFunction::Mean: {
        const double share = static_cast<double>(build.graph().tensor(dy).elements()) /
                             static_cast<double>(std::max<std::int64_t>(elementCount(whole), 1));
        return {build.broadcast(build.scaleShift(dy, share), whole)};
    }
    case ReduceFunction::SumOfSquares:
        return {times(build.scaleShift(x, 2), dy)};
    case ReduceFunction::Maximum:
    case ReduceFunction::Minimum: {
        // Equal extremes share the gradient, as in TensorFlow.
        const TensorId y = withAxes(build, request.output(), whole, reduce.axes);
        const TensorId hits = build.cast(build.binary(BinaryFunction::Equal, x, y), build.type(x));
        const TensorId count = build.reduce(ReduceFunction::Sum, hits, reduce.axes, true);
        return {times(hits, build.binary(BinaryFunction::Divide, dy, count))};
    }
    case ReduceFunction::Product:
        return {times(productOfOthers(build, x, reduce.axes), dy)};
    case ReduceFunction::LogSumExp: {
        const TensorId y = withAxes(build, request.output(), whole, reduce.axes);
        const TensorId share =
            build.unary(UnaryFunction::Exponential, build.binary(BinaryFunction::Subtract, x, y));
        return {times(share, dy)};
    }
    case ReduceFunction::Any:
    case ReduceFunction::All:
        break;
    }
    return {TensorId{}};
}

static InputGradients cumulativeGradients(const GradientRequest& request) {
    Cumulative attributes = request.attributes<Cumulative>();
    attributes.reverse = !attributes.reverse;
    if (attributes.function == ReduceFunction::Sum)
        return {request.build.add(attributes, {request.gradient()}, "")};
    // Running product: dx = (running sum backwards of dy·y) / x, and 0 where x is 0, as TensorFlow has it.
    GraphBuilder& build = request.build;
    const TensorId weighted = build.binary(BinaryFunction::Multiply, request.gradient(), request.output());
    attributes.function = ReduceFunction::Sum;
    const TensorId sum = build.add(attributes, {weighted}, "");
    const TensorId x = request.input(0);
    const TensorId zero = build.constant(0, {}, build.type(x));
    const TensorId isZero = build.binary(BinaryFunction::Equal, x, zero);
    return {build.add(Select{}, {isZero, zero, build.binary(BinaryFunction::Divide, sum, x)}, "")};
}

static InputGradients topKGradients(const GradientRequest& request) {
    GraphBuilder& build = request.build;
    const TensorId x = request.input(0);
    const TensorId places = build.add(OneHot{build.extents(x).back()}, {request.output(1)}, "");
    Extents column = build.extents(request.gradient());
    column.push_back(1);
    const TensorId placed = build.binary(BinaryFunction::Multiply, build.cast(places, build.type(x)),
                                         build.reshape(request.gradient(), std::move(column)));
    return {build.reduce(ReduceFunction::Sum, placed, {-2}, false)};
}

static InputGradients broadcastGradients(const GradientRequest& request) {
    return {unbroadcast(request.build, request.gradient(), Extents(request.build.extents(request.input(0))))};
}

static InputGradients softmaxGradients(const GradientRequest& request) {
    const auto& softmax = request.attributes<Softmax>();
    return {request.build.add(SoftmaxGradient{softmax}, {request.output(), request.gradient()}, "")};
}

static InputGradients normalizationGradients(const GradientRequest& request) {
    const auto& forward = request.attributes<Normalization>();
    const NormalizationGradient attributes{forward};
    const bool isMoving = forward.useMovingStatistics;
    const TensorId mean = isMoving ? request.input(3) : request.output(1);
    const TensorId deviation = isMoving ? request.input(4) : request.output(2);
    std::vector<TensorId> parts = request.build.addAll(
        attributes, {request.input(0), request.input(1), mean, deviation, request.gradient()}, "");
    parts.resize(request.operation.inputs.size());
    return parts;
}

// Outputs.

namespace {

Extents withoutAxes(const Extents& extents, const std::vector<std::int64_t>& axes, bool keep) {
    std::vector<bool> isReduced(extents.size(), false);
    for (const std::int64_t axis : axes)
        isReduced[normalizedAxis(axis, extents.size())] = true;
    Extents result;
    for (std::size_t i = 0; i < extents.size(); ++i) {
        if (!isReduced[i])
            result.push_back(extents[i]);
        else if (keep)
            result.push_back(1);
    }
    return result;
}

} // namespace

static OutputForms outputsOf(const Reduce& reduce, InputForms inputs) {
    return oneOutput(withoutAxes(inputs[0].extents, reduce.axes, reduce.keepAxes), inputs[0].type);
}
static OutputForms outputsOf(const Cumulative&, InputForms inputs) {
    return sameOutput(inputs[0]);
}
static OutputForms outputsOf(const ArgReduce& reduce, InputForms inputs) {
    return oneOutput(withoutAxes(inputs[0].extents, {reduce.axis}, reduce.keepAxis), DataType::Int32);
}
static OutputForms outputsOf(const TopK& top, InputForms inputs) {
    Extents extents = inputs[0].extents;
    extents.back() = top.count;
    return {{"", {extents, inputs[0].type}}, {"indices", {extents, DataType::Int32}}};
}
static OutputForms outputsOf(const OneHot& oneHot, InputForms inputs) {
    Extents extents = inputs[0].extents;
    extents.push_back(oneHot.depth);
    return oneOutput(std::move(extents), DataType::Float32);
}
static OutputForms outputsOf(const Broadcast& broadcast, InputForms inputs) {
    return oneOutput(broadcast.extents, inputs[0].type);
}
static OutputForms outputsOf(const Softmax&, InputForms inputs) {
    return sameOutput(inputs[0]);
}
static OutputForms outputsOf(const SoftmaxGradient&, InputForms inputs) {
    return sameOutput(inputs[0]);
}
static OutputForms outputsOf(const Normalization& normalization, InputForms inputs) {
    OutputForms outputs = sameOutput(inputs[0]);
    if (normalization.useMovingStatistics)
        return outputs;
    const Extents& extents = inputs[0].extents;
    Extents statistics;
    if (normalization.kind == NormalizationKind::Batch)
        statistics = {extents.back()};
    else if (normalization.kind == NormalizationKind::Layer)
        statistics = withoutAxes(extents, normalization.axes, false);
    else
        statistics = {extents.front() * normalization.groups};
    // Statistics stay in float32 whatever the activations are, as on the device.
    outputs.push_back({"mean", {statistics, DataType::Float32}});
    outputs.push_back({"inverse_deviation", {statistics, DataType::Float32}});
    return outputs;
}
static OutputForms outputsOf(const NormalizationGradient&, InputForms inputs) {
    return {{"", inputs[0]}, {"gamma", inputs[1]}, {"beta", inputs[1]}};
}
static OutputForms outputsOf(const MovingAverage&, InputForms inputs) {
    return sameOutput(inputs[0]);
}
static OutputForms outputsOf(const Equalize&, InputForms inputs) {
    return sameOutput(inputs[0]);
}
static OutputForms outputsOf(const Histogram&, InputForms inputs) {
    return oneOutput({inputs[1].extents[0] + 1}, DataType::Float32);
}

std::span<const PartRow<GradientChoice>> reductionsGradients() {
    static constexpr PartRow<GradientChoice> rows[]{
        gradientRow<Reduce, reduceGradients>(),
        gradientRow<Cumulative, cumulativeGradients>(),
        gradientRow<ArgReduce, noGradients>(),
        gradientRow<TopK, topKGradients>(),
        gradientRow<OneHot, noGradients>(),
        gradientRow<Broadcast, broadcastGradients>(),
        gradientRow<Softmax, softmaxGradients>(),
        noGradientRow<SoftmaxGradient>("it is made by differentiation, which nothing differentiates again"),
        gradientRow<Normalization, normalizationGradients>(),
        noGradientRow<NormalizationGradient>(
            "it is made by differentiation, which nothing differentiates again"),
        gradientRow<MovingAverage, noGradients>(),
        gradientRow<Histogram, noGradients>(),
        gradientRow<Equalize, noGradients>()};
    return rows;
}

std::span<const PartRow<OutputRule>> reductionsOutputs() {
    static constexpr PartRow<OutputRule> rows[]{
        outputRow<Reduce, outputsOf>(),        outputRow<Cumulative, outputsOf>(),
        outputRow<ArgReduce, outputsOf>(),     outputRow<TopK, outputsOf>(),
        outputRow<OneHot, outputsOf>(),        outputRow<Broadcast, outputsOf>(),
        outputRow<Softmax, outputsOf>(),       outputRow<SoftmaxGradient, outputsOf>(),
        outputRow<Normalization, outputsOf>(), outputRow<NormalizationGradient, outputsOf>(),
        outputRow<MovingAverage, outputsOf>(), outputRow<Histogram, outputsOf>(),
        outputRow<Equalize, outputsOf>()};
    return rows;
}

} // namespace simulator
