#include "core/interchange/templates/models/transformer.h"
#include "core/interchange/templates/template_catalogue.h"

#include <fmt/format.h>

namespace core {

namespace {

using Part = TemplateBlock::Part;

Diagnostic refusal(const char* key, std::string message, std::string hint) {
    return makeError(Trouble::Usage, "template/value", {"", key}, std::move(message), {std::move(hint)});
}

Result<TemplateModel> buildVit(const TemplateArguments& arguments) {
    auto plan = transformerPlan(arguments);
    if (!plan)
        return failure(plan.error());
    plan->normalisesFirst = true;
    plan->epsilon = 1e-6;
    const std::int64_t image = arguments.integer("image");
    const std::int64_t patch = arguments.integer("patch");
    if (image % patch != 0)
        return failure(refusal("patch", fmt::format("patches of {} do not tile an image of {}", patch, image),
                               "choose a divisor of the image"));
    const std::int64_t patches = (image / patch) * (image / patch);
    const std::int64_t tokens = arguments.has("tokens") ? arguments.integer("tokens") : patches + 1;
    if (tokens != patches && tokens != patches + 1)
        return failure(
            refusal("tokens", fmt::format("the image has {} patches", patches),
                    fmt::format("give {} with a class token or {} without", patches + 1, patches)));
    TemplateBuilder builder("vit");
    TensorRef x = builder.input("input", {image, image, 3});
    builder.begin("embeddings", Part::Front);
    x = builder.call(
        "Conv2D", "patches",
        {{"filters", plan->hidden}, {"kernel_size", {patch, patch}}, {"strides", {patch, patch}}}, {x});
    x = builder.call("Reshape", "sequence", {{"target_shape", {patches, plan->hidden}}}, {x});
    // A class token is a learned vector at position 0; its own vector and that position's are one sum.
    if (tokens > patches)
        x = builder.call("ZeroPadding1D", "class_token", {{"padding", {1, 0}}}, {x});
    const TensorRef position =
        builder.call("PositionEmbedding", "position_embeddings", {{"sequence_length", tokens}}, {x});
    x = builder.add("embeddings_add", x, position);
    x = builder.dropout("embeddings_dropout", plan->dropout, x);
    for (std::int64_t i = 0; i < arguments.integer("layers"); ++i)
        x = transformerLayer(builder, fmt::format("layer{}", i), *plan, x);
    builder.begin("head", Part::Back);
    x = builder.layerNorm("final_norm", plan->epsilon, x);
    if (tokens > patches) {
        x = builder.call("Cropping1D", "class_first", {{"cropping", {0, tokens - 1}}}, {x});
        x = builder.call("Flatten", "class_flatten", Json::object(), {x});
    } else {
        x = builder.call("GlobalAveragePooling1D", "avg_pool", Json::object(), {x});
    }
    x = builder.dense("predictions", arguments.integer("classes"), x);
    TemplateModel result = std::move(builder).finish({x});
    result.optimizer = {"Adam", {{"learning_rate", 0.0001}}};
    result.metrics = {{"accuracy", Json::object()}};
    return result;
}

} // namespace

ModelTemplate vitTemplate() {
    using namespace parameter;
    std::vector<TemplateParameter> parameters = transformerParameters(12, 768, 12, 0.0);
    for (TemplateParameter& own :
         std::vector<TemplateParameter>{integer("image", 224, 1, 100000, "Height and width of the image."),
                                        integer("patch", 16, 1, 100000, "Height and width of a patch."),
                                        integer("tokens", nullptr, 1, 10000000,
                                                "Patches, and 1 for a class token, whose vector is part of "
                                                "its position; default: with one."),
                                        integer("classes", 1000, 1, 1000000, "Logits.")})
        parameters.push_back(std::move(own));
    return {"vit",
            "A transformer over patches (Dosovitskiy et al. 2020): 86 566 888 parameters in the base size.",
            std::move(parameters),
            buildVit,
            {}};
}

} // namespace core
