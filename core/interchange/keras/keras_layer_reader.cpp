// One layer of a model: its class, its attributes, the model inside of it.
#include "core/interchange/keras/keras_draft.h"
#include "core/interchange/keras/keras_members.h"
#include "core/model/graph/layer_catalogue.h"

#include <fmt/format.h>

namespace core {

std::optional<Layer> KerasReader::readLayer(const Json& entry, const std::string& pointer, int depth) {
    const std::string className = textMember(entry, "class_name");
    const Json* config = findMember(entry, "config");
    if (className.empty()) {
        refuse("keras/structure", pointer, "a layer needs \"class_name\" and \"config\"",
               {"write for example {\"class_name\": \"Dense\", \"config\": {\"name\": \"dense\", \"units\": "
                "10}}"});
        return std::nullopt;
    }
    Layer layer;
    layer.className = className;
    layer.name = textMember(entry, "name");
    layer.extra = Json::object();
    for (const auto& [key, value] : entry.items()) {
        if (!isOneOf(key, {"class_name", "config", "name", "inbound_nodes"}))
            layer.extra[key] = value;
    }
    if (layer.name.empty() && config != nullptr)
        layer.name = textMember(*config, "name");
    if (isModelEntry(entry)) {
        layer.className = std::string(isSequentialClass(className, *config) ? "Sequential" : "Functional");
        layer.config = Json::object();
        return readInnerModel(entry, pointer, depth, layer) ? std::optional(std::move(layer)) : std::nullopt;
    }
    if (config == nullptr || !config->is_object()) {
        refuse("keras/structure", childPointer(pointer, "config"),
               fmt::format("the layer \"{}\" has no \"config\" object", layer.name.substr(0, 80)),
               {"write its attributes there, for example {\"units\": 10}"});
        return std::nullopt;
    }
    layer.config = *config;
    // Operations of Keras 3 share names with layers; the module tells them apart.
    if (textMember(entry, "module").find(".ops") != std::string::npos && className != "GetItem") {
        layer.config["function"] = className;
        layer.className = "Operation";
        return layer;
    }
    const auto trainable = config->find("trainable");
    layer.trainable = trainable == config->end() || *trainable != false;
    const Json* wrapped = findMember(*config, "layer");
    if (className == "TimeDistributed" && wrapped != nullptr && isModelEntry(*wrapped)) {
        const std::string inner = childPointer(childPointer(pointer, "config"), "layer");
        return readInnerModel(*wrapped, inner, depth, layer) ? std::optional(std::move(layer)) : std::nullopt;
    }
    const std::size_t before = m_findings.size();
    checkLayer(*config, className, layer.name, childPointer(pointer, "config"));
    return m_findings.size() == before ? std::optional(std::move(layer)) : std::nullopt;
}

bool KerasReader::readInnerModel(const Json& entry, const std::string& pointer, int depth, Layer& layer) {
    std::optional<ModelGraph> inner = readModel(entry, pointer, depth + 1);
    if (!inner)
        return false;
    // The entry's other keys belong to the layer; writing takes them from there.
    if (layer.isNestedModel() || layer.className != "TimeDistributed") {
        const Json config = inner->extra.contains("config") ? inner->extra["config"] : Json();
        Json kept = Json::object();
        for (const auto& [key, value] : inner->extra.items()) {
            if (key.starts_with('$'))
                kept[key] = value;
        }
        if (!config.is_null())
            kept["config"] = config;
        inner->extra = std::move(kept);
    }
    if (layer.name.empty())
        layer.name = inner->name;
    layer.model = std::make_shared<const ModelGraph>(std::move(*inner));
    return true;
}

void KerasReader::checkLayer(const Json& config, const std::string& className, const std::string& name,
                             const std::string& pointer) {
    const LayerDefinition* definition = findLayerDefinition(className);
    const LayerDefinition* base = definition != nullptr ? definition : findBaseDefinition(className, config);
    if (definition != nullptr && definition->isOpaque)
        m_warnings.opaqueLayer(className, name, pointer);
    if (definition == nullptr)
        m_warnings.unknownLayer(className, name, base != nullptr ? base->className : "", pointer);
    if (base == nullptr)
        return;
    if (definition != nullptr) {
        Diagnostics findings = checkAttributes(*definition, config, m_file, pointer);
        for (Diagnostic& finding : findings)
            finding.message = fmt::format("{} \"{}\": {}", className, name, finding.message);
        m_findings.insert(m_findings.end(), findings.begin(), findings.end());
        if (!findings.empty())
            return;
    }
    for (const auto& [key, value] : config.items()) {
        const AttributeDefinition* attribute = base->findAttribute(key);
        if (attribute == nullptr && definition != nullptr) {
            m_warnings.unknownAttribute(className, key, name, childPointer(pointer, key));
        } else if (attribute != nullptr && attribute->kind == AttributeKind::Activation &&
                   !activationFromJson(value).isKnown) {
            m_warnings.unknownActivation(activationFromJson(value).name, name, childPointer(pointer, key));
        }
    }
    checkWrapped(config, *base, name, pointer);
}

/// Layers inside a wrapper are checked like others.
void KerasReader::checkWrapped(const Json& config, const LayerDefinition& definition, const std::string& name,
                               const std::string& pointer) {
    const auto check = [&](const Json& entry, const std::string& at) {
        if (entry.is_object() && entry.contains("config") && entry["config"].is_object())
            checkLayer(entry["config"], textMember(entry, "class_name"), name, childPointer(at, "config"));
    };
    for (const AttributeDefinition& attribute : definition.attributes) {
        const auto value = config.find(attribute.name);
        if (value == config.end())
            continue;
        const std::string at = childPointer(pointer, attribute.name);
        if (attribute.kind == AttributeKind::Layer)
            check(*value, at);
        for (std::size_t i = 0; attribute.kind == AttributeKind::Layers && i < value->size(); ++i)
            check((*value)[i], childPointer(at, i));
    }
}

} // namespace core
