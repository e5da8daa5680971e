#include "core/interchange/templates/template_catalogue.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace core {

namespace {

using Part = TemplateBlock::Part;

/// Width and depth coefficient, image and dropout of one size (Tan and Le 2019).
struct Size {
    const char* name;
    double width;
    double depth;
    std::int64_t image;
    double dropout;
};
constexpr std::array<Size, 8> sizes{{{"B0", 1.0, 1.0, 224, 0.2},
                                     {"B1", 1.0, 1.1, 240, 0.2},
                                     {"B2", 1.1, 1.2, 260, 0.3},
                                     {"B3", 1.2, 1.4, 300, 0.3},
                                     {"B4", 1.4, 1.8, 380, 0.4},
                                     {"B5", 1.6, 2.2, 456, 0.4},
                                     {"B6", 1.8, 2.6, 528, 0.5},
                                     {"B7", 2.0, 3.1, 600, 0.5}}};

/// One of the seven groups of blocks of B0.
struct Group {
    std::int64_t kernel;
    int repeats;
    std::int64_t filters;
    bool isExpanded;
    std::int64_t stride;
};
constexpr std::array<Group, 7> groups{{{3, 1, 16, false, 1},
                                       {3, 2, 24, true, 2},
                                       {5, 2, 40, true, 2},
                                       {3, 3, 80, true, 2},
                                       {5, 3, 112, true, 1},
                                       {5, 4, 192, true, 2},
                                       {3, 1, 320, true, 1}}};

class EfficientnetBuilder {
public:
    EfficientnetBuilder(const TemplateArguments& arguments, const Size& size, NormChoice norm)
        : m_arguments(arguments)
        , m_size(size)
        , m_norm(std::move(norm))
        , m_builder(fmt::format("efficientnet{}", size.name)) {}

    TemplateModel build() {
        const std::int64_t image = m_arguments.has("image") ? m_arguments.integer("image") : m_size.image;
        TensorRef x = m_builder.input("input", {image, image, 3});
        m_builder.begin("stem", Part::Front);
        if (m_arguments.isOn("preprocessing")) {
            x = m_builder.call("Rescaling", "rescaling", {{"scale", 1.0 / 255.0}}, {x});
            x = m_builder.call("Normalization", "normalization", {{"axis", -1}}, {x});
        }
        x = convolution("stem_conv", width(32), 3, 2, x);
        x = activated("stem", x);
        std::int64_t channels = width(32);
        for (std::size_t group = 0; group < groups.size(); ++group) {
            const auto repeats =
                static_cast<int>(std::ceil(m_size.depth * static_cast<double>(groups[group].repeats)));
            for (int i = 0; i < repeats; ++i) {
                const std::string name = fmt::format("block{}{}", group + 1, letters(i));
                m_builder.beginUnit(name);
                x = block(name, groups[group], i == 0 ? groups[group].stride : 1, channels, x);
                channels = width(groups[group].filters);
            }
        }
        m_builder.begin("head", Part::Back);
        x = activated("top", convolution("top_conv", width(1280), 1, 1, x));
        x = m_builder.call("GlobalAveragePooling2D", "avg_pool", Json::object(), {x});
        const bool hasDropout = m_arguments.has("dropout");
        x = m_builder.dropout("top_dropout", hasDropout ? m_arguments.number("dropout") : m_size.dropout, x);
        x = m_builder.dense("predictions", m_arguments.integer("classes"), x);
        TemplateModel result = std::move(m_builder).finish({x});
        result.metrics = {{"accuracy", Json::object()}};
        return result;
    }

private:
    static std::string letters(int index) {
        constexpr int alphabet = 26;
        std::string text(1, static_cast<char>('a' + index % alphabet));
        return index < alphabet ? text : letters(index / alphabet - 1) + text;
    }

    [[nodiscard]] std::int64_t width(std::int64_t filters) const {
        constexpr std::int64_t divisor = 8;
        const double wanted = static_cast<double>(filters) * m_size.width;
        const auto rounded = std::max(divisor, static_cast<std::int64_t>(wanted + 4) / divisor * divisor);
        return static_cast<double>(rounded) < 0.9 * wanted ? rounded + divisor : rounded;
    }

    TensorRef convolution(const std::string& name, std::int64_t filters, std::int64_t kernel,
                          std::int64_t stride, TensorRef x) {
        return m_builder.call("Conv2D", name,
                              {{"filters", filters},
                               {"kernel_size", {kernel, kernel}},
                               {"strides", {stride, stride}},
                               {"padding", "same"},
                               {"use_bias", false}},
                              {x});
    }

    TensorRef normalised(const std::string& name, TensorRef x) {
        return m_norm.className.empty()
                   ? x
                   : m_builder.call(m_norm.className, name + "_bn", m_norm.attributes, {x});
    }
    TensorRef activated(const std::string& name, TensorRef x) {
        return m_builder.activation(name + "_activation", "swish", normalised(name, x));
    }

    /// A convolution of every channel by itself, or of groups of `group_dim` channels.
    TensorRef spatial(const std::string& name, std::int64_t channels, std::int64_t kernel,
                      std::int64_t stride, TensorRef x) {
        const std::int64_t group = m_arguments.integer("group_dim");
        Json attributes{{"kernel_size", {kernel, kernel}},
                        {"strides", {stride, stride}},
                        {"padding", "same"},
                        {"use_bias", false}};
        if (group == 1)
            return m_builder.call("DepthwiseConv2D", name, attributes, {x});
        attributes["filters"] = channels;
        // Widths that the group size does not divide take the next group size below that does.
        std::int64_t size = std::min(group, channels);
        while (channels % size != 0)
            --size;
        attributes["groups"] = channels / size;
        return m_builder.call("Conv2D", name, attributes, {x});
    }

    /// Squeeze and excitation: channels weighed by a small network on their means.
    TensorRef excite(const std::string& name, std::int64_t inner, std::int64_t channels, TensorRef x) {
        TensorRef s = m_builder.call("GlobalAveragePooling2D", name + "_se_squeeze", Json::object(), {x});
        s = m_builder.call("Reshape", name + "_se_reshape", {{"target_shape", {1, 1, channels}}}, {s});
        const auto pointwise = [&](const char* suffix, std::int64_t filters, const char* function) {
            s = m_builder.call("Conv2D", name + suffix,
                               {{"filters", filters},
                                {"kernel_size", {1, 1}},
                                {"padding", "same"},
                                {"activation", function}},
                               {s});
        };
        pointwise("_se_reduce", inner, "swish");
        pointwise("_se_expand", channels, "sigmoid");
        return m_builder.call("Multiply", name + "_se_excite", Json::object(), {x, s});
    }

    TensorRef block(const std::string& name, const Group& group, std::int64_t stride, std::int64_t channels,
                    TensorRef x) {
        const TensorRef entry = x;
        const std::int64_t outputs = width(group.filters);
        const std::int64_t inner =
            group.isExpanded ? channels * m_arguments.integer("expand_ratio") : channels;
        if (inner != channels)
            x = activated(name + "_expand", convolution(name + "_expand_conv", inner, 1, 1, x));
        x = activated(name, spatial(name + "_dwconv", inner, group.kernel, stride, x));
        x = excite(name, std::max<std::int64_t>(1, channels / 4), inner, x);
        x = normalised(name + "_project", convolution(name + "_project_conv", outputs, 1, 1, x));
        if (stride == 1 && channels == outputs)
            x = m_builder.add(name + "_add", x, entry);
        return x;
    }

    const TemplateArguments& m_arguments;
    const Size& m_size;
    NormChoice m_norm;
    TemplateBuilder m_builder;
};

Result<TemplateModel> buildEfficientnet(const TemplateArguments& arguments) {
    const auto norm = normFromText(arguments.text("norm"), 1e-3, 0.99);
    if (!norm)
        return failure(norm.error());
    const auto size = std::find_if(sizes.begin(), sizes.end(),
                                   [&](const Size& row) { return arguments.text("size") == row.name; });
    return EfficientnetBuilder(arguments, *size, *norm).build();
}

} // namespace

ModelTemplate efficientnetTemplate() {
    using namespace parameter;
    return {"efficientnet",
            "A network whose width, depth and image grow together (Tan and Le 2019).",
            {choice("size", {"B0", "B1", "B2", "B3", "B4", "B5", "B6", "B7"}, "Size of the family."),
             integer("image", nullptr, 32, 100000, "Height and width of the image; default: the size's own."),
             integer("classes", 1000, 1, 1000000, "Logits."),
             withAliases(integer("group_dim", 1, 1, 1024,
                                 "Channels that a spatial convolution mixes; 1 is a depthwise one."),
                         {"group_size"}),
             integer("expand_ratio", 6, 1, 64, "Widening inside a block."), normParameter(),
             toggle("preprocessing", true, "Whether the model rescales and normalises the image itself."),
             number("dropout", nullptr, 0, 0.99, "Dropout before the logits; default: the size's own.")},
            buildEfficientnet,
            {}};
}

} // namespace core
