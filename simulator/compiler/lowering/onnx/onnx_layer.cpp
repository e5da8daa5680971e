// The layer that computes one node of an ONNX graph.
#include "core/model/onnx/onnx_layer.h"

#include "core/model/onnx/onnx_operator.h"
#include "simulator/compiler/lowering/layer_lowering.h"
#include "simulator/compiler/lowering/onnx/onnx_call.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace simulator {
namespace {

using core::TensorId;
using Operand = core::OnnxOperand::Kind;
using EntryTable = std::map<std::string_view, const OnnxEntry*>;

const EntryTable& entryTable() {
    static const EntryTable table = [] {
        EntryTable all;
        const std::array families{
            onnxElementwise(),    onnxReductions(), onnxProducts(), onnxWindows(),     onnxMovements(),
            onnxNormalizations(), onnxIndexing(),   onnxResizing(), onnxRecurrences(), onnxLosses(),
            onnxQuantization(),   onnxConstants(),  onnxSignals(),  onnxSampling(),    onnxOptimizers()};
        for (const auto family : families) {
            for (const OnnxEntry& entry : family)
                all.emplace(entry.operation, &entry);
        }
        return all;
    }();
    return table;
}

/// A constant's value for the batch that the model is compiled for: the first extent of the call's last
/// input.
core::OnnxTensor valueOf(const LoweringCall& call, const core::OnnxOperand& operand) {
    if (operand.perSample.empty() || call.inputs.empty())
        return operand.value;
    const Extents extents = call.extents(call.inputs.size() - 1);
    const auto batch = static_cast<double>(extents.empty() ? 1 : extents.front());
    std::vector<double> values = numbersOf(operand.value);
    for (std::size_t i = 0; i < std::min(values.size(), operand.perSample.size()); ++i)
        values[i] += operand.perSample[i] * batch;
    return core::tensorOfNumbers(operand.value.type, operand.value.extents, values);
}

/// The tensor of an operand in the layer's element type.
TensorId tensorOf(const LoweringCall& call, const core::OnnxOperand& operand, const core::OnnxTensor& value) {
    switch (operand.kind) {
    case Operand::Tensor:
        return operand.position < call.inputs.size() ? call.input(operand.position) : TensorId{};
    case Operand::Weight: {
        const TensorId stored = call.storedWeight(operand.value.name);
        return stored.isValid() && core::isFloating(call.build.type(stored)) ? call.weight(operand.value.name)
                                                                             : stored;
    }
    case Operand::Constant: {
        const auto type = core::deviceType(value.type).value_or(core::DataType::Float32);
        const TensorForm form{value.extents, core::isFloating(type) ? call.precision.compute : type};
        std::vector<double> numbers = numbersOf(value);
        return numbers.size() == 1 ? call.build.constant(numbers[0], form.extents, form.type)
                                   : call.build.constant("value", std::move(numbers), form);
    }
    case Operand::Absent:
        break;
    }
    return {};
}

/// An output of its own: what is passed on belongs to whoever made it.
TensorId ownOutput(GraphBuilder& build, TensorId output, const std::vector<TensorId>& inputs) {
    const bool isPassedOn = std::ranges::find(inputs, output) != inputs.end() ||
                            build.graph().tensor(output).role == TensorRole::Constant;
    return isPassedOn ? build.add(Copy{}, {output}, "") : output;
}

Lowered lowerOnnxNode(LoweringCall& call) {
    const auto layer = core::readOnnxLayer(call.attributes.config());
    if (!layer)
        return cannotLower(layer.error().message, "import the model again");
    const OnnxEntry* entry = findOnnxEntry(layer->node.operation);
    if (entry == nullptr || core::findOnnxOperator(layer->node) == nullptr)
        return cannotLower(layer->node.operation + " is not among the operators that can be computed",
                           "replace it by operators of the standard set that compute the same");
    std::vector<core::OnnxTensor> values;
    for (const core::OnnxOperand& operand : layer->operands)
        values.push_back(valueOf(call, operand));
    OnnxCall node{layer->node, call.build, layer->opset, {}, {}, call.nextStream()};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const core::OnnxOperand& operand = layer->operands[i];
        node.values.push_back(operand.kind == Operand::Constant ? &values[i] : nullptr);
        node.inputs.push_back(tensorOf(call, operand, values[i]));
    }
    const auto lowered = entry->lower(node);
    if (!lowered)
        return core::failure(lowered.error());
    std::vector<TensorId> outputs;
    for (const std::size_t position : layer->outputs) {
        if (position >= lowered->size() || !(*lowered)[position].isValid())
            return cannotLower(
                fmt::format("the output {} of {} cannot be computed", position, layer->node.operation),
                "leave it out");
        outputs.push_back(ownOutput(call.build, (*lowered)[position], node.inputs));
    }
    return outputs;
}

constexpr LoweringEntry onnxLayerEntries[]{{core::onnxNodeClass, lowerOnnxNode}};

} // namespace

const OnnxEntry* findOnnxEntry(std::string_view operation) {
    const auto found = entryTable().find(operation);
    return found == entryTable().end() ? nullptr : found->second;
}

std::span<const LoweringEntry> onnxLowerings() {
    return onnxLayerEntries;
}

} // namespace simulator
