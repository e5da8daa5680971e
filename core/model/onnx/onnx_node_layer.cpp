// The layer that computes one node of an ONNX graph.
#include "core/model/layers/layer_families.h"
#include "core/model/layers/layer_row.h"
#include "core/model/layers/shape_rules.h"
#include "core/model/onnx/onnx_layer.h"
#include "core/model/onnx/onnx_operator.h"
#include "core/text/nearest_name.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

using namespace attribute;
using Operand = OnnxOperand::Kind;

/// Numbers that stand for free extents: of many divisors, so that what is cut into parts is whole.
struct FreeExtents {
    std::int64_t batch = 0;
    std::int64_t other = 0;
};
constexpr FreeExtents firstTrial{5040, 2520};
constexpr FreeExtents secondTrial{10080, 7560};

tl::unexpected<RuleError> unknownOperator(const OnnxNode& node) {
    std::vector<std::string> names;
    for (const OnnxOperator* known : onnxOperators())
        names.emplace_back(known->name);
    const auto nearest = nearestName(node.operation, names);
    const bool isStandard = node.domain.empty() || node.domain == "ai.onnx";
    return refuse(fmt::format("computes {}{}{}, which is not among the operators that can be computed",
                              node.domain, node.domain.empty() ? "" : ".", node.operation),
                  isStandard && nearest && *nearest != node.operation
                      ? fmt::format("\"{}\" is; or replace it by operators that compute the same", *nearest)
                      : "replace it by operators of the standard set that compute the same, and export again",
                  "op_type");
}

/// The forms of a node's inputs, free extents replaced, and the constants among them.
class NodeInputs {
public:
    NodeInputs(const LayerCall& call, const OnnxLayer& layer, const FreeExtents& free)
        : m_call(call)
        , m_free(free) {
        for (const OnnxOperand& operand : layer.operands)
            m_constants.push_back(valueOf(operand));
    }

    [[nodiscard]] RuleResult<OnnxOperatorCall> callOf(const OnnxLayer& layer) const {
        OnnxOperatorCall call{layer.node, layer.opset, {}, {}};
        for (std::size_t i = 0; i < layer.operands.size(); ++i) {
            const OnnxOperand& operand = layer.operands[i];
            if (operand.kind == Operand::Tensor && operand.position >= m_call.inputs.size())
                return refuse(fmt::format("takes input {} of {}", operand.position, m_call.inputs.size()),
                              "connect it, or change the operand", "operands");
            call.inputs.push_back(formOf(operand));
            call.values.push_back(operand.kind == Operand::Constant ? &m_constants[i] : nullptr);
        }
        return call;
    }

private:
    /// A constant that depends on the batch is what the batch makes of it.
    [[nodiscard]] OnnxTensor valueOf(const OnnxOperand& operand) const {
        if (operand.perSample.empty() || m_call.inputs.empty())
            return operand.value;
        const OnnxExtents first = extentsOf(m_call.inputs.back().shape);
        const auto batch = static_cast<double>(first.empty() ? 1 : first.front());
        std::vector<double> values = numbersOf(operand.value);
        for (std::size_t i = 0; i < std::min(values.size(), operand.perSample.size()); ++i)
            values[i] += operand.perSample[i] * batch;
        return tensorOfNumbers(operand.value.type, operand.value.extents, values);
    }

    [[nodiscard]] std::optional<OnnxForm> formOf(const OnnxOperand& operand) const {
        if (operand.kind == Operand::Absent)
            return std::nullopt;
        if (operand.kind == Operand::Tensor)
            return OnnxForm{extentsOf(m_call.shape(operand.position)), m_call.inputType(operand.position)};
        const DataType type = deviceType(operand.value.type).value_or(DataType::Float32);
        return OnnxForm{operand.value.extents, isFloating(type) ? m_call.precision.compute : type};
    }

    [[nodiscard]] OnnxExtents extentsOf(const Shape& shape) const {
        OnnxExtents extents;
        for (std::size_t axis = 0; axis < shape.rank(); ++axis)
            extents.push_back(shape[axis].value_or(axis == 0 ? m_free.batch : m_free.other));
        return extents;
    }

    const LayerCall& m_call;
    FreeExtents m_free;
    std::vector<OnnxTensor> m_constants;
};

RuleResult<OnnxFacts> factsOf(const LayerCall& call, const OnnxLayer& layer, const OnnxOperator& row,
                              const FreeExtents& free) {
    const NodeInputs inputs(call, layer, free);
    const auto node = inputs.callOf(layer);
    if (!node)
        return tl::unexpected(node.error());
    for (std::size_t i = 0; i < row.minimumInputs; ++i) {
        if (!node->has(i))
            return refuse(fmt::format("computes {} without its input {}", row.name, i), "give it",
                          "operands");
    }
    return row.rule(*node);
}

bool hasFreeExtent(const LayerCall& call) {
    return std::ranges::any_of(call.inputs, [](const TensorSpec& spec) {
        return std::ranges::any_of(spec.shape.dimensions, [](const Dimension& extent) { return !extent; });
    });
}

/// Extents that change with a free one are free.
Shape shapeFrom(const OnnxExtents& first, const OnnxExtents& second) {
    Shape shape;
    for (std::size_t axis = 0; axis < first.size(); ++axis) {
        const bool isFree = axis >= second.size() || second[axis] != first[axis];
        shape.dimensions.push_back(isFree ? Dimension() : Dimension(first[axis]));
    }
    return shape;
}

std::vector<WeightSpec> weightsOf(const LayerCall& call, const OnnxLayer& layer) {
    std::vector<WeightSpec> weights;
    for (const OnnxOperand& operand : layer.operands) {
        if (operand.kind != Operand::Weight)
            continue;
        Shape shape;
        for (const std::int64_t extent : operand.value.extents)
            shape.dimensions.emplace_back(extent);
        const char* start = shape.rank() > 1 && isFloating(operand.value.type) ? "glorot_uniform" : "zeros";
        WeightSpec spec = weight(call, operand.value.name, std::move(shape), "", start);
        if (const auto type = deviceType(operand.value.type); type && !isFloating(*type))
            spec.type = *type;
        spec.trainable = operand.isTrained && isFloating(operand.value.type);
        weights.push_back(std::move(spec));
    }
    return weights;
}

RuleResult<CallFacts> describeOnnxNode(const LayerCall& call) {
    const auto layer = readOnnxLayer(call.attributes.config());
    if (!layer)
        return refuse(layer.error().message, "import the model again", layer.error().attribute);
    const OnnxOperator* row = findOnnxOperator(layer->node);
    if (row == nullptr)
        return unknownOperator(layer->node);
    const auto first = factsOf(call, *layer, *row, firstTrial);
    if (!first)
        return tl::unexpected(first.error());
    const bool isFree = hasFreeExtent(call);
    const auto second = isFree ? factsOf(call, *layer, *row, secondTrial) : first;
    CallFacts facts;
    for (const std::size_t position : layer->outputs) {
        if (position >= first->outputs.size())
            return refuse(fmt::format("gives output {} of {}, which cannot be computed", position, row->name),
                          "leave it out", "outputs");
        const OnnxForm& form = first->outputs[position];
        const bool isSame = second && position < second->outputs.size();
        facts.outputs.push_back(
            {shapeFrom(form.extents, isSame ? second->outputs[position].extents : OnnxExtents{}), form.type});
    }
    facts.weights = weightsOf(call, *layer);
    facts.flops = isFree ? Count(Dimension()) : first->flops;
    return facts;
}

} // namespace

LayerFamily onnxLayers() {
    LayerDefinition node =
        layerRow(std::string(onnxNodeClass), LayerCategory::Operation,
                 "One node of an ONNX graph, computed as its operator set defines it.",
                 {text("op_type", "Name of the operator, for example \"Pad\".").required("Identity"),
                  text("domain", "Operator set; empty: the standard one.").defaults(""),
                  integer("opset", "Version of the operator set.").between(1, 1000).defaults(17),
                  json("attributes", Json::object(), "The node's attributes by name."),
                  json("operands", Json::array({0}),
                       "For each input of the operator the position among this call's inputs, null where it "
                       "is left out, "
                       "a constant {type, shape, values} or a weight {weight, type, shape}."),
                  json("outputs", Json::array({0}), "Which outputs of the operator the layer gives.")},
                 describeOnnxNode);
    node.maximumInputs = anyNumberOfInputs;
    return {std::move(node)};
}

} // namespace core
