#include "core/interchange/templates/template_catalogue.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace core {

namespace {

using Part = TemplateBlock::Part;

/// Channels scaled by the width multiplier and rounded to a multiple of 8, never below 90 % of it.
std::int64_t scaled(double channels, std::int64_t divisor = 8) {
    const auto rounded = std::max(
        divisor, static_cast<std::int64_t>(channels + static_cast<double>(divisor) / 2) / divisor * divisor);
    return static_cast<double>(rounded) < 0.9 * channels ? rounded + divisor : rounded;
}

class MobilenetBuilder {
public:
    explicit MobilenetBuilder(const TemplateArguments& arguments)
        : m_arguments(arguments)
        , m_builder("mobilenet_v" + arguments.text("version"))
        , m_alpha(arguments.number("alpha")) {}

    TemplateModel build() {
        const std::int64_t image = m_arguments.integer("image");
        TensorRef x = m_builder.input("input", {image, image, 3});
        m_builder.begin("stem", Part::Front);
        const bool isFirst = m_arguments.text("version") == "1";
        x = isFirst ? buildFirst(x) : buildSecond(x);
        x = m_builder.dropout("dropout", m_arguments.number("dropout"), x);
        // Version 1 ends in a 1 × 1 convolution, which on one position is the same as this dense layer.
        x = m_builder.dense("predictions", m_arguments.integer("classes"), x);
        TemplateModel result = std::move(m_builder).finish({x});
        result.metrics = {{"accuracy", Json::object()}};
        return result;
    }

private:
    TensorRef normalised(const std::string& name, TensorRef x, bool isActivated) {
        x = m_builder.call("BatchNormalization", name + "_bn", {{"epsilon", 1e-3}, {"momentum", 0.99}}, {x});
        return isActivated ? m_builder.call("ReLU", name + "_relu", {{"max_value", 6.0}}, {x}) : x;
    }

    TensorRef convolution(const std::string& name, std::int64_t filters, std::int64_t kernel,
                          std::int64_t stride, TensorRef x, bool isActivated = true) {
        x = m_builder.call("Conv2D", name,
                           {{"filters", filters},
                            {"kernel_size", {kernel, kernel}},
                            {"strides", {stride, stride}},
                            {"padding", "same"},
                            {"use_bias", false}},
                           {x});
        return normalised(name, x, isActivated);
    }

    TensorRef depthwise(const std::string& name, std::int64_t stride, TensorRef x) {
        x = m_builder.call("DepthwiseConv2D", name,
                           {{"kernel_size", {3, 3}},
                            {"strides", {stride, stride}},
                            {"padding", "same"},
                            {"use_bias", false}},
                           {x});
        return normalised(name, x, true);
    }

    TensorRef buildFirst(TensorRef x) {
        struct Row {
            std::int64_t filters;
            std::int64_t stride;
        };
        constexpr std::array<Row, 13> rows{{{64, 1},
                                            {128, 2},
                                            {128, 1},
                                            {256, 2},
                                            {256, 1},
                                            {512, 2},
                                            {512, 1},
                                            {512, 1},
                                            {512, 1},
                                            {512, 1},
                                            {512, 1},
                                            {1024, 2},
                                            {1024, 1}}};
        const auto width = [&](std::int64_t filters) {
            return std::max<std::int64_t>(1,
                                          static_cast<std::int64_t>(static_cast<double>(filters) * m_alpha));
        };
        x = convolution("conv1", width(32), 3, 2, x);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            m_builder.beginUnit(fmt::format("block{}", i + 1));
            x = depthwise(fmt::format("conv_dw_{}", i + 1), rows[i].stride, x);
            x = convolution(fmt::format("conv_pw_{}", i + 1), width(rows[i].filters), 1, 1, x);
        }
        m_builder.begin("head", Part::Back);
        return m_builder.call("GlobalAveragePooling2D", "avg_pool", Json::object(), {x});
    }

    TensorRef buildSecond(TensorRef x) {
        struct Row {
            std::int64_t expansion;
            std::int64_t filters;
            int count;
            std::int64_t stride;
        };
        constexpr std::array<Row, 7> rows{{{1, 16, 1, 1},
                                           {6, 24, 2, 2},
                                           {6, 32, 3, 2},
                                           {6, 64, 4, 2},
                                           {6, 96, 3, 1},
                                           {6, 160, 3, 2},
                                           {6, 320, 1, 1}}};
        std::int64_t channels = scaled(32 * m_alpha);
        x = convolution("conv1", channels, 3, 2, x);
        int number = 0;
        for (const Row& row : rows) {
            for (int i = 0; i < row.count; ++i) {
                const std::string name = fmt::format("block_{}", number++);
                m_builder.beginUnit(name);
                const TensorRef entry = x;
                const std::int64_t outputs = scaled(static_cast<double>(row.filters) * m_alpha);
                const std::int64_t stride = i == 0 ? row.stride : 1;
                if (row.expansion > 1)
                    x = convolution(name + "_expand", channels * row.expansion, 1, 1, x);
                x = depthwise(name + "_depthwise", stride, x);
                x = convolution(name + "_project", outputs, 1, 1, x, false);
                if (stride == 1 && channels == outputs)
                    x = m_builder.add(name + "_add", entry, x);
                channels = outputs;
            }
        }
        m_builder.begin("head", Part::Back);
        x = convolution("conv_last", m_alpha > 1 ? scaled(1280 * m_alpha) : 1280, 1, 1, x);
        return m_builder.call("GlobalAveragePooling2D", "avg_pool", Json::object(), {x});
    }

    const TemplateArguments& m_arguments;
    TemplateBuilder m_builder;
    double m_alpha;
};

} // namespace

ModelTemplate mobilenetTemplate() {
    using namespace parameter;
    return {"mobilenet",
            "A small network of depthwise convolutions (Howard et al. 2017, Sandler et al. 2018).",
            {choice("version", {"2", "1"}, "1 or 2 (inverted residuals)."),
             number("alpha", 1.0, 0.1, 4, "Width multiplier."),
             integer("image", 224, 32, 100000, "Height and width of the image."),
             integer("classes", 1000, 1, 1000000, "Logits."),
             number("dropout", 0.0, 0, 0.99, "Dropout before the logits.")},
            [](const TemplateArguments& arguments) -> Result<TemplateModel> {
                return MobilenetBuilder(arguments).build();
            },
            {}};
}

} // namespace core
