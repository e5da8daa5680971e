#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/layer_families.h"
#include "core/model/layers/layer_row.h"
#include "core/model/layers/shape_rules.h"

#include <fmt/format.h>

namespace core {

namespace {

using namespace attribute;

/// Widths of the projections of one layer.
struct Heads {
    std::int64_t queries = 1;
    /// Heads of key and value (fewer than the queries' in grouped attention).
    std::int64_t keys = 1;
    std::int64_t keyWidth = 1;
    std::int64_t valueWidth = 1;
};

void addProjection(const LayerCall& call, const std::string& name, Shape kernel, Shape bias,
                   CallFacts& facts) {
    facts.weights.push_back(weight(call, name + "/kernel", std::move(kernel), "kernel_initializer"));
    if (call.attributes.boolean("use_bias"))
        facts.weights.push_back(weight(call, name + "/bias", std::move(bias), "bias_initializer"));
}

/// Output extents after the attended axes: `output_shape` of the layer, else the query's last extent.
RuleResult<Shape> outputWidths(const LayerCall& call, std::int64_t queryWidth) {
    const Json& declared = call.attributes.value("output_shape");
    Shape widths;
    for (const Json& extent : declared.is_array() ? declared : Json::array({declared})) {
        if (const auto number = wholeNumber(extent); number && *number > 0)
            widths.dimensions.emplace_back(*number);
    }
    if (!declared.is_null() && widths.rank() == 0)
        return refuse("output_shape is no list of extents", "leave it null", "output_shape");
    return declared.is_null() ? Shape{queryWidth} : widths;
}

RuleResult<CallFacts> attend(const LayerCall& call, const Heads& heads) {
    const std::size_t query = inputNamed(call, "query", 0).value_or(0);
    const std::size_t value = inputNamed(call, "value", 1).value_or(query);
    const std::size_t key = inputNamed(call, "key", 2).value_or(value);
    for (const std::size_t input : {query, value, key}) {
        if (auto error = requireMinimumRank(call, 3, input))
            return tl::unexpected(*error);
    }
    const Shape& target = call.shape(query);
    const std::size_t rank = target.rank();
    if (call.shape(value).rank() != rank || call.shape(key).rank() != rank)
        return refuse("query, value and key have different numbers of axes",
                      "give all three the same number of axes");
    const auto queryWidth = requireExtent(target, rank - 1);
    const auto valueWidth = requireExtent(call.shape(value), rank - 1);
    const auto keyWidth = requireExtent(call.shape(key), rank - 1);
    for (const auto* width : {&queryWidth, &valueWidth, &keyWidth}) {
        if (!*width)
            return tl::unexpected(width->error());
    }
    const auto widths = outputWidths(call, *queryWidth);
    if (!widths)
        return tl::unexpected(widths.error());

    Shape shape = target;
    shape.dimensions.pop_back();
    const Count targets = elements(shape);
    Count sources = 1;
    for (std::size_t axis = 1; axis + 1 < rank; ++axis)
        sources *= call.shape(value)[axis];
    shape.dimensions.insert(shape.dimensions.end(), widths->dimensions.begin(), widths->dimensions.end());

    CallFacts facts = output(call, shape);
    addProjection(call, "query", Shape{*queryWidth, heads.queries, heads.keyWidth},
                  Shape{heads.queries, heads.keyWidth}, facts);
    addProjection(call, "key", Shape{*keyWidth, heads.keys, heads.keyWidth},
                  Shape{heads.keys, heads.keyWidth}, facts);
    addProjection(call, "value", Shape{*valueWidth, heads.keys, heads.valueWidth},
                  Shape{heads.keys, heads.valueWidth}, facts);
    Shape back{heads.queries, heads.valueWidth};
    back.dimensions.insert(back.dimensions.end(), widths->dimensions.begin(), widths->dimensions.end());
    addProjection(call, "attention_output", back, *widths, facts);

    const Count batch = target[0];
    const Count queryHeads = heads.queries;
    const Count keyHeads = heads.keys;
    const Count projections =
        targets * *queryWidth * queryHeads * heads.keyWidth +
        batch * sources * keyHeads *
            (Count(*keyWidth) * heads.keyWidth + Count(*valueWidth) * heads.valueWidth) +
        targets * elements(*widths) * queryHeads * heads.valueWidth;
    const Count scores = targets * sources * queryHeads;
    facts.flops = Count(2) * (projections + scores * (Count(heads.keyWidth) + heads.valueWidth));
    if (isArgumentSet(call, "return_attention_scores")) {
        Shape weights{target[0], heads.queries};
        for (const std::size_t input : {query, value}) {
            for (std::size_t axis = 1; axis + 1 < rank; ++axis)
                weights.dimensions.push_back(call.shape(input)[axis]);
        }
        facts.outputs.push_back({weights, call.precision.compute});
    }
    return facts;
}

RuleResult<CallFacts> describeMultiHeadAttention(const LayerCall& call) {
    const LayerAttributes& attributes = call.attributes;
    const std::int64_t heads = attributes.integer("num_heads");
    const std::int64_t width = attributes.integer("key_dim");
    return attend(call, {heads, heads, width, attributes.optionalInteger("value_dim").value_or(width)});
}

RuleResult<CallFacts> describeGroupedAttention(const LayerCall& call) {
    const LayerAttributes& attributes = call.attributes;
    const std::int64_t width = attributes.integer("head_dim");
    return attend(call, {attributes.integer("num_query_heads"), attributes.integer("num_key_value_heads"),
                         width, width});
}

std::optional<RuleError> checkGroups(const LayerAttributes& attributes) {
    if (attributes.integer("num_query_heads") % attributes.integer("num_key_value_heads") == 0)
        return std::nullopt;
    return RuleError{"num_query_heads must be a multiple of num_key_value_heads",
                     "choose a divisor of num_query_heads", "num_key_value_heads"};
}

Attributes sharedAttributes() {
    return joined(
        {{rate("dropout", "Share of the scores dropped.").defaults(0.0)},
         weightObjects({"kernel", "bias"}),
         {seed(), json("flash_attention", nullptr, "Bookkeeping of newer editions."),
          json("attention_axes", nullptr, "Axes attended over; null for all but the first and last."),
          json("output_shape", nullptr, "Extents of the output; null for the query's."),
          json("use_gate", nullptr, "Bookkeeping of newer editions."),
          json("query_shape", nullptr, "Bookkeeping."), json("key_shape", nullptr, "Bookkeeping."),
          json("value_shape", nullptr, "Bookkeeping.")}});
}

LayerDefinition multiHeadAttentionRow(std::string className, std::string documentation, Attributes attributes,
                                      LayerRule rule) {
    LayerDefinition definition = layerRow(std::move(className), LayerCategory::Attention,
                                          std::move(documentation), std::move(attributes), rule);
    definition.minimumInputs = 1;
    definition.maximumInputs = 4;
    definition.inputNames = {"query", "value", "key", "attention_mask"};
    definition.passesInputsByName = true;
    return definition;
}

} // namespace

LayerFamily multiHeadAttentionLayers() {
    LayerFamily family{
        multiHeadAttentionRow(
            "MultiHeadAttention",
            "Several attentions side by side, each over its own projections of query, key and value, joined "
            "by "
            "a last projection.",
            joined({{integer("num_heads", "Number of heads.").required(8),
                     integer("key_dim", "Width of each head's queries and keys.").required(64),
                     integer("value_dim", "Width of each head's values; null for key_dim.").nullable()},
                    sharedAttributes()}),
            describeMultiHeadAttention),
        multiHeadAttentionRow(
            "GroupQueryAttention", "Multi-head attention whose queries share fewer keys and values.",
            joined({{integer("head_dim", "Width of each head.").required(64),
                     integer("num_query_heads", "Heads of the queries.").required(8),
                     integer("num_key_value_heads", "Heads of keys and values.").required(2)},
                    sharedAttributes()}),
            describeGroupedAttention),
    };
    family[1].aliases = {"GroupedQueryAttention"};
    family[1].attributeRule = checkGroups;
    return family;
}

} // namespace core
