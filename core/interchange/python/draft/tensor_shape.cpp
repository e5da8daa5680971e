#include "core/interchange/python/draft/tensor_shape.h"

#include "core/interchange/keras/keras_json.h"
#include "core/model/graph/infer_shapes.h"

namespace core {

namespace {

/// What `read` makes of a model with this output alone.
template <class Read>
auto ofProbe(PythonProgramBuilder& builder, const PythonTensor& tensor, const Read& read) {
    PythonDraft& draft = builder.facts.draft;
    PythonModel probe;
    probe.name = "probe";
    probe.outputs.push_back(tensor);
    for (const std::int64_t layer : draft.layersOf(probe))
        if (draft.layers[static_cast<std::size_t>(layer)].className == "InputLayer")
            probe.inputs.push_back({layer, 0, 0});
    builder.separateNames(probe);
    draft.models.push_back(std::move(probe));
    auto answer = read(static_cast<std::int64_t>(draft.models.size()) - 1);
    draft.models.pop_back();
    return answer;
}

std::optional<TensorSpec> outputSpec(const PythonProgramBuilder& builder, std::int64_t model,
                                     std::size_t output) {
    Diagnostics warnings;
    const auto graph =
        readKerasModelText(toText(builder.facts.draft.kerasJson(model)), builder.file(), warnings);
    if (!graph)
        return std::nullopt;
    InferenceOptions options;
    options.precision = programPrecision(builder);
    options.opaqueLayers = builder.facts.opaqueLayers;
    const InferredModel inferred = inferKnownShapes(*graph, options);
    if (output >= inferred.graph.outputs.size())
        return std::nullopt;
    const TensorRef tensor = inferred.graph.outputs[output];
    const std::vector<TensorSpec>& outputs = inferred.graph.invocation(tensor.invocation).outputs;
    return tensor.output < outputs.size() ? std::optional(outputs[tensor.output]) : std::nullopt;
}

} // namespace

Json tensorShape(PythonProgramBuilder& builder, const PythonTensor& tensor) {
    return ofProbe(builder, tensor, [&](std::int64_t model) { return outputShape(builder, model, 0); });
}

std::string tensorType(PythonProgramBuilder& builder, const PythonTensor& tensor) {
    const auto spec =
        ofProbe(builder, tensor, [&](std::int64_t model) { return outputSpec(builder, model, 0); });
    return spec ? std::string(toString(spec->type)) : "float32";
}

PrecisionPolicy programPrecision(const PythonProgramBuilder& builder) {
    const auto named = builder.facts.training.find("precision");
    return named == builder.facts.training.end() ? PrecisionPolicy{}
                                                 : precisionFromJson(*named).value_or(PrecisionPolicy{});
}

std::optional<std::int64_t> fixedBatch(PythonProgramBuilder& builder, const PythonTensor& tensor) {
    return ofProbe(builder, tensor, [&](std::int64_t model) -> std::optional<std::int64_t> {
        const PythonModel& probe = builder.model(model);
        if (probe.inputs.empty())
            return std::nullopt;
        const Json& config = builder.layer(probe.inputs.front().layer).config;
        for (const char* key : {"batch_input_shape", "batch_shape"})
            if (const auto shape = config.find(key); shape != config.end() && shape->is_array() &&
                                                     !shape->empty() && shape->front().is_number_integer())
                return shape->front().get<std::int64_t>();
        return std::nullopt;
    });
}

Json outputShape(const PythonProgramBuilder& builder, std::int64_t model, std::size_t output) {
    const auto spec = outputSpec(builder, model, output);
    if (!spec)
        return nullptr;
    Json shape = Json::array();
    for (const auto& extent : spec->shape.dimensions)
        shape.push_back(extent ? Json(*extent) : Json());
    return shape;
}

} // namespace core
