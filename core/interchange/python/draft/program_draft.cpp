#include "core/interchange/python/draft/program_draft.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
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

PythonDraft::CallPositions PythonDraft::callsOf(const PythonModel& model) const {
    CallPositions calls;
    std::vector<PythonTensor> open = endsOf(model);
    open.insert(open.end(), model.inputs.begin(), model.inputs.end());
    while (!open.empty()) {
        const PythonTensor tensor = open.back();
        open.pop_back();
        if (!calls.emplace(std::pair(tensor.layer, tensor.call), 0).second)
            continue;
        const bool isInput = std::ranges::any_of(model.inputs, [&](const PythonTensor& in) {
            return in.layer == tensor.layer && in.call == tensor.call;
        });
        if (isInput)
            continue;
        const auto& own = layers[static_cast<std::size_t>(tensor.layer)].calls;
        const auto& tensors = own[static_cast<std::size_t>(tensor.call)].tensors;
        open.insert(open.end(), tensors.begin(), tensors.end());
    }
    std::map<std::int64_t, std::int64_t> counts;
    for (auto& [call, position] : calls)
        position = counts[call.first]++;
    return calls;
}

Json PythonDraft::history(const PythonTensor& tensor, const CallPositions& calls) const {
    const PythonLayer& layer = layers[static_cast<std::size_t>(tensor.layer)];
    const auto found = calls.find({tensor.layer, tensor.call});
    const std::int64_t position = found == calls.end() ? tensor.call : found->second;
    // A nested model's own making is its node 0.
    return {layer.name, position + (layer.model >= 0 ? 1 : 0), tensor.output};
}

Json PythonDraft::layerEntry(std::int64_t index, const CallPositions* positions) const {
    const PythonLayer& layer = layers[static_cast<std::size_t>(index)];
    Json entry{{"class_name", layer.className}, {"config", layer.config}};
    if (!layer.module.empty())
        entry["module"] = layer.module;
    if (layer.model >= 0) {
        const Json inner = kerasJson(layer.model);
        entry["class_name"] = inner["class_name"];
        entry["config"] = inner["config"];
    }
    if (positions == nullptr)
        return entry;
    entry["name"] = layer.name;
    entry["inbound_nodes"] = Json::array();
    for (std::size_t at = 0; at < layer.calls.size(); ++at) {
        const PythonCall& call = layer.calls[at];
        const bool isWanted = positions->contains({index, static_cast<std::int64_t>(at)});
        if (!isWanted || (call.tensors.empty() && call.keywords.empty()))
            continue;
        const auto written = [&](std::size_t i) { return history(call.tensors[i], *positions); };
        const Json keywords = restored(call.keywords, written);
        entry["inbound_nodes"].push_back(restored(call.structure, [&](std::size_t i) {
            Json node = written(i);
            node.push_back(keywords);
            return node;
        }));
    }
    return entry;
}

std::vector<PythonTensor> PythonDraft::endsOf(const PythonModel& model) const {
    using Calls = std::set<std::pair<std::int64_t, std::int64_t>>;
    const auto leadingTo = [&](std::vector<PythonTensor> open) {
        Calls calls;
        while (!open.empty()) {
            const PythonTensor tensor = open.back();
            open.pop_back();
            const bool isInput = std::ranges::any_of(model.inputs, [&](const PythonTensor& in) {
                return in.layer == tensor.layer && in.call == tensor.call;
            });
            if (isInput || !calls.emplace(tensor.layer, tensor.call).second)
                continue;
            const auto& own = layers[static_cast<std::size_t>(tensor.layer)].calls;
            if (const auto at = static_cast<std::size_t>(tensor.call); at < own.size())
                open.insert(open.end(), own[at].tensors.begin(), own[at].tensors.end());
        }
        return calls;
    };
    std::vector<PythonTensor> ends = model.outputs;
    std::optional<Calls> known;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        if (layers[i].className != "AddLoss" || layers[i].calls.empty())
            continue;
        const PythonTensor term{static_cast<std::int64_t>(i), 0, 0};
        if (!known)
            known = leadingTo(model.outputs);
        const Calls own = leadingTo({term});
        const bool isOfModel =
            std::ranges::any_of(own, [&](const auto& one) { return known->contains(one); });
        const bool isWhole = std::ranges::none_of(own, [&](const auto& one) {
            return layers[static_cast<std::size_t>(one.first)].className == "InputLayer";
        });
        if (isOfModel && isWhole)
            ends.push_back(term);
    }
    return ends;
}

std::int64_t PythonFacts::lastApplied() const {
    const auto last = std::ranges::max_element(configurations, {}, &PythonConfiguration::applied);
    return last == configurations.end() || last->applied == 0 ? -1 : last - configurations.begin();
}

std::vector<std::int64_t> PythonDraft::ownLayers(const PythonModel& model) const {
    return model.isSequential ? model.layers : layersOf(model);
}

std::vector<std::int64_t> PythonDraft::layersOf(const PythonModel& model) const {
    std::set<std::int64_t> used;
    std::vector<PythonTensor> open = endsOf(model);
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
    if (!model.isBuilt)
        return {used.begin(), used.end()};
    // The layers of a class are made before they are called: in the order of their calls.
    std::vector<std::int64_t> order;
    std::set<std::int64_t> waiting(used);
    for (const PythonTensor& input : model.inputs)
        if (waiting.erase(input.layer) > 0)
            order.push_back(input.layer);
    while (!waiting.empty()) {
        const auto ready = std::ranges::find_if(waiting, [&](std::int64_t at) {
            return std::ranges::none_of(
                layers[static_cast<std::size_t>(at)].calls, [&](const PythonCall& call) {
                    return std::ranges::any_of(call.tensors, [&](const PythonTensor& tensor) {
                        return tensor.layer != at && waiting.contains(tensor.layer);
                    });
                });
        });
        const std::int64_t next = ready == waiting.end() ? *waiting.begin() : *ready;
        order.push_back(next);
        waiting.erase(next);
    }
    return order;
}

std::vector<std::int64_t> PythonDraft::listedLayers(const PythonModel& model) const {
    std::vector<std::int64_t> listed = ownLayers(model);
    if (model.isSequential || model.isBuilt) {
        std::erase_if(listed, [&](std::int64_t at) {
            return layers[static_cast<std::size_t>(at)].className == "InputLayer";
        });
        if (model.isBuilt)
            std::ranges::sort(listed);
        return listed;
    }
    // Met from the outputs back, and how far each is from them at most.
    std::vector<std::int64_t> met;
    std::map<std::int64_t, std::int64_t> depths;
    std::vector<PythonTensor> open(model.outputs.rbegin(), model.outputs.rend());
    const std::set<std::int64_t> used(listed.begin(), listed.end());
    while (!open.empty()) {
        const std::int64_t at = open.back().layer;
        open.pop_back();
        if (!used.contains(at) || !depths.emplace(at, 0).second)
            continue;
        met.push_back(at);
        const auto& calls = layers[static_cast<std::size_t>(at)].calls;
        for (auto call = calls.rbegin(); call != calls.rend(); ++call)
            open.insert(open.end(), call->tensors.rbegin(), call->tensors.rend());
    }
    for (const std::int64_t at : listed)
        if (depths.emplace(at, 0).second)
            met.push_back(at);
    constexpr std::size_t mostRounds = 100; // layers that are called on what they answered have no depth
    for (std::size_t round = 0, changes = 1; changes > 0 && round < mostRounds; ++round) {
        changes = 0;
        for (const std::int64_t at : met)
            for (const PythonCall& call : layers[static_cast<std::size_t>(at)].calls)
                for (const PythonTensor& tensor : call.tensors)
                    if (tensor.layer != at && used.contains(tensor.layer) &&
                        depths[tensor.layer] <= depths[at]) {
                        depths[tensor.layer] = depths[at] + 1;
                        ++changes;
                    }
    }
    std::ranges::stable_sort(met, std::greater(), [&](std::int64_t at) { return depths[at]; });
    return met;
}

Json PythonDraft::kerasJson(std::int64_t index) const {
    const PythonModel& model = models[static_cast<std::size_t>(index)];
    Json config{{"name", model.name}};
    config.update(model.config);
    config["layers"] = Json::array();
    const CallPositions calls = model.isSequential ? CallPositions() : callsOf(model);
    for (const std::int64_t layer : ownLayers(model))
        config["layers"].push_back(layerEntry(layer, model.isSequential ? nullptr : &calls));
    if (!model.isSequential) {
        for (const bool isInput : {true, false}) {
            Json ends = Json::array();
            for (const PythonTensor& tensor : isInput ? model.inputs : model.outputs)
                ends.push_back(history(tensor, calls));
            config[isInput ? "input_layers" : "output_layers"] = std::move(ends);
        }
    }
    return {{"class_name", model.isSequential ? "Sequential" : "Functional"}, {"config", std::move(config)}};
}

void PythonDraft::collectStages(std::int64_t index, CallMember member, const std::string& prefix,
                                const std::optional<std::int64_t>& around, ByLayer& stages) const {
    const PythonModel& model = models[static_cast<std::size_t>(index)];
    const CallPositions calls = model.isSequential ? CallPositions() : callsOf(model);
    for (const std::int64_t at : ownLayers(model)) {
        const PythonLayer& layer = layers[static_cast<std::size_t>(at)];
        if (layer.className == "InputLayer")
            continue;
        if (layer.model >= 0) {
            std::optional<std::int64_t> number = around;
            for (std::size_t i = 0; i < layer.calls.size(); ++i)
                if (model.isSequential || calls.contains({at, static_cast<std::int64_t>(i)}))
                    number = layer.calls[i].*member ? layer.calls[i].*member : number;
            collectStages(layer.model, member, prefix + layer.name + "/", number, stages);
            continue;
        }
        Json list = Json::array();
        for (std::size_t i = 0; i < layer.calls.size(); ++i) {
            if (!model.isSequential && !calls.contains({at, static_cast<std::int64_t>(i)}))
                continue;
            const std::optional<std::int64_t>& number =
                layer.calls[i].*member ? layer.calls[i].*member : around;
            list.push_back(number ? Json(*number) : Json());
            stages.any = stages.any || number.has_value();
        }
        // A layer of a sequence is called where the sequence is.
        if (list.empty() && model.isSequential && around) {
            list.push_back(*around);
            stages.any = true;
        }
        stages.set(prefix + layer.name, list.size() == 1 ? list[0] : list);
    }
}

void PythonDraft::ByLayer::set(const std::string& layer, Json numbers) {
    if (known.insert(layer).second)
        object.get_ref<Json::object_t&>().emplace_back(layer, std::move(numbers));
    else
        object[layer] = std::move(numbers);
}

Json PythonDraft::stagesByLayer(std::int64_t model) const {
    return byLayer(model, &PythonCall::stage);
}

Json PythonDraft::shardsByLayer(std::int64_t model) const {
    return byLayer(model, &PythonCall::shard);
}

Json PythonDraft::byLayer(std::int64_t model, CallMember member) const {
    ByLayer stages;
    collectStages(model, member, "", std::nullopt, stages);
    return stages.any ? std::move(stages.object) : Json();
}

bool takeOptimizerOptions(PythonModel& model, Json& optimizer) {
    if (const auto function = optimizer.find(pythonOptimizerOverride); function != optimizer.end()) {
        model.optimizerOverridden = {
            (*function)[0].get<std::string>(),
            {(*function)[1].get<int>(), (*function)[2].get<int>(), (*function)[3].get<int>()}};
        optimizer.erase(function);
    }
    if (!optimizer.is_object())
        return false;
    model.trainsAlone = optimizer.erase(pythonOptimizerAlone) > 0;
    model.hasNoGlobalStep = optimizer.erase(pythonOptimizerStepless) > 0;
    if (optimizer.erase(pythonOptimizerAverages) > 0) {
        model.training["average_replica_gradients"] = true;
        model.trainsAlone = false;
    }
    if (const auto divides = optimizer.find(pythonOptimizerDivides); divides != optimizer.end()) {
        model.training[pythonOptimizerDivides] = *divides;
        optimizer.erase(divides);
    }
    if (optimizer.erase(pythonOptimizerDecaysEach) > 0)
        model.training[pythonOptimizerDecaysEach] = true;
    const auto options = optimizer.find(pythonOptimizerOptions);
    if (options == optimizer.end())
        return false;
    model.pipeline.update(*options);
    optimizer.erase(options);
    return true;
}

} // namespace core
