#include "core/interchange/keras/keras_writer.h"

#include "core/interchange/keras/keras_inbound.h"
#include "core/model/graph/model_summary.h"

#include <algorithm>
#include <string>

namespace core {

std::int64_t firstNodeOf(const Layer& layer, KerasDialect dialect) {
    if (!layer.isNestedModel())
        return 0;
    const bool countsMaking =
        dialect == KerasDialect::Keras2
            ? !(layer.model->kind == ModelKind::Sequential && !layer.model->layers.empty() &&
                layer.model->layers.front().isImplicit &&
                layer.model->layers.front().config["batch_input_shape"].is_null())
            : layer.model->kind == ModelKind::Functional;
    return countsMaking ? 1 : 0;
}

namespace {

class Writer {
public:
    explicit Writer(const ModelGraph& graph)
        : m_graph(graph) {
        // Keras 3 writes the shape of every tensor beside its origin.
        if (graph.dialect == KerasDialect::Keras3)
            m_outputs = inferKnownShapes(graph).drawnOutputs;
    }

    Json config() const {
        Json layers = Json::array();
        for (const Layer& layer : m_graph.layers) {
            if (!layer.isImplicit)
                layers.push_back(entry(layer));
        }
        if (m_graph.extra.contains("$list"))
            return layers;
        Json config{{"name", m_graph.name}};
        if (m_graph.extra.contains("config")) {
            for (const auto& [key, value] : m_graph.extra["config"].items())
                config[key] = value;
        }
        config["layers"] = std::move(layers);
        if (m_graph.kind == ModelKind::Functional) {
            config["input_layers"] = ends(m_graph.inputs, "$input_layers");
            config["output_layers"] = ends(m_graph.outputs, "$output_layers");
        }
        return config;
    }

private:
    Json history(const TensorRef& ref) const {
        const Layer& producer = m_graph.layer(ref.invocation);
        const auto call = static_cast<std::int64_t>(m_graph.invocation(ref.invocation).call);
        return {producer.name, call + firstNodeOf(producer, m_graph.dialect), ref.output};
    }

    Json tensor(const TensorRef& ref) const {
        if (m_graph.dialect == KerasDialect::Keras2)
            return history(ref);
        Json config = Json::object();
        if (ref.invocation.index() < m_outputs.size() &&
            ref.output < m_outputs[ref.invocation.index()].size()) {
            const TensorSpec& spec = m_outputs[ref.invocation.index()][ref.output];
            config = {{"shape", toJson(spec.shape)}, {"dtype", std::string(toString(spec.type))}};
        }
        config["keras_history"] = history(ref);
        return {{"class_name", "__keras_tensor__"}, {"config", std::move(config)}};
    }

    Json entry(const Layer& layer) const {
        Json json = Json::object();
        if (layer.extra.contains("module"))
            json["module"] = layer.extra["module"];
        json["class_name"] = layer.className;
        if (layer.isNestedModel()) {
            if (layer.model->extra.contains("$class_name"))
                json["class_name"] = layer.model->extra["$class_name"];
            json["config"] = Writer(*layer.model).config();
        } else {
            json["config"] = layer.config;
        }
        if (layer.className == "Operation" && layer.config.contains("function")) {
            json["class_name"] = layer.config["function"];
            json["config"].erase("function");
        }
        for (const auto& [key, value] : layer.extra.items())
            json[key] = value;
        if (m_graph.kind == ModelKind::Sequential)
            return json;
        json["name"] = layer.name;
        json["inbound_nodes"] = Json::array();
        // Among several calls one that nothing is connected to counts as well: the others are named by their
        // number.
        const auto calls = std::ranges::count(m_graph.invocations, layer.id, &LayerInvocation::layer);
        for (const LayerInvocation& invocation : m_graph.invocations) {
            if (invocation.layer == layer.id &&
                (calls > 1 || !(invocation.inputs.empty() && invocation.arguments.empty())))
                json["inbound_nodes"].push_back(callToJson(
                    invocation, m_graph.dialect, [this](const TensorRef& ref) { return tensor(ref); }));
        }
        return json;
    }

    /// A list of tensors, or in the form the file had: one by itself, or by name.
    Json ends(const std::vector<TensorRef>& refs, const char* formKey) const {
        const Json form = m_graph.extra.contains(formKey) ? m_graph.extra[formKey] : Json();
        if (form == "single" && refs.size() == 1)
            return history(refs.front());
        if (form.is_array() && form.size() == refs.size()) {
            Json named = Json::object();
            for (std::size_t i = 0; i < refs.size(); ++i)
                named[form[i].get<std::string>()] = history(refs[i]);
            return named;
        }
        Json list = Json::array();
        for (const TensorRef& ref : refs)
            list.push_back(history(ref));
        return list;
    }

    const ModelGraph& m_graph;
    std::vector<std::vector<TensorSpec>> m_outputs;
};

} // namespace

Json kerasModelToJson(const ModelGraph& graph) {
    Json json = Json::object();
    if (graph.extra.contains("module"))
        json["module"] = graph.extra["module"];
    json["class_name"] = graph.extra.contains("$class_name") ? graph.extra["$class_name"]
                                                             : Json(std::string(toString(graph.kind)));
    json["config"] = Writer(graph).config();
    for (const auto& [key, value] : graph.extra.items()) {
        if (key != "config" && !key.starts_with('$'))
            json[key] = value;
    }
    return json;
}

} // namespace core
