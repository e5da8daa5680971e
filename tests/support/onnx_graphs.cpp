#include "tests/support/onnx_graphs.h"

namespace tests {

namespace {

std::string varint(std::uint64_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7)
        bytes += static_cast<char>((value & 0x7f) | 0x80);
    return bytes + static_cast<char>(value);
}

std::string number(unsigned field, std::int64_t value) {
    return varint(field << 3U) + varint(static_cast<std::uint64_t>(value));
}

std::string message(unsigned field, const std::string& content) {
    return varint(field << 3U | 2U) + varint(content.size()) + content;
}

std::string tensorBytes(const core::OnnxTensor& tensor) {
    std::string bytes;
    for (const std::int64_t extent : tensor.extents)
        bytes += number(1, extent);
    return bytes + number(2, static_cast<std::int64_t>(tensor.type)) + message(8, tensor.name) +
           message(9, tensor.data);
}

std::string attributeBytes(const std::string& name, const core::OnnxAttribute& attribute) {
    std::string bytes = message(1, name);
    switch (attribute.kind) {
    case core::OnnxAttribute::Kind::Integer:
        return bytes + number(3, attribute.integer) + number(20, 2);
    case core::OnnxAttribute::Kind::Text:
        return bytes + message(4, attribute.text) + number(20, 3);
    case core::OnnxAttribute::Kind::Integers:
        for (const std::int64_t value : attribute.integers)
            bytes += number(8, value);
        return bytes + number(20, 7);
    default:
        return bytes;
    }
}

std::string nodeBytes(const core::OnnxNode& node) {
    std::string bytes;
    for (const std::string& input : node.inputs)
        bytes += message(1, input);
    for (const std::string& output : node.outputs)
        bytes += message(2, output);
    bytes += message(3, node.name) + message(4, node.operation);
    for (const auto& [name, attribute] : node.attributes)
        bytes += message(5, attributeBytes(name, attribute));
    return bytes + message(7, node.domain);
}

/// A free extent is a symbol.
std::string valueBytes(const core::OnnxValue& value) {
    std::string type = number(1, static_cast<std::int64_t>(value.type));
    if (value.shape) {
        std::string shape;
        for (const core::Dimension& extent : value.shape->dimensions)
            shape += message(1, extent ? number(1, *extent) : message(2, "batch"));
        type += message(2, shape);
    }
    return message(1, value.name) + message(2, message(1, type));
}

} // namespace

std::string onnxBytes(const core::OnnxModel& model) {
    std::string graph;
    for (const core::OnnxNode& node : model.graph.nodes)
        graph += message(1, nodeBytes(node));
    graph += message(2, model.graph.name);
    for (const core::OnnxTensor& tensor : model.graph.initializers)
        graph += message(5, tensorBytes(tensor));
    for (const core::OnnxValue& value : model.graph.inputs)
        graph += message(11, valueBytes(value));
    for (const core::OnnxValue& value : model.graph.outputs)
        graph += message(12, valueBytes(value));
    return number(1, 8) + message(7, graph) + message(8, number(2, model.opset));
}

} // namespace tests
