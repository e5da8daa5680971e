#include "views/inspector/layer_sections.h"

#include "core/model/graph/layer_catalogue.h"
#include "views/common/text/number_text.h"
#include "views/inspector/declared_shape.h"
#include "views/inspector/repeat_properties.h"

#include <QCoreApplication>
#include <algorithm>
#include <map>
#include <set>

namespace views {

namespace {

using core::Json;

QString sectionText(const char* text) {
    return QCoreApplication::translate("views::LayerSections", text);
}

const Json& valueOf(const core::Layer& layer, const core::AttributeDefinition& attribute) {
    const auto found = layer.config.find(attribute.name);
    if (found != layer.config.end())
        return *found;
    for (const std::string& alias : attribute.aliases) {
        if (const auto other = layer.config.find(alias); other != layer.config.end())
            return *other;
    }
    return attribute.defaultValue;
}

/// Worth seeing without asking for all: required, set to something else than the default, or an everyday one.
bool isTelling(const core::AttributeDefinition& attribute, const Json& value) {
    static const std::set<std::string, std::less<>> everyday{"strides",  "padding", "activation",
                                                             "use_bias", "rate",    "momentum",
                                                             "epsilon",  "axis",    "return_sequences"};
    return attribute.isRequired || value != attribute.defaultValue || everyday.contains(attribute.name);
}

} // namespace

PropertySection attributesOf(const std::vector<const core::Layer*>& layers, bool showsAll, std::size_t& all) {
    PropertySection section;
    if (const core::LayerDefinition* definition = core::findLayerDefinition(layers.front()->className)) {
        std::vector<const core::AttributeDefinition*> attributes;
        for (const core::AttributeDefinition& attribute : definition->attributes)
            attributes.push_back(&attribute);
        for (const core::AttributeDefinition& attribute : core::commonAttributes()) {
            if (attribute.name == "trainable" || attribute.name == "dtype")
                attributes.push_back(&attribute);
        }
        all = attributes.size();
        if (layers.front()->className == "InputLayer") {
            ++all;
            Property shape = inputShapeProperty(*layers.front());
            shape.isMixed = std::ranges::any_of(layers, [&](const core::Layer* layer) {
                return inputShapeProperty(*layer).value != shape.value;
            });
            section.properties.push_back(std::move(shape));
        }
        for (const core::AttributeDefinition* attribute : attributes) {
            const Json& value = valueOf(*layers.front(), *attribute);
            bool isMixed = false;
            bool telling = showsAll;
            for (const core::Layer* layer : layers) {
                isMixed = isMixed || valueOf(*layer, *attribute) != value;
                telling = telling || isTelling(*attribute, valueOf(*layer, *attribute));
            }
            if (!telling)
                continue;
            Property property = attributeProperty(*attribute, value);
            property.isMixed = isMixed;
            section.properties.push_back(std::move(property));
        }
    }
    return section;
}

QString classesText(const core::ModelGraph& model, const std::vector<std::string>& paths) {
    std::map<QString, int> counts;
    for (const std::string& path : paths) {
        if (const std::optional<core::LayerId> id = model.findLayer(path))
            ++counts[toQString(model.layer(*id).className)];
    }
    constexpr std::size_t most = 3;
    QStringList parts;
    for (const auto& [name, count] : counts) {
        if (std::size_t(parts.size()) < most)
            parts << (count > 1 && counts.size() > 1 ? sectionText("%1 × %2").arg(count).arg(name) : name);
    }
    if (counts.size() > most)
        parts << countedText(std::int64_t(counts.size() - most), sectionText("other class"),
                             sectionText("other classes"));
    return parts.isEmpty() ? sectionText("part of a nested model") : parts.join(sectionText(", "));
}

PropertySection sharedAttributes(const std::vector<const core::Layer*>& layers) {
    PropertySection section;
    for (const core::AttributeDefinition& attribute : core::commonAttributes()) {
        if (attribute.name != "trainable" && attribute.name != "dtype")
            continue;
        Property property = attributeProperty(attribute, valueOf(*layers.front(), attribute));
        property.isMixed = std::ranges::any_of(
            layers, [&](const core::Layer* layer) { return valueOf(*layer, attribute) != property.value; });
        section.properties.push_back(std::move(property));
    }
    return section;
}

std::vector<PropertySection> blockSections(const core::Project& project, const core::RepeatBlock& block,
                                           bool showsAll) {
    constexpr std::size_t most = 16; // of longer blocks the layers are chosen one by one
    std::vector<PropertySection> sections{repeatSection(project, block)};
    const std::vector<std::string>& layers = block.copies.front();
    for (std::size_t place = 0; place < std::min(most, layers.size()); ++place) {
        std::vector<const core::Layer*> copies;
        for (const std::string& name : block.counterparts(layers[place])) {
            if (const std::optional<core::LayerId> id = project.model.findLayer(name))
                copies.push_back(&project.model.layer(*id));
        }
        std::size_t all = 0;
        PropertySection section = copies.empty() ? PropertySection() : attributesOf(copies, showsAll, all);
        if (section.properties.empty())
            continue;
        section.title =
            QStringLiteral("%1 · %2").arg(toQString(layers[place]), toQString(copies.front()->className));
        for (Property& property : section.properties)
            property.id = attributeInBlock(place, property.id);
        sections.push_back(std::move(section));
    }
    return sections;
}

} // namespace views
