#include "core/model/edit/edit_rules.h"
#include "core/model/edit/graph_edit.h"
#include "core/model/graph/infer_shapes.h"
#include "core/model/graph/model_builder.h"
#include "core/model/graph/model_summary.h"
#include "core/model/layer_naming.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace core {

namespace {

/// A piece of a model: some layers with all their calls, and the tensors that cross its border.
struct Piece {
    std::vector<LayerId> layers;
    std::vector<bool> isInside;
    std::vector<TensorRef> inputs;
    std::vector<TensorRef> outputs;
};

void addOnce(std::vector<TensorRef>& list, const TensorRef& tensor) {
    if (std::find(list.begin(), list.end(), tensor) == list.end())
        list.push_back(tensor);
}

Result<Piece> cutOut(const ModelGraph& graph, const std::vector<LayerId>& layers) {
    Piece piece;
    std::set<LayerId> chosen(layers.begin(), layers.end());
    piece.isInside.resize(graph.invocations.size(), false);
    for (const LayerId id : chosen) {
        if (auto objection = objectionTo(graph, id))
            return failure(*objection);
        if (graph.layer(id).className == "InputLayer")
            return refuseEdit("input-layer", graph.layer(id).name, "an input cannot be part of a block",
                              {"leave it out of the selection"});
        piece.layers.push_back(id);
    }
    if (chosen.empty())
        return refuseEdit("nothing-chosen", "", "no layer is chosen", {"choose one or more layers"});
    for (const LayerInvocation& invocation : graph.invocations)
        piece.isInside[invocation.id.index()] = chosen.contains(invocation.layer);
    for (const LayerInvocation& invocation : graph.invocations) {
        const bool isInside = piece.isInside[invocation.id.index()];
        for (const TensorRef& input : invocation.inputs) {
            if (isInside && !piece.isInside[input.invocation.index()])
                addOnce(piece.inputs, input);
            if (!isInside && piece.isInside[input.invocation.index()])
                addOnce(piece.outputs, input);
        }
    }
    for (const TensorRef& output : graph.outputs) {
        if (piece.isInside[output.invocation.index()])
            addOnce(piece.outputs, output);
    }
    return piece;
}

/// A layer outside that both depends on the piece and feeds it.
std::optional<std::string> enclosedLayer(const ModelGraph& graph, const Piece& piece) {
    for (const TensorRef& input : piece.inputs) {
        for (const TensorRef& output : piece.outputs) {
            if (reaches(graph, output.invocation, input.invocation))
                return graph.layer(input.invocation).name;
        }
    }
    return std::nullopt;
}

/// The inner model: the piece behind InputLayers of the shapes that are fed to it.
Result<ModelGraph> innerModel(const ModelGraph& graph, const Piece& piece, const std::string& name) {
    const auto shapes = inferKnownShapes(graph).drawnOutputs;
    ModelBuilder builder(name);
    std::map<TensorRef, TensorRef> places;
    for (const TensorRef& input : piece.inputs) {
        const bool isKnown = input.invocation.index() < shapes.size() &&
                             input.output < shapes[input.invocation.index()].size();
        const std::string& source = graph.layer(input.invocation).name;
        if (!isKnown)
            return refuseEdit("shape", source, "the shape of what is fed to the block is not known",
                              {"correct the layers before it first"});
        const TensorSpec& spec = shapes[input.invocation.index()][input.output];
        const std::vector<Dimension> sample(spec.shape.dimensions.begin() + (spec.shape.rank() > 0 ? 1 : 0),
                                            spec.shape.dimensions.end());
        std::string inputName = source + "_in";
        while (builder.draft().findLayer(inputName) || graph.findLayer(inputName))
            inputName += "_";
        places[input] = builder.input(inputName, sample, spec.type);
    }
    ModelGraph inner = std::move(builder).build({});
    inner.dialect = graph.dialect;
    std::map<LayerId, LayerId> layerPlaces;
    for (const LayerId id : piece.layers) {
        layerPlaces[id] = LayerId(inner.layers.size());
        inner.layers.push_back(graph.layer(id));
        inner.layers.back().id = layerPlaces[id];
    }
    std::map<InvocationId, InvocationId> calls;
    for (const LayerInvocation& invocation : graph.invocations) {
        if (piece.isInside[invocation.id.index()]) {
            calls[invocation.id] = InvocationId(inner.invocations.size());
            inner.invocations.push_back(invocation);
        }
    }
    const auto inside = [&](const TensorRef& tensor) {
        const auto place = places.find(tensor);
        return place != places.end() ? place->second : TensorRef{calls.at(tensor.invocation), tensor.output};
    };
    for (auto& [original, copy] : calls) {
        LayerInvocation& call = inner.invocations[copy.index()];
        call.id = copy;
        call.layer = layerPlaces.at(call.layer);
        for (TensorRef& input : call.inputs)
            input = inside(input);
    }
    for (const TensorRef& output : piece.outputs)
        inner.outputs.push_back(inside(output));
    orderByLayer(inner);
    inner.extra = Json::object();
    return inner;
}

} // namespace

Result<ModelGraph> nestLayers(const ModelGraph& graph, const std::vector<LayerId>& layers,
                              const std::string& name) {
    const Result<Piece> piece = cutOut(graph, layers);
    if (!piece)
        return failure(piece.error());
    if (const auto outside = enclosedLayer(graph, *piece))
        return refuseEdit("cycle", *outside,
                          fmt::format("the block would feed \"{}\" and be fed by it", *outside),
                          {"choose that layer too"});
    if (piece->inputs.empty() || piece->outputs.empty())
        return refuseEdit("not-connected", graph.layer(piece->layers.front()).name,
                          "a nested model needs an input and an output", {"connect the block first"});
    Result<ModelGraph> inner = innerModel(graph, *piece, name);
    if (!inner)
        return failure(inner.error());
    ModelGraph edited = toFunctional(graph);
    Layer nested;
    nested.name = uniqueLayerName(graph, name.empty() ? "block" : name);
    nested.className = "Functional";
    nested.config = Json::object();
    nested.extra = Json::object();
    inner->name = nested.name;
    nested.model = std::make_shared<const ModelGraph>(std::move(*inner));
    const InvocationId call = appendCall(edited, std::move(nested), piece->inputs);
    const auto moved = [&](TensorRef& tensor) {
        const auto place = std::find(piece->outputs.begin(), piece->outputs.end(), tensor);
        if (place != piece->outputs.end())
            tensor = {call, static_cast<std::uint32_t>(place - piece->outputs.begin())};
    };
    std::vector<bool> isLost = piece->isInside;
    isLost.push_back(false);
    for (LayerInvocation& invocation : edited.invocations) {
        for (TensorRef& input : invocation.inputs) {
            if (!isLost[invocation.id.index()])
                moved(input);
        }
        if (isLost[invocation.id.index()])
            invocation.inputs.clear();
    }
    std::for_each(edited.outputs.begin(), edited.outputs.end(), moved);
    removeInvocations(edited, isLost);
    return settle(std::move(edited));
}

Result<ModelGraph> expandModel(const ModelGraph& graph, LayerId id) {
    if (auto objection = objectionTo(graph, id))
        return failure(*objection);
    const Layer& nested = graph.layer(id);
    if (!nested.isNestedModel())
        return refuseEdit("no-model", nested.name, "the layer is no nested model",
                          {"choose a layer that holds a model"});
    const ModelGraph& inner = *nested.model;
    ModelGraph edited = toFunctional(graph);
    const bool isFrozen = !nested.trainable || !isTrainable(inner);
    std::vector<LayerId> layerPlaces(inner.layers.size());
    for (const Layer& layer : inner.layers) {
        if (layer.className == "InputLayer")
            continue;
        Layer copy = layer;
        copy.id = layerPlaces[layer.id.index()] = LayerId(edited.layers.size());
        copy.name = uniqueLayerName(edited, layer.name);
        if (!copy.isNestedModel()) {
            copy.config["name"] = copy.name;
            copy.trainable = copy.trainable && !isFrozen;
            if (isFrozen)
                copy.config["trainable"] = false;
        }
        edited.layers.push_back(std::move(copy));
    }
    std::vector<bool> isLost(graph.invocations.size(), false);
    std::map<TensorRef, TensorRef> places;
    std::vector<std::uint32_t> calls(inner.layers.size(), 0);
    for (const LayerInvocation& call : graph.invocations) {
        if (call.layer != id)
            continue;
        if (call.inputs.size() != inner.inputs.size())
            return refuseEdit("not-connected", nested.name, "the nested model is not connected",
                              {"connect every input of it"});
        isLost[call.id.index()] = true;
        std::map<TensorRef, TensorRef> inside;
        for (std::size_t i = 0; i < inner.inputs.size(); ++i)
            inside[inner.inputs[i]] = call.inputs[i];
        const auto resolve = [&](const TensorRef& tensor) {
            const auto fed = inside.find(tensor);
            return fed != inside.end()
                       ? fed->second
                       : TensorRef{inside.at({tensor.invocation, 0}).invocation, tensor.output};
        };
        for (const InvocationId inner_id : postOrder(inner)) {
            const LayerInvocation& original = inner.invocation(inner_id);
            if (inner.layer(original.layer).className == "InputLayer")
                continue;
            LayerInvocation copy = original;
            copy.id = InvocationId(edited.invocations.size());
            copy.layer = layerPlaces[original.layer.index()];
            copy.call = calls[original.layer.index()]++;
            for (TensorRef& input : copy.inputs)
                input = resolve(input);
            inside[{inner_id, 0}] = {copy.id, 0};
            edited.invocations.push_back(std::move(copy));
        }
        for (std::size_t i = 0; i < inner.outputs.size(); ++i)
            places[{call.id, static_cast<std::uint32_t>(i)}] = resolve(inner.outputs[i]);
    }
    const auto moved = [&](TensorRef& tensor) {
        // What is moved may lead to another call of the same model.
        for (auto place = places.find(tensor); place != places.end(); place = places.find(tensor))
            tensor = place->second;
    };
    isLost.resize(edited.invocations.size(), false);
    for (LayerInvocation& invocation : edited.invocations) {
        if (isLost[invocation.id.index()])
            invocation.inputs.clear();
        std::for_each(invocation.inputs.begin(), invocation.inputs.end(), moved);
    }
    std::for_each(edited.outputs.begin(), edited.outputs.end(), moved);
    removeInvocations(edited, isLost);
    return settle(std::move(edited));
}

namespace {

/// Of what a piece reads the one that the copies hand on: of the shape of what it gives, and if several are,
/// the one that is read first. The others every copy reads as they are.
std::optional<TensorRef> inputThatGoesOn(const ModelGraph& graph, const Piece& piece) {
    if (piece.inputs.size() == 1)
        return piece.inputs.front();
    const auto shapes = inferKnownShapes(graph).drawnOutputs;
    const auto shapeOf = [&](const TensorRef& tensor) -> std::optional<TensorSpec> {
        const bool isKnown = tensor.invocation.index() < shapes.size() &&
                             tensor.output < shapes[tensor.invocation.index()].size();
        return isKnown ? std::optional(shapes[tensor.invocation.index()][tensor.output]) : std::nullopt;
    };
    const std::optional<TensorSpec> given = shapeOf(piece.outputs.front());
    for (const InvocationId id : postOrder(graph)) {
        if (!piece.isInside[id.index()])
            continue;
        for (const TensorRef& input : graph.invocation(id).inputs) {
            const bool isOutside = std::ranges::find(piece.inputs, input) != piece.inputs.end();
            if (isOutside && given && shapeOf(input) == given)
                return input;
        }
    }
    return std::nullopt;
}

} // namespace

Result<ModelGraph> repeatLayers(const ModelGraph& graph, const std::vector<LayerId>& layers,
                                std::size_t times) {
    constexpr std::size_t most = 1000;
    const Result<Piece> piece = cutOut(graph, layers);
    if (!piece)
        return failure(piece.error());
    const std::string& first = graph.layer(piece->layers.front()).name;
    if (times < 1 || times > most)
        return refuseEdit("times", first, fmt::format("a block cannot be repeated {} times", times),
                          {fmt::format("choose 1 to {}", most)});
    if (piece->inputs.empty() || piece->outputs.size() != 1)
        return refuseEdit(
            "not-one-way", first,
            fmt::format(
                "the block has {} inputs and {} outputs, and can only be repeated with one output that "
                "takes the place of an input",
                piece->inputs.size(), piece->outputs.size()),
            {"choose the layers from one connection to another"});
    const std::optional<TensorRef> goesOn = inputThatGoesOn(graph, *piece);
    if (!goesOn)
        return refuseEdit("not-one-way", first,
                          fmt::format("the block reads {} tensors, and none has the shape of what it gives",
                                      piece->inputs.size()),
                          {"choose the layers from one connection to another of the same shape"});
    if (const auto outside = enclosedLayer(graph, *piece))
        return refuseEdit("cycle", *outside, fmt::format("the block encloses \"{}\"", *outside),
                          {"choose that layer too"});
    ModelGraph edited = graph;
    TensorRef last = piece->outputs.front();
    for (std::size_t copyNumber = 1; copyNumber < times; ++copyNumber) {
        std::map<LayerId, LayerId> copies;
        for (const LayerId id : piece->layers) {
            Layer copy = graph.layer(id);
            copy.id = copies[id] = LayerId(edited.layers.size());
            copy.name = uniqueLayerName(edited, copy.name);
            if (!copy.isNestedModel())
                copy.config["name"] = copy.name;
            edited.layers.push_back(std::move(copy));
        }
        std::map<InvocationId, InvocationId> calls;
        for (const LayerInvocation& invocation : graph.invocations) {
            if (!piece->isInside[invocation.id.index()])
                continue;
            LayerInvocation copy = invocation;
            copy.id = calls[invocation.id] = InvocationId(edited.invocations.size());
            copy.layer = copies.at(copy.layer);
            edited.invocations.push_back(std::move(copy));
        }
        for (const auto& [original, copy] : calls) {
            for (TensorRef& input : edited.invocations[copy.index()].inputs) {
                if (input == *goesOn)
                    input = last;
                else if (const auto inside = calls.find(input.invocation); inside != calls.end())
                    input = {inside->second, input.output};
            }
        }
        last = {calls.at(piece->outputs.front().invocation), piece->outputs.front().output};
    }
    for (LayerInvocation& invocation : edited.invocations) {
        const bool isOutside =
            invocation.id.index() < piece->isInside.size() && !piece->isInside[invocation.id.index()];
        for (TensorRef& input : invocation.inputs) {
            if (isOutside && input == piece->outputs.front())
                input = last;
        }
    }
    for (TensorRef& output : edited.outputs) {
        if (output == piece->outputs.front())
            output = last;
    }
    return settle(std::move(edited));
}

} // namespace core
