#include "core/model/graph/chain_input.h"

#include "core/model/graph/layer_catalogue.h"
#include "core/model/layer_naming.h"

#include <initializer_list>
#include <string>
#include <utility>

namespace core {

namespace {

/// The array behind a path of members; null where there is none.
Json arrayAt(const Json& object, std::initializer_list<const char*> path) {
    const Json* value = &object;
    for (const char* key : path) {
        const auto member = value->is_object() ? value->find(key) : value->end();
        if (member == value->end())
            return nullptr;
        value = &*member;
    }
    return value->is_array() ? *value : Json();
}

/// The input shape that a layer's config declares, with its batch axis; null when it declares none.
Json declaredShape(const Json& config) {
    for (const char* key : {"batch_input_shape", "batch_shape"}) {
        if (Json shape = arrayAt(config, {key}); !shape.is_null())
            return shape;
    }
    const Json sample = arrayAt(config, {"input_shape"});
    if (sample.is_null())
        return nullptr;
    Json whole = Json::array({nullptr});
    whole.insert(whole.end(), sample.begin(), sample.end());
    return whole;
}

std::string typeOf(const Json& config) {
    const auto type = config.find("dtype");
    return type != config.end() && type->is_string() ? type->get<std::string>() : "float32";
}

} // namespace

Json unlistedInputConfig(const Layer* first, const Json& extra) {
    Json shape;
    std::string type = "float32";
    if (first != nullptr) {
        if (first->isNestedModel() && !first->model->inputs.empty()) {
            const Layer& inner = first->model->layer(first->model->inputs.front().invocation);
            shape = declaredShape(inner.config);
            type = typeOf(inner.config);
        } else {
            shape = declaredShape(first->config);
            if (const auto wrapped = first->config.find("layer");
                shape.is_null() && wrapped != first->config.end() && wrapped->contains("config"))
                shape = declaredShape((*wrapped)["config"]);
        }
        const LayerDefinition* definition = findLayerDefinition(first->className);
        if (definition != nullptr && definition->takesIndices) {
            type = "int32";
            if (shape.is_null())
                shape = {nullptr, nullptr};
        }
    }
    if (shape.is_null())
        shape = arrayAt(extra, {"config", "build_input_shape"});
    if (shape.is_null())
        shape = arrayAt(extra, {"build_config", "input_shape"});
    return {{"batch_input_shape", std::move(shape)}, {"dtype", std::move(type)}};
}

void followFirstLayer(ModelGraph& graph) {
    const ModelGraph& before = graph;
    if (before.layers.size() < 2 || !before.layers.front().isImplicit)
        return;
    Layer input = before.layers.front();
    input.config = unlistedInputConfig(&before.layers[1], graph.extra);
    input.name = before.layers[1].name + "_input";
    if (input.name != before.layers.front().name) {
        graph.layers[0].name.clear(); // its own name is free for it
        input.name = uniqueLayerName(graph, input.name);
    }
    input.config["name"] = input.name;
    // What stays equal stays shared with the model before the edit.
    if (input != before.layers.front())
        graph.layers[0] = std::move(input);
}

} // namespace core
