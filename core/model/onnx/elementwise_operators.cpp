// Functions applied element by element.
#include "core/model/onnx/onnx_operator.h"

#include <algorithm>

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

constexpr OnnxOperator elementwiseRows[]{
    {"Abs", sameOnnxForm},
    {"Acos", sameOnnxForm},
    {"Acosh", sameOnnxForm},
    {"Add", arithmetic, 2},
    {"And", comparison, 2},
    {"Asin", sameOnnxForm},
    {"Asinh", sameOnnxForm},
    {"Atan", sameOnnxForm},
    {"Atanh", sameOnnxForm},
    {"BitShift", arithmetic, 2},
    {"Cast", converted},
    {"CastLike", convertedLike, 2},
    {"Ceil", sameOnnxForm},
    {"Celu", sameOnnxForm},
    {"Clip", sameOnnxForm, 1, 0, inputsAt({1, 2})},
    {"Cos", sameOnnxForm},
    {"Cosh", sameOnnxForm},
    {"Div", arithmetic, 2},
    {"Elu", sameOnnxForm},
    {"Equal", comparison, 2},
    {"Erf", sameOnnxForm},
    {"Exp", sameOnnxForm},
    {"Floor", sameOnnxForm},
    {"Gelu", sameOnnxForm},
    {"Greater", comparison, 2},
    {"GreaterOrEqual", comparison, 2},
    {"HardSigmoid", sameOnnxForm},
    {"HardSwish", sameOnnxForm},
    {"Identity", sameOnnxForm},
    {"IsInf", logicalUnary},
    {"IsNaN", logicalUnary},
    {"LeakyRelu", sameOnnxForm},
    {"Less", comparison, 2},
    {"LessOrEqual", comparison, 2},
    {"Log", sameOnnxForm},
    {"Max", arithmetic},
    {"Mean", arithmetic},
    {"Min", arithmetic},
    {"Mish", sameOnnxForm},
    {"Mod", arithmetic, 2},
    {"Mul", arithmetic, 2},
    {"Neg", sameOnnxForm},
    {"Not", logicalUnary},
    {"Or", comparison, 2},
    {"PRelu", sameOnnxForm, 2},
    {"Pow", arithmetic, 2},
    {"Reciprocal", sameOnnxForm},
    {"Relu", sameOnnxForm},
    {"Round", sameOnnxForm},
    {"Selu", sameOnnxForm},
    {"Shrink", sameOnnxForm},
    {"Sigmoid", sameOnnxForm},
    {"Sign", sameOnnxForm},
    {"Sin", sameOnnxForm},
    {"Sinh", sameOnnxForm},
    {"Softplus", sameOnnxForm},
    {"Softsign", sameOnnxForm},
    {"Sqrt", sameOnnxForm},
    {"Sub", arithmetic, 2},
    {"Sum", arithmetic},
    {"Swish", sameOnnxForm},
    {"Tan", sameOnnxForm},
    {"Tanh", sameOnnxForm},
    {"ThresholdedRelu", sameOnnxForm},
    {"Where", choice, 3},
    {"Xor", comparison, 2},
};

} // namespace

std::span<const OnnxOperator> elementwiseOnnxOperators() {
    return elementwiseRows;
}

} // namespace core
