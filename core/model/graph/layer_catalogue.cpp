#include "core/model/graph/layer_catalogue.h"

#include "core/model/layer_naming.h"
#include "core/model/layers/function_shapes.h"
#include "core/model/layers/layer_families.h"
#include "core/text/nearest_name.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <unordered_map>

namespace core {

namespace {

using FamilyMaker = LayerFamily (*)();

/// The one list of families; its order is the palette's.
constexpr std::array<FamilyMaker, 29> families{
    inputLayers,
    denseLayers,
    embeddingLayers,
    activationLayers,
    convolutionLayers,
    transposedConvolutionLayers,
    depthwiseConvolutionLayers,
    poolingLayers,
    globalPoolingLayers,
    batchNormalizationLayers,
    sampleNormalizationLayers,
    regularizationLayers,
    recurrentLayers,
    recurrentCellLayers,
    convolutionalRecurrentLayers,
    attentionLayers,
    multiHeadAttentionLayers,
    mergingLayers,
    reshapingLayers,
    paddingLayers,
    upsamplingLayers,
    preprocessingLayers,
    augmentationLayers,
    lookupLayers,
    applicationLayers,
    wrapperLayers,
    functionCallLayers,
    onnxLayers,
    ipuLayers,
};

const std::vector<LayerDefinition>& definitions() {
    static const std::vector<LayerDefinition> all = [] {
        std::vector<LayerDefinition> list;
        for (const FamilyMaker make : families) {
            for (LayerDefinition& definition : make())
                list.push_back(std::move(definition));
        }
        return list;
    }();
    return all;
}

using Index = std::unordered_map<std::string_view, const LayerDefinition*>;

const Index& index() {
    static const Index byName = [] {
        Index map;
        for (const LayerDefinition& definition : definitions()) {
            map.emplace(definition.className, &definition);
            for (const std::string& alias : definition.aliases)
                map.emplace(alias, &definition);
        }
        return map;
    }();
    return byName;
}

constexpr std::array<std::string_view, 7> modelClasses{
    "Sequential", "Functional", "Model", "Container", "Network", "IPUSequential", "PipelineSequential"};

void addFinding(Diagnostics& findings, std::string_view file, std::string place, std::string message,
                std::vector<std::string> hints) {
    findings.push_back(makeError(Trouble::Input, "layer/attribute", {std::string(file), std::move(place)},
                                 std::move(message), std::move(hints)));
}

/// The key under which `config` gives an attribute; empty when it does not.
std::string givenName(const AttributeDefinition& attribute, const Json& config) {
    if (config.contains(attribute.name))
        return attribute.name;
    for (const std::string& alias : attribute.aliases) {
        if (config.contains(alias))
            return alias;
    }
    return "";
}

void checkAttribute(const AttributeDefinition& attribute, const Json& config, std::string_view file,
                    std::string_view pointer, Diagnostics& findings) {
    const std::string key = givenName(attribute, config);
    if (key.empty()) {
        if (attribute.isRequired)
            addFinding(findings, file, std::string(pointer), fmt::format("\"{}\" is missing", attribute.name),
                       {fmt::format("give {}", acceptedValues(attribute))});
        return;
    }
    if (auto objection = objectionTo(config[key], attribute))
        addFinding(findings, file, childPointer(pointer, key), std::move(*objection),
                   {fmt::format("give {}", acceptedValues(attribute))});
}

} // namespace

std::span<const LayerDefinition> layerCatalogue() {
    return definitions();
}

const LayerDefinition* findLayerDefinition(std::string_view className) {
    const auto found = index().find(className);
    if (found != index().end())
        return found->second;
    const std::size_t package = className.rfind('>');
    return package == std::string_view::npos ? nullptr : findLayerDefinition(className.substr(package + 1));
}

const LayerDefinition* findBaseDefinition(std::string_view className, const Json& config) {
    if (!config.is_object())
        return nullptr;
    const LayerDefinition* best = nullptr;
    for (const LayerDefinition& definition : definitions()) {
        if (className.ends_with(definition.className) && definition.category != LayerCategory::Operation &&
            (best == nullptr || best->className.size() < definition.className.size()))
            best = &definition;
    }
    const auto isRequired = [](const AttributeDefinition& attribute) { return attribute.isRequired; };
    const bool fits = best != nullptr &&
                      std::any_of(best->attributes.begin(), best->attributes.end(), isRequired) &&
                      checkAttributes(*best, config, "", "").empty();
    return fits ? best : nullptr;
}

std::optional<std::string> nearestClassName(std::string_view className) {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> list;
        for (const LayerDefinition& definition : definitions())
            list.push_back(definition.className);
        return list;
    }();
    return nearestName(className, names);
}

bool isModelClass(std::string_view className) {
    const std::size_t package = className.rfind('>');
    const std::string_view plain =
        package == std::string_view::npos ? className : className.substr(package + 1);
    return std::find(modelClasses.begin(), modelClasses.end(), plain) != modelClasses.end();
}

Diagnostics checkAttributes(const LayerDefinition& definition, const Json& config, std::string_view file,
                            std::string_view pointer) {
    Diagnostics findings;
    if (!config.is_object()) {
        addFinding(findings, file, std::string(pointer),
                   fmt::format("the attributes of a {} must be an object, not {}", definition.className,
                               typeName(config)),
                   {});
        return findings;
    }
    for (const std::vector<AttributeDefinition>* list : {&commonAttributes(), &definition.attributes}) {
        for (const AttributeDefinition& attribute : *list)
            checkAttribute(attribute, config, file, pointer, findings);
    }
    if (!findings.empty() || definition.attributeRule == nullptr)
        return findings;
    if (const auto error = definition.attributeRule(LayerAttributes(definition, config)))
        addFinding(findings, file, childPointer(pointer, error->attribute), error->message, {error->hint});
    return findings;
}

Json withNamedInputs(const LayerDefinition& definition, std::size_t inputCount, Json arguments) {
    const std::size_t named = std::min(inputCount, definition.inputNames.size());
    for (std::size_t i = 1; definition.passesInputsByName && i < named; ++i)
        arguments[definition.inputNames[i]] = {{"$input", i}};
    return arguments;
}

Json newLayerConfig(const LayerDefinition& definition, std::string_view name, const Json& attributes) {
    Json config{{"name", std::string(name)}, {"trainable", true}, {"dtype", "float32"}};
    for (const AttributeDefinition& attribute : definition.attributes) {
        if (attribute.isRequired)
            config[attribute.name] = attribute.defaultValue;
    }
    for (const auto& [key, value] : attributes.items())
        config[key] = value;
    return config;
}

} // namespace core
