#include "core/model/graph/flattened_model.h"

#include "core/model/graph/graph_structure.h"
#include "core/model/graph/layer_catalogue.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <utility>

namespace core {

namespace {

constexpr std::size_t mostInvocations = std::size_t{1} << 18;

class Flattener {
public:
    explicit Flattener(std::string_view file)
        : m_file(file) {}

    /// `fed` holds the inputs of a nested model, nothing for the outermost one.
    std::optional<std::vector<TensorRef>> open(const ModelGraph& graph, const std::string& prefix,
                                               bool trainable, const std::vector<TensorRef>* fed,
                                               InvocationId drawn) {
        std::vector<FlattenedPlace> places(graph.invocations.size());
        std::vector<LayerId>& ids = m_ids[{prefix, &graph}];
        ids.resize(graph.layers.size());
        for (const InvocationId id : postOrder(graph)) {
            const bool isOutermost = fed == nullptr;
            if (!openCall(graph, id, prefix, trainable, fed, isOutermost ? id : drawn, places, ids))
                return std::nullopt;
        }
        std::vector<TensorRef> outputs;
        for (const TensorRef& output : graph.outputs)
            outputs.push_back(places[output.invocation.index()].resolve(output.output));
        if (fed == nullptr) {
            for (const TensorRef& input : graph.inputs)
                m_result.inputs.push_back(places[input.invocation.index()].resolve(input.output));
            m_result.drawn = std::move(places);
        }
        return outputs;
    }

    FlattenedModel& result() { return m_result; }
    Diagnostic& trouble() { return m_trouble; }

private:
    bool openCall(const ModelGraph& graph, InvocationId id, const std::string& prefix, bool trainable,
                  const std::vector<TensorRef>* fed, InvocationId drawn, std::vector<FlattenedPlace>& places,
                  std::vector<LayerId>& ids) {
        const LayerInvocation& invocation = graph.invocation(id);
        const Layer& layer = graph.layer(invocation.layer);
        FlattenedPlace& place = places[id.index()];
        const auto input = std::find(graph.inputs.begin(), graph.inputs.end(), TensorRef{id, 0});
        if (fed != nullptr && input != graph.inputs.end()) {
            place.aliases = {(*fed)[static_cast<std::size_t>(input - graph.inputs.begin())]};
            m_result.fedInputs.emplace(prefix + layer.name, place.aliases.front());
            return true;
        }
        std::vector<TensorRef> inputs;
        for (const TensorRef& ref : invocation.inputs)
            inputs.push_back(places[ref.invocation.index()].resolve(ref.output));
        if (layer.isNestedModel()) {
            if (inputs.size() != layer.model->inputs.size())
                return refuse("model/not-connected", prefix + layer.name, "the nested model is not connected",
                              "connect every input of it");
            auto outputs = open(*layer.model, prefix + layer.name + "/",
                                trainable && layer.trainable && isTrainable(*layer.model), &inputs, drawn);
            if (!outputs)
                return false;
            place.aliases = std::move(*outputs);
            return true;
        }
        return add(layer, invocation, std::move(inputs), prefix, trainable, drawn, place,
                   ids[invocation.layer.index()]);
    }

    bool add(const Layer& layer, const LayerInvocation& invocation, std::vector<TensorRef> inputs,
             const std::string& prefix, bool trainable, InvocationId drawn, FlattenedPlace& place,
             LayerId& id) {
        if (m_result.invocations.size() >= mostInvocations)
            return refuse("model/too-large", prefix + layer.name,
                          fmt::format("the model has more than {} calls when its nested models are opened",
                                      mostInvocations),
                          "call nested models less often");
        if (!id.isValid()) {
            id = LayerId(m_result.layers.size());
            m_result.layers.push_back({&layer, prefix + layer.name, trainable && layer.trainable,
                                       findLayerDefinition(layer.className) != nullptr});
            m_calls.push_back(0);
        }
        place.invocation = InvocationId(m_result.invocations.size());
        m_result.invocations.push_back(
            {id, m_calls[id.index()]++, std::move(inputs), &invocation.arguments, drawn});
        if (layer.className != "InputLayer")
            m_result.assignableCalls.push_back(place.invocation);
        return true;
    }

    bool refuse(std::string code, std::string layer, std::string message, std::string hint) {
        m_trouble = makeError(Trouble::Input, std::move(code), {m_file, std::move(layer)}, std::move(message),
                              {std::move(hint)});
        return false;
    }

    std::string m_file;
    FlattenedModel m_result;
    Diagnostic m_trouble;
    /// Of the layers of each model that was met; not valid before a first call. By prefix and model: a name
    /// may hold a slash itself.
    std::map<std::pair<std::string, const ModelGraph*>, std::vector<LayerId>> m_ids;
    std::vector<std::uint32_t> m_calls;
};

} // namespace

Result<FlattenedModel> flattenModel(const ModelGraph& model, std::string_view file) {
    Diagnostics findings = checkStructure(model, file);
    if (!findings.empty())
        return failure(std::move(findings));
    Flattener flattener(file);
    auto outputs = flattener.open(model, "", isTrainable(model), nullptr, InvocationId());
    if (!outputs)
        return failure(flattener.trouble());
    flattener.result().outputs = std::move(*outputs);
    return std::move(flattener.result());
}

} // namespace core
