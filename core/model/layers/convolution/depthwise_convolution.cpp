#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/layer_families.h"
#include "core/model/layers/layer_row.h"
#include "core/model/layers/shape_rules.h"

#include <fmt/format.h>

namespace core {

namespace {

using namespace attribute;

/// The part that depthwise and separable convolutions share: every channel convolved by itself.
struct Depthwise {
    std::int64_t channels = 0;
    std::vector<Dimension> field;
    Shape kernel;
    Count window = 1;
    /// Channels after it: channels · depth_multiplier.
    std::int64_t outputs = 0;
};

RuleResult<Depthwise> slideDepthwise(const LayerCall& call, std::size_t rank) {
    if (auto error = requireRank(call, rank + 2))
        return tl::unexpected(*error);
    const LayerAttributes& attributes = call.attributes;
    const auto channels = requireExtent(call.shape(), channelAxis(attributes, rank + 2));
    if (!channels)
        return tl::unexpected(channels.error());
    const auto kernel = attributes.integers("kernel_size");
    const auto stride = attributes.integers("strides");
    const auto dilation = attributes.integers("dilation_rate");
    const std::int64_t multiplier = attributes.integer("depth_multiplier");
    Depthwise result;
    result.channels = *channels;
    for (std::size_t i = 0; i < rank; ++i) {
        result.kernel.dimensions.emplace_back(kernel[i]);
        const auto extent = slideWindow(call.shape()[firstFieldAxis(attributes) + i],
                                        {kernel[i], stride[i], dilation[i]}, paddingOf(attributes));
        if (!extent)
            return tl::unexpected(extent.error());
        result.field.push_back(*extent);
    }
    result.window = elements(result.kernel);
    result.kernel.dimensions.emplace_back(*channels);
    result.kernel.dimensions.emplace_back(multiplier);
    result.outputs = *channels * multiplier;
    return result;
}

template <std::size_t Rank>
RuleResult<CallFacts> describeDepthwise(const LayerCall& call) {
    const auto part = slideDepthwise(call, Rank);
    if (!part)
        return tl::unexpected(part.error());
    const Shape shape = imageShape(call.attributes, call.shape()[0], part->field, part->outputs);
    CallFacts facts = output(call, shape);
    facts.weights.push_back(weight(call, "depthwise_kernel", part->kernel, "depthwise_initializer"));
    if (call.attributes.boolean("use_bias"))
        facts.weights.push_back(weight(call, "bias", Shape{part->outputs}, "bias_initializer"));
    facts.flops = Count(2) * elements(shape) * part->window;
    return facts;
}

template <std::size_t Rank>
RuleResult<CallFacts> describeSeparable(const LayerCall& call) {
    const auto part = slideDepthwise(call, Rank);
    if (!part)
        return tl::unexpected(part.error());
    const std::int64_t filters = call.attributes.integer("filters");
    const Shape between = imageShape(call.attributes, call.shape()[0], part->field, part->outputs);
    const Shape shape = imageShape(call.attributes, call.shape()[0], part->field, filters);
    Shape pointwise(std::vector<Dimension>(Rank, Dimension(1)));
    pointwise.dimensions.emplace_back(part->outputs);
    pointwise.dimensions.emplace_back(filters);
    CallFacts facts = output(call, shape);
    facts.weights.push_back(weight(call, "depthwise_kernel", part->kernel, "depthwise_initializer"));
    facts.weights.push_back(weight(call, "pointwise_kernel", pointwise, "pointwise_initializer"));
    if (call.attributes.boolean("use_bias"))
        facts.weights.push_back(weight(call, "bias", Shape{filters}, "bias_initializer"));
    facts.flops = Count(2) * (elements(between) * part->window + elements(shape) * Count(part->outputs));
    return facts;
}

/// Attributes in front of the weights' objects.
Attributes geometry(std::size_t rank, bool isSeparable) {
    Attributes list;
    if (isSeparable)
        list.push_back(integer("filters", "Number of output channels.").required(32).alias("nb_filter"));
    list.push_back(tuple("kernel_size", rank, "Extents of the window.").required(3));
    list.push_back(strides(rank));
    list.push_back(paddingMode(rank == 1));
    list.push_back(integer("depth_multiplier", "Outputs of the window for each input channel.").defaults(1));
    list.push_back(dataFormat());
    list.push_back(dilationRate(rank));
    list.push_back(activation("activation", "linear", "Function applied to the sum."));
    // Editions write the attributes of their base class Conv too; they mean nothing here.
    list.push_back(json("groups", 1, "Bookkeeping of some editions."));
    for (const char* name : {"kernel_initializer", "kernel_regularizer", "kernel_constraint"})
        list.push_back(json(name, nullptr, "Bookkeeping of some editions."));
    if (!isSeparable)
        list.push_back(json("filters", nullptr, "Bookkeeping of some editions."));
    return list;
}

template <std::size_t Rank>
LayerDefinition depthwiseConvolutionRow(bool isSeparable, std::string documentation,
                                        std::vector<std::string> aliases) {
    LayerDefinition definition = layerRow(
        fmt::format("{}Conv{}D", isSeparable ? "Separable" : "Depthwise", Rank), LayerCategory::Convolution,
        std::move(documentation),
        joined({geometry(Rank, isSeparable), isSeparable ? weightObjects({"depthwise", "pointwise", "bias"})
                                                         : weightObjects({"depthwise", "bias"})}),
        isSeparable ? describeSeparable<Rank> : describeDepthwise<Rank>);
    definition.attributeRule = refuseStridedDilation;
    definition.aliases = std::move(aliases);
    return definition;
}

} // namespace

LayerFamily depthwiseConvolutionLayers() {
    return {
        depthwiseConvolutionRow<1>(false, "A convolution of each channel of a sequence by itself.", {}),
        depthwiseConvolutionRow<2>(false, "A convolution of each channel of an image by itself.", {}),
        depthwiseConvolutionRow<1>(
            true, "A convolution of each channel by itself, then one of width 1 across the channels.",
            {"SeparableConvolution1D"}),
        depthwiseConvolutionRow<2>(
            true, "A convolution of each channel by itself, then one of size 1 × 1 across the channels.",
            {"SeparableConvolution2D"}),
    };
}

} // namespace core
