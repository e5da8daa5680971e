#include "core/model/edit/edit_rules.h"

#include "core/model/graph/layer_catalogue.h"
#include "core/model/graph/model_builder.h"
#include "core/model/layer_naming.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <string_view>
#include <utility>

namespace core {

tl::unexpected<Diagnostics> refuseEdit(std::string code, std::string layer, std::string message,
                                       Hints hints) {
    return failure(makeError(Trouble::Input, "edit/" + std::move(code), {"", std::move(layer)},
                             std::move(message), std::move(hints)));
}

std::optional<Diagnostics> objectionTo(const ModelGraph& graph, LayerId layer) {
    if (layer.index() < graph.layers.size())
        return std::nullopt;
    return refuseEdit("no-such-layer", "", "the layer does not exist any more",
                      {"choose a layer of the model as it is now"})
        .value();
}

std::optional<Diagnostics> objectionTo(const ModelGraph& graph, const TensorRef& tensor) {
    if (tensor.invocation.index() >= graph.invocations.size())
        return refuseEdit("no-such-tensor", "", "the source of the connection does not exist any more",
                          {"begin at a layer of the model as it is now"})
            .value();
    const Layer& producer = graph.layer(tensor.invocation);
    constexpr std::size_t mostOfLayer = 64;
    const std::size_t outputs = producer.className == "InputLayer" ? 1
                                : producer.isNestedModel()         ? producer.model->outputs.size()
                                                                   : mostOfLayer;
    if (tensor.output >= outputs)
        return refuseEdit("no-such-tensor", producer.name,
                          fmt::format("there is no output {}", tensor.output),
                          {outputs == 1 ? std::string("it has one output, 0")
                                        : fmt::format("its outputs count from 0 to {}", outputs - 1)})
            .value();
    return std::nullopt;
}

bool reaches(const ModelGraph& graph, InvocationId from, InvocationId to) {
    std::vector<std::vector<InvocationId>> users(graph.invocations.size());
    for (const LayerInvocation& invocation : graph.invocations) {
        for (const TensorRef& input : invocation.inputs)
            users[input.invocation.index()].push_back(invocation.id);
    }
    std::vector<bool> isSeen(graph.invocations.size(), false);
    std::vector<InvocationId> open{from};
    while (!open.empty()) {
        const InvocationId id = open.back();
        open.pop_back();
        if (id == to)
            return true;
        if (isSeen[id.index()])
            continue;
        isSeen[id.index()] = true;
        open.insert(open.end(), users[id.index()].begin(), users[id.index()].end());
    }
    return false;
}

bool isUsed(const ModelGraph& graph, const TensorRef& tensor) {
    return std::any_of(graph.invocations.begin(), graph.invocations.end(),
                       [&](const LayerInvocation& invocation) {
                           return std::find(invocation.inputs.begin(), invocation.inputs.end(), tensor) !=
                                  invocation.inputs.end();
                       });
}

void handOnOutput(ModelGraph& graph, const TensorRef& tensor, InvocationId user) {
    const auto output = std::find(graph.outputs.begin(), graph.outputs.end(), tensor);
    if (output == graph.outputs.end())
        return;
    for (const TensorRef& other : graph.outputs) {
        if (other != tensor && reaches(graph, user, other.invocation)) {
            graph.outputs.erase(output);
            return;
        }
    }
    TensorRef last{user, 0};
    for (bool isMoving = true; isMoving;) {
        isMoving = false;
        for (const LayerInvocation& invocation : graph.invocations) {
            if (std::find(invocation.inputs.begin(), invocation.inputs.end(), last) !=
                invocation.inputs.end()) {
                last = {invocation.id, 0};
                isMoving = true;
                break;
            }
        }
    }
    *output = last;
}

// Inputs of a call
// --------------------------------------------------------------------------------------------

namespace {

bool mentions(const Json& value, std::size_t input) {
    if (value.is_object() && value.size() == 1 && value.contains("$input"))
        return value["$input"] == input;
    return value.is_structured() &&
           std::any_of(value.begin(), value.end(), [&](const Json& entry) { return mentions(entry, input); });
}

/// Moves references to inputs from `first` on by `step`.
void shiftReferences(Json& value, std::size_t first, std::ptrdiff_t step) {
    if (value.is_object() && value.size() == 1 && value.contains("$input")) {
        const auto input = value["$input"].get<std::size_t>();
        if (input >= first)
            value["$input"] = static_cast<std::ptrdiff_t>(input) + step;
        return;
    }
    if (!value.is_structured())
        return;
    for (Json& entry : value)
        shiftReferences(entry, first, step);
}

} // namespace

void removeInput(LayerInvocation& invocation, std::size_t input) {
    invocation.inputs.erase(invocation.inputs.begin() + static_cast<std::ptrdiff_t>(input));
    Json kept = Json::object();
    for (auto& [key, value] : invocation.arguments.items()) {
        if (key == "$args" || mentions(value, input))
            continue;
        shiftReferences(value, input + 1, -1);
        kept[key] = value;
    }
    invocation.arguments = std::move(kept);
}

void appendInput(const ModelGraph& graph, LayerInvocation& invocation, TensorRef source) {
    invocation.inputs.push_back(source);
    invocation.arguments.erase("$args");
    const LayerDefinition* definition = findLayerDefinition(graph.layer(invocation.layer).className);
    if (definition != nullptr)
        invocation.arguments =
            withNamedInputs(*definition, invocation.inputs.size(), std::move(invocation.arguments));
}

// Kind of the model
// -------------------------------------------------------------------------------------------

namespace {

/// Brings calls and layers of a path into its order; false when the graph is no path.
bool orderAsChain(ModelGraph& graph) {
    if (graph.inputs.size() != 1 || graph.outputs.size() != 1 ||
        graph.invocations.size() != graph.layers.size())
        return false;
    std::vector<InvocationId> next(graph.invocations.size());
    for (const LayerInvocation& invocation : graph.invocations) {
        if (invocation.inputs.size() > 1)
            return false;
        for (const TensorRef& input : invocation.inputs) {
            if (input.output != 0 || next[input.invocation.index()].isValid())
                return false;
            next[input.invocation.index()] = invocation.id;
        }
    }
    std::vector<InvocationId> order;
    for (InvocationId id = graph.inputs.front().invocation; id.isValid() && order.size() < next.size();
         id = next[id.index()])
        order.push_back(id);
    if (order.size() != graph.invocations.size() || graph.outputs.front() != TensorRef{order.back(), 0})
        return false;
    ModelGraph ordered = graph;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const LayerId layer = graph.invocation(order[i]).layer;
        ordered.layers.share(i, graph.layers, layer.index());
        if (layer != LayerId(i))
            ordered.layers[i].id = LayerId(i);
        ordered.invocations[i] = graph.invocation(order[i]);
        ordered.invocations[i].id = InvocationId(i);
        ordered.invocations[i].layer = LayerId(i);
        if (i > 0)
            ordered.invocations[i].inputs = {TensorRef{InvocationId(i - 1), 0}};
    }
    ordered.inputs = {TensorRef{InvocationId(0), 0}};
    ordered.outputs = {TensorRef{InvocationId(order.size() - 1), 0}};
    graph = std::move(ordered);
    return true;
}

/// An implicit InputLayer would be lost when another layer comes first: from now on it is listed.
void listInput(ModelGraph& graph) {
    // Only what changes is written, so that the other layers stay shared with the model before the edit.
    for (std::size_t i = 0; i < graph.layers.size(); ++i)
        if (std::as_const(graph).layers[i].isImplicit)
            graph.layers[i].isImplicit = false;
    graph.extra.erase("$list"); // the form of editions that had no InputLayer in it
}

} // namespace

Result<ModelGraph> settle(ModelGraph graph) {
    if (graph.kind == ModelKind::Sequential) {
        listInput(graph);
        if (!orderAsChain(graph))
            graph = toFunctional(std::move(graph));
    }
    orderByLayer(graph);
    return graph;
}

namespace {

/// For each call whether an input of the model leads to it and nobody reads what it gives.
std::vector<bool> lastCalls(const ModelGraph& graph) {
    std::vector<bool> isLast(graph.invocations.size(), true);
    std::vector<bool> isFed(graph.invocations.size(), false);
    std::vector<std::vector<InvocationId>> users(graph.invocations.size());
    for (const LayerInvocation& invocation : graph.invocations) {
        for (const TensorRef& input : invocation.inputs) {
            isLast[input.invocation.index()] = false;
            users[input.invocation.index()].push_back(invocation.id);
        }
    }
    std::vector<InvocationId> open;
    for (const LayerInvocation& invocation : graph.invocations) {
        if (graph.layer(invocation.id).className == "InputLayer") {
            isLast[invocation.id.index()] = false;
            open.push_back(invocation.id);
        }
    }
    while (!open.empty()) {
        const InvocationId id = open.back();
        open.pop_back();
        for (const InvocationId user : users[id.index()]) {
            if (!isFed[user.index()]) {
                isFed[user.index()] = true;
                open.push_back(user);
            }
        }
    }
    for (std::size_t i = 0; i < isLast.size(); ++i)
        isLast[i] = isLast[i] && isFed[i];
    return isLast;
}

} // namespace

std::vector<TensorRef> unreadTensors(const ModelGraph& graph) {
    const std::vector<bool> isLast = lastCalls(graph);
    std::vector<TensorRef> tensors;
    for (const LayerInvocation& invocation : graph.invocations) {
        if (isLast[invocation.id.index()])
            tensors.push_back({invocation.id, 0});
    }
    return tensors;
}

namespace {

bool givesOutput(const ModelGraph& graph, InvocationId call) {
    return std::ranges::any_of(graph.outputs,
                               [&](const TensorRef& output) { return output.invocation == call; });
}

} // namespace

Result<ModelGraph> settle(const ModelGraph& before, ModelGraph graph) {
    std::set<std::pair<std::string_view, std::uint32_t>> chosen;
    const std::vector<bool> wasLast = lastCalls(before);
    for (const LayerInvocation& invocation : before.invocations) {
        if (wasLast[invocation.id.index()] && !givesOutput(before, invocation.id))
            chosen.emplace(before.layer(invocation.id).name, invocation.call);
    }
    const std::vector<bool> isLast = lastCalls(graph);
    for (const LayerInvocation& invocation : graph.invocations) {
        if (isLast[invocation.id.index()] && !givesOutput(graph, invocation.id) &&
            !chosen.contains({graph.layer(invocation.id).name, invocation.call}))
            graph.outputs.push_back({invocation.id, 0});
    }
    return settle(std::move(graph));
}

Result<Layer> makeLayer(const ModelGraph& graph, const NewLayer& wanted) {
    const LayerDefinition* definition = findLayerDefinition(wanted.className);
    if (definition == nullptr && wanted.isOpaque) {
        Layer opaque;
        opaque.name = newLayerName(graph, wanted.className);
        opaque.className = wanted.className;
        opaque.config = {{"name", opaque.name}};
        opaque.extra = Json::object();
        return opaque;
    }
    if (definition == nullptr) {
        const auto near = nearestClassName(wanted.className);
        return refuseEdit(
            "unknown-class", "", fmt::format("there is no layer class \"{}\"", wanted.className),
            {near ? fmt::format("did you mean \"{}\"?", *near) : "the palette lists the classes"});
    }
    if (!wanted.name.empty() && graph.findLayer(wanted.name))
        return refuseEdit("duplicate-name", wanted.name,
                          fmt::format("a layer \"{}\" exists already", wanted.name),
                          {fmt::format("the next free name is \"{}\"", uniqueLayerName(graph, wanted.name))});
    Layer layer;
    layer.name = wanted.name.empty() ? newLayerName(graph, definition->className) : wanted.name;
    layer.className = definition->className;
    layer.config = newLayerConfig(*definition, layer.name, wanted.attributes);
    layer.config["name"] = layer.name;
    layer.extra = Json::object();
    layer.trainable = layer.config["trainable"] != false;
    Diagnostics findings = checkAttributes(*definition, layer.config, "", "");
    for (Diagnostic& finding : findings) {
        finding.code = "edit/attribute";
        finding.location.place = layer.name;
    }
    if (!findings.empty())
        return failure(std::move(findings));
    return layer;
}

InvocationId appendCall(ModelGraph& graph, Layer layer, std::vector<TensorRef> inputs) {
    layer.id = LayerId(graph.layers.size());
    LayerInvocation invocation;
    invocation.id = InvocationId(graph.invocations.size());
    invocation.layer = layer.id;
    const LayerDefinition* definition = findLayerDefinition(layer.className);
    if (definition != nullptr)
        invocation.arguments = withNamedInputs(*definition, inputs.size(), Json::object());
    invocation.inputs = std::move(inputs);
    graph.layers.push_back(std::move(layer));
    graph.invocations.push_back(std::move(invocation));
    return graph.invocations.back().id;
}

std::size_t mostInputs(const Layer& layer) {
    if (layer.isNestedModel())
        return layer.model->inputs.size();
    const LayerDefinition* definition = findLayerDefinition(layer.className);
    return definition == nullptr ? 64 : definition->maximumInputs;
}

std::optional<Diagnostics> objectionToInputs(const ModelGraph& graph, const Layer& layer,
                                             const std::vector<TensorRef>& inputs) {
    for (const TensorRef& input : inputs) {
        if (auto objection = objectionTo(graph, input))
            return objection;
    }
    const std::size_t most = mostInputs(layer);
    if (inputs.size() > most)
        return refuseEdit(
                   "too-many-inputs", layer.name,
                   fmt::format("{} takes at most {} input{}", layer.className, most, most == 1 ? "" : "s"),
                   {most == 0 ? "an input is fed by the data" : "merge them with a Concatenate or Add layer"})
            .value();
    return std::nullopt;
}

ModelGraph toFunctional(ModelGraph graph) {
    listInput(graph);
    graph.kind = ModelKind::Functional;
    graph.extra.erase("$list");
    graph.extra.erase("$class_name");
    return graph;
}

} // namespace core
