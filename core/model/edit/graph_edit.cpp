#include "core/model/edit/graph_edit.h"

#include "core/model/edit/edit_rules.h"
#include "core/model/graph/flattened_model.h"
#include "core/model/graph/layer_catalogue.h"
#include "core/model/graph/model_builder.h"
#include "core/model/layer_naming.h"

#include <algorithm>
#include <map>

namespace core {

Result<ModelGraph> addLayer(const ModelGraph& graph, const NewLayer& wanted,
                            const std::vector<TensorRef>& inputs) {
    Result<Layer> layer = makeLayer(graph, wanted);
    if (!layer)
        return failure(layer.error());
    if (layer->className == "InputLayer")
        return addInput(graph, wanted);
    if (auto objection = objectionToInputs(graph, *layer, inputs))
        return failure(*objection);
    ModelGraph edited = graph;
    const InvocationId added = appendCall(edited, std::move(*layer), inputs);
    for (const TensorRef& input : inputs) {
        if (!isUsed(graph, input))
            handOnOutput(edited, input, added);
    }
    return settle(graph, std::move(edited));
}

Result<ModelGraph> addInput(const ModelGraph& graph, const NewLayer& wanted) {
    NewLayer input = wanted;
    input.className = "InputLayer";
    Result<Layer> layer = makeLayer(graph, input);
    if (!layer)
        return failure(layer.error());
    ModelGraph edited = graph;
    edited.inputs.push_back({appendCall(edited, std::move(*layer), {}), 0});
    return settle(graph, std::move(edited));
}

Result<ModelGraph> addCall(const ModelGraph& graph, LayerId id, const std::vector<TensorRef>& inputs) {
    if (auto objection = objectionTo(graph, id))
        return failure(*objection);
    const Layer& layer = graph.layer(id);
    if (layer.className == "InputLayer")
        return refuseEdit("input-layer", layer.name, "an input cannot be called", {"add another input"});
    if (auto objection = objectionToInputs(graph, layer, inputs))
        return failure(*objection);
    ModelGraph edited = graph;
    LayerInvocation invocation;
    invocation.id = InvocationId(edited.invocations.size());
    invocation.layer = id;
    for (const LayerInvocation& other : edited.invocations)
        invocation.call += other.layer == id ? 1 : 0;
    if (const LayerDefinition* definition = findLayerDefinition(layer.className))
        invocation.arguments = withNamedInputs(*definition, inputs.size(), Json::object());
    invocation.inputs = inputs;
    edited.invocations.push_back(std::move(invocation));
    for (const TensorRef& input : inputs) {
        if (!isUsed(graph, input))
            handOnOutput(edited, input, edited.invocations.back().id);
    }
    return settle(graph, std::move(edited));
}

namespace {

/// What feeds a removed call, through removed calls before it; nothing when that is loose.
std::optional<TensorRef> sourceOf(const ModelGraph& graph, TensorRef tensor,
                                  const std::vector<bool>& isLost) {
    for (std::size_t steps = 0; isLost[tensor.invocation.index()]; ++steps) {
        const std::vector<TensorRef>& inputs = graph.invocation(tensor.invocation).inputs;
        if (inputs.empty() || steps > graph.invocations.size())
            return std::nullopt;
        tensor = inputs.front();
    }
    return tensor;
}

} // namespace

Result<ModelGraph> removeLayers(const ModelGraph& graph, const std::vector<LayerId>& layers,
                                Reconnect reconnect) {
    std::vector<bool> isLost(graph.invocations.size(), false);
    for (const LayerId id : layers) {
        if (auto objection = objectionTo(graph, id))
            return failure(*objection);
        if (graph.layer(id).isImplicit)
            return refuseEdit("implicit-input", graph.layer(id).name,
                              "this input belongs to the first layer of the Sequential model",
                              {"remove the first layer, or make the model Functional"});
        for (const LayerInvocation& invocation : graph.invocations) {
            if (invocation.layer == id)
                isLost[invocation.id.index()] = true;
        }
    }
    ModelGraph edited = graph;
    const auto replacement = [&](const TensorRef& tensor) -> std::optional<TensorRef> {
        if (!isLost[tensor.invocation.index()])
            return tensor;
        return reconnect == Reconnect::Yes ? sourceOf(graph, tensor, isLost) : std::nullopt;
    };
    for (LayerInvocation& invocation : edited.invocations) {
        for (std::size_t i = invocation.inputs.size(); i-- > 0;) {
            if (const auto source = replacement(invocation.inputs[i]))
                invocation.inputs[i] = *source;
            else
                removeInput(invocation, i);
        }
    }
    std::vector<TensorRef> outputs;
    for (const TensorRef& output : graph.outputs) {
        const auto source = replacement(output);
        const bool isNew = source && std::find(outputs.begin(), outputs.end(), *source) == outputs.end();
        const bool isInput = source && graph.layer(source->invocation).className == "InputLayer";
        if (isNew && !(isInput && *source != output))
            outputs.push_back(*source);
    }
    edited.outputs = std::move(outputs);
    std::erase_if(edited.inputs, [&](const TensorRef& input) { return isLost[input.invocation.index()]; });
    removeInvocations(edited, isLost);
    return settle(graph, std::move(edited));
}

Result<ModelGraph> duplicateLayers(const ModelGraph& graph, const std::vector<LayerId>& layers,
                                   IncomingEdges incoming) {
    ModelGraph edited = graph;
    std::map<std::size_t, LayerId> copies;
    for (const LayerId id : layers) {
        if (auto objection = objectionTo(graph, id))
            return failure(*objection);
        if (copies.contains(id.index()))
            continue;
        Layer copy = graph.layer(id);
        copy.id = LayerId(edited.layers.size());
        copy.name = copiedLayerName(edited, copy.name);
        copy.isImplicit = false;
        if (!copy.isNestedModel())
            copy.config["name"] = copy.name;
        copies.emplace(id.index(), copy.id);
        edited.layers.push_back(std::move(copy));
    }
    std::map<std::size_t, InvocationId> calls;
    for (const LayerInvocation& invocation : graph.invocations) {
        const auto copy = copies.find(invocation.layer.index());
        if (copy == copies.end())
            continue;
        LayerInvocation call = invocation;
        call.id = InvocationId(edited.invocations.size());
        call.layer = copy->second;
        calls.emplace(invocation.id.index(), call.id);
        edited.invocations.push_back(std::move(call));
    }
    for (const auto& [original, copy] : calls) {
        LayerInvocation& call = edited.invocations[copy.index()];
        for (std::size_t i = call.inputs.size(); i-- > 0;) {
            const auto inside = calls.find(call.inputs[i].invocation.index());
            if (inside != calls.end())
                call.inputs[i].invocation = inside->second;
            else if (incoming == IncomingEdges::Drop)
                removeInput(call, i);
        }
        if (edited.layer(call.layer).className == "InputLayer")
            edited.inputs.push_back({copy, 0});
    }
    return settle(graph, std::move(edited));
}

std::vector<std::optional<std::size_t>> matchAssignable(const ModelGraph& before, const ModelGraph& after) {
    const auto old = flattenModel(before);
    const auto now = flattenModel(after);
    if (!old || !now)
        return {};
    std::map<std::pair<std::string, std::uint32_t>, std::size_t> places;
    const auto key = [](const FlattenedModel& model, InvocationId id) {
        const FlattenedInvocation& invocation = model.invocations[id.index()];
        return std::make_pair(model.layers[invocation.layer.index()].path, invocation.call);
    };
    const std::vector<InvocationId> oldCalls = old->assignable();
    for (std::size_t i = 0; i < oldCalls.size(); ++i)
        places.emplace(key(*old, oldCalls[i]), i);
    std::vector<std::optional<std::size_t>> match;
    for (const InvocationId id : now->assignable()) {
        const auto place = places.find(key(*now, id));
        match.push_back(place == places.end() ? std::nullopt : std::optional(place->second));
    }
    return match;
}

} // namespace core
