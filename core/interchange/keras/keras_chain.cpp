// The wiring of a Sequential model, with the input that its file may leave out.
#include "core/interchange/keras/keras_draft.h"
#include "core/model/graph/chain_input.h"
#include "core/model/layer_naming.h"

#include <fmt/format.h>
#include <utility>

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

void KerasReader::addImplicitInput(Draft& draft) {
    ModelGraph& graph = draft.graph;
    Layer input;
    input.className = "InputLayer";
    input.isImplicit = true;
    input.name =
        uniqueLayerName(graph, graph.layers.empty() ? "input" : graph.layers.front().name + "_input");
    input.config = unlistedInputConfig(graph.layers.empty() ? nullptr : &std::as_const(graph).layers.front(),
                                       graph.extra);
    input.config["name"] = input.name;
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
