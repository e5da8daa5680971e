// The wiring of a Functional model: calls, what they refer to, its inputs and outputs.
#include "core/interchange/keras/keras_draft.h"
#include "core/interchange/keras/keras_members.h"
#include "core/interchange/keras/keras_writer.h"
#include "core/text/nearest_name.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

void KerasReader::connectCalls(const Json& list, Draft& draft) {
    ModelGraph& graph = draft.graph;
    draft.invocationsOf.resize(graph.layers.size());
    const IsLayer isLayer = [&](const std::string& name) { return draft.names.contains(name); };
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string pointer = childPointer(draft.layerPointers[i], "inbound_nodes");
        const Json* nodes = findMember(list[i], "inbound_nodes");
        if (nodes != nullptr && !nodes->is_array()) {
            refuse("keras/structure", pointer, "\"inbound_nodes\" must be a list",
                   {"one entry per call of the layer, for example [[[\"input\", 0, 0, {}]]]"});
            continue;
        }
        std::vector<KerasCall> calls;
        for (std::size_t k = 0; nodes != nullptr && k < nodes->size(); ++k) {
            auto call = callFromJson((*nodes)[k], isLayer);
            if (!call) {
                refuse("keras/structure", childPointer(pointer, k), "this is no call of a layer",
                       {"a call is a list of [layer, node, tensor, arguments], or {\"args\", \"kwargs\"}"});
                continue;
            }
            if ((*nodes)[k].is_object() && (*nodes)[k].contains("args"))
                graph.dialect = KerasDialect::Keras3;
            calls.push_back(std::move(*call));
        }
        // An InputLayer has one call without inputs, and so has a layer that nothing feeds.
        if (calls.empty())
            calls.emplace_back();
        for (std::size_t k = 0; k < calls.size(); ++k) {
            LayerInvocation invocation;
            invocation.id = InvocationId(graph.invocations.size());
            invocation.layer = LayerId(i);
            invocation.call = static_cast<std::uint32_t>(k);
            invocation.arguments = calls[k].arguments;
            draft.invocationsOf[i].push_back(invocation.id);
            graph.invocations.push_back(std::move(invocation));
            draft.calls.push_back(std::move(calls[k]));
            draft.callPointers.push_back(childPointer(pointer, k));
        }
    }
}

/// The tensors that leave a model, where its config says so.
static std::vector<KerasHistory> leavingTensors(const Json& config) {
    std::vector<KerasHistory> leaving;
    const Json* value = findMember(config, "output_layers");
    if (value == nullptr || !value->is_structured())
        return leaving;
    if (const auto only = historyFromJson(*value))
        return {*only};
    for (const Json& entry : *value)
        if (const auto history = historyFromJson(entry))
            leaving.push_back(*history);
    return leaving;
}

void KerasReader::resolveCalls(const Json& config, Draft& draft) {
    ModelGraph& graph = draft.graph;
    // The making of a nested model counts as its call 0 in most files: its calls are then 1 … n.
    std::vector<std::int64_t> highest(graph.layers.size(), -1);
    std::vector<bool> hasZero(graph.layers.size(), false);
    const auto count = [&](const std::vector<KerasHistory>& tensors) {
        for (const KerasHistory& tensor : tensors) {
            const auto layer = draft.names.find(tensor.layer);
            if (layer == draft.names.end())
                continue;
            highest[layer->second.index()] = std::max(highest[layer->second.index()], tensor.node);
            if (tensor.node == 0)
                hasZero[layer->second.index()] = true;
        }
    };
    for (const KerasCall& call : draft.calls)
        count(call.tensors);
    count(leavingTensors(config));
    draft.firstNode.assign(graph.layers.size(), 0);
    for (const Layer& layer : graph.layers) {
        const std::size_t i = layer.id.index();
        const auto calls = static_cast<std::int64_t>(draft.invocationsOf[i].size());
        // Where only calls are named that both ways of counting have, Keras' own way for such a model holds.
        if (layer.isNestedModel() && !hasZero[i])
            draft.firstNode[i] =
                highest[i] >= calls || highest[i] < 0 ? 1 : firstNodeOf(layer, graph.dialect);
    }
    for (std::size_t i = 0; i < draft.calls.size(); ++i) {
        for (const KerasHistory& tensor : draft.calls[i].tensors) {
            if (const auto ref = resolve(tensor, draft, draft.callPointers[i]))
                graph.invocations[i].inputs.push_back(*ref);
        }
    }
}

std::optional<TensorRef> KerasReader::resolve(const KerasHistory& history, const Draft& draft,
                                              const std::string& pointer) {
    const auto found = draft.names.find(history.layer);
    if (found == draft.names.end()) {
        std::vector<std::string> names;
        for (const Layer& layer : draft.graph.layers)
            names.push_back(layer.name);
        const auto near = nearestName(history.layer, names);
        refuse("keras/unknown-reference", pointer,
               fmt::format("there is no layer \"{}\"", history.layer.substr(0, 80)),
               {near ? fmt::format("did you mean \"{}\"?", *near) : "name a layer of this model's own list"});
        return std::nullopt;
    }
    const std::size_t layer = found->second.index();
    const std::vector<InvocationId>& calls = draft.invocationsOf[layer];
    const auto count = static_cast<std::int64_t>(calls.size());
    // Subtracting from a hostile number could overflow.
    const bool isSane = history.node >= 0 && history.node <= count;
    const std::int64_t call = isSane ? history.node - draft.firstNode[layer] : -1;
    if (call < 0 || call >= count) {
        refuse("keras/node-index", pointer,
               fmt::format("\"{}\" has {} call{}, there is no node {}", history.layer.substr(0, 80), count,
                           count == 1 ? "" : "s", history.node),
               {fmt::format("nodes of it count from {} to {}", draft.firstNode[layer],
                            draft.firstNode[layer] + count - 1)});
        return std::nullopt;
    }
    const std::shared_ptr<const ModelGraph>& model = draft.graph.layers[layer].model;
    const bool isNested = draft.graph.layers[layer].isNestedModel();
    constexpr std::int64_t mostOutputs = 4096;
    const std::int64_t outputs = isNested ? static_cast<std::int64_t>(model->outputs.size()) : mostOutputs;
    if (history.tensor < 0 || history.tensor >= outputs) {
        refuse("keras/node-index", pointer,
               fmt::format("\"{}\" has no output {}", history.layer.substr(0, 80), history.tensor),
               {"outputs count from 0"});
        return std::nullopt;
    }
    return TensorRef{calls[static_cast<std::size_t>(call)], static_cast<std::uint32_t>(history.tensor)};
}

std::optional<std::vector<TensorRef>> KerasReader::readEnd(const Json& config, const char* key,
                                                           Draft& draft) {
    const Json* value = findMember(config, key);
    if (value == nullptr)
        return std::nullopt;
    const std::string pointer = childPointer(draft.pointer, key);
    std::vector<std::pair<std::string, const Json*>> entries;
    if (historyFromJson(*value)) {
        entries.emplace_back(pointer, value);
        draft.graph.extra[fmt::format("${}", key)] = "single";
    } else if (value->is_structured()) {
        for (const auto& [name, entry] : value->items())
            entries.emplace_back(childPointer(pointer, name), &entry);
        if (value->is_object() && !value->empty()) {
            Json names = Json::array();
            for (const auto& [name, entry] : value->items())
                names.push_back(name);
            draft.graph.extra[fmt::format("${}", key)] = names;
        }
    }
    std::vector<TensorRef> refs;
    for (const auto& [at, entry] : entries) {
        const auto history = historyFromJson(*entry);
        if (!history) {
            refuse("keras/structure", at, "this names no tensor", {"write [layer, node, tensor]"});
            continue;
        }
        if (const auto ref = resolve(*history, draft, at))
            refs.push_back(*ref);
    }
    return refs;
}

void KerasReader::readEnds(const Json& config, Draft& draft) {
    ModelGraph& graph = draft.graph;
    auto inputs = readEnd(config, "input_layers", draft);
    auto outputs = readEnd(config, "output_layers", draft);
    std::vector<bool> isUsed(graph.invocations.size(), false);
    for (const LayerInvocation& invocation : graph.invocations) {
        for (const TensorRef& input : invocation.inputs)
            isUsed[input.invocation.index()] = true;
    }
    // A file that names no ends: every InputLayer feeds it, every unused output leaves it.
    if (!inputs) {
        inputs.emplace();
        for (const LayerInvocation& invocation : graph.invocations) {
            if (graph.layer(invocation.layer).className == "InputLayer")
                inputs->push_back({invocation.id, 0});
        }
    }
    if (!outputs) {
        outputs.emplace();
        for (const LayerInvocation& invocation : graph.invocations) {
            if (!isUsed[invocation.id.index()])
                outputs->push_back({invocation.id, 0});
        }
    }
    graph.inputs = std::move(*inputs);
    graph.outputs = std::move(*outputs);
    // InputLayers that the file lists as layers only still feed the model.
    for (const LayerInvocation& invocation : graph.invocations) {
        const TensorRef ref{invocation.id, 0};
        if (graph.layer(invocation.layer).className == "InputLayer" && invocation.inputs.empty() &&
            std::find(graph.inputs.begin(), graph.inputs.end(), ref) == graph.inputs.end())
            graph.inputs.push_back(ref);
    }
}

} // namespace core
