// One call of a Keras layer: outputs, gradients of inputs and weights, moving statistics.
#include "core/model/graph/infer_shapes.h"
#include "core/model/graph/layer_catalogue.h"
#include "core/model/graph/model_builder.h"
#include "simulator/compiler/lowering/lower_model.h"
#include "simulator/graph/rules/differentiate.h"
#include "tests/tools/oracle/graph_run.h"

#include <fmt/format.h>

namespace oracles {
namespace {

using core::Json;
using core::TensorId;
using namespace simulator;

std::vector<Values> valuesOf(const Json& list) {
    std::vector<Values> values;
    for (const Json& item : list) {
        if (auto read = valuesFromJson(item))
            values.push_back(std::move(*read));
    }
    return values;
}

/// A model of the one layer.
core::Result<core::TypedGraph> typedLayer(const Json& layer, const Json& arguments,
                                          const std::vector<Values>& inputs) {
    core::ModelBuilder builder("case");
    std::vector<core::TensorRef> refs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Extents& extents = inputs[i].form.extents;
        std::vector<core::Dimension> shape(extents.begin() + 1, extents.end());
        refs.push_back(builder.input(fmt::format("input_{}", i), shape, inputs[i].form.type));
    }
    Json config = layer["config"];
    const std::string name = config.value("name", std::string("l"));
    const core::TensorRef output =
        builder.call(layer["class_name"].get<std::string>(), name, config, refs, arguments);
    core::InferenceOptions options;
    options.batchSize = inputs.front().form.extents.front();
    options.requiresKnownShapes = true;
    return core::inferShapes(std::move(builder).build({output}), options);
}

class LayerRun {
public:
    LayerRun(const Json& document, const core::TypedGraph& model, std::vector<Values> inputs)
        : m_document(document)
        , m_model(model)
        , m_inputs(std::move(inputs))
        , m_weights(valuesOf(document["weights"])) {}

    Verdict run() {
        if (const auto result = lower(); !result)
            return failed(result.error());
        if (m_weights.size() != m_weightIds.size())
            return unsupported(
                fmt::format("the layer has {} weights, the case {}", m_weightIds.size(), m_weights.size()));
        if (const auto result = differentiateOutputs(); !result)
            return failed(result.error());
        std::vector<TensorId> results = m_outputs;
        for (const auto* gradients : {&m_inputGradients, &m_weightGradients}) {
            for (const TensorId id : *gradients) {
                if (id.isValid())
                    results.push_back(id);
            }
        }
        if (const auto result = m_graph.run(results); !result)
            return failed(result.error());
        return compare();
    }

private:
    std::vector<LoweredWeight> weightsOf(const core::TypedLayer& layer) {
        std::vector<LoweredWeight> weights;
        for (std::size_t i = 0; i < layer.weights.size() && i < m_weights.size(); ++i) {
            const core::WeightSpec& spec = layer.weights[i];
            const TensorId id = m_graph.feed(layer.path + "/" + spec.name, m_weights[i],
                                             spec.trainable ? TensorRole::Parameter : TensorRole::State);
            weights.push_back({spec.name, id});
            m_weightIds.push_back(id);
            m_weightNames.push_back(spec.name);
        }
        return weights;
    }

    core::Result<void> lower() {
        const bool training = m_document.value("training", false);
        LoweringContext context{m_graph.build(), training, true, {}, {}, {}, {}, 0};
        ModelLowering lowering{m_model,
                               {},
                               [this](const core::TypedLayer& layer) { return weightsOf(layer); },
                               [](const std::string&) { return std::nullopt; },
                               std::nullopt};
        for (std::size_t i = 0; i < m_inputs.size(); ++i) {
            m_inputIds.push_back(m_graph.feed(fmt::format("input_{}", i), m_inputs[i]));
            lowering.values[m_model.inputs[i]] = m_inputIds.back();
        }
        if (const auto result = lowerModel(context, lowering); !result)
            return result;
        const core::TypedInvocation& last = m_model.invocations.back();
        for (std::uint32_t i = 0; i < last.outputs.size(); ++i)
            m_outputs.push_back(lowering.values.at({last.id, i}));
        return {};
    }

    core::Result<void> differentiateOutputs() {
        const std::vector<Values> upstream = valuesOf(m_document["upstream"]);
        std::vector<GradientSeed> seeds;
        for (std::size_t i = 0; i < upstream.size() && i < m_outputs.size(); ++i)
            seeds.push_back({m_outputs[i], m_graph.feed(fmt::format("upstream_{}", i), upstream[i])});
        std::vector<TensorId> wanted;
        for (const TensorId id : m_inputIds) {
            if (core::isFloating(m_graph.build().type(id)))
                wanted.push_back(id);
        }
        for (const TensorId id : m_weightIds) {
            if (m_graph.build().graph().tensor(id).role == TensorRole::Parameter)
                wanted.push_back(id);
        }
        const auto gradients = differentiate(m_graph.build(), seeds, wanted);
        if (!gradients)
            return core::failure(gradients.error());
        m_graph.build().setScope({"sum", {}, Phase::Backward});
        for (const TensorId id : m_inputIds)
            m_inputGradients.push_back(sumOfParts(m_graph.build(), *gradients, id));
        for (const TensorId id : m_weightIds) {
            if (m_graph.build().graph().tensor(id).role == TensorRole::Parameter)
                m_weightGradients.push_back(sumOfParts(m_graph.build(), *gradients, id));
        }
        return {};
    }

    std::vector<float> readOrZeros(TensorId id, std::size_t count) const {
        return id.isValid() ? m_graph.read(id) : std::vector<float>(count, 0.0F);
    }

    void compareGradients(Verdict& verdict, const char* what, const std::vector<TensorId>& ids,
                          const Json& expected, const Tolerance& tolerance) const {
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const auto values = valuesFromJson(expected[i]);
            if (!values)
                continue; // null: an input without gradient
            const TensorId id = i < ids.size() ? ids[i] : TensorId{};
            verdict.compare(fmt::format("{} {}", what, i), readOrZeros(id, values->data.size()), values->data,
                            tolerance);
        }
    }

    Verdict compare() const {
        Verdict verdict;
        const Tolerance tolerance = toleranceOf(m_document);
        const Json& expected = m_document["expected"];
        const std::vector<Values> outputs = valuesOf(expected["outputs"]);
        for (std::size_t i = 0; i < outputs.size() && i < m_outputs.size(); ++i)
            verdict.compare(fmt::format("output {}", i), m_graph.read(m_outputs[i]), outputs[i].data,
                            tolerance);
        if (expected.contains("input_grads"))
            compareGradients(verdict, "input gradient", m_inputGradients, expected["input_grads"], tolerance);
        if (expected.contains("weight_grads"))
            compareGradients(verdict, "weight gradient", m_weightGradients, expected["weight_grads"],
                             tolerance);
        compareStatistic(verdict, expected, "moving_mean_after", "moving_mean", tolerance);
        compareStatistic(verdict, expected, "moving_variance_after_population_variance", "moving_variance",
                         tolerance);
        return verdict;
    }

    void compareStatistic(Verdict& verdict, const Json& expected, const char* key, const std::string& weight,
                          const Tolerance& tolerance) const {
        const auto values = expected.contains(key) ? valuesFromJson(expected[key]) : std::nullopt;
        for (std::size_t i = 0; values && i < m_weightIds.size(); ++i) {
            if (m_weightNames[i] == weight)
                verdict.compare(key, m_graph.read(m_weightIds[i]), values->data, tolerance);
        }
    }

    const Json& m_document;
    const core::TypedGraph& m_model;
    std::vector<Values> m_inputs;
    std::vector<Values> m_weights;
    GraphRun m_graph;
    std::vector<TensorId> m_inputIds;
    std::vector<TensorId> m_weightIds;
    std::vector<std::string> m_weightNames;
    std::vector<TensorId> m_outputs;
    std::vector<TensorId> m_inputGradients;
    std::vector<TensorId> m_weightGradients;
};

} // namespace

Verdict runLayerCase(const Json& document) {
    const Json& layer = document["layer"];
    if (core::findLayerDefinition(layer["class_name"].get<std::string>()) == nullptr)
        return unsupported("the catalogue has no layer \"" + layer["class_name"].get<std::string>() + "\"");
    std::vector<Values> inputs = valuesOf(document["inputs"]);
    if (inputs.empty())
        return unsupported("it has no inputs");
    const auto model = typedLayer(layer, document.value("arguments", Json::object()), inputs);
    if (!model)
        return failed(model.error());
    return LayerRun(document, *model, std::move(inputs)).run();
}

} // namespace oracles
