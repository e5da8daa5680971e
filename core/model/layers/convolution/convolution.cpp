#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/layer_families.h"
#include "core/model/layers/layer_row.h"
#include "core/model/layers/shape_rules.h"

#include <fmt/format.h>

namespace core {

namespace {

using namespace attribute;

template <std::size_t Rank>
RuleResult<CallFacts> describeConvolution(const LayerCall& call) {
    if (auto error = requireRank(call, Rank + 2))
        return tl::unexpected(*error);
    const LayerAttributes& attributes = call.attributes;
    const auto channels = requireExtent(call.shape(), channelAxis(attributes, Rank + 2));
    if (!channels)
        return tl::unexpected(channels.error());
    const std::int64_t filters = attributes.integer("filters");
    const std::int64_t groups = attributes.integer("groups");
    if (*channels % groups != 0)
        return refuse(fmt::format("{} input channels do not divide into {} groups", *channels, groups),
                      "choose a divisor of the channels", "groups");
    const auto kernel = attributes.integers("kernel_size");
    const auto stride = attributes.integers("strides");
    const auto dilation = attributes.integers("dilation_rate");
    Shape kernelShape;
    std::vector<Dimension> field;
    for (std::size_t i = 0; i < Rank; ++i) {
        kernelShape.dimensions.emplace_back(kernel[i]);
        const auto extent = slideWindow(call.shape()[firstFieldAxis(attributes) + i],
                                        {kernel[i], stride[i], dilation[i]}, paddingOf(attributes));
        if (!extent)
            return tl::unexpected(extent.error());
        field.push_back(*extent);
    }
    const Count window = elements(kernelShape);
    kernelShape.dimensions.emplace_back(*channels / groups);
    kernelShape.dimensions.emplace_back(filters);
    const Shape shape = imageShape(attributes, call.shape()[0], field, filters);
    CallFacts facts = output(call, shape);
    facts.weights.push_back(weight(call, "kernel", kernelShape, "kernel_initializer"));
    if (attributes.boolean("use_bias"))
        facts.weights.push_back(weight(call, "bias", Shape{filters}, "bias_initializer"));
    facts.flops = Count(2) * elements(shape) * window * (*channels / groups);
    return facts;
}

std::optional<RuleError> checkConvolution(const LayerAttributes& attributes) {
    if (auto error = refuseStridedDilation(attributes))
        return error;
    const std::int64_t filters = attributes.integer("filters");
    const std::int64_t groups = attributes.integer("groups");
    if (filters % groups != 0)
        return RuleError{fmt::format("{} filters do not divide into {} groups", filters, groups),
                         "choose a multiple of the groups", "filters"};
    return std::nullopt;
}

template <std::size_t Rank>
LayerDefinition convolution(std::string documentation, std::vector<std::string> aliases) {
    LayerDefinition definition = layerRow(
        fmt::format("Conv{}D", Rank), LayerCategory::Convolution, std::move(documentation),
        joined({{integer("filters", "Number of output channels.").required(32).alias("nb_filter"),
                 tuple("kernel_size", Rank, "Extents of the window.").required(3).alias("filter_length"),
                 strides(Rank), paddingMode(Rank == 1), dataFormat(), dilationRate(Rank),
                 integer("groups", "Into how many independent groups the channels fall.").defaults(1),
                 activation("activation", "linear", "Function applied to the sum.")},
                weightObjects({"kernel", "bias"}),
                {json("lora_rank", nullptr, "Bookkeeping of newer editions."),
                 json("lora_alpha", nullptr, "Bookkeeping of newer editions.")}}),
        describeConvolution<Rank>);
    definition.attributeRule = checkConvolution;
    definition.aliases = std::move(aliases);
    return definition;
}

/// A kernel of its own at every position: [positions, window·channels, filters].
template <std::size_t Rank>
RuleResult<CallFacts> describeLocallyConnected(const LayerCall& call) {
    if (auto error = requireRank(call, Rank + 2))
        return tl::unexpected(*error);
    const LayerAttributes& attributes = call.attributes;
    const auto channels = requireExtent(call.shape(), channelAxis(attributes, Rank + 2));
    if (!channels)
        return tl::unexpected(channels.error());
    const auto kernel = attributes.integers("kernel_size");
    const auto stride = attributes.integers("strides");
    const std::int64_t filters = attributes.integer("filters");
    std::vector<Dimension> field;
    Shape biasShape;
    std::int64_t positions = 1;
    std::int64_t window = *channels;
    for (std::size_t i = 0; i < Rank; ++i) {
        const std::size_t axis = firstFieldAxis(attributes) + i;
        if (const auto known = requireExtent(call.shape(), axis); !known)
            return tl::unexpected(known.error());
        const auto extent = slideWindow(call.shape()[axis], {kernel[i], stride[i], 1}, paddingOf(attributes));
        if (!extent)
            return tl::unexpected(extent.error());
        field.push_back(*extent);
        biasShape.dimensions.push_back(*extent);
        positions *= extent->value_or(1);
        window *= kernel[i];
    }
    biasShape.dimensions.emplace_back(filters);
    const Shape shape = imageShape(attributes, call.shape()[0], field, filters);
    CallFacts facts = output(call, shape);
    facts.weights.push_back(weight(call, "kernel", Shape{positions, window, filters}, "kernel_initializer"));
    if (attributes.boolean("use_bias"))
        facts.weights.push_back(weight(call, "bias", biasShape, "bias_initializer"));
    facts.flops = Count(2) * elements(shape) * window;
    return facts;
}

template <std::size_t Rank>
LayerDefinition locallyConnected(std::string documentation) {
    LayerDefinition definition;
    definition.className = fmt::format("LocallyConnected{}D", Rank);
    definition.category = LayerCategory::Convolution;
    definition.documentation = std::move(documentation);
    definition.attributes =
        joined({{integer("filters", "Number of output channels.").required(32).alias("nb_filter"),
                 tuple("kernel_size", Rank, "Extents of the window.").required(3).alias("filter_length"),
                 strides(Rank), paddingMode(), dataFormat(),
                 activation("activation", "linear", "Function applied to the sum."),
                 json("implementation", 1, "How Keras computes it; the result is the same.")},
                weightObjects({"kernel", "bias"})});
    definition.rule = describeLocallyConnected<Rank>;
    return definition;
}

} // namespace

LayerFamily convolutionLayers() {
    return {
        locallyConnected<1>("As Conv1D, with weights of its own at every position of the sequence."),
        locallyConnected<2>("As Conv2D, with weights of its own at every position of the image."),
        convolution<1>(
            "Slides a window along a sequence; each output channel is a weighted sum of the window.",
            {"Convolution1D"}),
        convolution<2>("Slides a window over an image; each output channel is a weighted sum of the window.",
                       {"Convolution2D"}),
        convolution<3>(
            "Slides a window through a volume; each output channel is a weighted sum of the window.",
            {"Convolution3D"}),
    };
}

} // namespace core
