#include "core/interchange/keras/keras_reader.h"

#include "core/interchange/keras/keras_draft.h"
#include "core/interchange/keras/keras_members.h"
#include "core/model/graph/graph_structure.h"
#include "core/model/layer_naming.h"

#include <fmt/format.h>

namespace core {

void KerasReader::refuse(std::string code, std::string pointer, std::string message,
                         std::vector<std::string> hints) {
    m_findings.push_back(makeError(Trouble::Input, std::move(code), {m_file, std::move(pointer)},
                                   std::move(message), std::move(hints)));
}

std::optional<ModelGraph> KerasReader::readModel(const Json& entry, const std::string& pointer, int depth) {
    if (depth > deepestNesting) {
        refuse("keras/depth", pointer, fmt::format("models are nested deeper than {} levels", deepestNesting),
               {"put the layers of the innermost models into the model around them"});
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
    draft.graph.kind = isSequentialClass(className, *config) ? ModelKind::Sequential : ModelKind::Functional;
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
            resolveCalls(*config, draft);
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
               fmt::format("\"{}\": {}", finding.location.place, finding.message), finding.hints);
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

} // namespace core
