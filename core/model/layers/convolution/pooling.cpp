#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/layer_families.h"
#include "core/model/layers/shape_rules.h"

#include <fmt/format.h>

namespace core {

namespace {

using namespace attribute;

template <std::size_t Rank>
RuleResult<CallFacts> describePooling(const LayerCall& call) {
    if (auto error = requireRank(call, Rank + 2))
        return tl::unexpected(*error);
    const LayerAttributes& attributes = call.attributes;
    const auto pool = attributes.integers("pool_size");
    const auto stride = attributes.isNull("strides") ? pool : attributes.integers("strides");
    Shape shape = call.shape();
    Count window = 1;
    for (std::size_t i = 0; i < Rank; ++i) {
        Dimension& extent = shape[firstFieldAxis(attributes) + i];
        const auto slid = slideWindow(extent, {pool[i], stride[i], 1}, paddingOf(attributes));
        if (!slid)
            return tl::unexpected(slid.error());
        extent = *slid;
        window *= pool[i];
    }
    CallFacts facts = output(shape, call.inputType());
    facts.flops = elements(shape) * window;
    return facts;
}

template <std::size_t Rank>
LayerDefinition pooling(bool isMaximum) {
    LayerDefinition definition;
    definition.className = fmt::format("{}Pooling{}D", isMaximum ? "Max" : "Average", Rank);
    definition.category = LayerCategory::Pooling;
    definition.documentation = isMaximum
                                   ? "The largest element of each window."
                                   : "The mean of each window; elements outside the input do not count.";
    definition.attributes = {
        tuple("pool_size", Rank, "Extents of the window.").defaults(2).alias("pool_length"),
        tuple("strides", Rank, "Step of the window; null takes its extents.").nullable().alias("stride"),
        paddingMode(), dataFormat()};
    definition.rule = describePooling<Rank>;
    definition.aliases = {fmt::format("{}Pool{}D", isMaximum ? "Max" : "Avg", Rank)};
    return definition;
}

} // namespace

LayerFamily poolingLayers() {
    return {pooling<1>(true),  pooling<2>(true),  pooling<3>(true),
            pooling<1>(false), pooling<2>(false), pooling<3>(false)};
}

} // namespace core
