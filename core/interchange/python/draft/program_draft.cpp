#include "core/interchange/python/draft/program_draft.h"

#include <algorithm>
#include <set>

namespace core {

namespace {

/// Puts what `tensor` answers in place of every {"$tensor": index}.
template <class Write>
Json restored(const Json& value, const Write& write, int depth = 0) {
    constexpr int deepest = 64;
    if (!value.is_structured() || depth > deepest)
        return value;
    if (value.is_object() && value.size() == 1 && value.contains("$tensor"))
        return write(value["$tensor"].get<std::size_t>());
    Json copy = value.is_array() ? Json::array() : Json::object();
    for (const auto& [key, entry] : value.items()) {
        if (value.is_array())
            copy.push_back(restored(entry, write, depth + 1));
        else
            copy[key] = restored(entry, write, depth + 1);
    }
    return copy;
}

} // namespace

Json PythonDraft::history(const PythonTensor& tensor) const {
    const PythonLayer& layer = layers[static_cast<std::size_t>(tensor.layer)];
    // A nested model's own making is its node 0.
    return {layer.name, tensor.call + (layer.model >= 0 ? 1 : 0), tensor.output};
}

Json PythonDraft::layerEntry(std::int64_t index, bool withNodes) const {
    const PythonLayer& layer = layers[static_cast<std::size_t>(index)];
    Json entry{{"class_name", layer.className}, {"config", layer.config}};
    if (!layer.module.empty())
        entry["module"] = layer.module;
    if (layer.model >= 0) {
        const Json inner = kerasJson(layer.model);
        entry["class_name"] = inner["class_name"];
        entry["config"] = inner["config"];
    }
    if (!withNodes)
        return entry;
    entry["name"] = layer.name;
    entry["inbound_nodes"] = Json::array();
    for (const PythonCall& call : layer.calls) {
        if (call.tensors.empty() && call.keywords.empty())
            continue;
        const Json keywords =
            restored(call.keywords, [&](std::size_t i) { return history(call.tensors[i]); });
        entry["inbound_nodes"].push_back(restored(call.structure, [&](std::size_t i) {
            Json node = history(call.tensors[i]);
            node.push_back(keywords);
            return node;
        }));
    }
    return entry;
}

std::vector<std::int64_t> PythonDraft::layersOf(const PythonModel& model) const {
    std::set<std::int64_t> used;
    std::vector<PythonTensor> open = model.outputs;
    std::set<std::pair<std::int64_t, std::int64_t>> seen;
    for (const PythonTensor& input : model.inputs)
        used.insert(input.layer);
    while (!open.empty()) {
        const PythonTensor tensor = open.back();
        open.pop_back();
        used.insert(tensor.layer);
        if (!seen.emplace(tensor.layer, tensor.call).second)
            continue;
        const bool isInput =
            std::find_if(model.inputs.begin(), model.inputs.end(), [&](const PythonTensor& in) {
                return in.layer == tensor.layer && in.call == tensor.call;
            }) != model.inputs.end();
        if (isInput)
            continue;
        const auto& calls = layers[static_cast<std::size_t>(tensor.layer)].calls;
        const auto& call = calls[static_cast<std::size_t>(tensor.call)];
        open.insert(open.end(), call.tensors.begin(), call.tensors.end());
    }
    return {used.begin(), used.end()};
}

Json PythonDraft::kerasJson(std::int64_t index) const {
    const PythonModel& model = models[static_cast<std::size_t>(index)];
    if (!model.document.is_null())
        return model.document;
    Json config{{"name", model.name}};
    config.update(model.config);
    config["layers"] = Json::array();
    for (const std::int64_t layer : model.isSequential ? model.layers : layersOf(model))
        config["layers"].push_back(layerEntry(layer, !model.isSequential));
    if (!model.isSequential) {
        for (const bool isInput : {true, false}) {
            Json ends = Json::array();
            for (const PythonTensor& tensor : isInput ? model.inputs : model.outputs)
                ends.push_back(history(tensor));
            config[isInput ? "input_layers" : "output_layers"] = std::move(ends);
        }
    }
    return {{"class_name", model.isSequential ? "Sequential" : "Functional"}, {"config", std::move(config)}};
}

void PythonDraft::collectStages(std::int64_t index, CallMember member, const std::string& prefix,
                                Json& stages, bool& any) const {
    const PythonModel& model = models[static_cast<std::size_t>(index)];
    for (const std::int64_t at : model.isSequential ? model.layers : layersOf(model)) {
        const PythonLayer& layer = layers[static_cast<std::size_t>(at)];
        if (layer.className == "InputLayer")
            continue;
        if (layer.model >= 0) {
            collectStages(layer.model, member, prefix + layer.name + "/", stages, any);
            continue;
        }
        Json list = Json::array();
        for (const PythonCall& call : layer.calls) {
            const std::optional<std::int64_t>& number = call.*member;
            list.push_back(number ? Json(*number) : Json());
            any = any || number.has_value();
        }
        stages[prefix + layer.name] = list.size() == 1 ? list[0] : list;
    }
}

Json PythonDraft::stagesByLayer(std::int64_t model) const {
    return byLayer(model, &PythonCall::stage);
}

Json PythonDraft::shardsByLayer(std::int64_t model) const {
    return byLayer(model, &PythonCall::shard);
}

Json PythonDraft::byLayer(std::int64_t model, CallMember member) const {
    Json stages = Json::object();
    bool any = false;
    if (models[static_cast<std::size_t>(model)].document.is_null())
        collectStages(model, member, "", stages, any);
    return any ? stages : Json();
}

} // namespace core
