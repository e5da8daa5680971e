#include "core/interchange/templates/template_catalogue.h"

#include <fmt/format.h>

namespace core {

namespace {

Result<TemplateModel> buildMlp(const TemplateArguments& arguments) {
    TemplateBuilder builder("mlp");
    TensorRef x = builder.input("input", {arguments.integer("inputs")});
    const std::string function = arguments.text("activation");
    std::size_t number = 0;
    for (const std::int64_t units : arguments.integers("hidden")) {
        const std::string name = fmt::format("hidden{}", ++number);
        builder.beginUnit(name);
        x = builder.dense(name, units, x, function.c_str());
        x = builder.dropout(fmt::format("dropout{}", number), arguments.number("dropout"), x);
    }
    builder.begin("logits", TemplateBlock::Part::Back);
    x = builder.dense("logits", arguments.integer("classes"), x);
    TemplateModel result = std::move(builder).finish({x});
    result.model.kind = ModelKind::Sequential;
    result.metrics = {{"accuracy", Json::object()}};
    result.isSmall = true;
    return result;
}

} // namespace

ModelTemplate mlpTemplate() {
    using namespace parameter;
    return {
        "mlp",
        "A multi-layer perceptron: dense layers and logits.",
        {integer("inputs", 784, 1, 1000000, "Numbers of one sample."),
         withAliases(list(TemplateParameterKind::Integers, "hidden", Json::array({512, 256}),
                          "Units of each hidden layer."),
                     {"layers"}),
         integer("classes", 10, 1, 1000000, "Logits."),
         choice("activation", {"relu", "tanh", "sigmoid", "gelu", "swish"}, "Function of the hidden layers."),
         number("dropout", 0.0, 0, 0.99, "Dropout after each hidden layer.")},
        buildMlp,
        {}};
}

} // namespace core
