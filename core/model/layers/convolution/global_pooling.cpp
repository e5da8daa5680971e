#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/layer_families.h"
#include "core/model/layers/layer_row.h"
#include "core/model/layers/shape_rules.h"

#include <fmt/format.h>

namespace core {

namespace {

using namespace attribute;

template <std::size_t Rank>
RuleResult<CallFacts> describeGlobalPooling(const LayerCall& call) {
    if (auto error = requireRank(call, Rank + 2))
        return tl::unexpected(*error);
    const Dimension channels = call.shape()[channelAxis(call.attributes, Rank + 2)];
    const bool keeps = call.attributes.boolean("keepdims");
    const std::vector<Dimension> ones(Rank, Dimension(1));
    CallFacts facts = output(keeps ? imageShape(call.attributes, call.shape()[0], ones, channels)
                                   : Shape{call.shape()[0], channels},
                             call.inputType());
    facts.flops = elements(call.shape());
    return facts;
}

template <std::size_t Rank>
LayerDefinition globalPoolingRow(bool isMaximum) {
    LayerDefinition definition = layerRow(
        fmt::format("Global{}Pooling{}D", isMaximum ? "Max" : "Average", Rank), LayerCategory::Pooling,
        isMaximum ? "The largest element of each channel." : "The mean of each channel.",
        {dataFormat(), boolean("keepdims", false, "Whether the field axes stay, with extent 1.")},
        describeGlobalPooling<Rank>);
    definition.aliases = {fmt::format("Global{}Pool{}D", isMaximum ? "Max" : "Avg", Rank)};
    return definition;
}

/// Windows chosen so that the output has the asked extents, whatever the input's.
template <std::size_t Rank>
RuleResult<CallFacts> describeAdaptivePooling(const LayerCall& call) {
    if (auto error = requireRank(call, Rank + 2))
        return tl::unexpected(*error);
    std::vector<Dimension> field;
    const std::vector<std::int64_t> parts = call.attributes.integers("output_size");
    const bool isFirst = call.attributes.value("data_format") == "channels_first";
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Dimension& extent = call.shape()[i + (isFirst ? 2 : 1)];
        if (extent && *extent < 1)
            return refuse("pools an axis without elements", "give the pooling a larger input");
        field.emplace_back(parts[i]);
    }
    const Dimension channels = call.shape()[channelAxis(call.attributes, Rank + 2)];
    CallFacts facts = output(imageShape(call.attributes, call.shape()[0], field, channels), call.inputType());
    facts.flops = elements(call.shape());
    return facts;
}

template <std::size_t Rank>
LayerDefinition adaptive(bool isMaximum) {
    return layerRow(
        fmt::format("Adaptive{}Pooling{}D", isMaximum ? "Max" : "Average", Rank), LayerCategory::Pooling,
        isMaximum ? "The largest element of windows that give the asked extents."
                  : "The mean of windows that give the asked extents.",
        {tuple("output_size", Rank, "Extents of the output.").between(1, 4096).required(1), dataFormat()},
        describeAdaptivePooling<Rank>);
}

} // namespace

LayerFamily globalPoolingLayers() {
    return {globalPoolingRow<1>(true),  globalPoolingRow<2>(true),  globalPoolingRow<3>(true),
            globalPoolingRow<1>(false), globalPoolingRow<2>(false), globalPoolingRow<3>(false),
            adaptive<1>(true),          adaptive<2>(true),          adaptive<3>(true),
            adaptive<1>(false),         adaptive<2>(false),         adaptive<3>(false)};
}

} // namespace core
