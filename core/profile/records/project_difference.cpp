#include "core/profile/records/project_difference.h"

#include "core/base/json.h"

#include <algorithm>
#include <array>
#include <map>

namespace core {

namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

/// Paths and one-line values of everything that is not an object; an empty object is a value.
void flatten(const Json& value, const std::string& path, Fields& fields) {
    if (!value.is_object() || value.empty()) {
        fields.emplace_back(path, toText(value, -1));
        return;
    }
    for (const auto& [key, child] : value.items())
        flatten(child, path.empty() ? key : path + "." + key, fields);
}

/// null is the same as absent, all over the project file.
Fields optionsOf(const Json& project) {
    static constexpr std::array<std::string_view, 4> notOptions{"model", "canvas", "format", "version"};
    Fields fields;
    for (const auto& [key, value] : project.items()) {
        if (std::find(notOptions.begin(), notOptions.end(), key) == notOptions.end())
            flatten(value, key, fields);
    }
    std::erase_if(fields, [](const auto& field) {
        return field.first == "pipeline.stages" || field.first.starts_with("pipeline.stages.") ||
               field.second == "null" || field.second == "{}";
    });
    return fields;
}

std::optional<std::string> valueOf(const Fields& fields, const std::string& path) {
    const auto found =
        std::find_if(fields.begin(), fields.end(), [&](const auto& f) { return f.first == path; });
    return found == fields.end() ? std::nullopt : std::optional(found->second);
}

std::vector<OptionDifference> optionDifferences(const Json& before, const Json& after) {
    const Fields first = optionsOf(before);
    const Fields second = optionsOf(after);
    std::vector<OptionDifference> differences;
    for (const auto& [path, value] : first) {
        const std::optional<std::string> other = valueOf(second, path);
        if (other != value)
            differences.push_back({path, value, other});
    }
    for (const auto& [path, value] : second) {
        if (!valueOf(first, path))
            differences.push_back({path, std::nullopt, value});
    }
    return differences;
}

struct LayerEntry {
    std::string name;
    Fields fields;
};

/// Keras' layer list, in order; a nested model opens into its layers.
void collectLayers(const Json& model, const std::string& prefix, std::vector<LayerEntry>& layers) {
    const Json none = Json::object();
    const Json& config = model.is_object() ? model.value("config", none) : none;
    const Json* list = config.is_array() ? &config : nullptr;
    if (config.is_object() && config.contains("layers"))
        list = &config["layers"];
    if (list == nullptr || !list->is_array())
        return;
    for (const Json& layer : *list) {
        if (!layer.is_object())
            continue;
        const Json layerConfig = layer.value("config", none);
        std::string name;
        if (layerConfig.is_object() && layerConfig.contains("name") && layerConfig["name"].is_string())
            name = layerConfig["name"].get<std::string>();
        else if (layer.contains("name") && layer["name"].is_string())
            name = layer["name"].get<std::string>();
        const bool isModel = layerConfig.is_object() && layerConfig.contains("layers");
        LayerEntry entry{prefix + name, {}};
        if (layer.contains("class_name"))
            entry.fields.emplace_back("class_name", toText(layer["class_name"], -1));
        if (!isModel)
            flatten(layerConfig, "config", entry.fields);
        if (layer.contains("inbound_nodes"))
            entry.fields.emplace_back("inputs", toText(layer["inbound_nodes"], -1));
        layers.push_back(std::move(entry));
        if (isModel)
            collectLayers(layer, prefix + name + "/", layers);
    }
}

std::vector<LayerDifference> layerDifferences(const Json& before, const Json& after) {
    std::vector<LayerEntry> first;
    std::vector<LayerEntry> second;
    collectLayers(before, "", first);
    collectLayers(after, "", second);
    std::map<std::string, const LayerEntry*> byName;
    for (const LayerEntry& layer : second)
        byName[layer.name] = &layer;
    std::vector<LayerDifference> differences;
    for (const LayerEntry& layer : first) {
        const auto other = byName.find(layer.name);
        if (other == byName.end()) {
            differences.push_back({layer.name, LayerChange::Removed, "", "", ""});
            continue;
        }
        for (const auto& [path, value] : layer.fields) {
            const std::string now = valueOf(other->second->fields, path).value_or("");
            if (now != value)
                differences.push_back({layer.name, LayerChange::Changed, path, value, now});
        }
        for (const auto& [path, value] : other->second->fields) {
            if (!valueOf(layer.fields, path))
                differences.push_back({layer.name, LayerChange::Changed, path, "", value});
        }
        byName.erase(other);
    }
    for (const LayerEntry& layer : second) {
        if (byName.contains(layer.name))
            differences.push_back({layer.name, LayerChange::Added, "", "", ""});
    }
    return differences;
}

} // namespace

ProjectDifference differenceOf(std::string_view before, std::string_view after) {
    if (before == after)
        return {};
    const Result<Json> first = parseJson(before, "before");
    const Result<Json> second = parseJson(after, "after");
    if (!first || !first->is_object())
        return {{}, {}, "the first project cannot be read"};
    if (!second || !second->is_object())
        return {{}, {}, "the second project cannot be read"};
    ProjectDifference difference;
    difference.options = optionDifferences(*first, *second);
    const Json none = Json::object();
    difference.layers = layerDifferences(first->value("model", none), second->value("model", none));
    return difference;
}

std::string_view toString(LayerChange change) {
    static constexpr std::array<std::string_view, 3> names{"added", "removed", "changed"};
    return names[static_cast<std::size_t>(change)];
}

} // namespace core
