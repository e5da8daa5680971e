#include "core/model/edit/copied_layers.h"

#include "core/model/edit/graph_edit.h"
#include "core/model/layer_naming.h"

#include <algorithm>
#include <limits>
#include <map>

namespace core {

namespace {

constexpr const char* copiedLayersMarker = "ipu-workbench-layers";

const LayerInvocation* firstCallOfLayer(const ModelGraph& graph, LayerId layer) {
    for (const LayerInvocation& invocation : graph.invocations) {
        if (invocation.layer == layer)
            return &invocation;
    }
    return nullptr;
}

Json copiedLayersToJson(const std::vector<CopiedLayer>& layers) {
    Json list = Json::array();
    for (const CopiedLayer& layer : layers) {
        Json inputs = Json::array();
        for (const CopiedLayer::Input& input : layer.inputs)
            inputs.push_back({{"layer", input.layer}, {"output", input.output}});
        Json entry{{"class_name", layer.className},
                   {"name", layer.name},
                   {"config", layer.config},
                   {"inputs", std::move(inputs)}};
        if (!layer.bypassed.is_null())
            entry["bypassed"] = layer.bypassed;
        list.push_back(std::move(entry));
    }
    return {{copiedLayersMarker, std::move(list)}};
}

std::string copiedText(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

CopiedLayer copiedLayerFromJson(const Json& entry) {
    CopiedLayer layer{copiedText(entry, "class_name"), copiedText(entry, "name"), Json::object(), {}};
    if (const auto config = entry.find("config"); config != entry.end() && config->is_object())
        layer.config = *config;
    layer.bypassed = entry.value("bypassed", Json());
    if (const auto inputs = entry.find("inputs"); inputs != entry.end() && inputs->is_array()) {
        for (const Json& input : *inputs) {
            if (!input.is_object())
                continue;
            const auto output = input.find("output");
            const std::uint64_t number =
                output != input.end() && output->is_number_unsigned() ? output->get<std::uint64_t>() : 0;
            if (number <= std::numeric_limits<std::uint32_t>::max())
                layer.inputs.push_back({copiedText(input, "layer"), static_cast<std::uint32_t>(number)});
        }
    }
    return layer;
}

} // namespace

std::vector<CopiedLayer> copyLayers(const ModelGraph& graph, const std::vector<LayerId>& layers) {
    std::vector<std::pair<InvocationId, LayerId>> order;
    for (const LayerId layer : layers) {
        if (const LayerInvocation* call = firstCallOfLayer(graph, layer))
            order.emplace_back(call->id, layer);
    }
    std::sort(order.begin(), order.end());
    std::vector<CopiedLayer> copied;
    for (const auto& [call, id] : order) {
        const Layer& layer = graph.layer(id);
        CopiedLayer copy{layer.className, layer.name, layer.config, {}};
        for (const TensorRef& input : graph.invocation(call).inputs)
            copy.inputs.push_back({graph.layer(input.invocation).name, input.output});
        copied.push_back(std::move(copy));
    }
    return copied;
}

Result<ModelGraph> pasteLayers(const ModelGraph& graph, const std::vector<CopiedLayer>& layers,
                               bool withLinks) {
    Result<ModelGraph> next = graph;
    std::map<std::string, InvocationId> copies;
    for (const CopiedLayer& layer : layers) {
        std::vector<TensorRef> inputs;
        for (const CopiedLayer::Input& input : layer.inputs) {
            if (const auto copy = copies.find(input.layer); copy != copies.end()) {
                inputs.push_back({copy->second, input.output});
            } else if (const auto original = next->findLayer(input.layer); withLinks && original) {
                if (const LayerInvocation* call = firstCallOfLayer(*next, *original))
                    inputs.push_back({call->id, input.output});
            }
        }
        Json config = layer.config;
        config.erase("name");
        // A clipboard may hold any text.
        const bool isName = !layer.name.empty() && std::ranges::none_of(layer.name, [](char c) {
            return static_cast<unsigned char>(c) < ' ';
        });
        const NewLayer made{layer.className, isName ? copiedLayerName(*next, layer.name) : std::string(),
                            std::move(config)};
        next = layer.className == "InputLayer" ? addInput(*next, made) : addLayer(*next, made, inputs);
        if (!next)
            return next;
        copies[layer.name] = next->invocations.back().id;
    }
    return next;
}

std::string textOfCopiedLayers(const std::vector<CopiedLayer>& layers) {
    return toText(copiedLayersToJson(layers));
}

std::vector<CopiedLayer> copiedLayersOfText(std::string_view text) {
    if (text.find(copiedLayersMarker) == std::string_view::npos)
        return {};
    const Result<Json> document = parseJson(text, "clipboard");
    if (!document || !document->is_object())
        return {};
    const auto list = document->find(copiedLayersMarker);
    if (list == document->end() || !list->is_array())
        return {};
    std::vector<CopiedLayer> layers;
    for (const Json& entry : *list) {
        if (entry.is_object())
            layers.push_back(copiedLayerFromJson(entry));
    }
    return layers;
}

} // namespace core
