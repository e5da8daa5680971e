#include "core/interchange/templates/template_catalogue.h"

#include <fmt/format.h>

namespace core {

namespace {

Result<TemplateModel> buildLstm(const TemplateArguments& arguments) {
    const std::int64_t sequence = arguments.integer("sequence");
    const std::int64_t vocabulary = arguments.integer("vocabulary");
    TemplateBuilder builder("lstm");
    TensorRef x{};
    if (vocabulary > 0) {
        x = builder.input("tokens", {sequence}, DataType::Int32);
        builder.begin("embedding", TemplateBlock::Part::Front);
        x = builder.call("Embedding", "embedding",
                         {{"input_dim", vocabulary}, {"output_dim", arguments.integer("features")}}, {x});
    } else {
        x = builder.input("input", {sequence, arguments.integer("features")});
    }
    const std::string cell = arguments.text("cell");
    const std::int64_t layers = arguments.integer("layers");
    for (std::int64_t i = 1; i <= layers; ++i) {
        const std::string name = fmt::format("recurrent{}", i);
        const Json attributes{{"units", arguments.integer("units")}, {"return_sequences", i < layers}};
        builder.beginUnit(name);
        if (arguments.isOn("bidirectional")) {
            Json inner = attributes;
            inner["name"] = name + "_cell";
            x = builder.call("Bidirectional", name, {{"layer", {{"class_name", cell}, {"config", inner}}}},
                             {x});
        } else {
            x = builder.call(cell, name, attributes, {x});
        }
        x = builder.dropout(fmt::format("dropout{}", i), arguments.number("dropout"), x);
    }
    builder.begin("logits", TemplateBlock::Part::Back);
    x = builder.dense("logits", arguments.integer("classes"), x);
    TemplateModel result = std::move(builder).finish({x});
    result.model.kind = ModelKind::Sequential;
    result.optimizer = {"Adam", {{"learning_rate", 0.001}}};
    result.metrics = {{"accuracy", Json::object()}};
    result.isSmall = true;
    return result;
}

} // namespace

ModelTemplate lstmTemplate() {
    using namespace parameter;
    return {"lstm",
            "Recurrent layers over a sequence of tokens or vectors, and logits from the last step.",
            {integer("sequence", 64, 1, 1000000, "Steps of the sequence."),
             integer("vocabulary", 10000, 0, 10000000, "Tokens; 0 for a sequence of vectors."),
             integer("features", 128, 1, 1000000, "Numbers of each step (width of the embedding)."),
             integer("units", 128, 1, 1000000, "Units of each recurrent layer."),
             integer("layers", 1, 1, 64, "Recurrent layers."),
             choice("cell", {"LSTM", "GRU", "SimpleRNN", "PopnnLSTM", "PopnnGRU"},
                    "Kind of the recurrent layers."),
             toggle("bidirectional", false, "Whether the layers run in both directions."),
             number("dropout", 0.0, 0, 0.99, "Dropout after each recurrent layer."),
             integer("classes", 10, 1, 1000000, "Logits.")},
            buildLstm,
            {}};
}

} // namespace core
