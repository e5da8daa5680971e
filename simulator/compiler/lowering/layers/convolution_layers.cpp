// Convolutions of every kind.
#include "simulator/compiler/lowering/activation_functions.h"
#include "simulator/compiler/lowering/layer_geometry.h"
#include "simulator/compiler/lowering/layer_lowering.h"

#include <algorithm>

namespace simulator {
namespace {

using core::TensorId;

/// The window the layer's attributes describe over x [N, field…, C].
WindowGeometry ownWindow(const LoweringCall& call, TensorId x, const std::string& padding) {
    return windowGeometry(call.attributes.integers("kernel_size"), call.attributes.integers("strides"),
                          call.attributes.integers("dilation_rate"), padding, fieldOf(call.build.extents(x)));
}

Lowered finish(LoweringCall& call, TensorId y) {
    Lowered result = withActivation(call, call.addBias(y));
    if (result)
        result->front() = toDataFormat(call, result->front());
    return result;
}

Lowered lowerConvolution(LoweringCall& call) {
    const TensorId x = channelsLast(call, call.input());
    const Convolution convolution{ownWindow(call, x, call.attributes.text("padding")),
                                  call.attributes.integer("groups")};
    return finish(call, call.build.add(convolution, {x, call.weight("kernel")}, "conv"));
}

/// Extents Keras gives a transposed convolution's output (deconv_output_length).
std::int64_t transposedExtent(std::int64_t input, std::int64_t span, std::int64_t stride, bool isSame,
                              std::optional<std::int64_t> outputPadding) {
    if (!outputPadding)
        return isSame ? input * stride : input * stride + std::max<std::int64_t>(span - stride, 0);
    const std::int64_t padding = isSame ? span / 2 : 0;
    return (input - 1) * stride + span - 2 * padding + *outputPadding;
}

Lowered lowerTransposedConvolution(LoweringCall& call) {
    const TensorId x = channelsLast(call, call.input());
    const TensorId kernel = call.weight("kernel");
    const bool isSame = call.attributes.text("padding") == "same";
    WindowGeometry window = ownWindow(call, x, "valid");
    const std::vector<std::int64_t> outputPadding = call.attributes.integers("output_padding");
    TensorForm out = call.build.form(x);
    out.extents.back() = call.attributes.integer("filters");
    for (std::size_t i = 0; i < window.kernel.size(); ++i) {
        const std::int64_t span = (window.kernel[i] - 1) * window.dilation[i] + 1;
        const std::int64_t input = out.extents[i + 1];
        out.extents[i + 1] =
            transposedExtent(input, span, window.stride[i], isSame,
                             outputPadding.empty() ? std::nullopt : std::optional(outputPadding[i]));
        // Padding of the convolution that leads from the output back to the input.
        const std::int64_t total =
            std::max<std::int64_t>(0, (input - 1) * window.stride[i] + span - out.extents[i + 1]);
        window.paddingLow[i] = isSame ? total / 2 : 0;
        window.paddingHigh[i] = total - window.paddingLow[i];
    }
    const Convolution convolution{window, call.attributes.integer("groups"), ConvolutionPass::InputGradient};
    return finish(call, call.build.addAs(convolution, {x, kernel}, "conv", std::move(out)));
}

/// kernel [k…, C, multiplier] as one group per channel.
TensorId addDepthwise(LoweringCall& call, TensorId x, TensorId kernel) {
    Extents extents = call.build.extents(kernel);
    const std::int64_t channels = extents[extents.size() - 2];
    extents.back() *= channels;
    extents[extents.size() - 2] = 1;
    const Convolution convolution{ownWindow(call, x, call.attributes.text("padding")), channels};
    return call.build.add(convolution, {x, call.build.reshape(kernel, std::move(extents))}, "depthwise");
}

Lowered lowerDepthwise(LoweringCall& call) {
    const TensorId x = channelsLast(call, call.input());
    const TensorId kernel = call.weight(call.hasWeight("depthwise_kernel") ? "depthwise_kernel" : "kernel");
    return finish(call, addDepthwise(call, x, kernel));
}

Lowered lowerSeparable(LoweringCall& call) {
    const TensorId x = channelsLast(call, call.input());
    const TensorId spread = addDepthwise(call, x, call.weight("depthwise_kernel"));
    const std::vector<std::int64_t> ones(call.build.rank(x) - 2, 1);
    const std::vector<std::int64_t> zeros(ones.size(), 0);
    const Convolution pointwise{{ones, ones, ones, zeros, zeros}};
    return finish(call, call.build.add(pointwise, {spread, call.weight("pointwise_kernel")}, "pointwise"));
}

/// A kernel of its own at every output position: patches times matrices.
Lowered lowerLocallyConnected(LoweringCall& call) {
    GraphBuilder& build = call.build;
    const TensorId x = channelsLast(call, call.input());
    const WindowGeometry window =
        windowGeometry(call.attributes.integers("kernel_size"), call.attributes.integers("strides"),
                       std::vector<std::int64_t>(build.rank(x) - 2, 1), call.attributes.text("padding"),
                       fieldOf(build.extents(x)));
    const TensorId patches = build.add(ExtractPatches{window}, {x}, "");
    const Extents field = build.extents(patches);
    std::int64_t positions = 1;
    for (std::size_t i = 1; i + 1 < field.size(); ++i)
        positions *= field[i];
    const std::int64_t filters = call.attributes.integer("filters");
    const TensorId rows =
        build.transpose(build.reshape(patches, {field[0], positions, field.back()}), {1, 0, 2});
    const TensorId kernel = build.reshape(call.weight("kernel"), {positions, field.back(), filters});
    const TensorId product = build.transpose(build.add(MatMul{}, {rows, kernel}, "matmul"), {1, 0, 2});
    Extents out = field;
    out.back() = filters;
    return finish(call, build.reshape(product, std::move(out)));
}

constexpr LoweringEntry convolutionLayers[]{
    {"Conv1D", lowerConvolution},
    {"Conv2D", lowerConvolution},
    {"Conv3D", lowerConvolution},
    {"Conv1DTranspose", lowerTransposedConvolution},
    {"Conv2DTranspose", lowerTransposedConvolution},
    {"Conv3DTranspose", lowerTransposedConvolution},
    {"DepthwiseConv1D", lowerDepthwise},
    {"DepthwiseConv2D", lowerDepthwise},
    {"SeparableConv1D", lowerSeparable},
    {"SeparableConv2D", lowerSeparable},
    {"LocallyConnected1D", lowerLocallyConnected},
    {"LocallyConnected2D", lowerLocallyConnected},
};

} // namespace

std::span<const LoweringEntry> convolutionLowerings() {
    return convolutionLayers;
}

} // namespace simulator
