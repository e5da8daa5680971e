#include "core/model/layers/attribute_groups.h"
#include "core/model/layers/layer_families.h"
#include "core/model/layers/layer_row.h"
#include "core/model/layers/shape_rules.h"

#include <fmt/format.h>

namespace core {

namespace {

using namespace attribute;

/// Inputs query [batch, targets, width], value [batch, sources, depth] and, if given, key [batch, sources,
/// width]; output [batch, targets, depth]. `flopsPerScore` is the price of one score per unit of width.
RuleResult<CallFacts> attend(const LayerCall& call, std::int64_t flopsPerScore) {
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
        if (auto error = requireMinimumRank(call, 3, i))
            return tl::unexpected(*error);
    }
    const Shape& query = call.shape(0);
    const Shape& value = call.shape(1);
    const Shape& key = call.shape(call.inputs.size() > 2 ? 2 : 1);
    const std::size_t rank = query.rank();
    if (value.rank() != rank || key.rank() != rank)
        return refuse("query, value and key have different numbers of axes",
                      "give all three the same number of axes");
    const Dimension width = query[rank - 1];
    if (width && key[rank - 1] && width != key[rank - 1])
        return refuse(
            fmt::format("query {} and key {} have vectors of different lengths", toText(query), toText(key)),
            "project one of them with a Dense layer");
    Shape scores = query;
    scores[rank - 1] = value[rank - 2];
    Shape shape = query;
    shape[rank - 1] = value[rank - 1];
    CallFacts facts = output(call, shape);
    if (isArgumentSet(call, "return_attention_scores"))
        facts.outputs.push_back({scores, call.precision.compute});
    facts.flops =
        elements(scores) * (Count(flopsPerScore) * Count(width) + Count(2) * Count(value[rank - 1]));
    return facts;
}

RuleResult<CallFacts> describeAttention(const LayerCall& call) {
    auto facts = attend(call, 2);
    if (facts && call.attributes.boolean("use_scale"))
        facts->weights.push_back(weight(call, "scale", Shape{}, "", "ones"));
    if (facts && call.attributes.text("score_mode") == "concat")
        facts->weights.push_back(weight(call, "concat_score_weight", Shape{}, "", "ones"));
    return facts;
}

RuleResult<CallFacts> describeAdditiveAttention(const LayerCall& call) {
    auto facts = attend(call, 3);
    if (!facts || !call.attributes.boolean("use_scale"))
        return facts;
    const auto width = requireExtent(call.shape(), call.shape().rank() - 1);
    if (!width)
        return tl::unexpected(width.error());
    facts->weights.push_back(weight(call, "scale", Shape{*width}, "", "glorot_uniform"));
    return facts;
}

LayerDefinition attentionRow(std::string className, std::string documentation, Attributes attributes,
                             LayerRule rule) {
    LayerDefinition definition = layerRow(std::move(className), LayerCategory::Attention,
                                          std::move(documentation), std::move(attributes), rule);
    definition.minimumInputs = 2;
    definition.maximumInputs = 3;
    definition.inputNames = {"query", "value", "key"};
    return definition;
}

} // namespace

LayerFamily attentionLayers() {
    const AttributeDefinition causal =
        boolean("causal", false, "Whether a place sees only itself and what comes before it.");
    return {
        attentionRow("Attention",
                     "Weighs the values by the softmax of the products of query and key (Luong).",
                     {boolean("use_scale", false, "Whether a learned number scales the scores."),
                      choice("score_mode", {"dot", "concat"}, "How scores are formed."),
                      rate("dropout", "Share of the scores dropped.").defaults(0.0), seed(), causal},
                     describeAttention),
        attentionRow("AdditiveAttention",
                     "Weighs the values by the softmax of the sum of tanh(query + key) (Bahdanau).",
                     {boolean("use_scale", true, "Whether a learned vector weighs the sum."),
                      rate("dropout", "Share of the scores dropped.").defaults(0.0), seed(), causal},
                     describeAdditiveAttention),
    };
}

} // namespace core
