// Functions applied element by element.
#include "core/catalogue/functions.h"
#include "core/model/onnx/onnx_operator.h"

#include <algorithm>
#include <iterator>

namespace core {

namespace {

using Call = OnnxOperatorCall;
using Facts = RuleResult<OnnxFacts>;

Facts logicalUnary(const Call& call) {
    return onnxOutput(call.extents(), DataType::Bool, 1);
}

Facts broadcastTo(const Call& call, DataType type) {
    // Operator sets before 7 broadcast the second operand to the first, from `axis` on.
    const bool isOld = call.opset < 7 && call.node.integer("broadcast", 0) != 0;
    OnnxExtents extents = call.extents();
    for (std::size_t i = 1; i < call.inputs.size() && !isOld; ++i) {
        if (!call.has(i))
            return refuse("lacks an operand", "give it all its inputs", "operands");
        auto common = onnxBroadcast(extents, call.extents(i));
        if (!common)
            return tl::unexpected(common.error());
        extents = std::move(*common);
    }
    return onnxOutput(std::move(extents), type, std::max<std::int64_t>(1, std::ssize(call.inputs) - 1));
}

Facts arithmetic(const Call& call) {
    return broadcastTo(call, call.type());
}
Facts comparison(const Call& call) {
    return broadcastTo(call, DataType::Bool);
}
Facts choice(const Call& call) {
    return broadcastTo(call, call.type(1));
}

Facts converted(const Call& call) {
    const auto type = typeAttribute(call, "to", DataType::Float32);
    return type ? onnxOutput(call.extents(), *type, 1) : Facts(tl::unexpected(type.error()));
}
Facts convertedLike(const Call& call) {
    return onnxOutput(call.extents(), call.type(1), 1);
}

/// Operators that are more than one function of the catalogue.
constexpr OnnxOperator furtherRows[]{
    {"Acosh", sameOnnxForm},     {"Asinh", sameOnnxForm},
    {"Atanh", sameOnnxForm},     {"BitShift", arithmetic, 2},
    {"Cast", converted},         {"CastLike", convertedLike, 2},
    {"Celu", sameOnnxForm},      {"Clip", sameOnnxForm, 1, 0, inputsAt({1, 2})},
    {"Div", arithmetic, 2},      {"Elu", sameOnnxForm},
    {"Gelu", sameOnnxForm},      {"HardSigmoid", sameOnnxForm},
    {"HardSwish", sameOnnxForm}, {"Identity", sameOnnxForm},
    {"IsInf", logicalUnary},     {"LeakyRelu", sameOnnxForm},
    {"Max", arithmetic},         {"Mean", arithmetic},
    {"Min", arithmetic},         {"Mod", arithmetic, 2},
    {"PRelu", sameOnnxForm, 2},  {"Selu", sameOnnxForm},
    {"Shrink", sameOnnxForm},    {"Sum", arithmetic},
    {"Swish", sameOnnxForm},     {"ThresholdedRelu", sameOnnxForm},
    {"Where", choice, 3},
};

} // namespace

std::span<const OnnxOperator> elementwiseOnnxOperators() {
    static const std::vector<OnnxOperator> rows = [] {
        std::vector<OnnxOperator> all(std::begin(furtherRows), std::end(furtherRows));
        for (const UnaryDefinition& function : unaryDefinitions())
            if (!function.onnx.empty())
                all.push_back({function.onnx, function.answersBool ? logicalUnary : sameOnnxForm});
        for (const BinaryDefinition& function : binaryDefinitions())
            if (!function.onnx.empty())
                all.push_back({function.onnx, function.answersBool ? comparison : arithmetic, 2});
        return all;
    }();
    return rows;
}

} // namespace core
