// Normalisation layers.
#include "simulator/compiler/lowering/layer_geometry.h"
#include "simulator/compiler/lowering/layer_lowering.h"

#include <algorithm>
#include <numeric>

namespace simulator {
namespace {

using core::TensorId;

/// gamma and beta, or the constants that stand for them.
TensorId scaleOf(LoweringCall& call, const Extents& extents) {
    return call.hasWeight("gamma") ? call.build.reshape(call.weight("gamma"), extents)
                                   : call.build.constant(1, extents, call.precision.compute);
}
TensorId shiftOf(LoweringCall& call, const Extents& extents) {
    return call.hasWeight("beta") ? call.build.reshape(call.weight("beta"), extents)
                                  : call.build.constant(0, extents, call.precision.compute);
}

void addMovingAverages(LoweringCall& call, const std::vector<TensorId>& results, double epsilon) {
    const double momentum = call.attributes.number("momentum");
    const TensorId mean = call.storedWeight("moving_mean");
    const TensorId variance = call.storedWeight("moving_variance");
    call.build.addInPlace(MovingAverage{momentum, false, epsilon}, {mean, results[1]}, {mean}, "moving_mean");
    call.build.addInPlace(MovingAverage{momentum, true, epsilon}, {variance, results[2]}, {variance},
                          "moving_variance");
}

Lowered lowerBatchNormalization(LoweringCall& call) {
    if (call.attributes.boolean("renorm") || !call.attributes.isNull("virtual_batch_size"))
        return cannotLower("batch renormalisation and virtual batches are not computed",
                           "set renorm to false and virtual_batch_size to null");
    const std::vector<std::int64_t> axes = call.attributes.axes("axis");
    if (axes.size() != 1)
        return cannotLower("statistics over several channel axes are not computed", "give a single axis");
    GraphBuilder& build = call.build;
    const auto last = call.rank() - 1;
    const auto axis =
        static_cast<std::int64_t>(normalizedAxis(axes[0], static_cast<std::size_t>(call.rank())));
    const TensorId x = moveAxis(build, call.input(), axis, last);
    const Extents channels{build.extents(x).back()};
    // A frozen layer uses its moving statistics, as in Keras 2.
    const bool usesBatch = call.isTraining() && call.trainable;
    Normalization attributes;
    attributes.kind = NormalizationKind::Batch;
    attributes.epsilon = call.attributes.number("epsilon");
    attributes.useMovingStatistics = !usesBatch;
    std::vector<TensorId> inputs{x, scaleOf(call, channels), shiftOf(call, channels)};
    if (!usesBatch) {
        inputs.push_back(call.storedWeight("moving_mean"));
        inputs.push_back(call.storedWeight("moving_variance"));
    }
    const std::vector<TensorId> results = build.addAll(attributes, std::move(inputs), "batch_norm");
    if (usesBatch)
        addMovingAverages(call, results, attributes.epsilon);
    return std::vector{moveAxis(build, results[0], last, axis)};
}

/// x with `axes` last and in rising order, and the permutation that leads back.
struct Trailing {
    TensorId x;
    std::vector<std::int64_t> back;
    std::size_t count = 0;
};

Trailing withTrailing(GraphBuilder& build, TensorId x, std::vector<std::int64_t> axes) {
    const std::size_t rank = build.rank(x);
    for (std::int64_t& axis : axes)
        axis = static_cast<std::int64_t>(normalizedAxis(axis, rank));
    std::ranges::sort(axes);
    std::vector<std::int64_t> permutation;
    for (std::size_t i = 0; i < rank; ++i) {
        if (!std::ranges::binary_search(axes, static_cast<std::int64_t>(i)))
            permutation.push_back(static_cast<std::int64_t>(i));
    }
    permutation.insert(permutation.end(), axes.begin(), axes.end());
    std::vector<std::int64_t> back(rank);
    for (std::size_t i = 0; i < rank; ++i)
        back[static_cast<std::size_t>(permutation[i])] = static_cast<std::int64_t>(i);
    return {build.transpose(x, permutation), std::move(back), axes.size()};
}

/// x divided by its root mean square over the trailing axes.
TensorId rootMeanSquareNormal(GraphBuilder& build, TensorId x, const std::vector<std::int64_t>& axes,
                              double epsilon) {
    const TensorId squares = build.unary(UnaryFunction::Square, x);
    const TensorId mean = build.reduce(ReduceFunction::Mean, squares, axes, true);
    const TensorId factor =
        build.unary(UnaryFunction::ReciprocalSquareRoot, build.scaleShift(mean, 1, epsilon));
    return build.binary(BinaryFunction::Multiply, x, factor);
}

Lowered lowerLayerNormalization(LoweringCall& call) {
    GraphBuilder& build = call.build;
    const Trailing trailing = withTrailing(build, call.input(), call.attributes.axes("axis"));
    const Extents extents = build.extents(trailing.x);
    const Extents own(extents.end() - static_cast<std::ptrdiff_t>(trailing.count), extents.end());
    std::vector<std::int64_t> axes(trailing.count);
    std::iota(axes.begin(), axes.end(), static_cast<std::int64_t>(extents.size() - trailing.count));
    const double epsilon = call.attributes.number("epsilon");
    TensorId y;
    if (call.attributes.boolean("rms_scaling")) {
        y = build.binary(BinaryFunction::Multiply, rootMeanSquareNormal(build, trailing.x, axes, epsilon),
                         scaleOf(call, own));
    } else {
        Normalization attributes;
        attributes.kind = NormalizationKind::Layer;
        attributes.axes = axes;
        attributes.epsilon = epsilon;
        y = build.add(attributes, {trailing.x, scaleOf(call, own), shiftOf(call, own)}, "layer_norm");
    }
    return std::vector{build.transpose(y, trailing.back)};
}

Lowered lowerGroups(LoweringCall& call, NormalizationKind kind, std::int64_t groups, bool strided) {
    GraphBuilder& build = call.build;
    const std::vector<std::int64_t> axes = call.attributes.axes("channels_axis");
    const auto last = call.rank() - 1;
    const auto axis =
        static_cast<std::int64_t>(normalizedAxis(axes[0], static_cast<std::size_t>(call.rank())));
    const TensorId x = moveAxis(build, call.input(), axis, last);
    const Extents channels{build.extents(x).back()};
    Normalization attributes;
    attributes.kind = kind;
    attributes.groups = groups <= 0 ? channels[0] : groups;
    attributes.stridedGroups = strided;
    attributes.epsilon = call.attributes.number("epsilon");
    const TensorId y =
        build.add(attributes, {x, scaleOf(call, channels), shiftOf(call, channels)}, "group_norm");
    return std::vector{moveAxis(build, y, last, axis)};
}

Lowered lowerGroupNormalization(LoweringCall& call) {
    return lowerGroups(call, NormalizationKind::Group, call.attributes.integer("groups"),
                       call.attributes.boolean("strided_channel_grouping"));
}
Lowered lowerInstanceNormalization(LoweringCall& call) {
    return lowerGroups(call, NormalizationKind::Instance, -1, true);
}

Lowered lowerUnitNormalization(LoweringCall& call) {
    GraphBuilder& build = call.build;
    const TensorId squares =
        build.reduce(ReduceFunction::Sum, build.unary(UnaryFunction::Square, call.input()),
                     call.attributes.axes("axis"), true);
    const TensorId bounded =
        build.binary(BinaryFunction::Maximum, squares, build.constant(1e-12, {}, build.type(squares)));
    return std::vector{build.binary(BinaryFunction::Multiply, call.input(),
                                    build.unary(UnaryFunction::ReciprocalSquareRoot, bounded))};
}

Lowered lowerRootMeanSquare(LoweringCall& call) {
    GraphBuilder& build = call.build;
    const std::vector<std::int64_t> axes = call.attributes.axes("axis");
    const TensorId y = rootMeanSquareNormal(build, call.input(), axes, call.attributes.number("epsilon"));
    if (!call.hasWeight("scale"))
        return std::vector{y};
    // One factor per element of the normalised axis.
    Extents extents(static_cast<std::size_t>(call.rank()), 1);
    for (const std::int64_t axis : axes) {
        const std::size_t position = normalizedAxis(axis, extents.size());
        extents[position] = call.extents()[position];
    }
    return std::vector{
        build.binary(BinaryFunction::Multiply, y, build.reshape(call.weight("scale"), std::move(extents)))};
}

constexpr LoweringEntry normalizationLayers[]{
    {"BatchNormalization", lowerBatchNormalization, true},
    {"LayerNormalization", lowerLayerNormalization, true},
    {"GroupNormalization", lowerGroupNormalization, true},
    {"InstanceNormalization", lowerInstanceNormalization, true},
    {"UnitNormalization", lowerUnitNormalization, true},
    {"RMSNormalization", lowerRootMeanSquare, true},
};

} // namespace

std::span<const LoweringEntry> normalizationLowerings() {
    return normalizationLayers;
}

} // namespace simulator
