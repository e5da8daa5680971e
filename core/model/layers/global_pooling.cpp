#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/layer_families.h"
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
LayerDefinition row(bool isMaximum) {
    LayerDefinition definition;
    definition.className = fmt::format("Global{}Pooling{}D", isMaximum ? "Max" : "Average", Rank);
    definition.category = LayerCategory::Pooling;
    definition.documentation =
        isMaximum ? "The largest element of each channel." : "The mean of each channel.";
    definition.attributes = {dataFormat(),
                             boolean("keepdims", false, "Whether the field axes stay, with extent 1.")};
    definition.rule = describeGlobalPooling<Rank>;
    definition.aliases = {fmt::format("Global{}Pool{}D", isMaximum ? "Max" : "Avg", Rank)};
    return definition;
}

} // namespace

LayerFamily globalPoolingLayers() {
    return {row<1>(true), row<2>(true), row<3>(true), row<1>(false), row<2>(false), row<3>(false)};
}

} // namespace core
