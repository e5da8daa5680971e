#include "core/interchange/templates/models/transformer.h"
#include "core/interchange/templates/template_catalogue.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

using Part = TemplateBlock::Part;

Result<TemplateModel> buildGpt2(const TemplateArguments& arguments) {
    auto plan = transformerPlan(arguments);
    if (!plan)
        return failure(plan.error());
    plan->normalisesFirst = true;
    plan->isCausal = true;
    plan->epsilon = 1e-5;
    const std::int64_t sequence = arguments.integer("sequence");
    const std::int64_t vocabulary = arguments.integer("vocabulary");
    const bool isTied = arguments.isOn("tied");
    TemplateBuilder builder("gpt2");
    const TensorRef tokens = builder.input("input_ids", {sequence}, DataType::Int32);
    builder.begin("embeddings", Part::Front);
    TensorRef x = builder.call(isTied ? "ReversibleEmbedding" : "Embedding", "word_embeddings",
                               {{"input_dim", vocabulary}, {"output_dim", plan->hidden}}, {tokens});
    const TensorRef position =
        builder.call("PositionEmbedding", "position_embeddings",
                     {{"sequence_length", std::max(arguments.integer("positions"), sequence)}}, {x});
    x = builder.add("embeddings_add", x, position);
    x = builder.dropout("embeddings_dropout", plan->dropout, x);
    for (std::int64_t i = 0; i < arguments.integer("layers"); ++i)
        x = transformerLayer(builder, fmt::format("layer{}", i), *plan, x);
    builder.begin("head", Part::Back);
    x = builder.layerNorm("final_norm", plan->epsilon, x);
    x = isTied ? builder.callAgain("word_embeddings", {x}, {{"reverse", true}})
               : builder.call("Dense", "logits", {{"units", vocabulary}, {"use_bias", false}}, {x});
    TemplateModel result = std::move(builder).finish({x});
    result.optimizer = {"Adam", {{"learning_rate", 0.0001}}};
    return result;
}

} // namespace

ModelTemplate gpt2Template() {
    using namespace parameter;
    std::vector<TemplateParameter> parameters = transformerParameters(12, 768, 12, 0.1);
    for (TemplateParameter& own : std::vector<TemplateParameter>{
             integer("sequence", 1024, 1, 1000000, "Tokens of a sequence."),
             integer("vocabulary", 50257, 2, 10000000, "Tokens there are."),
             integer("positions", 1024, 1, 1000000, "Positions that have a vector."),
             toggle("tied", true, "Whether the logits use the word embeddings.")})
        parameters.push_back(std::move(own));
    return {"gpt2",
            "A causal transformer (Radford et al. 2019): 124 439 808 parameters in the small size.",
            std::move(parameters),
            buildGpt2,
            {}};
}

} // namespace core
