#include "core/interchange/python/draft/tensor_shape.h"

#include "core/interchange/keras/keras_json.h"
#include "core/model/graph/infer_shapes.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

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

/// Of a model in a draft, which may be another one than the program's.
std::optional<TensorSpec> outputSpec(const PythonProgramBuilder& builder, const PythonDraft& draft,
                                     std::int64_t model, std::size_t output) {
    Diagnostics warnings;
    const auto graph = readKerasModelText(toText(draft.kerasJson(model)), builder.file(), warnings);
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

Json jsonOfShape(const TensorSpec& spec) {
    Json shape = Json::array();
    for (const auto& extent : spec.shape.dimensions)
        shape.push_back(extent ? Json(*extent) : Json());
    return shape;
}

/// A tensor of the call of one layer on others that are known: nothing but that layer is looked at.
std::optional<TensorSpec> specBehind(PythonProgramBuilder& builder, const PythonTensor& tensor,
                                     const std::vector<PythonProgramBuilder::KnownTensor>& inputs) {
    PythonDraft draft;
    PythonModel probe;
    probe.name = "probe";
    PythonLayer layer = builder.layer(tensor.layer);
    PythonCall call = layer.calls[static_cast<std::size_t>(tensor.call)];
    call.group = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        PythonLayer input;
        input.className = "InputLayer";
        input.name = fmt::format("{}_input_{}", layer.name, i);
        input.config = {{"name", input.name}, {"batch_input_shape", inputs[i].shape}};
        input.config["dtype"] = inputs[i].type;
        input.calls.emplace_back();
        draft.layers.push_back(std::move(input));
        call.tensors[i] = {static_cast<std::int64_t>(i), 0, 0};
        probe.inputs.push_back(call.tensors[i]);
    }
    layer.group = 0;
    layer.calls = {std::move(call)};
    draft.layers.push_back(std::move(layer));
    probe.outputs.push_back({static_cast<std::int64_t>(inputs.size()), 0, tensor.output});
    draft.models.push_back(std::move(probe));
    return outputSpec(builder, draft, 0, 0);
}

/// What a tensor is, of what the tensors before it are.
const PythonProgramBuilder::KnownTensor& knownTensor(PythonProgramBuilder& builder,
                                                     const PythonTensor& tensor) {
    const std::array key{tensor.layer, tensor.call, tensor.output};
    if (const auto known = builder.knownTensors.find(key); known != builder.knownTensors.end())
        return known->second;
    const PythonLayer& layer = builder.layer(tensor.layer);
    const auto at = static_cast<std::size_t>(tensor.call);
    const std::vector<PythonTensor> before =
        at < layer.calls.size() ? layer.calls[at].tensors : std::vector<PythonTensor>();
    std::vector<PythonProgramBuilder::KnownTensor> inputs;
    for (const PythonTensor& input : before)
        inputs.push_back(knownTensor(builder, input));
    const bool areKnown =
        layer.model < 0 && !inputs.empty() &&
        std::ranges::all_of(inputs, [](const auto& input) { return input.shape.is_array(); });
    auto spec = areKnown ? specBehind(builder, tensor, inputs) : std::nullopt;
    if (!spec)
        spec = ofProbe(builder, tensor, [&](std::int64_t model) {
            return outputSpec(builder, builder.facts.draft, model, 0);
        });
    PythonProgramBuilder::KnownTensor known{spec ? jsonOfShape(*spec) : Json(),
                                            spec ? std::string(toString(spec->type)) : "float32"};
    return builder.knownTensors.emplace(key, std::move(known)).first->second;
}

} // namespace

Json tensorShape(PythonProgramBuilder& builder, const PythonTensor& tensor) {
    return ofProbe(builder, tensor, [&](std::int64_t model) { return outputShape(builder, model, 0); });
}

std::string tensorType(PythonProgramBuilder& builder, const PythonTensor& tensor) {
    return knownTensor(builder, tensor).type;
}

PrecisionPolicy programPrecision(const PythonProgramBuilder& builder) {
    const auto named = builder.facts.training.find("precision");
    return named == builder.facts.training.end() ? PrecisionPolicy{}
                                                 : precisionFromJson(*named).value_or(PrecisionPolicy{});
}

Json declaredInputShape(const Json& config) {
    for (const char* key : {"batch_input_shape", "batch_shape"})
        if (const auto shape = config.find(key);
            shape != config.end() && shape->is_array() && !shape->empty())
            return *shape;
    return nullptr;
}

std::optional<std::int64_t> fixedBatch(PythonProgramBuilder& builder, const PythonTensor& tensor) {
    return ofProbe(builder, tensor, [&](std::int64_t model) -> std::optional<std::int64_t> {
        const PythonModel& probe = builder.model(model);
        if (probe.inputs.empty())
            return std::nullopt;
        const Json shape = declaredInputShape(builder.layer(probe.inputs.front().layer).config);
        if (shape.is_null() || !shape.front().is_number_integer())
            return std::nullopt;
        return shape.front().get<std::int64_t>();
    });
}

Json outputShape(const PythonProgramBuilder& builder, std::int64_t model, std::size_t output) {
    const auto spec = outputSpec(builder, builder.facts.draft, model, output);
    return spec ? jsonOfShape(*spec) : Json();
}

} // namespace core
