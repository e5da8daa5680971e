#include "core/model/graph/model_builder.h"

#include "core/model/graph/layer_catalogue.h"
#include "core/model/layer_naming.h"

#include <algorithm>
#include <cassert>

namespace core {

namespace {

Json batchShape(const std::vector<Dimension>& shape) {
    Json list = Json::array({nullptr});
    for (const Dimension& extent : shape)
        list.push_back(extent ? Json(*extent) : Json(nullptr));
    return list;
}

Json editionKeys() {
    return {{"keras_version", "2.4.0"}, {"backend", "tensorflow"}};
}

} // namespace

ModelBuilder::ModelBuilder(std::string name) {
    m_graph.name = std::move(name);
    m_graph.extra = editionKeys();
}

TensorRef ModelBuilder::input(std::string_view name, const std::vector<Dimension>& shape, DataType type) {
    const Json attributes{{"batch_input_shape", batchShape(shape)},
                          {"dtype", std::string(toString(type))},
                          {"sparse", false},
                          {"ragged", false}};
    const TensorRef made = call("InputLayer", name, attributes, {});
    m_graph.layers.back().config.erase("trainable"); // Keras writes none for inputs
    m_graph.inputs.push_back(made);
    return made;
}

TensorRef ModelBuilder::call(std::string_view className, std::string_view name, const Json& attributes,
                             const std::vector<TensorRef>& inputs, const Json& arguments) {
    const LayerDefinition* definition = findLayerDefinition(className);
    assert(definition != nullptr);
    Layer layer;
    layer.id = LayerId(m_graph.layers.size());
    layer.name = name.empty() ? newLayerName(m_graph, className) : std::string(name);
    layer.className = definition->className;
    layer.config = newLayerConfig(*definition, layer.name, attributes);
    layer.extra = Json::object();
    layer.trainable = layer.config.value("trainable", true);
    m_graph.layers.push_back(std::move(layer));
    return invoke(m_graph.layers.back().id, inputs, withNamedInputs(*definition, inputs.size(), arguments));
}

TensorRef ModelBuilder::callAgain(std::string_view name, const std::vector<TensorRef>& inputs,
                                  const Json& arguments) {
    const auto layer = m_graph.findLayer(name);
    assert(layer.has_value());
    return invoke(*layer, inputs, arguments);
}

TensorRef ModelBuilder::callModel(std::string_view name, std::shared_ptr<const ModelGraph> model,
                                  const std::vector<TensorRef>& inputs) {
    if (const auto known = m_graph.findLayer(name))
        return invoke(*known, inputs, Json::object());
    Layer layer;
    layer.id = LayerId(m_graph.layers.size());
    layer.name = std::string(name);
    layer.className = std::string(toString(model->kind));
    layer.config = Json::object();
    layer.extra = Json::object();
    layer.model = std::move(model);
    m_graph.layers.push_back(std::move(layer));
    return invoke(m_graph.layers.back().id, inputs, Json::object());
}

TensorRef ModelBuilder::invoke(LayerId layer, const std::vector<TensorRef>& inputs, const Json& arguments) {
    LayerInvocation invocation;
    invocation.id = InvocationId(m_graph.invocations.size());
    invocation.layer = layer;
    for (const LayerInvocation& other : m_graph.invocations)
        invocation.call += other.layer == layer ? 1 : 0;
    invocation.inputs = inputs;
    invocation.arguments = arguments;
    m_graph.invocations.push_back(std::move(invocation));
    return {m_graph.invocations.back().id, 0};
}

ModelGraph ModelBuilder::build(std::vector<TensorRef> outputs) && {
    m_graph.outputs = std::move(outputs);
    orderByLayer(m_graph);
    return std::move(m_graph);
}

ModelGraph sequentialModel(std::string name, const std::vector<Dimension>& shape,
                           const std::vector<SequentialEntry>& entries) {
    ModelBuilder builder(std::move(name));
    TensorRef tensor = builder.input("", shape);
    for (const SequentialEntry& entry : entries)
        tensor = builder.call(entry.className, entry.name, entry.attributes, {tensor});
    ModelGraph graph = std::move(builder).build({tensor});
    graph.kind = ModelKind::Sequential;
    return graph;
}

std::vector<InvocationId> orderByLayer(ModelGraph& graph) {
    std::vector<InvocationId> order;
    for (const LayerInvocation& invocation : graph.invocations)
        order.push_back(invocation.id);
    std::stable_sort(order.begin(), order.end(), [&](InvocationId a, InvocationId b) {
        return graph.invocation(a).layer < graph.invocation(b).layer;
    });
    std::vector<InvocationId> places(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        places[order[i].index()] = InvocationId(i);
    const auto renumber = [&](std::vector<TensorRef>& refs) {
        for (TensorRef& ref : refs)
            ref.invocation = places[ref.invocation.index()];
    };
    std::vector<LayerInvocation> ordered;
    for (const InvocationId id : order) {
        ordered.push_back(std::move(graph.invocations[id.index()]));
        ordered.back().id = InvocationId(ordered.size() - 1);
        renumber(ordered.back().inputs);
    }
    graph.invocations = std::move(ordered);
    renumber(graph.inputs);
    renumber(graph.outputs);
    return places;
}

void removeInvocations(ModelGraph& graph, const std::vector<bool>& isLost) {
    std::vector<InvocationId> places(graph.invocations.size());
    std::vector<bool> isCalled(graph.layers.size(), false);
    std::vector<LayerInvocation> kept;
    for (LayerInvocation& invocation : graph.invocations) {
        if (isLost[invocation.id.index()])
            continue;
        places[invocation.id.index()] = InvocationId(kept.size());
        isCalled[invocation.layer.index()] = true;
        kept.push_back(std::move(invocation));
    }
    std::vector<LayerId> layerPlaces(graph.layers.size());
    SharedList<Layer> layers;
    for (std::size_t i = 0; i < graph.layers.size(); ++i) {
        if (!isCalled[i])
            continue;
        const LayerId place(layers.size());
        layerPlaces[i] = place;
        layers.pushShared(graph.layers, i);
        if (place != LayerId(i))
            layers.back().id = place;
    }
    std::vector<std::uint32_t> calls(layers.size(), 0);
    const auto renumber = [&](std::vector<TensorRef>& refs) {
        for (TensorRef& ref : refs)
            ref.invocation = places[ref.invocation.index()];
    };
    for (std::size_t i = 0; i < kept.size(); ++i) {
        kept[i].id = InvocationId(i);
        kept[i].layer = layerPlaces[kept[i].layer.index()];
        kept[i].call = calls[kept[i].layer.index()]++;
        renumber(kept[i].inputs);
    }
    renumber(graph.inputs);
    renumber(graph.outputs);
    graph.layers = std::move(layers);
    graph.invocations = std::move(kept);
}

} // namespace core
