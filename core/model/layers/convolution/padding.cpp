#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/layer_families.h"
#include "core/model/layers/layer_row.h"
#include "core/model/layers/shape_rules.h"

#include <fmt/format.h>

namespace core {

namespace {

using namespace attribute;

/// Adds (sign 1) or cuts off (sign −1) amounts at both ends of each field axis.
RuleResult<CallFacts> resize(const LayerCall& call, std::size_t fieldRank, const char* name,
                             std::int64_t sign) {
    if (auto error = requireRank(call, fieldRank + 2))
        return tl::unexpected(*error);
    Shape shape = call.shape();
    const auto amounts = call.attributes.padding(name);
    const std::size_t first = firstFieldAxis(call.attributes);
    for (std::size_t i = 0; i < fieldRank && i < amounts.size(); ++i) {
        Dimension& extent = shape[first + i];
        if (!extent)
            continue;
        const std::int64_t resized = *extent + sign * (amounts[i].first + amounts[i].second);
        if (resized <= 0 || resized > largestExtent)
            return refuse(fmt::format("would leave {} of an extent of {}", resized, *extent),
                          "choose smaller amounts", name);
        extent = resized;
    }
    return output(shape, call.inputType());
}

template <std::size_t Rank>
RuleResult<CallFacts> describeZeroPadding(const LayerCall& call) {
    return resize(call, Rank, "padding", 1);
}
template <std::size_t Rank>
RuleResult<CallFacts> describeCropping(const LayerCall& call) {
    return resize(call, Rank, "cropping", -1);
}

LayerDefinition paddingRow(std::string className, std::string documentation, AttributeDefinition amounts,
                           LayerRule rule) {
    return layerRow(std::move(className), LayerCategory::Reshaping, std::move(documentation),
                    {std::move(amounts), dataFormat()}, rule);
}

AttributeDefinition zeros(std::size_t rank) {
    return padding("padding", rank, "Zeros before and after each field axis.").defaults(1);
}
AttributeDefinition cut(std::size_t rank) {
    return padding("cropping", rank, "Elements cut off before and after each field axis.")
        .defaults(rank == 2 ? 0 : 1);
}

} // namespace

LayerFamily paddingLayers() {
    return {
        paddingRow("ZeroPadding1D", "Puts zeros at both ends of a sequence.", zeros(1),
                   describeZeroPadding<1>),
        paddingRow("ZeroPadding2D", "Puts zeros around an image.", zeros(2), describeZeroPadding<2>),
        paddingRow("ZeroPadding3D", "Puts zeros around a volume.", zeros(3), describeZeroPadding<3>),
        paddingRow("Cropping1D", "Cuts off both ends of a sequence.", cut(1), describeCropping<1>),
        paddingRow("Cropping2D", "Cuts off the border of an image.", cut(2), describeCropping<2>),
        paddingRow("Cropping3D", "Cuts off the border of a volume.", cut(3), describeCropping<3>),
    };
}

} // namespace core
