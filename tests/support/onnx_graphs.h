#pragma once

#include "core/model/onnx/onnx_model.h"

#include <string>
#include <utility>
#include <vector>

namespace tests {

// ONNX graphs made by hand.

[[nodiscard]] inline core::OnnxNode onnxNode(std::string operation, std::vector<std::string> inputs,
                                             std::vector<std::string> outputs) {
    core::OnnxNode node;
    node.operation = std::move(operation);
    node.inputs = std::move(inputs);
    node.outputs = std::move(outputs);
    return node;
}

/// Float inputs and outputs of unknown shape.
[[nodiscard]] inline core::OnnxModel onnxModel(std::vector<core::OnnxNode> nodes,
                                               const std::vector<std::string>& inputs,
                                               const std::vector<std::string>& outputs) {
    core::OnnxModel model;
    model.opset = 13;
    model.graph.nodes = std::move(nodes);
    for (const std::string& input : inputs)
        model.graph.inputs.push_back({input, core::OnnxType::Float, {}});
    for (const std::string& output : outputs)
        model.graph.outputs.push_back({output, core::OnnxType::Float, {}});
    return model;
}

/// A list of whole numbers.
[[nodiscard]] inline core::OnnxTensor integerTensor(std::string name,
                                                    const std::vector<std::int64_t>& values) {
    core::OnnxTensor tensor =
        core::tensorOfNumbers(core::OnnxType::Int64, {static_cast<std::int64_t>(values.size())},
                              std::vector<double>(values.begin(), values.end()));
    tensor.name = std::move(name);
    return tensor;
}

[[nodiscard]] inline core::OnnxTensor floatTensor(std::string name, std::vector<std::int64_t> extents,
                                                  const std::vector<double>& values) {
    core::OnnxTensor tensor = core::tensorOfNumbers(core::OnnxType::Float, std::move(extents), values);
    tensor.name = std::move(name);
    return tensor;
}

/// An attribute of whole numbers.
[[nodiscard]] inline core::OnnxAttribute integersAttribute(std::vector<std::int64_t> values) {
    core::OnnxAttribute attribute;
    attribute.kind = core::OnnxAttribute::Kind::Integers;
    attribute.integers = std::move(values);
    return attribute;
}
[[nodiscard]] inline core::OnnxAttribute textAttribute(std::string text) {
    core::OnnxAttribute attribute;
    attribute.kind = core::OnnxAttribute::Kind::Text;
    attribute.text = std::move(text);
    return attribute;
}

/// The bytes of the model's file; of attributes those that the makers above give.
[[nodiscard]] std::string onnxBytes(const core::OnnxModel& model);

} // namespace tests
