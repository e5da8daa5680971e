#include "core/model/layers/layer_families.h"
#include "core/model/layers/layer_row.h"
#include "core/model/layers/recurrent/recurrent_rules.h"

#include <fmt/format.h>

namespace core {

namespace {

using namespace attribute;

constexpr std::int64_t gates = 4;

/// An LSTM whose matrix products are convolutions; the recurrent one keeps the extent.
template <std::size_t Rank>
RuleResult<CallFacts> describeConvolutionalLstm(const LayerCall& call) {
    if (auto error = requireRank(call, Rank + 3))
        return tl::unexpected(*error);
    const LayerAttributes& attributes = call.attributes;
    const std::size_t channelsAt = isChannelsFirst(attributes) ? 2 : Rank + 2;
    const std::size_t fieldAt = isChannelsFirst(attributes) ? 3 : 2;
    const auto channels = requireExtent(call.shape(), channelsAt);
    if (!channels)
        return tl::unexpected(channels.error());
    const std::int64_t filters = attributes.integer("filters");
    const auto kernel = attributes.integers("kernel_size");
    const auto stride = attributes.integers("strides");
    const auto dilation = attributes.integers("dilation_rate");
    Shape kernelShape;
    std::vector<Dimension> field;
    for (std::size_t i = 0; i < Rank; ++i) {
        kernelShape.dimensions.emplace_back(kernel[i]);
        const auto extent = slideWindow(call.shape()[fieldAt + i], {kernel[i], stride[i], dilation[i]},
                                        paddingOf(attributes));
        if (!extent)
            return tl::unexpected(extent.error());
        field.push_back(*extent);
    }
    const Count window = elements(kernelShape);
    Shape recurrentShape = kernelShape;
    kernelShape.dimensions.emplace_back(*channels);
    kernelShape.dimensions.emplace_back(filters * gates);
    recurrentShape.dimensions.emplace_back(filters);
    recurrentShape.dimensions.emplace_back(filters * gates);

    const Shape step = imageShape(attributes, call.shape()[0], field, filters);
    Shape all = step;
    all.dimensions.insert(all.dimensions.begin() + 1, call.shape()[1]);
    CallFacts facts = output(call, attributes.boolean("return_sequences") ? all : step);
    if (attributes.boolean("return_state"))
        facts.outputs.insert(facts.outputs.end(), 2, TensorSpec{step, call.precision.compute});
    facts.weights.push_back(weight(call, "kernel", kernelShape, "kernel_initializer"));
    facts.weights.push_back(weight(call, "recurrent_kernel", recurrentShape, "recurrent_initializer"));
    if (attributes.boolean("use_bias"))
        facts.weights.push_back(weight(call, "bias", Shape{filters * gates}, "bias_initializer"));
    facts.flops = Count(2 * gates) * elements(all) * window * (Count(*channels) + filters);
    return facts;
}

template <std::size_t Rank>
LayerDefinition convolutionalRecurrentRow() {
    LayerDefinition definition =
        layerRow(fmt::format("ConvLSTM{}D", Rank), LayerCategory::Recurrent,
                 "An LSTM over a sequence of images whose matrix products are convolutions.",
                 joined({{integer("filters", "Number of output channels.").required(32),
                          tuple("kernel_size", Rank, "Extents of the window.").required(3), strides(Rank),
                          paddingMode(), dataFormat(), dilationRate(Rank),
                          activation("activation", "tanh", "Function of the output."),
                          activation("recurrent_activation", "hard_sigmoid", "Function of the gates.")},
                         weightObjects({"kernel", "recurrent", "bias"}),
                         {boolean("unit_forget_bias", true, "Whether the forget gate's bias starts at 1."),
                          rate("dropout", "Share of the inputs dropped.").defaults(0.0),
                          rate("recurrent_dropout", "Share of the state dropped.").defaults(0.0), seed()},
                         sequenceAttributes()}),
                 describeConvolutionalLstm<Rank>);
    definition.attributeRule = refuseStridedDilation;
    return definition;
}

} // namespace

LayerFamily convolutionalRecurrentLayers() {
    return {convolutionalRecurrentRow<1>(), convolutionalRecurrentRow<2>(), convolutionalRecurrentRow<3>()};
}

} // namespace core
