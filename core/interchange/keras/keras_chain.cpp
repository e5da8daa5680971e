// The wiring of a Sequential model, with the input that its file may leave out.
#include "core/interchange/keras/keras_draft.h"
#include "core/interchange/keras/keras_members.h"
#include "core/model/graph/layer_catalogue.h"
#include "core/model/layer_naming.h"

#include <fmt/format.h>

namespace core {

void KerasReader::connectChain(Draft& draft) {
    ModelGraph& graph = draft.graph;
    if (graph.layers.empty() || graph.layers.front().className != "InputLayer")
        addImplicitInput(draft);
    for (std::size_t i = 0; i < graph.layers.size(); ++i) {
        if (i > 0 && graph.layers[i].className == "InputLayer") {
            refuse("keras/structure", draft.layerPointers[i],
                   fmt::format("the InputLayer \"{}\" is inside a Sequential model", graph.layers[i].name),
                   {"only the first layer of a Sequential model can be one"});
            return;
        }
        LayerInvocation invocation;
        invocation.id = InvocationId(i);
        invocation.layer = LayerId(i);
        if (i > 0)
            invocation.inputs = {TensorRef{InvocationId(i - 1), 0}};
        graph.invocations.push_back(std::move(invocation));
    }
    graph.inputs = {TensorRef{InvocationId(0), 0}};
    graph.outputs = {TensorRef{InvocationId(graph.layers.size() - 1), 0}};
}

namespace {

/// The input shape that a layer's config declares, with its batch axis; null when it declares none.
Json declaredShape(const Json& config) {
    for (const char* key : {"batch_input_shape", "batch_shape"}) {
        if (const Json* shape = findMember(config, key); shape != nullptr && shape->is_array())
            return *shape;
    }
    const Json* shape = findMember(config, "input_shape");
    if (shape != nullptr && shape->is_array()) {
        Json whole = Json::array({nullptr});
        whole.insert(whole.end(), shape->begin(), shape->end());
        return whole;
    }
    return nullptr;
}

/// Shape and type that the first layer of a Sequential model asks its input to have.
struct WantedInput {
    Json shape;
    std::string type = "float32";
};

WantedInput wantedInput(const ModelGraph& graph) {
    WantedInput wanted;
    if (!graph.layers.empty()) {
        const Layer& first = graph.layers.front();
        if (first.isNestedModel() && !first.model->inputs.empty()) {
            const Layer& inner = first.model->layer(first.model->inputs.front().invocation);
            wanted.shape = declaredShape(inner.config);
            wanted.type = inner.config.value("dtype", Json("float32")).is_string()
                              ? inner.config.value("dtype", "float32")
                              : "float32";
        } else {
            wanted.shape = declaredShape(first.config);
            if (wanted.shape.is_null()) {
                const Json* inner = findMember(first.config, "layer");
                if (inner != nullptr && inner->contains("config"))
                    wanted.shape = declaredShape((*inner)["config"]);
            }
        }
        const LayerDefinition* definition = findLayerDefinition(first.className);
        if (definition != nullptr && definition->takesIndices) {
            wanted.type = "int32";
            if (wanted.shape.is_null())
                wanted.shape = {nullptr, nullptr};
        }
    }
    const auto config = graph.extra.find("config");
    if (wanted.shape.is_null() && config != graph.extra.end()) {
        if (const Json* built = findMember(*config, "build_input_shape");
            built != nullptr && built->is_array())
            wanted.shape = *built;
    }
    const Json* built = findMember(graph.extra, "build_config");
    if (wanted.shape.is_null() && built != nullptr) {
        if (const Json* shape = findMember(*built, "input_shape"); shape != nullptr && shape->is_array())
            wanted.shape = *shape;
    }
    return wanted;
}

} // namespace

void KerasReader::addImplicitInput(Draft& draft) {
    ModelGraph& graph = draft.graph;
    WantedInput wanted = wantedInput(graph);
    Layer input;
    input.className = "InputLayer";
    input.isImplicit = true;
    input.name =
        uniqueLayerName(graph, graph.layers.empty() ? "input" : graph.layers.front().name + "_input");
    input.config = {
        {"batch_input_shape", std::move(wanted.shape)}, {"dtype", wanted.type}, {"name", input.name}};
    input.extra = Json::object();
    graph.layers.insert(graph.layers.begin(), std::move(input));
    draft.layerPointers.insert(draft.layerPointers.begin(), draft.layersPointer);
    draft.names.clear();
    for (std::size_t i = 0; i < graph.layers.size(); ++i) {
        graph.layers[i].id = LayerId(i);
        draft.names.emplace(graph.layers[i].name, LayerId(i));
    }
}

} // namespace core
