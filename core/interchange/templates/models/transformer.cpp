#include "core/interchange/templates/models/transformer.h"

#include <fmt/format.h>

namespace core {

using Part = TemplateBlock::Part;

TensorRef attention(TemplateBuilder& builder, const std::string& name, const TransformerPlan& plan,
                    TensorRef x, const TensorRef* memory) {
    Json attributes{{"num_heads", plan.heads}, {"key_dim", plan.hidden / plan.heads}};
    if (plan.attentionDropout > 0)
        attributes["dropout"] = plan.attentionDropout;
    Json arguments = Json::object();
    if (plan.isCausal && memory == nullptr)
        arguments["use_causal_mask"] = true;
    return builder.call("MultiHeadAttention", name, attributes, {x, memory != nullptr ? *memory : x},
                        arguments);
}

TensorRef transformerLayer(TemplateBuilder& builder, const std::string& name, const TransformerPlan& plan,
                           TensorRef x) {
    builder.beginUnit(name + "_attention", Part::Attention);
    TensorRef y = plan.normalisesFirst ? builder.layerNorm(name + "_attention_norm", plan.epsilon, x) : x;
    y = attention(builder, name + "_self_attention", plan, y);
    y = builder.dropout(name + "_attention_dropout", plan.dropout, y);
    x = builder.add(name + "_attention_add", x, y);
    if (!plan.normalisesFirst)
        x = builder.layerNorm(name + "_attention_norm", plan.epsilon, x);

    builder.continueUnit(name + "_feed_forward", Part::FeedForward);
    y = plan.normalisesFirst ? builder.layerNorm(name + "_feed_forward_norm", plan.epsilon, x) : x;
    y = builder.dense(name + "_intermediate", plan.intermediate, y, "gelu");
    y = builder.dense(name + "_output", plan.hidden, y);
    y = builder.dropout(name + "_output_dropout", plan.dropout, y);
    x = builder.add(name + "_output_add", x, y);
    return plan.normalisesFirst ? x : builder.layerNorm(name + "_output_norm", plan.epsilon, x);
}

std::vector<TemplateParameter> transformerParameters(std::int64_t layers, std::int64_t hidden,
                                                     std::int64_t heads, double dropout) {
    using namespace parameter;
    return {integer("layers", layers, 1, 1024, "Transformer layers."),
            integer("hidden", hidden, 1, 1000000, "Width of the vectors."),
            integer("heads", heads, 1, 1024, "Attention heads."),
            withAliases(integer("intermediate", nullptr, 1, 10000000,
                                "Width between the two dense layers; default: four times the hidden one."),
                        {"ff"}),
            number("dropout", dropout, 0, 0.99, "Dropout of each half of a layer."),
            number("attention_dropout", 0.0, 0, 0.99, "Dropout of the attention scores.")};
}

Result<TransformerPlan> transformerPlan(const TemplateArguments& arguments) {
    TransformerPlan plan;
    plan.hidden = arguments.integer("hidden");
    plan.heads = arguments.integer("heads");
    plan.intermediate = arguments.has("intermediate") ? arguments.integer("intermediate") : plan.hidden * 4;
    plan.dropout = arguments.number("dropout");
    plan.attentionDropout = arguments.number("attention_dropout");
    if (plan.hidden % plan.heads == 0)
        return plan;
    return failure(makeError(Trouble::Usage, "template/value", {"", "heads"},
                             fmt::format("{} heads do not divide a width of {}", plan.heads, plan.hidden),
                             {"choose a divisor of the hidden size"}));
}

} // namespace core
