#include "core/interchange/keras/keras_reader.h"

#include "core/base/nearest_name.h"
#include "core/model/graph/graph_structure.h"
#include "core/model/graph/layer_catalogue.h"
#include "core/model/layer_naming.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace core {

/// A model while it is read.
struct KerasReader::Draft {
    ModelGraph graph;
    std::string pointer;       ///< of the model's config
    std::string layersPointer; ///< of its list of layers
    std::unordered_map<std::string, LayerId> names;
    /// Calls as the file gives them, with their layer and pointer, parallel to graph.invocations.
    std::vector<KerasCall> calls;
    std::vector<std::string> callPointers;
    std::vector<std::string> layerPointers;
    /// Invocations of each layer in order.
    std::vector<std::vector<InvocationId>> invocationsOf;
    /// What the file counts from: 1 for nested models whose own making is call 0.
    std::vector<std::int64_t> firstNode;
};

namespace {

const Json* findMember(const Json& object, const char* key) {
    if (!object.is_object())
        return nullptr;
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::string textMember(const Json& object, const char* key) {
    const Json* value = findMember(object, key);
    return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

bool isOneOf(const std::string& key, std::initializer_list<const char*> keys) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
}

const Json* layerList(const Json& config) {
    if (config.is_array())
        return &config;
    const Json* list = findMember(config, "layers");
    return list != nullptr && list->is_array() ? list : nullptr;
}

bool isModelEntry(const Json& entry) {
    const std::string className = textMember(entry, "class_name");
    const Json* config = findMember(entry, "config");
    if (config == nullptr)
        return false;
    // A class of the user's own that Keras saved like a Functional model is one.
    return isModelClass(className) ||
           (findLayerDefinition(className) == nullptr && findMember(*config, "input_layers") != nullptr &&
            layerList(*config) != nullptr);
}

bool isSequential(const std::string& className, const Json& config) {
    const std::size_t package = className.rfind('>');
    const std::string plain = package == std::string::npos ? className : className.substr(package + 1);
    return plain.find("Sequential") != std::string::npos || config.is_array();
}

} // namespace

void KerasReader::refuse(std::string code, std::string pointer, std::string message,
                         std::vector<std::string> hints) {
    m_findings.push_back({Severity::Error,
                          Trouble::Input,
                          std::move(code),
                          {m_file, std::move(pointer)},
                          std::move(message),
                          std::move(hints)});
}

std::optional<ModelGraph> KerasReader::readModel(const Json& entry, const std::string& pointer, int depth) {
    if (depth > deepestNesting) {
        refuse("keras/depth", pointer,
               fmt::format("models are nested deeper than {} levels", deepestNesting));
        return std::nullopt;
    }
    const Json* config = findMember(entry, "config");
    const std::string className = textMember(entry, "class_name");
    if (config == nullptr || className.empty()) {
        refuse("keras/structure", pointer, "a model needs \"class_name\" and \"config\"",
               {"give the text that model.to_json() answers"});
        return std::nullopt;
    }
    const Json* list = layerList(*config);
    if (list == nullptr) {
        refuse("keras/structure", childPointer(pointer, "config"),
               fmt::format("the model \"{}\" has no list \"layers\"", className.substr(0, 80)),
               {"a subclassed model has no architecture to read: build it with the functional API"});
        return std::nullopt;
    }
    const std::size_t before = m_findings.size();
    Draft draft;
    draft.pointer = childPointer(pointer, "config");
    draft.layersPointer = config->is_array() ? draft.pointer : childPointer(draft.pointer, "layers");
    draft.graph.kind = isSequential(className, *config) ? ModelKind::Sequential : ModelKind::Functional;
    draft.graph.name = textMember(*config, "name");
    if (draft.graph.name.empty())
        draft.graph.name = textMember(entry, "name");
    if (draft.graph.name.empty())
        draft.graph.name = draft.graph.kind == ModelKind::Sequential ? "sequential" : "model";
    readExtras(entry, *config, draft.graph);
    if (!readLayers(*list, draft, depth))
        return std::nullopt;
    if (draft.graph.kind == ModelKind::Sequential) {
        connectChain(draft);
    } else {
        connectCalls(*list, draft);
        if (m_findings.size() == before)
            resolveCalls(draft);
        if (m_findings.size() == before)
            readEnds(*config, draft);
    }
    if (m_findings.size() != before)
        return std::nullopt;
    for (const Diagnostic& finding : checkStructure(draft.graph)) {
        const auto layer = draft.names.find(finding.location.place);
        const bool isKnown = layer != draft.names.end();
        refuse(finding.code == "model/cycle" ? "keras/cycle" : "keras/structure",
               isKnown ? draft.layerPointers[layer->second.index()] : draft.layersPointer,
               fmt::format("\"{}\": {}", finding.location.place, finding.message),
               finding.hints.empty() ? std::vector<std::string>{"connect the layers as Keras writes them"}
                                     : finding.hints);
    }
    return m_findings.size() == before ? std::optional(std::move(draft.graph)) : std::nullopt;
}

void KerasReader::readExtras(const Json& entry, const Json& config, ModelGraph& graph) const {
    graph.extra = Json::object();
    const std::string className = textMember(entry, "class_name");
    if (className != toString(graph.kind))
        graph.extra["$class_name"] = className;
    if (config.is_array())
        graph.extra["$list"] = true;
    for (const auto& [key, value] : entry.items()) {
        if (!isOneOf(key, {"class_name", "config", "name", "inbound_nodes"}))
            graph.extra[key] = value;
    }
    Json own = Json::object();
    if (config.is_object()) {
        for (const auto& [key, value] : config.items()) {
            if (!isOneOf(key, {"name", "layers", "input_layers", "output_layers"}))
                own[key] = value;
        }
    }
    if (!own.empty())
        graph.extra["config"] = std::move(own);
}

bool KerasReader::readLayers(const Json& list, Draft& draft, int depth) {
    ModelGraph& graph = draft.graph;
    bool isWhole = true;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string pointer = childPointer(draft.layersPointer, i);
        std::optional<Layer> layer = readLayer(list[i], pointer, depth);
        if (!layer) {
            isWhole = false;
            continue;
        }
        if (layer->name.empty())
            layer->name = newLayerName(graph, layer->className);
        layer->id = LayerId(graph.layers.size());
        if (!draft.names.emplace(layer->name, layer->id).second) {
            refuse("keras/duplicate-name", pointer,
                   fmt::format("two layers are named \"{}\"", layer->name.substr(0, 80)),
                   {"rename one of them"});
            isWhole = false;
        }
        if (layer->config.contains("batch_shape"))
            graph.dialect = KerasDialect::Keras3;
        draft.layerPointers.push_back(pointer);
        graph.layers.push_back(std::move(*layer));
    }
    return isWhole;
}

std::optional<Layer> KerasReader::readLayer(const Json& entry, const std::string& pointer, int depth) {
    const std::string className = textMember(entry, "class_name");
    const Json* config = findMember(entry, "config");
    if (className.empty()) {
        refuse("keras/structure", pointer, "a layer needs \"class_name\" and \"config\"",
               {"write for example {\"class_name\": \"Dense\", \"config\": {\"name\": \"dense\", \"units\": "
                "10}}"});
        return std::nullopt;
    }
    Layer layer;
    layer.className = className;
    layer.name = textMember(entry, "name");
    layer.extra = Json::object();
    for (const auto& [key, value] : entry.items()) {
        if (!isOneOf(key, {"class_name", "config", "name", "inbound_nodes"}))
            layer.extra[key] = value;
    }
    if (layer.name.empty() && config != nullptr)
        layer.name = textMember(*config, "name");
    if (isModelEntry(entry)) {
        layer.className = std::string(isSequential(className, *config) ? "Sequential" : "Functional");
        layer.config = Json::object();
        return readInnerModel(entry, pointer, depth, layer) ? std::optional(std::move(layer)) : std::nullopt;
    }
    if (config == nullptr || !config->is_object()) {
        refuse("keras/structure", childPointer(pointer, "config"),
               fmt::format("the layer \"{}\" has no \"config\" object", layer.name.substr(0, 80)),
               {"write its attributes there, for example {\"units\": 10}"});
        return std::nullopt;
    }
    layer.config = *config;
    // Operations of Keras 3 share names with layers; the module tells them apart.
    if (textMember(entry, "module").find(".ops") != std::string::npos && className != "GetItem") {
        layer.config["function"] = className;
        layer.className = "Operation";
        return layer;
    }
    const auto trainable = config->find("trainable");
    layer.trainable = trainable == config->end() || *trainable != false;
    const Json* wrapped = findMember(*config, "layer");
    if (className == "TimeDistributed" && wrapped != nullptr && isModelEntry(*wrapped)) {
        const std::string inner = childPointer(childPointer(pointer, "config"), "layer");
        return readInnerModel(*wrapped, inner, depth, layer) ? std::optional(std::move(layer)) : std::nullopt;
    }
    const std::size_t before = m_findings.size();
    checkLayer(*config, className, layer.name, childPointer(pointer, "config"));
    return m_findings.size() == before ? std::optional(std::move(layer)) : std::nullopt;
}

bool KerasReader::readInnerModel(const Json& entry, const std::string& pointer, int depth, Layer& layer) {
    std::optional<ModelGraph> inner = readModel(entry, pointer, depth + 1);
    if (!inner)
        return false;
    // The entry's other keys belong to the layer; writing takes them from there.
    if (layer.isNestedModel() || layer.className != "TimeDistributed") {
        const Json config = inner->extra.contains("config") ? inner->extra["config"] : Json();
        Json kept = Json::object();
        for (const auto& [key, value] : inner->extra.items()) {
            if (key.starts_with('$'))
                kept[key] = value;
        }
        if (!config.is_null())
            kept["config"] = config;
        inner->extra = std::move(kept);
    }
    if (layer.name.empty())
        layer.name = inner->name;
    layer.model = std::make_shared<const ModelGraph>(std::move(*inner));
    return true;
}

void KerasReader::checkLayer(const Json& config, const std::string& className, const std::string& name,
                             const std::string& pointer) {
    const LayerDefinition* definition = findLayerDefinition(className);
    const LayerDefinition* base = definition != nullptr ? definition : findBaseDefinition(className, config);
    if (definition != nullptr && definition->isOpaque)
        m_warnings.opaqueLayer(className, name, pointer);
    if (definition == nullptr)
        m_warnings.unknownLayer(className, name, base != nullptr ? base->className : "", pointer);
    if (base == nullptr)
        return;
    if (definition != nullptr) {
        Diagnostics findings = checkAttributes(*definition, config, m_file, pointer);
        for (Diagnostic& finding : findings)
            finding.message = fmt::format("{} \"{}\": {}", className, name, finding.message);
        m_findings.insert(m_findings.end(), findings.begin(), findings.end());
        if (!findings.empty())
            return;
    }
    for (const auto& [key, value] : config.items()) {
        const AttributeDefinition* attribute = base->findAttribute(key);
        if (attribute == nullptr && definition != nullptr) {
            m_warnings.unknownAttribute(className, key, name, childPointer(pointer, key));
        } else if (attribute != nullptr && attribute->kind == AttributeKind::Activation &&
                   !activationFromJson(value).isKnown) {
            m_warnings.unknownActivation(activationFromJson(value).name, name, childPointer(pointer, key));
        }
    }
    checkWrapped(config, *base, name, pointer);
}

/// Layers inside a wrapper are checked like others.
void KerasReader::checkWrapped(const Json& config, const LayerDefinition& definition, const std::string& name,
                               const std::string& pointer) {
    const auto check = [&](const Json& entry, const std::string& at) {
        if (entry.is_object() && entry.contains("config") && entry["config"].is_object())
            checkLayer(entry["config"], textMember(entry, "class_name"), name, childPointer(at, "config"));
    };
    for (const AttributeDefinition& attribute : definition.attributes) {
        const auto value = config.find(attribute.name);
        if (value == config.end())
            continue;
        const std::string at = childPointer(pointer, attribute.name);
        if (attribute.kind == AttributeKind::Layer)
            check(*value, at);
        for (std::size_t i = 0; attribute.kind == AttributeKind::Layers && i < value->size(); ++i)
            check((*value)[i], childPointer(at, i));
    }
}

void KerasReader::connectChain(Draft& draft) {
    ModelGraph& graph = draft.graph;
    if (graph.layers.empty() || graph.layers.front().className != "InputLayer")
        addImplicitInput(draft);
    for (std::size_t i = 0; i < graph.layers.size(); ++i) {
        if (i > 0 && graph.layers[i].className == "InputLayer") {
            refuse(
                "keras/structure", draft.layerPointers[i],
                fmt::format("the InputLayer \"{}\" stands inside a Sequential model", graph.layers[i].name),
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

void KerasReader::resolveCalls(Draft& draft) {
    ModelGraph& graph = draft.graph;
    // The making of a nested model counts as its call 0 in most files: its calls are then 1 … n.
    std::vector<std::int64_t> highest(graph.layers.size(), -1);
    std::vector<bool> hasZero(graph.layers.size(), false);
    for (const KerasCall& call : draft.calls) {
        for (const KerasHistory& tensor : call.tensors) {
            const auto layer = draft.names.find(tensor.layer);
            if (layer == draft.names.end())
                continue;
            highest[layer->second.index()] = std::max(highest[layer->second.index()], tensor.node);
            if (tensor.node == 0)
                hasZero[layer->second.index()] = true;
        }
    }
    draft.firstNode.assign(graph.layers.size(), 0);
    for (const Layer& layer : graph.layers) {
        const std::size_t i = layer.id.index();
        const auto count = static_cast<std::int64_t>(draft.invocationsOf[i].size());
        if (layer.isNestedModel() && !hasZero[i])
            draft.firstNode[i] = highest[i] >= count || highest[i] < 0 ? 1 : 0;
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
