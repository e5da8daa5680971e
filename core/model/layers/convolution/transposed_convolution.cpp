#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/layer_families.h"
#include "core/model/layers/shape_rules.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

using namespace attribute;

/// Extent whose convolution with `window` would give `input`, by Keras' `deconv_output_length`.
RuleResult<Dimension> spreadWindow(const Dimension& input, const Window& window, std::string_view padding,
                                   const std::int64_t* outputPadding) {
    if (!input)
        return Dimension{};
    std::int64_t extent = 0;
    if (outputPadding == nullptr) {
        extent = *input * window.stride;
        if (padding != "same")
            extent += std::max<std::int64_t>(window.span() - window.stride, 0);
    } else {
        const std::int64_t cut = padding == "same" ? window.span() / 2 : 0;
        extent = (*input - 1) * window.stride + window.span() - 2 * cut + *outputPadding;
    }
    if (extent <= 0)
        return refuse(fmt::format("would give an extent of {}", extent), "choose a larger window or stride",
                      "kernel_size");
    return Dimension(extent);
}

template <std::size_t Rank>
RuleResult<CallFacts> describeTransposed(const LayerCall& call) {
    if (auto error = requireRank(call, Rank + 2))
        return tl::unexpected(*error);
    const LayerAttributes& attributes = call.attributes;
    const auto channels = requireExtent(call.shape(), channelAxis(attributes, Rank + 2));
    if (!channels)
        return tl::unexpected(channels.error());
    const std::int64_t filters = attributes.integer("filters");
    const auto kernel = attributes.integers("kernel_size");
    const auto stride = attributes.integers("strides");
    const auto dilation = attributes.integers("dilation_rate");
    const auto outputPadding = attributes.integers("output_padding");
    Shape kernelShape;
    std::vector<Dimension> field;
    for (std::size_t i = 0; i < Rank; ++i) {
        kernelShape.dimensions.emplace_back(kernel[i]);
        const std::int64_t* extra = outputPadding.empty() ? nullptr : &outputPadding[i];
        const auto extent = spreadWindow(call.shape()[firstFieldAxis(attributes) + i],
                                         {kernel[i], stride[i], dilation[i]}, paddingOf(attributes), extra);
        if (!extent)
            return tl::unexpected(extent.error());
        field.push_back(*extent);
    }
    const Count window = elements(kernelShape);
    kernelShape.dimensions.emplace_back(filters);
    kernelShape.dimensions.emplace_back(*channels);
    CallFacts facts = output(call, imageShape(attributes, call.shape()[0], field, filters));
    facts.weights.push_back(weight(call, "kernel", kernelShape, "kernel_initializer"));
    if (attributes.boolean("use_bias"))
        facts.weights.push_back(weight(call, "bias", Shape{filters}, "bias_initializer"));
    // Each input element meets each kernel element of its channel once.
    facts.flops = Count(2) * elements(call.shape()) * window * filters;
    return facts;
}

std::optional<RuleError> checkTransposed(const LayerAttributes& attributes) {
    if (auto error = refuseStridedDilation(attributes))
        return error;
    const auto stride = attributes.integers("strides");
    const auto extra = attributes.integers("output_padding");
    for (std::size_t i = 0; i < std::min(stride.size(), extra.size()); ++i) {
        if (extra[i] >= stride[i])
            return RuleError{
                fmt::format("output_padding {} must be below the stride {}", extra[i], stride[i]),
                fmt::format("choose at most {}", stride[i] - 1), "output_padding"};
    }
    return std::nullopt;
}

template <std::size_t Rank>
LayerDefinition transposed(std::string documentation, std::vector<std::string> aliases) {
    LayerDefinition definition;
    definition.className = fmt::format("Conv{}DTranspose", Rank);
    definition.category = LayerCategory::Convolution;
    definition.documentation = std::move(documentation);
    definition.attributes = joined(
        {{integer("filters", "Number of output channels.").required(32),
          tuple("kernel_size", Rank, "Extents of the window.").required(3), strides(Rank), paddingMode(),
          tuple("output_padding", Rank,
                "Added to one side of each output extent; null for the shape that a "
                "convolution would have come from.")
              .between(0, largestExtent)
              .nullable(),
          dataFormat(), dilationRate(Rank),
          activation("activation", "linear", "Function applied to the sum."),
          json("groups", 1, "Bookkeeping of some editions.")},
         weightObjects({"kernel", "bias"})});
    definition.rule = describeTransposed<Rank>;
    definition.attributeRule = checkTransposed;
    definition.aliases = std::move(aliases);
    return definition;
}

} // namespace

LayerFamily transposedConvolutionLayers() {
    return {
        transposed<1>("Spreads each step of a sequence over a window: a convolution run backwards.",
                      {"Convolution1DTranspose"}),
        transposed<2>("Spreads each element of an image over a window: a convolution run backwards.",
                      {"Convolution2DTranspose", "Deconvolution2D", "Deconv2D"}),
        transposed<3>("Spreads each element of a volume over a window: a convolution run backwards.",
                      {"Convolution3DTranspose", "Deconvolution3D", "Deconv3D"}),
    };
}

} // namespace core
