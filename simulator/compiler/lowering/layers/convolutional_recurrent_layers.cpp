// ConvLSTM: convolutions in the place of an LSTM's matrix products, one step after the other.
#include "simulator/compiler/lowering/activation_functions.h"
#include "simulator/compiler/lowering/layer_geometry.h"
#include "simulator/compiler/lowering/layer_lowering.h"

namespace simulator {
namespace {

using core::TensorId;

/// One ConvLSTM layer being unrolled.
struct Unroller {
    LoweringCall& call;
    GraphBuilder& build;
    std::int64_t filters;
    TensorId kernel;
    TensorId recurrentKernel;
    WindowGeometry recurrentWindow{};

    /// Part `index` of four along the channels.
    [[nodiscard]] TensorId gate(TensorId x, std::int64_t index) const {
        return build.slice(x, -1, index * filters, filters);
    }
    [[nodiscard]] core::Result<TensorId> activated(TensorId x, const char* attribute) const {
        return addActivation(build, x, call.attributes.activation(attribute));
    }
    [[nodiscard]] TensorId product(TensorId a, TensorId b) const {
        return build.binary(BinaryFunction::Multiply, a, b);
    }

    /// h and c after a step; `input` is the convolved input with bias.
    core::Result<std::pair<TensorId, TensorId>> step(TensorId input, TensorId h, TensorId c) const {
        const Convolution convolution{recurrentWindow};
        const TensorId sums = build.binary(BinaryFunction::Add, input,
                                           build.add(convolution, {h, recurrentKernel}, "recurrent_conv"));
        std::vector<TensorId> gates;
        for (std::int64_t i = 0; i < 4; ++i) {
            const auto value = activated(gate(sums, i), i == 2 ? "activation" : "recurrent_activation");
            if (!value)
                return core::failure(value.error());
            gates.push_back(*value);
        }
        const TensorId cell =
            build.binary(BinaryFunction::Add, product(gates[1], c), product(gates[0], gates[2]));
        const auto shown = activated(cell, "activation");
        if (!shown)
            return core::failure(shown.error());
        return std::pair{product(gates[3], *shown), cell};
    }
};

Lowered lowerConvolutionalLstm(LoweringCall& call) {
    if (call.attributes.boolean("stateful") || call.attributes.number("dropout") > 0 ||
        call.attributes.number("recurrent_dropout") > 0)
        return cannotLower("stateful ConvLSTM layers and their dropout are not computed",
                           "use Dropout layers around it");
    GraphBuilder& build = call.build;
    // [N, T, field…, C]
    const bool isFirst = call.attributes.value("data_format") == "channels_first";
    const TensorId x = isFirst ? moveAxis(build, call.input(), 2, -1) : call.input();
    const Extents extents = build.extents(x);
    Extents stepExtents{extents[0]};
    stepExtents.insert(stepExtents.end(), extents.begin() + 2, extents.end());
    Unroller unroller{call, build, call.attributes.integer("filters"), call.weight("kernel"),
                      call.weight("recurrent_kernel")};
    const WindowGeometry window = windowGeometry(
        call.attributes.integers("kernel_size"), call.attributes.integers("strides"),
        call.attributes.integers("dilation_rate"), call.attributes.text("padding"), fieldOf(stepExtents));
    TensorId h;
    TensorId c;
    std::vector<TensorId> sequence;
    for (std::int64_t t = 0; t < extents[1]; ++t) {
        const std::int64_t at = call.attributes.boolean("go_backwards") ? extents[1] - 1 - t : t;
        const TensorId frame = build.reshape(build.slice(x, 1, at, 1), stepExtents);
        const TensorId input = call.addBias(build.add(Convolution{window}, {frame, unroller.kernel}, "conv"));
        if (t == 0) {
            Extents state = build.extents(input);
            state.back() = unroller.filters;
            const std::vector<std::int64_t> ones(state.size() - 2, 1);
            unroller.recurrentWindow =
                windowGeometry(call.attributes.integers("kernel_size"), ones, ones, "same", fieldOf(state));
            h = c = build.constant(0, state, build.type(input));
        }
        const auto next = unroller.step(input, h, c);
        if (!next)
            return core::failure(next.error());
        h = next->first;
        c = next->second;
        sequence.push_back(expandAxes(build, h, {1}));
    }
    TensorId y = call.attributes.boolean("return_sequences") ? build.concatenate(sequence, 1) : h;
    if (isFirst)
        y = moveAxis(build, y, -1, call.attributes.boolean("return_sequences") ? 2 : 1);
    std::vector<TensorId> outputs{y};
    if (call.attributes.boolean("return_state")) {
        outputs.push_back(toDataFormat(call, h));
        outputs.push_back(toDataFormat(call, c));
    }
    return outputs;
}

constexpr LoweringEntry convolutionalRecurrentLayers[]{
    {"ConvLSTM1D", lowerConvolutionalLstm},
    {"ConvLSTM2D", lowerConvolutionalLstm},
    {"ConvLSTM3D", lowerConvolutionalLstm},
};

} // namespace

std::span<const LoweringEntry> convolutionalRecurrentLowerings() {
    return convolutionalRecurrentLayers;
}

} // namespace simulator
