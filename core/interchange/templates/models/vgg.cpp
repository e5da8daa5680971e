#include "core/interchange/templates/template_catalogue.h"

#include <fmt/format.h>
#include <map>

namespace core {

namespace {

Result<TemplateModel> buildVgg(const TemplateArguments& arguments) {
    static const std::map<std::string, std::vector<int>> convolutions{
        {"11", {1, 1, 2, 2, 2}}, {"13", {2, 2, 2, 2, 2}}, {"16", {2, 2, 3, 3, 3}}, {"19", {2, 2, 4, 4, 4}}};
    const std::int64_t image = arguments.integer("image");
    TemplateBuilder builder("vgg" + arguments.text("depth"));
    TensorRef x = builder.input("input", {image, image, 3});
    std::size_t number = 0;
    for (const int count : convolutions.at(arguments.text("depth"))) {
        const std::string name = fmt::format("block{}", ++number);
        builder.beginUnit(name);
        const std::int64_t filters = std::min<std::int64_t>(512, std::int64_t{32} << number);
        for (int i = 1; i <= count; ++i)
            x = builder.call(
                "Conv2D", fmt::format("{}_conv{}", name, i),
                {{"filters", filters}, {"kernel_size", {3, 3}}, {"padding", "same"}, {"activation", "relu"}},
                {x});
        x = builder.call("MaxPooling2D", name + "_pool", {{"pool_size", {2, 2}}, {"strides", {2, 2}}}, {x});
    }
    builder.begin("head", TemplateBlock::Part::Back);
    x = builder.call("Flatten", "flatten", Json::object(), {x});
    for (const char* name : {"fc1", "fc2"}) {
        x = builder.dense(name, arguments.integer("dense"), x, "relu");
        x = builder.dropout(std::string(name) + "_dropout", arguments.number("dropout"), x);
    }
    x = builder.dense("predictions", arguments.integer("classes"), x);
    TemplateModel result = std::move(builder).finish({x});
    result.model.kind = ModelKind::Sequential;
    result.metrics = {{"accuracy", Json::object()}};
    return result;
}

} // namespace

ModelTemplate vggTemplate() {
    using namespace parameter;
    return {"vgg",
            "A deep stack of 3 × 3 convolutions (Simonyan and Zisserman 2014).",
            {choice("depth", {"16", "11", "13", "19"}, "Weight layers."),
             integer("image", 224, 32, 100000, "Height and width of the image."),
             integer("classes", 1000, 1, 1000000, "Logits."),
             integer("dense", 4096, 1, 1000000, "Units of the two dense layers."),
             number("dropout", 0.0, 0, 0.99, "Dropout after the dense layers.")},
            buildVgg,
            {}};
}

} // namespace core
