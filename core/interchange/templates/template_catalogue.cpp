#include "core/interchange/templates/template_catalogue.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

using TemplateMaker = ModelTemplate (*)();

constexpr std::array<TemplateMaker, 14> makers{
    mlpTemplate,  cnnTemplate,       smallCnnTemplate,     resnetTemplate,    resnextTemplate,
    vggTemplate,  mobilenetTemplate, efficientnetTemplate, unetTemplate,      lstmTemplate,
    bertTemplate, gpt2Template,      vitTemplate,          conformerTemplate,
};

const std::vector<ModelTemplate>& templates() {
    static const std::vector<ModelTemplate> all = [] {
        std::vector<ModelTemplate> list;
        for (const TemplateMaker make : makers)
            list.push_back(make());
        return list;
    }();
    return all;
}

} // namespace

std::span<const ModelTemplate> templateCatalogue() {
    return templates();
}

std::string templateTitle(const ModelTemplate& row) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 14> titles{{
        {"mlp", "Multi-layer perceptron"},
        {"cnn", "Convolutional network"},
        {"small_cnn", "Small convolutional network"},
        {"resnet", "ResNet"},
        {"resnext", "ResNeXt"},
        {"vgg", "VGG"},
        {"mobilenet", "MobileNet"},
        {"efficientnet", "EfficientNet"},
        {"unet", "U-Net"},
        {"lstm", "LSTM"},
        {"bert", "BERT"},
        {"gpt2", "GPT-2"},
        {"vit", "Vision Transformer"},
        {"conformer", "Conformer"},
    }};
    const auto title = std::ranges::find(titles, std::string_view(row.name),
                                         &std::pair<std::string_view, std::string_view>::first);
    return std::string(title == titles.end() ? std::string_view(row.name) : title->second);
}

const ModelTemplate* findTemplate(std::string_view name) {
    const auto found =
        std::find_if(templates().begin(), templates().end(), [&](const ModelTemplate& candidate) {
            return candidate.name == name || std::find(candidate.aliases.begin(), candidate.aliases.end(),
                                                       name) != candidate.aliases.end();
        });
    return found == templates().end() ? nullptr : &*found;
}

} // namespace core
