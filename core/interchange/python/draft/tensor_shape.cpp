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
    const Json json = draft.kerasJson(static_cast<std::int64_t>(draft.models.size()) - 1);
    draft.models.pop_back();
    Diagnostics warnings;
    const auto graph = readKerasModelText(toText(json), builder.file(), warnings);
    if (!graph)
        return nullptr;
    const InferredModel inferred = inferKnownShapes(*graph);
    if (inferred.graph.outputs.empty())
        return nullptr;
    const TensorRef output = inferred.graph.outputs.front();
    const std::vector<TensorSpec>& outputs = inferred.graph.invocation(output.invocation).outputs;
    if (output.output >= outputs.size())
        return nullptr;
    Json shape = Json::array();
    for (const auto& extent : outputs[output.output].shape.dimensions)
        shape.push_back(extent ? Json(*extent) : Json());
    return shape;
}

} // namespace core
