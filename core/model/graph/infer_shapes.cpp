#include "core/model/graph/infer_shapes.h"

#include "core/model/graph/flattened_model.h"
#include "core/model/graph/layer_catalogue.h"
#include "core/model/layers/function_shapes.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

/// The total number of weights stays countable in 63 bits by far.
constexpr std::int64_t mostParameters = std::int64_t{1} << 50;

class Inference {
public:
    Inference(const FlattenedModel& model, const InferenceOptions& options, std::span<const TensorSpec> fed)
        : m_model(model)
        , m_options(options)
        , m_fed(fed) {}

    InferredModel run() {
        for (std::size_t i = 0; i < m_model.layers.size(); ++i) {
            const FlattenedLayer& flat = m_model.layers[i];
            m_result.graph.layers.push_back({LayerId(i),
                                             flat.path,
                                             flat.layer->className,
                                             flat.layer->config,
                                             flat.trainable,
                                             {},
                                             flat.layer->isNestedModel() ? nullptr : flat.layer->model});
        }
        for (std::size_t i = 0; i < m_model.invocations.size(); ++i)
            m_result.graph.invocations.push_back(infer(InvocationId(i)));
        m_result.graph.inputs = m_model.inputs;
        m_result.graph.outputs = m_model.outputs;
        for (const FlattenedPlace& place : m_model.drawn)
            m_result.drawnOutputs.push_back(outputsAt(place));
        return std::move(m_result);
    }

private:
    std::vector<TensorSpec> outputsAt(const FlattenedPlace& place) const {
        if (place.invocation.isValid())
            return m_result.graph.invocation(place.invocation).outputs;
        std::vector<TensorSpec> outputs;
        for (const TensorRef& ref : place.aliases) {
            if (ref.output >= m_result.graph.invocation(ref.invocation).outputs.size())
                return {};
            outputs.push_back(m_result.graph.spec(ref));
        }
        return outputs;
    }

    TypedInvocation infer(InvocationId id) {
        const FlattenedInvocation& flat = m_model.invocations[id.index()];
        TypedInvocation typed{id, flat.layer, flat.call, flat.inputs, {}, *flat.arguments, flat.drawn, {}};
        std::vector<TensorSpec> inputs;
        for (const TensorRef& ref : flat.inputs) {
            const TypedInvocation& producer = m_result.graph.invocation(ref.invocation);
            if (producer.outputs.empty())
                return typed; // what is missing has its finding already
            if (ref.output >= producer.outputs.size()) {
                refuse(flat.layer, "model/identity",
                       fmt::format("takes output {} of \"{}\", which has {}", ref.output,
                                   m_result.graph.layer(producer.layer).path, producer.outputs.size()),
                       producer.outputs.size() == 1 ? std::string("take output 0")
                                                    : fmt::format("outputs count from 0: take one up to {}",
                                                                  producer.outputs.size() - 1));
                return typed;
            }
            inputs.push_back(producer.outputs[ref.output]);
        }
        takeBatch(typed);
        auto facts = describe(flat, typed, inputs);
        if (!facts) {
            const RuleError& error = facts.error();
            refuse(flat.layer, error.attribute.empty() ? "layer/shape" : "layer/attribute", error.message,
                   error.hint);
            return typed;
        }
        takeWeights(m_result.graph.layers[flat.layer.index()], std::move(facts->weights), flat);
        typed.outputs = std::move(facts->outputs);
        typed.flops = facts->flops.known();
        return typed;
    }

    /// What a function repeats once for each sample is repeated as often as the inputs have samples.
    void takeBatch(TypedInvocation& typed) const {
        const TypedLayer& layer = m_result.graph.layer(typed.layer);
        const auto function = layer.config.find("function");
        if (layer.className != "TFOpLambda" || function == layer.config.end() || !function->is_string() ||
            m_model.inputs.empty() ||
            m_model.inputs.front().invocation.index() >= m_result.graph.invocations.size())
            return;
        const std::vector<TensorSpec>& input =
            m_result.graph.invocation(m_model.inputs.front().invocation).outputs;
        if (!input.empty() && input.front().shape.rank() > 0 && input.front().shape[0])
            nameBatch(plainFunctionName(function->get<std::string>()), typed.arguments,
                      *input.front().shape[0]);
    }

    RuleResult<CallFacts> describe(const FlattenedInvocation& flat, const TypedInvocation& typed,
                                   std::span<const TensorSpec> inputs) {
        const TypedLayer& layer = m_result.graph.layer(flat.layer);
        const auto input = std::find(m_model.inputs.begin(), m_model.inputs.end(), TensorRef{typed.id, 0});
        if (layer.className == "InputLayer") {
            const auto place = static_cast<std::size_t>(input - m_model.inputs.begin());
            if (place < m_fed.size())
                return CallFacts{{m_fed[place]}, {}, 0};
            return withBatch(
                describeCall(layer.className, layer.config, {}, typed.arguments, m_options.precision));
        }
        const auto declared = m_options.opaqueLayers.find(layer.path);
        const LayerDefinition* definition = findLayerDefinition(layer.className);
        const bool isOpaque = definition == nullptr || definition->category == LayerCategory::Operation;
        if (declared != m_options.opaqueLayers.end() && isOpaque && !inputs.empty())
            return describeOpaque(declared->second, inputs.front());
        return describeCall(layer.className, layer.config, inputs, typed.arguments, m_options.precision,
                            layer.model.get());
    }

    RuleResult<CallFacts> withBatch(RuleResult<CallFacts> facts) const {
        if (facts && m_options.batchSize)
            facts->outputs[0].shape[0] = *m_options.batchSize;
        return facts;
    }

    /// The declared shape may or may not start with a free batch axis.
    RuleResult<CallFacts> describeOpaque(const OpaqueLayer& declared, const TensorSpec& input) const {
        Shape shape = declared.outputShape;
        const Dimension batch = input.shape.rank() > 0 ? input.shape[0] : Dimension{};
        if (shape.rank() > 0 && !shape[0])
            shape[0] = batch;
        else
            shape.dimensions.insert(shape.dimensions.begin(), batch);
        CallFacts facts;
        facts.outputs = {{shape, isFloating(input.type) ? m_options.precision.compute : input.type}};
        if (declared.parameters > 0)
            facts.weights.push_back({"parameters",
                                     Shape{declared.parameters},
                                     m_options.precision.variable,
                                     true,
                                     {{"class_name", "GlorotUniform"}, {"config", Json::object()}}});
        facts.flops = Count(declared.flops) * Count(batch);
        return facts;
    }

    void takeWeights(TypedLayer& layer, std::vector<WeightSpec> weights, const FlattenedInvocation& flat) {
        for (WeightSpec& spec : weights)
            spec.trainable = spec.trainable && layer.trainable;
        if (flat.call == 0 || layer.weights.empty()) {
            for (const WeightSpec& spec : weights)
                m_parameters += elements(spec.shape);
            layer.weights = std::move(weights);
            if (!m_parameters.isKnown() || m_parameters.value() > mostParameters)
                refuse(flat.layer, "layer/too-large", "the model has more than 2^50 parameters",
                       "make it smaller");
            return;
        }
        for (std::size_t i = 0; i < std::min(weights.size(), layer.weights.size()); ++i) {
            if (weights[i].shape != layer.weights[i].shape)
                refuse(flat.layer, "layer/shape",
                       fmt::format("its weight \"{}\" is {} in one call and {} in another", weights[i].name,
                                   toText(layer.weights[i].shape), toText(weights[i].shape)),
                       "calls of one layer share its weights: feed them inputs of one shape");
        }
    }

    void refuse(LayerId layer, std::string code, const std::string& message, const std::string& hint) {
        const TypedLayer& typed = m_result.graph.layer(layer);
        m_result.findings.push_back(
            makeError(Trouble::Input, std::move(code), {m_options.file, typed.path},
                      fmt::format("{} \"{}\" {}", typed.className, typed.path, message), {hint}));
    }

    const FlattenedModel& m_model;
    const InferenceOptions& m_options;
    std::span<const TensorSpec> m_fed;
    InferredModel m_result;
    Count m_parameters = 0;
};

/// One finding for each input with a free extent; when the inputs are known but something later is not, one
/// for the first such layer.
void refuseFreeShapes(const TypedGraph& graph, const std::string& file, Diagnostics& findings) {
    const auto isFree = [](const TensorSpec& spec) {
        return std::any_of(spec.shape.dimensions.begin(), spec.shape.dimensions.end(),
                           [](const Dimension& extent) { return !extent; });
    };
    const auto refuse = [&](const TypedInvocation& invocation, const TensorSpec& spec) {
        const TypedLayer& layer = graph.layer(invocation.layer);
        findings.push_back(
            makeError(Trouble::Input, "model/free-shape", {file, layer.path},
                      fmt::format("{} \"{}\" gives {}: a run needs every extent", layer.className, layer.path,
                                  toText(spec.shape)),
                      {"give the model's inputs whole shapes, for example [null, 224, 224, 3]"}));
    };
    for (const bool onlyInputs : {true, false}) {
        for (const TypedInvocation& invocation : graph.invocations) {
            const bool isInput = graph.layer(invocation.layer).className == "InputLayer";
            for (const TensorSpec& spec : invocation.outputs) {
                if (isInput != onlyInputs || !isFree(spec))
                    continue;
                refuse(invocation, spec);
                if (!onlyInputs)
                    return;
            }
        }
        if (!findings.empty())
            return;
    }
}

InferredModel inferFlattened(const ModelGraph& model, const InferenceOptions& options,
                             std::span<const TensorSpec> fed) {
    const Result<FlattenedModel> flattened = flattenModel(model, options.file);
    if (!flattened) {
        InferredModel nothing;
        nothing.graph.name = model.name;
        nothing.graph.kind = model.kind;
        nothing.findings = flattened.error();
        return nothing;
    }
    InferredModel inferred = Inference(*flattened, options, fed).run();
    inferred.graph.name = model.name;
    inferred.graph.kind = model.kind;
    if (options.requiresKnownShapes && inferred.findings.empty())
        refuseFreeShapes(inferred.graph, options.file, inferred.findings);
    return inferred;
}

} // namespace

InferredModel inferKnownShapes(const ModelGraph& model, const InferenceOptions& options) {
    return inferFlattened(model, options, {});
}

Result<TypedGraph> inferShapes(const ModelGraph& model, const InferenceOptions& options) {
    InferredModel inferred = inferFlattened(model, options, {});
    if (hasErrors(inferred.findings))
        return failure(std::move(inferred.findings));
    return std::move(inferred.graph);
}

RuleResult<CallFacts> describeModel(const ModelGraph& model, std::span<const TensorSpec> inputs,
                                    const PrecisionPolicy& precision) {
    if (inputs.size() != model.inputs.size())
        return refuse(
            fmt::format("holds a model with {} inputs and is fed {}", model.inputs.size(), inputs.size()),
            "feed every input of the nested model once");
    InferenceOptions options;
    options.precision = precision;
    const InferredModel inferred = inferFlattened(model, options, inputs);
    if (!inferred.findings.empty())
        return refuse(
            fmt::format("holds a model that cannot take its input: {}", inferred.findings.front().message),
            inferred.findings.front().hints.front());
    CallFacts facts;
    for (const TensorRef& output : inferred.graph.outputs)
        facts.outputs.push_back(inferred.graph.spec(output));
    for (const TypedLayer& layer : inferred.graph.layers) {
        for (WeightSpec spec : layer.weights) {
            spec.name = fmt::format("{}/{}", layer.path, spec.name);
            facts.weights.push_back(std::move(spec));
        }
    }
    for (const TypedInvocation& invocation : inferred.graph.invocations)
        facts.flops += Count(invocation.flops);
    return facts;
}

} // namespace core
