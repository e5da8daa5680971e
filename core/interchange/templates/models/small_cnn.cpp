#include "core/interchange/templates/template_catalogue.h"

#include <charconv>
#include <fmt/format.h>
#include <string_view>

namespace core {

namespace {

/// Whole numbers in a text, in order.
std::vector<std::int64_t> numbersIn(std::string_view text) {
    std::vector<std::int64_t> numbers;
    for (std::size_t at = text.find_first_of("0123456789"); at != std::string_view::npos;
         at = text.find_first_of("0123456789", at)) {
        std::int64_t number = 0;
        const auto [stop, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
        numbers.push_back(error == std::errc() ? number : 0);
        at = static_cast<std::size_t>(stop - text.data());
    }
    return numbers;
}

/// Adds one layer written in short: "conv1->5 3x3", "maxpool2", "groupnorm", "relu", "fc 41772->100->10".
/// False when it cannot be read.
bool addLayer(TemplateBuilder& builder, std::string_view text, bool& isFlat, TensorRef& x) {
    const std::vector<std::int64_t> numbers = numbersIn(text);
    if (text.starts_with("conv") && numbers.size() >= 4 && numbers[1] > 0 && numbers[2] > 0) {
        x = builder.call("Conv2D", "", {{"filters", numbers[1]}, {"kernel_size", {numbers[2], numbers[3]}}},
                         {x});
    } else if (text.starts_with("maxpool") && numbers.size() == 1 && numbers[0] > 0) {
        x = builder.call("MaxPooling2D", "", {{"pool_size", {numbers[0], numbers[0]}}}, {x});
    } else if (text.starts_with("groupnorm") || text.starts_with("batchnorm") || text == "none") {
        const bool isGroup = text.starts_with("group");
        const std::int64_t groups = numbers.empty() ? 2 : numbers[0];
        x = isGroup ? builder.call("GroupNormalization", "", {{"groups", groups}}, {x})
                    : builder.call("BatchNormalization", "", Json::object(), {x});
    } else if (text == "relu" || text == "tanh" || text == "sigmoid") {
        x = builder.activation("", std::string(text).c_str(), x);
    } else if (text.starts_with("fc") && numbers.size() >= 2) {
        if (!isFlat)
            x = builder.call("Flatten", "", Json::object(), {x});
        isFlat = true;
        for (std::size_t i = 1; i < numbers.size(); ++i) {
            if (numbers[i] <= 0)
                return false;
            x = builder.dense("", numbers[i], x, i + 1 < numbers.size() ? "relu" : nullptr);
        }
    } else {
        return false;
    }
    return true;
}

Result<TemplateModel> buildSmallCnn(const TemplateArguments& arguments) {
    const std::int64_t image = arguments.integer("image");
    TemplateBuilder builder("small_cnn");
    TensorRef x = builder.input("input", {image, image, arguments.integer("channels")});
    bool isFlat = false;
    for (const std::string& text : arguments.texts("layers")) {
        builder.beginUnit(text);
        if (!addLayer(builder, text, isFlat, x))
            return failure(
                makeError(Trouble::Usage, "template/value", {"", "layers"},
                          fmt::format("cannot read the layer \"{}\"", text.substr(0, 80)),
                          {"write conv1->5 3x3, maxpool2, groupnorm, batchnorm, relu, fc 100->10"}));
    }
    TemplateModel result = std::move(builder).finish({x});
    result.model.kind = ModelKind::Sequential;
    result.metrics = {{"accuracy", Json::object()}};
    result.isSmall = true;
    return result;
}

} // namespace

ModelTemplate smallCnnTemplate() {
    using namespace parameter;
    return {"small_cnn",
            "A small convolutional network written in short.",
            {integer("image", 128, 1, 100000, "Height and width of the image."),
             integer("channels", 1, 1, 100000, "Channels of the image."),
             list(TemplateParameterKind::Texts, "layers",
                  Json::array({"conv1->5 3x3", "maxpool2", "conv5->12 5x5", "groupnorm", "relu",
                               "fc 41772->100->10"}),
                  "Layers in short: convIN->OUT HxW, maxpoolN, groupnorm, batchnorm, relu, fc IN->…->OUT.")},
            buildSmallCnn,
            {}};
}

} // namespace core
