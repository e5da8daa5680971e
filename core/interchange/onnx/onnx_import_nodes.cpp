// What becomes of each node: nothing, layers of Keras, or an `OnnxNode` layer.
#include "core/interchange/onnx/onnx_import.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

using MakerTable = std::map<std::string_view, OnnxMaker>;

const MakerTable& makerTable() {
    static const MakerTable table = [] {
        MakerTable all;
        for (const auto family : {convolutionMakers(), productMakers(), normalMakers(), activationMakers(),
                                  arithmeticMakers(), movementMakers(), recurrentMakers()}) {
            for (const OnnxMakerRow& row : family)
                all.emplace(row.operation, row.make);
        }
        return all;
    }();
    return table;
}

/// A weight that is only laid out differently is a weight still.
std::optional<OnnxTensor> rearrangedWeight(const OnnxNode& node, const OnnxTensor* tensor) {
    if (tensor == nullptr || node.operation != "Transpose" || !isFloating(tensor->type) ||
        tensor->isExternal || tensor->extents.size() < 2)
        return std::nullopt;
    std::vector<std::size_t> order;
    for (const std::int64_t axis : node.integers("perm"))
        order.push_back(static_cast<std::size_t>(axis));
    for (std::size_t axis = tensor->extents.size(); order.size() < tensor->extents.size();)
        order.push_back(--axis);
    std::vector<std::size_t> sorted = order;
    std::ranges::sort(sorted);
    for (std::size_t axis = 0; axis < sorted.size(); ++axis) {
        if (sorted.size() != tensor->extents.size() || sorted[axis] != axis)
            return std::nullopt;
    }
    const OnnxWeight weight = OnnxWeight(*tensor).transposed(order);
    OnnxTensor result{tensor->name, OnnxType::Float, weight.extents, {}, false};
    result.data.assign(reinterpret_cast<const char*>(weight.values.data()),
                       weight.values.size() * sizeof(float));
    return result;
}

/// Names of weights have neither folders nor outputs.
std::string weightName(std::string name) {
    std::ranges::replace_if(
        name, [](char c) { return c == '/' || c == ':'; }, '_');
    return name.empty() ? "weight" : name;
}

} // namespace

OnnxImport::Mark OnnxImport::mark() const {
    return {m_layers.size(), m_weights.size(), m_namesInOrder.size(), m_refusals};
}

void OnnxImport::takeBack(const Mark& mark) {
    while (m_layers.size() > mark.layers)
        m_layers.erase(m_layers.size() - 1);
    m_weights.resize(mark.weights);
    for (; m_namesInOrder.size() > mark.names; m_namesInOrder.pop_back()) {
        m_names.erase(m_namesInOrder.back());
        m_outputs.erase(m_namesInOrder.back());
    }
    m_refusals = mark.refusals;
}

void OnnxImport::addNode(const OnnxNode& node) {
    if (!node.outputs.empty() && !addStatic(node) && !addTwin(node))
        addOperator(node);
}

/// Nodes that read shapes and constants alone leave no layer.
bool OnnxImport::addStatic(const OnnxNode& node) {
    Entry made{Entry::Kind::Static, {}, nullptr, true, &node};
    const OnnxAttribute* value = node.attribute("value");
    if (node.operation == "Constant") {
        if (value != nullptr && value->tensor)
            made = {Entry::Kind::Constant, {}, value->tensor.get(), true, nullptr};
    } else if (!((node.operation == "Shape" || node.operation == "Size") && isTensor(node, 0))) {
        bool isStatic = !node.inputs.empty();
        for (const std::string& name : node.inputs)
            isStatic = isStatic && (name.empty() || entry(name).kind == Entry::Kind::Static ||
                                    entry(name).kind == Entry::Kind::Constant);
        if (!isStatic)
            return false;
        if (node.operation == "Identity") { // a weight under another name
            made = input(node, 0);
        } else if (auto weight = rearrangedWeight(node, input(node, 0).constant)) {
            const bool isLiteral = input(node, 0).isLiteral;
            m_folded.push_back(std::move(*weight));
            made = {Entry::Kind::Constant, {}, &m_folded.back(), isLiteral, nullptr};
        }
    }
    for (const std::string& output : node.outputs)
        m_entries[output] = made;
    return true;
}

/// Layers of Keras, unless they refuse the node's inputs.
bool OnnxImport::addTwin(const OnnxNode& node) {
    const auto row = makerTable().find(node.operation);
    if (!node.domain.empty() || row == makerTable().end())
        return false;
    const Mark before = mark();
    if (row->second(*this, node) && m_refusals == before.refusals)
        return true;
    takeBack(before);
    return false;
}

void OnnxImport::addOperator(const OnnxNode& node) {
    OnnxLayer layer;
    layer.node.operation = node.operation;
    layer.node.domain = node.domain;
    layer.node.attributes = node.attributes;
    if (node.operation == "Split") { // into as many parts as there are outputs, used or not
        OnnxAttribute parts{
            OnnxAttribute::Kind::Integer, 0, std::ssize(node.outputs), {}, {}, {}, {}, {}, {}};
        layer.node.attributes.emplace("num_outputs", std::move(parts));
    }
    const auto opset = m_model.otherOpsets.find(node.domain);
    layer.opset =
        std::clamp<std::int64_t>(opset == m_model.otherOpsets.end() ? m_model.opset : opset->second, 1, 1000);
    const OnnxOperator* row = findOnnxOperator(node);
    std::vector<Json> tensors;
    std::set<std::string> weights;
    std::vector<const OnnxTensor*> values;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        OnnxOperand operand = operandOf(node, i, row, tensors);
        if (operand.kind == OnnxOperand::Kind::Weight) {
            values.push_back(constant(node, i));
            const std::string name = weightName(operand.value.name);
            operand.value.name = name;
            for (int k = 1; !weights.insert(operand.value.name).second; ++k)
                operand.value.name = fmt::format("{}_{}", name, k);
        }
        layer.operands.push_back(std::move(operand));
    }
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        if (node.hasOutput(i) && uses(node.outputs[i]) > 0)
            layer.outputs.push_back(i);
    }
    if (layer.outputs.empty())
        layer.outputs = {0};
    // The batch is read off the last input.
    const bool needsBatch = std::ranges::any_of(
        layer.operands, [](const OnnxOperand& operand) { return !operand.perSample.empty(); });
    if ((needsBatch || tensors.empty()) && !m_inputs.empty())
        tensors.push_back(m_inputs[0]);
    const Json made = add(onnxLabel(node), onnxNodeClass, onnxLayerConfig(layer), tensors);
    std::size_t next = 0;
    for (const OnnxOperand& operand : layer.operands) {
        if (operand.kind != OnnxOperand::Kind::Weight)
            continue;
        if (const OnnxTensor* value = values[next++]; value != nullptr)
            keep(made, operand.value.name, *value);
    }
    for (std::size_t i = 0; i < layer.outputs.size(); ++i) {
        Json output = made;
        output[2] = i;
        bind(node, std::move(output), layer.outputs[i]);
    }
}

OnnxOperand OnnxImport::constantOperand(const OnnxTensor& value, bool isTrained) const {
    OnnxOperand operand;
    // Weights are stored as float32, which whole numbers need not fit; of real numbers a few are easy to
    // read.
    constexpr std::int64_t mostNumbers = 256;
    const bool isShort =
        value.elements() <= (isFloating(value.type) ? mostNumbers : longestConstant) && !value.isExternal;
    const bool isWeight = isTrained && isFloating(value.type) && value.elements() > 1;
    operand.kind = isShort && !isWeight ? OnnxOperand::Kind::Constant : OnnxOperand::Kind::Weight;
    operand.value = value;
    operand.isTrained = isTrained && isFloating(value.type);
    if (operand.kind == OnnxOperand::Kind::Weight)
        operand.value.data.clear();
    return operand;
}

OnnxOperand OnnxImport::operandOf(const OnnxNode& node, std::size_t position, const OnnxOperator* row,
                                  std::vector<Json>& tensors) {
    OnnxOperand operand;
    if (!node.hasInput(position))
        return operand;
    const std::string& name = node.inputs[position];
    const Entry found = entry(name);
    const bool isSetting = row != nullptr && row->isSetting(position);
    const bool isState = row != nullptr && row->isState(position);
    if (found.kind == Entry::Kind::Constant && (!isSetting || m_known.find(name) == nullptr))
        return constantOperand(*found.constant, !found.isLiteral && !isState);
    const KnownValue* value = found.kind == Entry::Kind::Tensor ? nullptr : m_known.find(name);
    if (value != nullptr && (isSetting || !m_known.isTrained(name))) {
        operand = constantOperand(*folded(name, *value), false);
        if (isSetting) // whatever its length: nothing else can be read while compiling
            operand = {OnnxOperand::Kind::Constant, 0, *folded(name, *value), {}, false};
        if (value->dependsOnBatch() && operand.kind == OnnxOperand::Kind::Constant)
            operand.perSample = value->perSample();
        return operand;
    }
    auto tensor = materialized(name);
    if (!tensor)
        return operand;
    operand.kind = OnnxOperand::Kind::Tensor;
    operand.position = tensors.size();
    tensors.push_back(std::move(*tensor));
    return operand;
}

std::optional<Json> OnnxImport::materialized(const std::string& name) {
    const Entry found = entry(name);
    if (found.kind == Entry::Kind::Tensor)
        return found.tensor;
    constexpr int deepest = 512;
    if (found.kind == Entry::Kind::Unknown || m_inputs.empty() || m_depth > deepest)
        return std::nullopt;
    const bool isFolded = m_known.find(name) != nullptr && !m_known.isTrained(name);
    if (found.kind == Entry::Kind::Static && found.writer != nullptr && !isFolded) {
        ++m_depth;
        addOperator(*found.writer);
        --m_depth;
        const Entry made = entry(name);
        return made.kind == Entry::Kind::Tensor ? std::optional(made.tensor) : std::nullopt;
    }
    // A constant by itself.
    OnnxNode node;
    node.name = name;
    node.operation = "Identity";
    node.inputs = {name};
    node.outputs = {name};
    addOperator(node);
    return entry(name).tensor;
}

} // namespace core
