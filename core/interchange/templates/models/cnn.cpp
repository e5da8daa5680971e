#include "core/interchange/templates/template_catalogue.h"

#include <fmt/format.h>

namespace core {

namespace {

Result<TemplateModel> buildCnn(const TemplateArguments& arguments) {
    const std::int64_t image = arguments.integer("image");
    const std::int64_t kernel = arguments.integer("kernel");
    TemplateBuilder builder("cnn");
    TensorRef x = builder.input("input", {image, image, arguments.integer("channels")});
    std::size_t number = 0;
    for (const std::int64_t filters : arguments.integers("filters")) {
        const std::string name = fmt::format("conv{}", ++number);
        builder.beginUnit(name);
        x = builder.call("Conv2D", name,
                         {{"filters", filters},
                          {"kernel_size", {kernel, kernel}},
                          {"padding", "same"},
                          {"activation", "relu"}},
                         {x});
        x = builder.call("MaxPooling2D", fmt::format("pool{}", number),
                         {{"pool_size", {2, 2}}, {"padding", "same"}}, {x});
    }
    builder.begin("head", TemplateBlock::Part::Back);
    x = builder.call("Flatten", "flatten", Json::object(), {x});
    if (arguments.integer("dense") > 0)
        x = builder.dense("dense", arguments.integer("dense"), x, "relu");
    x = builder.dropout("dropout", arguments.number("dropout"), x);
    x = builder.dense("logits", arguments.integer("classes"), x);
    TemplateModel result = std::move(builder).finish({x});
    result.model.kind = ModelKind::Sequential;
    result.metrics = {{"accuracy", Json::object()}};
    result.isSmall = true;
    return result;
}

} // namespace

ModelTemplate cnnTemplate() {
    using namespace parameter;
    return {"cnn",
            "A plain convolutional network: convolutions with pooling, a dense layer, logits.",
            {integer("image", 28, 1, 100000, "Height and width of the image."),
             integer("channels", 1, 1, 100000, "Channels of the image."),
             list(TemplateParameterKind::Integers, "filters", Json::array({32, 64}),
                  "Filters of each convolution."),
             integer("kernel", 3, 1, 99, "Height and width of the window."),
             integer("dense", 128, 0, 1000000, "Units of the dense layer; 0 for none."),
             integer("classes", 10, 1, 1000000, "Logits."),
             number("dropout", 0.0, 0, 0.99, "Dropout before the logits.")},
            buildCnn,
            {}};
}

} // namespace core
