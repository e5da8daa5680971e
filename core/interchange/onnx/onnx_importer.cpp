#include "core/interchange/onnx/onnx_importer.h"

#include "core/interchange/keras/keras_json.h"
#include "core/interchange/onnx/input_values.h"
#include "core/interchange/onnx/onnx_file.h"
#include "core/interchange/onnx/onnx_import.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

/// A graph with its batch axis open, unless only the file's own extents make sense of it.
bool opensBatch(const OnnxModel& model) {
    const auto inputs = model.graph.fedInputs();
    const bool isFixed = std::ranges::any_of(inputs, [](const OnnxValue* value) {
        return value->shape && value->shape->rank() > 0 && (*value->shape)[0];
    });
    if (!isFixed)
        return true;
    OnnxImport open(model, {.opensBatch = true});
    static_cast<void>(open.document());
    if (open.refusals() == 0)
        return true;
    OnnxImport fixed(model, {.opensBatch = false});
    static_cast<void>(fixed.document());
    return fixed.refusals() >= open.refusals();
}

/// One warning for each node that nothing here computes.
void warnOfUnknownOperators(const OnnxGraph& graph, std::string_view file, Diagnostics& warnings) {
    for (const OnnxNode& node : graph.nodes) {
        if (findOnnxOperator(node) != nullptr)
            continue;
        warnings.push_back(makeWarning(
            Trouble::Input, "onnx/operator", {std::string(file), onnxLabel(node).substr(0, 80)},
            fmt::format("{}{}{} is not among the operators that can be computed", node.domain.substr(0, 80),
                        node.domain.empty() ? "" : ".", node.operation.substr(0, 80)),
            {"replace it by operators of the standard set that compute the same, and export again"}));
    }
}

/// Inputs that a program cannot be fed.
void warnOfFixedInputs(const OnnxModel& model, std::string_view file, Diagnostics& warnings) {
    for (const OnnxFixedInput& input : inputsToFix(model)) {
        const std::string name = input.name.substr(0, 80);
        warnings.push_back(makeWarning(
            Trouble::Input, "onnx/fixed-input", {std::string(file), name},
            input.node.empty()
                ? fmt::format(
                      "the input \"{}\" has another first axis than the first input, which is the batch",
                      name)
                : fmt::format("the input \"{}\" decides extents in {} \"{}\"", name,
                              input.operation.substr(0, 80), input.node.substr(0, 80)),
            {fmt::format("a program for the IPU has static extents: give its value, import --value {}=…",
                         name)}));
    }
}

} // namespace

Result<ModelGraph> modelFromOnnx(const OnnxModel& model, std::string_view file, Diagnostics& warnings) {
    OnnxImport onnx(model, {.opensBatch = opensBatch(model)});
    warnOfUnknownOperators(model.graph, file, warnings);
    warnOfFixedInputs(model, file, warnings);
    return readKerasModel(onnx.document(), file, warnings);
}

std::vector<StoredWeight> weightsFromOnnx(const OnnxModel& model) {
    OnnxImport onnx(model, {.keepsValues = true, .opensBatch = opensBatch(model)});
    static_cast<void>(onnx.document());
    return onnx.takeWeights();
}

Result<ModelGraph> readOnnx(std::string_view bytes, std::string_view file, Diagnostics& warnings) {
    const auto model = readOnnxModel(bytes, file);
    return model ? modelFromOnnx(*model, file, warnings) : failure(model.error());
}

Result<std::vector<StoredWeight>> readOnnxWeights(std::string_view bytes, std::string_view file) {
    const auto model = readOnnxModel(bytes, file);
    if (!model)
        return failure(model.error());
    const auto& initializers = model->graph.initializers;
    const auto external = std::ranges::find_if(initializers, &OnnxTensor::isExternal);
    if (external != initializers.end())
        return failure(
            makeError(Trouble::Input, "onnx/external-weights", {std::string(file), external->name},
                      fmt::format("the elements of \"{}\" are in another file", external->name.substr(0, 80)),
                      {"save the model whole: onnx.save_model(model, file, "
                       "save_as_external_data=False)"}));
    return weightsFromOnnx(*model);
}

} // namespace core
