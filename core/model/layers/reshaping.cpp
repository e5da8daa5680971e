#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/layer_families.h"
#include "core/model/layers/layer_row.h"
#include "core/model/layers/shape_rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace core {

namespace {

using namespace attribute;

/// A sample's elements: the product of all extents but the batch axis.
Dimension sampleElements(const Shape& shape) {
    Count count = 1;
    for (std::size_t axis = 1; axis < shape.rank(); ++axis)
        count *= shape[axis];
    return count.known();
}

RuleResult<CallFacts> describeFlatten(const LayerCall& call) {
    if (auto error = requireMinimumRank(call, 1))
        return tl::unexpected(*error);
    return output(Shape{call.shape()[0], sampleElements(call.shape())}, call.inputType());
}

RuleResult<CallFacts> describeReshapeLayer(const LayerCall& call) {
    if (auto error = requireMinimumRank(call, 1))
        return tl::unexpected(*error);
    Shape shape{call.shape()[0]};
    std::optional<std::size_t> open;
    Count fixed = 1;
    for (const Json& entry : call.attributes.value("target_shape")) {
        const std::int64_t extent = wholeNumber(entry).value_or(-1);
        if (extent < 0 && open)
            return refuse("target_shape leaves more than one extent open", "write at most one −1",
                          "target_shape");
        if (extent < 0)
            open = shape.rank();
        else
            fixed *= extent;
        shape.dimensions.push_back(extent < 0 ? Dimension{} : Dimension(extent));
    }
    const Dimension total = sampleElements(call.shape());
    if (!total || !fixed.isKnown())
        return output(shape, call.inputType());
    const std::int64_t rest = fixed.value();
    const bool fits = open ? rest > 0 && *total % rest == 0 : rest == *total;
    if (!fits)
        return refuse(fmt::format("cannot arrange {} elements of {} as {}", *total, toText(call.shape()),
                                  toText(shape)),
                      "the extents must multiply to the same number; one may be −1", "target_shape");
    if (open)
        shape[*open] = *total / rest;
    return output(shape, call.inputType());
}

RuleResult<CallFacts> describePermute(const LayerCall& call) {
    const std::vector<std::int64_t> order = call.attributes.axes("dims");
    const std::set<std::int64_t> distinct(order.begin(), order.end());
    const auto count = static_cast<std::int64_t>(order.size());
    if (static_cast<std::int64_t>(distinct.size()) != count || *distinct.begin() != 1 ||
        *distinct.rbegin() != count)
        return refuse(fmt::format("dims [{}] is no permutation of 1 … {}", fmt::join(order, ", "), count),
                      "name each axis after the batch axis once, counted from 1", "dims");
    if (auto error = requireRank(call, order.size() + 1))
        return tl::unexpected(*error);
    Shape shape{call.shape()[0]};
    for (const std::int64_t axis : order)
        shape.dimensions.push_back(call.shape()[static_cast<std::size_t>(axis)]);
    return output(shape, call.inputType());
}

RuleResult<CallFacts> describeRepeatVector(const LayerCall& call) {
    if (auto error = requireRank(call, 2))
        return tl::unexpected(*error);
    return output(Shape{call.shape()[0], call.attributes.integer("n"), call.shape()[1]}, call.inputType());
}

RuleResult<CallFacts> describeIdentity(const LayerCall& call) {
    return sameAsInput(call);
}

LayerDefinition reshapingRow(std::string className, std::string documentation, Attributes attributes,
                             LayerRule rule) {
    return layerRow(std::move(className), LayerCategory::Reshaping, std::move(documentation),
                    std::move(attributes), rule);
}

AttributeDefinition permutation() {
    AttributeDefinition dims = axes("dims", Json::array({1}), "New order of the axes, counted from 1.");
    return dims.between(1, 31).required(Json::array({1}));
}

} // namespace

LayerFamily reshapingLayers() {
    return {
        reshapingRow("Flatten", "Lines up all elements of a sample along one axis.", {dataFormat()},
                     describeFlatten),
        reshapingRow("Reshape", "Arranges the elements of a sample in other extents.",
                     {any(AttributeKind::Shape, "target_shape",
                          "Extents without the batch axis; one may be −1 and is worked out.")
                          .between(-1, largestExtent)
                          .required(Json::array({-1}))},
                     describeReshapeLayer),
        reshapingRow("Permute", "Reorders the axes after the batch axis.", {permutation()}, describePermute),
        reshapingRow("RepeatVector", "Repeats a vector n times along a new axis.",
                     {integer("n", "How often.").required(2)}, describeRepeatVector),
        reshapingRow("Masking",
                     "Tells later recurrent layers to skip steps whose elements all equal mask_value.",
                     {number("mask_value", "The value to skip.").defaults(0.0)}, describeIdentity),
        reshapingRow("Identity", "Passes its input on.", {}, describeIdentity),
    };
}

} // namespace core
