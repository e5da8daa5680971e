#include "core/interchange/python/draft/tensor_shape.h"

#include "core/interchange/keras/keras_json.h"
#include "core/model/graph/infer_shapes.h"

namespace core {

Json tensorShape(PythonProgramBuilder& builder, const PythonTensor& tensor) {
    PythonDraft& draft = builder.facts.draft;
    PythonModel probe;
    probe.name = "probe";
    probe.outputs.push_back(tensor);
    for (const std::int64_t layer : draft.layersOf(probe))
        if (draft.layers[static_cast<std::size_t>(layer)].className == "InputLayer")
            probe.inputs.push_back({layer, 0, 0});
    draft.models.push_back(std::move(probe));
    Json shape = outputShape(builder, static_cast<std::int64_t>(draft.models.size()) - 1, 0);
    draft.models.pop_back();
    return shape;
}

Json outputShape(const PythonProgramBuilder& builder, std::int64_t model, std::size_t output) {
    Diagnostics warnings;
    const auto graph =
        readKerasModelText(toText(builder.facts.draft.kerasJson(model)), builder.file(), warnings);
    if (!graph)
        return nullptr;
    const InferredModel inferred = inferKnownShapes(*graph);
    if (output >= inferred.graph.outputs.size())
        return nullptr;
    const TensorRef tensor = inferred.graph.outputs[output];
    const std::vector<TensorSpec>& outputs = inferred.graph.invocation(tensor.invocation).outputs;
    if (tensor.output >= outputs.size())
        return nullptr;
    Json shape = Json::array();
    for (const auto& extent : outputs[tensor.output].shape.dimensions)
        shape.push_back(extent ? Json(*extent) : Json());
    return shape;
}

} // namespace core
