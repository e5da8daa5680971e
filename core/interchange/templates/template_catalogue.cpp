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

const ModelTemplate* findTemplate(std::string_view name) {
    const auto found =
        std::find_if(templates().begin(), templates().end(), [&](const ModelTemplate& candidate) {
            return candidate.name == name || std::find(candidate.aliases.begin(), candidate.aliases.end(),
                                                       name) != candidate.aliases.end();
        });
    return found == templates().end() ? nullptr : &*found;
}

} // namespace core
