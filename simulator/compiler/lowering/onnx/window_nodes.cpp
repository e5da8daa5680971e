// Convolutions and pooling. ONNX has channels second, the device has them last.
#include "simulator/compiler/lowering/onnx/channel_order.h"
#include "simulator/compiler/lowering/onnx/onnx_call.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace simulator {
namespace {

using core::TensorId;

constexpr std::int64_t largestWindow = 1 << 20;

/// A list attribute with one entry per field axis.
std::optional<std::vector<std::int64_t>> listOf(const OnnxCall& call, std::string_view name, std::size_t size,
                                                std::int64_t byDefault, std::int64_t smallest) {
    std::vector<std::int64_t> list = call.node.integers(name);
    if (list.empty())
        list.assign(size, byDefault);
    const bool fits = list.size() == size && std::ranges::all_of(list, [&](std::int64_t value) {
                          return value >= smallest && value <= largestWindow;
                      });
    return fits ? std::optional(list) : std::nullopt;
}

/// Windows of a node over `field`. The padding that only ceil_mode adds is kept apart.
struct NodeWindow {
    WindowGeometry geometry;
    std::vector<std::int64_t> extra;
    [[nodiscard]] bool hasExtra() const {
        return std::ranges::any_of(extra, [](std::int64_t amount) { return amount > 0; });
    }
};

core::Result<NodeWindow> windowOf(const OnnxCall& call, const Extents& field,
                                  const std::vector<std::int64_t>& kernel) {
    const std::size_t size = field.size();
    const auto stride = listOf(call, "strides", size, 1, 1);
    const auto dilation = listOf(call, "dilations", size, 1, 1);
    const auto pads = listOf(call, "pads", 2 * size, 0, 0);
    const bool isKernel =
        kernel.size() == size && std::ranges::all_of(kernel, [](std::int64_t extent) { return extent > 0; });
    if (!stride || !dilation || !pads || !isKernel)
        return refuseOnnx("kernel_shape, strides, dilations and pads must have one entry per field axis");
    NodeWindow window{{kernel, *stride, *dilation, {}, {}}, std::vector<std::int64_t>(size, 0)};
    const std::string automatic = call.node.text("auto_pad", "NOTSET");
    for (std::size_t i = 0; i < size; ++i) {
        const std::int64_t span = (kernel[i] - 1) * (*dilation)[i] + 1;
        std::int64_t low = (*pads)[i];
        std::int64_t high = (*pads)[size + i];
        if (automatic.starts_with("SAME")) {
            const std::int64_t outputs = (field[i] + (*stride)[i] - 1) / (*stride)[i];
            const std::int64_t total =
                std::max<std::int64_t>(0, (outputs - 1) * (*stride)[i] + span - field[i]);
            low = automatic == "SAME_LOWER" ? total - total / 2 : total / 2;
            high = total - low;
        } else if (automatic == "VALID") {
            low = 0;
            high = 0;
        }
        if (call.node.integer("ceil_mode", 0) != 0) {
            const std::int64_t rest = field[i] + low + high - span;
            const std::int64_t partial = rest < 0 ? 0 : rest % (*stride)[i];
            // The last window must begin inside the input or its low padding.
            const std::int64_t begin = (rest / (*stride)[i] + 1) * (*stride)[i];
            if (partial != 0 && begin < field[i] + low)
                window.extra[i] = (*stride)[i] - partial;
        }
        if (field[i] + low + high + window.extra[i] < span)
            return refuseOnnx(fmt::format("its window of {} does not fit into {} elements", span, field[i]));
        window.geometry.paddingLow.push_back(low);
        window.geometry.paddingHigh.push_back(high + window.extra[i]);
    }
    return window;
}

Extents fieldOf(const Extents& channelsSecond) {
    return {channelsSecond.begin() + 2, channelsSecond.end()};
}

bool hasField(const OnnxCall& call) {
    return call.rank() >= 3 && call.rank() <= 5;
}

/// [M, C, field…] → [field…, C, M].
TensorId kernelOf(GraphBuilder& build, TensorId weights) {
    std::vector<std::int64_t> permutation;
    for (std::int64_t i = 2; i < static_cast<std::int64_t>(build.rank(weights)); ++i)
        permutation.push_back(i);
    permutation.push_back(1);
    permutation.push_back(0);
    return build.transpose(weights, std::move(permutation));
}

OnnxOutputs finishConvolution(OnnxCall& call, TensorId y) {
    if (call.has(2)) {
        if (call.extents(2) != Extents{call.build.extents(y).back()})
            return refuseOnnx("its bias does not fit");
        y = call.build.binary(BinaryFunction::Add, y, call.input(2));
    }
    return one(withChannelsSecond(call.build, y));
}

OnnxOutputs convolve(OnnxCall& call) {
    if (!hasField(call) || call.rank(1) != call.rank())
        return refuseOnnx("takes inputs of 1 to 3 field axes");
    const std::int64_t groups = call.node.integer("group", 1);
    const Extents weights = call.extents(1);
    if (groups < 1 || weights[1] * groups != call.extents()[1] || weights[0] % groups != 0)
        return refuseOnnx("its channels do not divide into its groups");
    const auto window = windowOf(call, fieldOf(call.extents()), fieldOf(weights));
    if (!window)
        return core::failure(window.error());
    const TensorId x = withChannelsLast(call.build, call.input());
    const TensorId kernel = kernelOf(call.build, call.input(1));
    return finishConvolution(call,
                             call.build.add(Convolution{window->geometry, groups}, {x, kernel}, "conv"));
}

/// x less its zero point, as float32; weights may have one zero point per output channel.
core::Result<TensorId> centred(OnnxCall& call, std::size_t position, std::size_t zero) {
    GraphBuilder& build = call.build;
    const TensorId x = build.cast(call.input(position), core::DataType::Float32);
    if (!call.has(zero))
        return x;
    const std::int64_t count = elementCount(call.extents(zero));
    Extents extents(count == 1 ? 0 : static_cast<std::size_t>(call.rank(position)), 1);
    if (count > 1)
        extents[0] = count;
    const TensorId point =
        build.reshape(build.cast(call.input(zero), core::DataType::Float32), std::move(extents));
    return broadcastBinary(build, BinaryFunction::Subtract, x, point);
}

/// The convolution of both operands less their zero points.
OnnxOutputs convolveCentred(OnnxCall& call, core::Result<TensorId> x, core::Result<TensorId> weights,
                            std::size_t bias) {
    if (!x || !weights)
        return core::failure(x ? weights.error() : x.error());
    OnnxCall plain{call.node, call.build, call.opset, call.values, {*x, *weights}};
    if (call.has(bias))
        plain.inputs.push_back(call.build.cast(call.input(bias), core::DataType::Float32));
    return convolve(plain);
}

OnnxOutputs convolveIntegers(OnnxCall& call) {
    const auto y = convolveCentred(call, centred(call, 0, 2), centred(call, 1, 3), call.inputs.size());
    return y ? one(call.build.cast(y->front(), core::DataType::Int32)) : y;
}

OnnxOutputs convolveQuantized(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const auto y = convolveCentred(call, centred(call, 0, 2), centred(call, 3, 5), 8);
    if (!y)
        return y;
    const auto perChannel = [&](TensorId scale) {
        const std::int64_t count = build.graph().tensor(scale).elements();
        Extents extents(count == 1 ? 0 : static_cast<std::size_t>(call.rank() - 1), 1);
        if (count > 1)
            extents[0] = count;
        return build.reshape(scale, std::move(extents));
    };
    const TensorId scales =
        build.binary(BinaryFunction::Multiply, perChannel(call.input(1)), perChannel(call.input(4)));
    const TensorId factor = build.binary(BinaryFunction::Divide, scales, perChannel(call.input(6)));
    const auto scaled = broadcastBinary(build, BinaryFunction::Multiply, y->front(), factor);
    if (!scaled)
        return core::failure(scaled.error());
    return one(saturated(build, *scaled, call.input(7)));
}

/// Padding of the convolution that leads from the output back to the input, and the output's extents.
core::Result<std::pair<WindowGeometry, Extents>> transposedWindow(const OnnxCall& call, const Extents& field,
                                                                  const std::vector<std::int64_t>& kernel) {
    const std::size_t size = field.size();
    const auto stride = listOf(call, "strides", size, 1, 1);
    const auto dilation = listOf(call, "dilations", size, 1, 1);
    const auto pads = listOf(call, "pads", 2 * size, 0, 0);
    const auto added = listOf(call, "output_padding", size, 0, 0);
    const auto wanted = listOf(call, "output_shape", size, 0, 0);
    if (!stride || !dilation || !pads || !added || !wanted)
        return refuseOnnx("strides, dilations, pads and output_padding must have one entry per field axis");
    const bool hasWanted = !call.node.integers("output_shape").empty();
    const std::string automatic = call.node.text("auto_pad", "NOTSET");
    WindowGeometry window{kernel, *stride, *dilation, {}, {}};
    Extents out;
    for (std::size_t i = 0; i < size; ++i) {
        const std::int64_t span = (kernel[i] - 1) * (*dilation)[i] + 1;
        const std::int64_t whole = (*stride)[i] * (field[i] - 1) + (*added)[i] + span;
        std::int64_t low = (*pads)[i];
        std::int64_t extent = whole - low - (*pads)[size + i];
        if (hasWanted || automatic.starts_with("SAME")) {
            extent = hasWanted ? (*wanted)[i] : field[i] * (*stride)[i];
            const std::int64_t total = std::max<std::int64_t>(0, whole - extent);
            low = automatic == "SAME_UPPER" ? total / 2 : total - total / 2;
        } else if (automatic == "VALID") {
            low = 0;
            extent = whole;
        }
        if (extent < 1 || extent > largestWindow)
            return refuseOnnx("its output has no elements");
        // Whatever lies behind the last window stays zero.
        const std::int64_t reach = (*stride)[i] * (field[i] - 1) + span;
        window.paddingLow.push_back(low);
        window.paddingHigh.push_back(std::max<std::int64_t>(0, reach - low - extent));
        out.push_back(extent);
    }
    return std::pair(std::move(window), std::move(out));
}

OnnxOutputs convolveTransposed(OnnxCall& call) {
    GraphBuilder& build = call.build;
    if (!hasField(call) || call.rank(1) != call.rank())
        return refuseOnnx("takes inputs of 1 to 3 field axes");
    const std::int64_t groups = call.node.integer("group", 1);
    const Extents weights = call.extents(1);
    if (groups < 1 || weights[0] != call.extents()[1] || weights[0] % groups != 0)
        return refuseOnnx("its channels do not divide into its groups");
    const auto window = transposedWindow(call, fieldOf(call.extents()), fieldOf(weights));
    if (!window)
        return core::failure(window.error());
    const TensorId x = withChannelsLast(build, call.input());
    // [C, M / groups, field…] → [field…, M / groups, C].
    const TensorId kernel = kernelOf(build, call.input(1));
    TensorForm out = build.form(x);
    out.extents = window->second;
    out.extents.insert(out.extents.begin(), call.extents()[0]);
    out.extents.push_back(weights[1] * groups);
    const Convolution convolution{window->first, groups, ConvolutionPass::InputGradient};
    return finishConvolution(call, build.addAs(convolution, {x, kernel}, "conv", std::move(out)));
}

/// For each output position how many elements of the padded input (ceil_mode's own padding not among them) a
/// window covers, as a share of the whole window.
TensorId coveredShare(GraphBuilder& build, const NodeWindow& window, const Extents& field,
                      core::DataType type) {
    std::vector<std::vector<double>> shares;
    Extents extents{1};
    for (std::size_t axis = 0; axis < field.size(); ++axis) {
        const WindowGeometry& geometry = window.geometry;
        const std::int64_t end =
            field[axis] + geometry.paddingLow[axis] + geometry.paddingHigh[axis] - window.extra[axis];
        const std::int64_t outputs = windowOutputs(geometry, axis, field[axis]);
        std::vector<double> own;
        for (std::int64_t o = 0; o < outputs; ++o) {
            std::int64_t inside = 0;
            for (std::int64_t k = 0; k < geometry.kernel[axis]; ++k)
                inside += o * geometry.stride[axis] + k * geometry.dilation[axis] < end ? 1 : 0;
            own.push_back(static_cast<double>(inside) / static_cast<double>(geometry.kernel[axis]));
        }
        extents.push_back(outputs);
        shares.push_back(std::move(own));
    }
    extents.push_back(1);
    std::vector<double> products{1};
    for (const std::vector<double>& own : shares) {
        std::vector<double> next;
        for (const double product : products) {
            for (const double share : own)
                next.push_back(product * share);
        }
        products = std::move(next);
    }
    return build.constant("covered_share", std::move(products), {std::move(extents), type});
}

OnnxOutputs averagePool(OnnxCall& call) {
    GraphBuilder& build = call.build;
    if (!hasField(call))
        return refuseOnnx("takes inputs of 1 to 3 field axes");
    const Extents field = fieldOf(call.extents());
    const auto window = windowOf(call, field, call.node.integers("kernel_shape"));
    if (!window)
        return core::failure(window.error());
    const bool countsPadding = call.node.integer("count_include_pad", 0) != 0;
    const TensorId x = withChannelsLast(build, call.input());
    TensorId y = build.add(Pool{PoolFunction::Average, window->geometry, countsPadding}, {x}, "");
    if (countsPadding && window->hasExtra())
        y = build.binary(BinaryFunction::Divide, y, coveredShare(build, *window, field, build.type(y)));
    return one(withChannelsSecond(build, y));
}

/// (Σ |x|^p)^(1/p) of each window.
OnnxOutputs powerPool(OnnxCall& call) {
    GraphBuilder& build = call.build;
    if (!hasField(call))
        return refuseOnnx("takes inputs of 1 to 3 field axes");
    const auto window = windowOf(call, fieldOf(call.extents()), call.node.integers("kernel_shape"));
    if (!window)
        return core::failure(window.error());
    const auto p = static_cast<double>(call.node.integer("p", 2));
    const TensorId magnitude = build.unary(UnaryFunction::Absolute, withChannelsLast(build, call.input()));
    const TensorId powers = build.binary(BinaryFunction::Power, magnitude, call.scalar(p));
    const TensorId means = build.add(Pool{PoolFunction::Average, window->geometry, true}, {powers}, "");
    const TensorId sums = build.scaleShift(means, static_cast<double>(elementCount(window->geometry.kernel)));
    const TensorId y = build.binary(BinaryFunction::Power, sums, call.scalar(1 / p));
    return one(withChannelsSecond(build, y));
}

/// Where in the whole input (row-major, or column-major in each field) the largest element of a window is.
TensorId positionsOfLargest(OnnxCall& call, const WindowGeometry& window) {
    GraphBuilder& build = call.build;
    const Extents extents = call.extents();
    const Extents field = fieldOf(extents);
    const bool isColumnMajor = call.node.integer("storage_order", 0) != 0;
    const std::int64_t inField = elementCount(field);
    std::vector<double> places;
    for (std::int64_t i = 0; i < elementCount(extents); ++i) {
        std::int64_t rest = i % inField;
        std::int64_t place = 0;
        if (isColumnMajor) {
            Extents index(field.size());
            for (std::size_t axis = field.size(); axis-- > 0; rest /= field[axis])
                index[axis] = rest % field[axis];
            for (std::size_t axis = field.size(); axis-- > 0;)
                place = place * field[axis] + index[axis];
        } else {
            place = rest;
        }
        places.push_back(static_cast<double>(i - i % inField + place));
    }
    WindowGeometry plain = window;
    std::ranges::fill(plain.paddingLow, 0);
    std::ranges::fill(plain.paddingHigh, 0);
    Pad pad{{0}, {0}, {}, PadMode::Constant, -3.4e38};
    for (std::size_t i = 0; i < field.size(); ++i) {
        pad.low.push_back(window.paddingLow[i]);
        pad.high.push_back(window.paddingHigh[i]);
    }
    pad.low.push_back(0);
    pad.high.push_back(0);
    const std::int64_t elements = elementCount(window.kernel);
    const auto patchesOf = [&](TensorId x) {
        const TensorId patches =
            build.add(ExtractPatches{plain}, {build.add(pad, {withChannelsLast(build, x)}, "")}, "");
        Extents split = build.extents(patches);
        const std::int64_t channels = split.back() / elements;
        split.back() = elements;
        split.push_back(channels);
        return build.reshape(patches, std::move(split));
    };
    const TensorId indices = build.constant("places", std::move(places), {extents, core::DataType::Float32});
    const TensorId values = patchesOf(build.cast(call.input(), core::DataType::Float32));
    const auto axis = static_cast<std::int64_t>(build.rank(values)) - 2;
    const TensorId best = build.add(ArgReduce{false, axis, false}, {values}, "");
    // The one-hot axis is the last; the patches' elements come second last.
    const TensorId chosen = build.add(OneHot{elements}, {best}, "");
    std::vector<std::int64_t> permutation(build.rank(values));
    std::iota(permutation.begin(), permutation.end(), 0);
    std::swap(permutation[permutation.size() - 1], permutation[permutation.size() - 2]);
    const TensorId mask = build.transpose(chosen, std::move(permutation));
    // The padding's constant times 0 is 0.
    const TensorId sum = build.reduce(
        ReduceFunction::Sum, build.binary(BinaryFunction::Multiply, mask, patchesOf(indices)), {axis}, false);
    return build.cast(withChannelsSecond(build, sum), core::DataType::Int32);
}

OnnxOutputs maximumPool(OnnxCall& call) {
    GraphBuilder& build = call.build;
    if (!hasField(call))
        return refuseOnnx("takes inputs of 1 to 3 field axes");
    const auto window = windowOf(call, fieldOf(call.extents()), call.node.integers("kernel_shape"));
    if (!window)
        return core::failure(window.error());
    const TensorId x = withChannelsLast(build, call.input());
    std::vector<TensorId> outputs{
        withChannelsSecond(build, build.add(Pool{PoolFunction::Maximum, window->geometry}, {x}, ""))};
    if (call.hasOutput(1))
        outputs.push_back(positionsOfLargest(call, window->geometry));
    return outputs;
}

/// Puts elements back where MaxPool found them; its indices count in the extents that the window
/// implies; what `output_shape` asks for beyond them is zero.
OnnxOutputs maximumUnpool(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const std::vector<std::int64_t> kernel = call.node.integers("kernel_shape");
    if (!hasField(call) || call.extents(1) != call.extents())
        return refuseOnnx("takes inputs of 1 to 3 field axes");
    const auto size = static_cast<std::size_t>(call.rank() - 2);
    const auto stride = listOf(call, "strides", size, 1, 1);
    const auto pads = listOf(call, "pads", 2 * size, 0, 0);
    if (!stride || !pads || kernel.size() != size)
        return refuseOnnx("kernel_shape, strides and pads must have one entry per field axis");
    Extents out{call.extents()[0], call.extents()[1]};
    for (std::size_t i = 0; i < size; ++i)
        out.push_back((call.extents()[i + 2] - 1) * (*stride)[i] + kernel[i] - (*pads)[i] -
                      (*pads)[size + i]);
    Extents asked = out;
    if (call.has(2)) {
        const auto given = call.integers(2);
        if (!given || given->size() != out.size())
            return refuseUnknown(call, "output_shape");
        asked = *given;
    }
    Pad behind;
    behind.low.assign(out.size(), 0);
    behind.high.assign(out.size(), 0);
    for (std::size_t i = 0; i < out.size(); ++i)
        behind.high[i] = asked[i] - out[i];
    const bool isSane =
        std::ranges::all_of(out, [](std::int64_t extent) { return extent >= 1 && extent <= largestWindow; });
    if (!isSane || elementCount(out) > largestWindow)
        return refuseOnnx("its output has no elements, or too many");
    const std::int64_t count = elementCount(call.extents());
    std::vector<double> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    const TensorId from = build.constant("order", std::move(order), {{count}, core::DataType::Int32});
    const TensorId ones = build.constant(1, {count}, core::DataType::Int32);
    const TensorId nothing = build.broadcast(call.scalar(0), {elementCount(out), 1});
    const TensorId places = build.reshape(build.cast(call.input(1), core::DataType::Int32), {count});
    const TensorId values = build.reshape(call.input(), {count, 1});
    const TensorId y = build.add(SequenceSlice{}, {nothing, values, ones, from, places}, "scatter");
    const TensorId whole = build.reshape(y, out);
    return one(asked == out ? whole : build.add(behind, {whole}, ""));
}

std::vector<std::int64_t> fieldAxes(const OnnxCall& call) {
    std::vector<std::int64_t> axes(static_cast<std::size_t>(std::max<std::int64_t>(call.rank() - 2, 0)));
    std::iota(axes.begin(), axes.end(), 2);
    return axes;
}

template <ReduceFunction Function>
OnnxOutputs globalPool(OnnxCall& call) {
    if (call.rank() < 2)
        return refuseOnnx("takes a batch of channels");
    return one(call.build.reduce(Function, call.input(), fieldAxes(call), true));
}
OnnxOutputs globalPowerPool(OnnxCall& call) {
    GraphBuilder& build = call.build;
    if (call.rank() < 2)
        return refuseOnnx("takes a batch of channels");
    const auto p = static_cast<double>(call.node.integer("p", 2));
    const TensorId powers = build.binary(BinaryFunction::Power,
                                         build.unary(UnaryFunction::Absolute, call.input()), call.scalar(p));
    const TensorId sum = build.reduce(ReduceFunction::Sum, powers, fieldAxes(call), true);
    return one(build.binary(BinaryFunction::Power, sum, call.scalar(1 / p)));
}

constexpr OnnxEntry windowNodes[]{
    {"AveragePool", averagePool},
    {"Conv", convolve},
    {"ConvInteger", convolveIntegers},
    {"ConvTranspose", convolveTransposed},
    {"GlobalAveragePool", globalPool<ReduceFunction::Mean>},
    {"GlobalLpPool", globalPowerPool},
    {"GlobalMaxPool", globalPool<ReduceFunction::Maximum>},
    {"LpPool", powerPool},
    {"MaxPool", maximumPool},
    {"MaxUnpool", maximumUnpool},
    {"QLinearConv", convolveQuantized},
};

} // namespace

std::span<const OnnxEntry> onnxWindows() {
    return windowNodes;
}

} // namespace simulator
