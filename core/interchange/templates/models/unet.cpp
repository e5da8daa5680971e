#include "core/interchange/templates/template_catalogue.h"

#include <fmt/format.h>

namespace core {

namespace {

using Part = TemplateBlock::Part;

class UnetBuilder {
public:
    UnetBuilder(const TemplateArguments& arguments, NormChoice norm)
        : m_arguments(arguments)
        , m_norm(std::move(norm))
        , m_builder("unet") {}

    TemplateModel build() {
        const std::int64_t image = m_arguments.integer("image");
        const std::int64_t base = m_arguments.integer("filters");
        const std::int64_t depth = m_arguments.integer("depth");
        TensorRef x = m_builder.input("input", {image, image, m_arguments.integer("channels")});
        std::vector<TensorRef> skips;
        for (std::int64_t level = 0; level < depth; ++level) {
            const std::string name = fmt::format("down{}", level + 1);
            m_builder.beginUnit(name);
            x = convolutions(name, base << level, x);
            skips.push_back(x);
            x = m_builder.call("MaxPooling2D", name + "_pool", {{"pool_size", {2, 2}}}, {x});
        }
        m_builder.beginUnit("bottom");
        x = convolutions("bottom", base << depth, x);
        for (std::int64_t level = depth; level-- > 0;) {
            const std::string name = fmt::format("up{}", level + 1);
            m_builder.beginUnit(name);
            x = m_builder.call("Conv2DTranspose", name + "_upsample",
                               {{"filters", base << level}, {"kernel_size", {2, 2}}, {"strides", {2, 2}}},
                               {x});
            x = m_builder.call("Concatenate", name + "_join", Json::object(),
                               {skips[static_cast<std::size_t>(level)], x});
            x = convolutions(name, base << level, x);
        }
        m_builder.begin("head", Part::Back);
        x = m_builder.call("Conv2D", "logits",
                           {{"filters", m_arguments.integer("classes")}, {"kernel_size", {1, 1}}}, {x});
        return std::move(m_builder).finish({x});
    }

private:
    TensorRef convolutions(const std::string& name, std::int64_t filters, TensorRef x) {
        for (int i = 1; i <= 2; ++i) {
            const std::string at = fmt::format("{}_conv{}", name, i);
            x = m_builder.call("Conv2D", at,
                               {{"filters", filters},
                                {"kernel_size", {3, 3}},
                                {"padding", "same"},
                                {"use_bias", m_norm.className.empty()}},
                               {x});
            if (!m_norm.className.empty())
                x = m_builder.call(m_norm.className, at + "_norm", m_norm.attributes, {x});
            x = m_builder.activation(at + "_relu", "relu", x);
        }
        return x;
    }

    const TemplateArguments& m_arguments;
    NormChoice m_norm;
    TemplateBuilder m_builder;
};

} // namespace

ModelTemplate unetTemplate() {
    using namespace parameter;
    return {"unet",
            "Encoder and decoder of images with connections across (Ronneberger et al. 2015).",
            {integer("image", 256, 16, 100000, "Height and width of the image, a multiple of 2^depth."),
             integer("channels", 3, 1, 100000, "Channels of the image."),
             integer("classes", 2, 1, 100000, "Logits of each pixel."),
             integer("filters", 64, 1, 4096, "Channels of the first level; each level below doubles them."),
             integer("depth", 4, 1, 8, "Levels below the first."), normParameter()},
            [](const TemplateArguments& arguments) -> Result<TemplateModel> {
                const auto norm = normFromText(arguments.text("norm"), 1e-5, 0.9);
                if (!norm)
                    return failure(norm.error());
                return UnetBuilder(arguments, *norm).build();
            },
            {}};
}

} // namespace core
