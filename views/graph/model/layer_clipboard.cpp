#include "views/graph/model/layer_clipboard.h"

#include "core/model/edit/graph_edit.h"

#include <QClipboard>
#include <QGuiApplication>
#include <algorithm>
#include <map>

namespace views {

namespace {

using core::Json;

constexpr const char* marker = "ipu-workbench-layers";

const core::LayerInvocation* firstCall(const core::ModelGraph& graph, core::LayerId layer) {
    for (const core::LayerInvocation& invocation : graph.invocations) {
        if (invocation.layer == layer)
            return &invocation;
    }
    return nullptr;
}

Json toJson(const std::vector<CopiedLayer>& layers) {
    Json list = Json::array();
    for (const CopiedLayer& layer : layers) {
        Json inputs = Json::array();
        for (const CopiedLayer::Input& input : layer.inputs)
            inputs.push_back({{"layer", input.layer}, {"output", input.output}});
        list.push_back({{"class_name", layer.className},
                        {"name", layer.name},
                        {"config", layer.config},
                        {"inputs", std::move(inputs)}});
    }
    return {{marker, std::move(list)}};
}

std::string textAt(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

CopiedLayer fromJson(const Json& entry) {
    CopiedLayer layer{textAt(entry, "class_name"), textAt(entry, "name"), Json::object(), {}};
    if (const auto config = entry.find("config"); config != entry.end() && config->is_object())
        layer.config = *config;
    if (const auto inputs = entry.find("inputs"); inputs != entry.end() && inputs->is_array()) {
        for (const Json& input : *inputs) {
            if (!input.is_object())
                continue;
            const auto output = input.find("output");
            const bool isNumber = output != input.end() && output->is_number_unsigned();
            layer.inputs.push_back({textAt(input, "layer"), isNumber ? output->get<std::uint32_t>() : 0});
        }
    }
    return layer;
}

} // namespace

std::vector<CopiedLayer> copyLayers(const core::ModelGraph& graph, const std::vector<core::LayerId>& layers) {
    std::vector<std::pair<core::InvocationId, core::LayerId>> order;
    for (const core::LayerId layer : layers) {
        if (const core::LayerInvocation* call = firstCall(graph, layer))
            order.emplace_back(call->id, layer);
    }
    std::sort(order.begin(), order.end());
    std::vector<CopiedLayer> copied;
    for (const auto& [call, id] : order) {
        const core::Layer& layer = graph.layer(id);
        CopiedLayer copy{layer.className, layer.name, layer.config, {}};
        for (const core::TensorRef& input : graph.invocation(call).inputs)
            copy.inputs.push_back({graph.layer(input.invocation).name, input.output});
        copied.push_back(std::move(copy));
    }
    return copied;
}

core::Result<core::ModelGraph> pasteLayers(const core::ModelGraph& graph,
                                           const std::vector<CopiedLayer>& layers, bool withLinks) {
    core::Result<core::ModelGraph> next = graph;
    std::map<std::string, core::InvocationId> copies;
    for (const CopiedLayer& layer : layers) {
        std::vector<core::TensorRef> inputs;
        for (const CopiedLayer::Input& input : layer.inputs) {
            if (const auto copy = copies.find(input.layer); copy != copies.end()) {
                inputs.push_back({copy->second, input.output});
            } else if (const auto original = next->findLayer(input.layer); withLinks && original) {
                if (const core::LayerInvocation* call = firstCall(*next, *original))
                    inputs.push_back({call->id, input.output});
            }
        }
        Json config = layer.config;
        config.erase("name");
        const core::NewLayer made{layer.className, {}, std::move(config)};
        next = layer.className == "InputLayer" ? core::addInput(*next, made)
                                               : core::addLayer(*next, made, inputs);
        if (!next)
            return next;
        copies[layer.name] = next->invocations.back().id;
    }
    return next;
}

void putOnClipboard(const std::vector<CopiedLayer>& layers) {
    QGuiApplication::clipboard()->setText(QString::fromStdString(core::toText(toJson(layers))));
}

std::vector<CopiedLayer> layersOnClipboard() {
    const std::string text = QGuiApplication::clipboard()->text().toStdString();
    if (text.find(marker) == std::string::npos)
        return {};
    const core::Result<Json> document = core::parseJson(text, "clipboard");
    if (!document || !document->is_object() || !document->contains(marker) || !(*document)[marker].is_array())
        return {};
    std::vector<CopiedLayer> layers;
    for (const Json& entry : (*document)[marker]) {
        if (entry.is_object())
            layers.push_back(fromJson(entry));
    }
    return layers;
}

} // namespace views
