// Normalisation.
#include "simulator/compiler/lowering/onnx/channel_order.h"
#include "simulator/compiler/lowering/onnx/onnx_call.h"

#include <cmath>
#include <numeric>

namespace simulator {
namespace {

using core::DataType;
using core::TensorId;

bool isPerChannel(const OnnxCall& call, std::size_t first, std::size_t last) {
    if (call.rank() < 2)
        return false;
    for (std::size_t i = first; i <= last; ++i) {
        if (!call.has(i) || call.extents(i) != Extents{call.extents()[1]})
            return false;
    }
    return true;
}

/// momentum·moving + (1 − momentum)·batch.
TensorId moved(GraphBuilder& build, TensorId moving, TensorId batch, double momentum) {
    return build.binary(BinaryFunction::Add, build.scaleShift(moving, momentum),
                        build.scaleShift(build.cast(batch, build.type(moving)), 1 - momentum));
}

/// inverse deviation → variance.
TensorId varianceOf(GraphBuilder& build, TensorId inverse, double epsilon) {
    const TensorId square = build.unary(UnaryFunction::Square, inverse);
    return build.scaleShift(build.unary(UnaryFunction::Reciprocal, square), 1, -epsilon);
}

OnnxOutputs batchNormalization(OnnxCall& call) {
    GraphBuilder& build = call.build;
    if (!isPerChannel(call, 1, 4))
        return refuseOnnx("scale, bias, mean and variance must have one element per channel");
    const TensorId x = withChannelsLast(build, call.input());
    Normalization attributes;
    attributes.epsilon = call.node.number("epsilon", 1e-5);
    const bool trains = call.opset >= 14
                            ? call.node.integer("training_mode", 0) != 0
                            : call.opset < 7 && call.node.integer("is_test", 0) == 0 && call.hasOutput(1);
    if (!trains) {
        attributes.useMovingStatistics = true;
        const TensorId y = build.add(
            attributes, {x, call.input(1), call.input(2), call.input(3), call.input(4)}, "batch_norm");
        return one(withChannelsSecond(build, y));
    }
    const auto normal = build.addAll(attributes, {x, call.input(1), call.input(2)}, "batch_norm");
    const double momentum = call.node.number("momentum", 0.9);
    return std::vector{
        withChannelsSecond(build, normal[0]), moved(build, call.input(3), normal[1], momentum),
        moved(build, call.input(4), varianceOf(build, normal[2], attributes.epsilon), momentum)};
}

OnnxOutputs instanceNormalization(OnnxCall& call) {
    GraphBuilder& build = call.build;
    if (!isPerChannel(call, 1, 2))
        return refuseOnnx("scale and bias must have one element per channel");
    Normalization attributes;
    attributes.kind = NormalizationKind::Instance;
    attributes.groups = call.extents()[1];
    attributes.epsilon = call.node.number("epsilon", 1e-5);
    const TensorId x = withChannelsLast(build, call.input());
    return one(withChannelsSecond(build, build.add(attributes, {x, call.input(1), call.input(2)}, "")));
}

OnnxOutputs groupNormalization(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const std::int64_t groups = call.node.integer("num_groups", 1);
    if (call.rank() < 2 || groups < 1 || call.extents()[1] % groups != 0)
        return refuseOnnx("its channels do not divide into its groups");
    const std::int64_t channels = call.extents()[1];
    // Before operator set 21 scale and bias had one element per group.
    const auto perChannel = [&](TensorId x) {
        if (build.extents(x) == Extents{channels})
            return x;
        const TensorId columns = build.reshape(x, {groups, 1});
        return build.reshape(build.broadcast(columns, {groups, channels / groups}), {channels});
    };
    for (std::size_t i = 1; i <= 2; ++i) {
        if (!call.has(i) || (call.extents(i) != Extents{channels} && call.extents(i) != Extents{groups}))
            return refuseOnnx("scale and bias must have one element per group or channel");
    }
    Normalization attributes;
    attributes.kind = NormalizationKind::Group;
    attributes.groups = groups;
    attributes.stridedGroups = false;
    attributes.epsilon = call.node.number("epsilon", 1e-5);
    const TensorId x = withChannelsLast(build, call.input());
    const TensorId y =
        build.add(attributes, {x, perChannel(call.input(1)), perChannel(call.input(2))}, "group_norm");
    return one(withChannelsSecond(build, y));
}

/// Extents of the axes from `axis` on, and 1 before them.
Extents trailing(const Extents& extents, std::int64_t axis) {
    return {extents.begin() + axis, extents.end()};
}

OnnxOutputs layerNormalization(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const auto axis = onnxAxis(call.node.integer("axis", -1), call.rank());
    if (!axis)
        return refuseOnnx("its axis lies outside the tensor");
    const Extents own = trailing(call.extents(), *axis);
    const auto fitted = [&](std::size_t position, double byDefault) -> core::Result<TensorId> {
        if (!call.has(position))
            return build.constant(byDefault, own, call.type());
        const auto common = commonExtents(call.extents(position), own);
        if (!common || *common != own)
            return refuseOnnx("scale or bias does not fit the normalised axes");
        return build.broadcast(call.input(position), own);
    };
    const auto gamma = fitted(1, 1);
    const auto beta = fitted(2, 0);
    if (!gamma || !beta)
        return core::failure(gamma ? beta.error() : gamma.error());
    Normalization attributes;
    attributes.kind = NormalizationKind::Layer;
    attributes.epsilon = call.node.number("epsilon", 1e-5);
    for (std::int64_t i = *axis; i < call.rank(); ++i)
        attributes.axes.push_back(i);
    const auto normal = build.addAll(attributes, {call.input(), *gamma, *beta}, "layer_norm");
    Extents statistics = call.extents();
    for (std::int64_t i = *axis; i < call.rank(); ++i)
        statistics[static_cast<std::size_t>(i)] = 1;
    return std::vector{normal[0], build.reshape(normal[1], statistics), build.reshape(normal[2], statistics)};
}

OnnxOutputs rootMeanSquareNormalization(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const auto axis = onnxAxis(call.node.integer("axis", -1), call.rank());
    if (!axis)
        return refuseOnnx("its axis lies outside the tensor");
    std::vector<std::int64_t> axes(static_cast<std::size_t>(call.rank() - *axis));
    std::iota(axes.begin(), axes.end(), *axis);
    const TensorId square = build.unary(UnaryFunction::Square, call.input());
    const TensorId mean = build.reduce(ReduceFunction::Mean, square, axes, true);
    const TensorId factor = build.unary(UnaryFunction::ReciprocalSquareRoot,
                                        build.scaleShift(mean, 1, call.node.number("epsilon", 1e-5)));
    const TensorId normal = build.binary(BinaryFunction::Multiply, call.input(), factor);
    const auto y = broadcastBinary(build, BinaryFunction::Multiply, normal, call.input(1));
    return y ? one(*y) : core::failure(y.error());
}

/// x / (bias + alpha / size · Σ of the squares of `size` neighbouring channels)^beta.
OnnxOutputs localResponse(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const std::int64_t size = call.node.integer("size", 1);
    if (call.rank() < 2 || size < 1 || size > 4096)
        return refuseOnnx("takes a batch of channels and a size");
    const Extents extents = call.extents();
    const std::int64_t inner = elementCount({extents.begin() + 2, extents.end()});
    const TensorId squares =
        build.reshape(build.unary(UnaryFunction::Square, call.input()), {extents[0], extents[1], inner});
    const WindowGeometry window{{size}, {1}, {1}, {(size - 1) / 2}, {size / 2}};
    const TensorId means = build.add(Pool{PoolFunction::Average, window, true}, {squares}, "");
    const TensorId base =
        build.scaleShift(means, call.node.number("alpha", 1e-4), call.node.number("bias", 1));
    const TensorId power =
        build.binary(BinaryFunction::Power, base, call.scalar(-call.node.number("beta", 0.75)));
    return one(build.binary(BinaryFunction::Multiply, call.input(), build.reshape(power, extents)));
}

OnnxOutputs powerNormalization(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const auto axis = onnxAxis(call.node.integer("axis", -1), call.rank());
    if (!axis)
        return refuseOnnx("its axis lies outside the tensor");
    const bool isAbsolute = call.node.integer("p", 2) == 1;
    const TensorId powers =
        build.unary(isAbsolute ? UnaryFunction::Absolute : UnaryFunction::Square, call.input());
    const TensorId sum = build.reduce(ReduceFunction::Sum, powers, {*axis}, true);
    const TensorId norm = isAbsolute ? sum : build.unary(UnaryFunction::SquareRoot, sum);
    return one(build.binary(BinaryFunction::Divide, call.input(), norm));
}

/// (x − E x) / (√Var x + 1e-9), as the operator is defined.
OnnxOutputs meanVariance(OnnxCall& call) {
    GraphBuilder& build = call.build;
    std::vector<std::int64_t> given = call.node.integers("axes");
    if (given.empty())
        given = {0, 2, 3};
    const auto axes = onnxAxes(given, call.rank());
    if (!axes)
        return refuseOnnx("an axis lies outside the tensor");
    const TensorId mean = build.reduce(ReduceFunction::Mean, call.input(), *axes, true);
    const TensorId centred = build.binary(BinaryFunction::Subtract, call.input(), mean);
    const TensorId variance =
        build.reduce(ReduceFunction::Mean, build.unary(UnaryFunction::Square, centred), *axes, true);
    const TensorId deviation = build.scaleShift(build.unary(UnaryFunction::SquareRoot, variance), 1, 1e-9);
    return one(build.binary(BinaryFunction::Divide, centred, deviation));
}

constexpr OnnxEntry normalizationNodes[]{
    {"BatchNormalization", batchNormalization},       {"GroupNormalization", groupNormalization},
    {"InstanceNormalization", instanceNormalization}, {"LayerNormalization", layerNormalization},
    {"LpNormalization", powerNormalization},          {"LRN", localResponse},
    {"MeanVarianceNormalization", meanVariance},      {"RMSNormalization", rootMeanSquareNormalization},
};

} // namespace

std::span<const OnnxEntry> onnxNormalizations() {
    return normalizationNodes;
}

} // namespace simulator
