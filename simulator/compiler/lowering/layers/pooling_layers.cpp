// Pooling, over windows and over whole fields.
#include "core/base/quantity.h"
#include "simulator/compiler/lowering/layer_geometry.h"
#include "simulator/compiler/lowering/layer_lowering.h"

#include <numeric>

namespace simulator {
namespace {

using core::TensorId;

Lowered lowerPool(LoweringCall& call, PoolFunction function) {
    const TensorId x = channelsLast(call, call.input());
    const std::vector<std::int64_t> size = call.attributes.integers("pool_size");
    std::vector<std::int64_t> stride = call.attributes.integers("strides");
    if (stride.empty())
        stride = size;
    const std::vector<std::int64_t> ones(size.size(), 1);
    const Pool pool{function, windowGeometry(size, stride, ones, call.attributes.text("padding"),
                                             fieldOf(call.build.extents(x)))};
    return std::vector{toDataFormat(call, call.build.add(pool, {x}, ""))};
}

Lowered lowerMaximumPool(LoweringCall& call) {
    return lowerPool(call, PoolFunction::Maximum);
}
Lowered lowerAveragePool(LoweringCall& call) {
    return lowerPool(call, PoolFunction::Average);
}

/// An axis reduced to `parts` elements, each over the window that belongs to it: of n elements, part i takes
/// those from ⌊i·n/parts⌋ up to ⌈(i+1)·n/parts⌉. Windows overlap where parts does not divide n.
TensorId reducedToParts(GraphBuilder& build, ReduceFunction function, TensorId x, std::int64_t axis,
                        std::int64_t parts) {
    const std::int64_t extent = build.extents(x)[static_cast<std::size_t>(axis)];
    std::vector<TensorId> reduced;
    for (std::int64_t i = 0; i < parts; ++i) {
        const std::int64_t begin = i * extent / parts;
        const std::int64_t end = core::ceilDivide((i + 1) * extent, parts);
        reduced.push_back(build.reduce(function, build.slice(x, axis, begin, end - begin), {axis}, true));
    }
    return reduced.size() == 1 ? reduced.front() : build.concatenate(std::move(reduced), axis);
}

/// Maximum and mean over a box are those of its axes one after the other.
Lowered lowerAdaptive(LoweringCall& call, ReduceFunction function, PoolFunction even) {
    TensorId x = channelsLast(call, call.input());
    const std::vector<std::int64_t> parts = call.attributes.integers("output_size");
    const Extents field = fieldOf(call.build.extents(x));
    std::vector<std::int64_t> size;
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (field[i] % parts[i] == 0)
            size.push_back(field[i] / parts[i]);
    if (size.size() == parts.size()) {
        const std::vector<std::int64_t> ones(size.size(), 1);
        x = call.build.add(Pool{even, windowGeometry(size, size, ones, "valid", field)}, {x}, "");
    } else {
        for (std::size_t i = 0; i < parts.size(); ++i)
            x = reducedToParts(call.build, function, x, static_cast<std::int64_t>(i) + 1, parts[i]);
    }
    return std::vector{toDataFormat(call, x)};
}

Lowered lowerAdaptiveMaximum(LoweringCall& call) {
    return lowerAdaptive(call, ReduceFunction::Maximum, PoolFunction::Maximum);
}
Lowered lowerAdaptiveAverage(LoweringCall& call) {
    return lowerAdaptive(call, ReduceFunction::Mean, PoolFunction::Average);
}

std::vector<std::int64_t> fieldAxes(const LoweringCall& call) {
    const bool isFirst = call.attributes.value("data_format") == "channels_first";
    std::vector<std::int64_t> axes(static_cast<std::size_t>(call.rank() - 2));
    std::iota(axes.begin(), axes.end(), isFirst ? 2 : 1);
    return axes;
}

/// The mean of the steps that the mask keeps.
TensorId maskedMean(LoweringCall& call, bool keepAxes) {
    GraphBuilder& build = call.build;
    const TensorId mask = build.cast(expandAxes(build, call.mask(), {2}), build.type(call.input()));
    const TensorId kept = build.binary(BinaryFunction::Multiply, call.input(), mask);
    const TensorId sum = build.reduce(ReduceFunction::Sum, kept, {1}, keepAxes);
    return build.binary(BinaryFunction::Divide, sum, build.reduce(ReduceFunction::Sum, mask, {1}, keepAxes));
}

Lowered lowerGlobalMaximum(LoweringCall& call) {
    return std::vector{call.build.reduce(ReduceFunction::Maximum, call.input(), fieldAxes(call),
                                         call.attributes.boolean("keepdims"))};
}
Lowered lowerGlobalAverage(LoweringCall& call) {
    const bool keepAxes = call.attributes.boolean("keepdims");
    if (call.mask().isValid() && call.rank() == 3)
        return std::vector{maskedMean(call, keepAxes)};
    return std::vector{call.build.reduce(ReduceFunction::Mean, call.input(), fieldAxes(call), keepAxes)};
}

constexpr LoweringEntry poolingLayers[]{
    {"MaxPooling1D", lowerMaximumPool},
    {"MaxPooling2D", lowerMaximumPool},
    {"MaxPooling3D", lowerMaximumPool},
    {"AveragePooling1D", lowerAveragePool},
    {"AveragePooling2D", lowerAveragePool},
    {"AveragePooling3D", lowerAveragePool},
    {"GlobalMaxPooling1D", lowerGlobalMaximum},
    {"GlobalMaxPooling2D", lowerGlobalMaximum},
    {"GlobalMaxPooling3D", lowerGlobalMaximum},
    {"GlobalAveragePooling1D", lowerGlobalAverage},
    {"GlobalAveragePooling2D", lowerGlobalAverage},
    {"GlobalAveragePooling3D", lowerGlobalAverage},
    {"AdaptiveMaxPooling1D", lowerAdaptiveMaximum},
    {"AdaptiveMaxPooling2D", lowerAdaptiveMaximum},
    {"AdaptiveMaxPooling3D", lowerAdaptiveMaximum},
    {"AdaptiveAveragePooling1D", lowerAdaptiveAverage},
    {"AdaptiveAveragePooling2D", lowerAdaptiveAverage},
    {"AdaptiveAveragePooling3D", lowerAdaptiveAverage},
};

} // namespace

std::span<const LoweringEntry> poolingLowerings() {
    return poolingLayers;
}

} // namespace simulator
