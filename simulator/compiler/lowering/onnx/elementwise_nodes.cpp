// Functions applied element by element.
#include "core/catalogue/functions.h"
#include "simulator/compiler/lowering/onnx/onnx_call.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace simulator {
namespace {

using core::DataType;
using core::TensorId;

/// The function of one number that the operator is.
OnnxOutputs unaryFunction(OnnxCall& call) {
    return one(call.build.unary(core::unaryOfOnnx(call.node.operation)->function, call.input()));
}

template <UnaryFunction Function>
OnnxOutputs withAlpha(OnnxCall& call, double byDefault) {
    return one(call.build.unary(Function, call.input(), call.node.number("alpha", byDefault)));
}
OnnxOutputs elu(OnnxCall& call) {
    return withAlpha<UnaryFunction::Elu>(call, 1.0);
}
OnnxOutputs leakyRelu(OnnxCall& call) {
    return withAlpha<UnaryFunction::LeakyRelu>(call, 0.01);
}
OnnxOutputs thresholdedRelu(OnnxCall& call) {
    return withAlpha<UnaryFunction::ThresholdedRelu>(call, 1.0);
}
OnnxOutputs hardSigmoid(OnnxCall& call) {
    return one(call.build.unary(UnaryFunction::HardSigmoid, call.input(), call.node.number("alpha", 0.2),
                                call.node.number("beta", 0.5)));
}
OnnxOutputs hardSwish(OnnxCall& call) {
    const TensorId gate = call.build.unary(UnaryFunction::HardSigmoid, call.input(), 1.0 / 6, 0.5);
    return one(call.build.binary(BinaryFunction::Multiply, call.input(), gate));
}

/// scale · (max(0, x) + min(0, alpha·(e^(x / width) − 1))).
TensorId exponentialUnit(OnnxCall& call, double scale, double alpha, double width) {
    GraphBuilder& build = call.build;
    const TensorId zero = call.scalar(0);
    const TensorId positive = build.binary(BinaryFunction::Maximum, call.input(), zero);
    const TensorId negative = build.binary(BinaryFunction::Minimum, call.input(), zero);
    const TensorId curve =
        build.unary(UnaryFunction::ExponentialMinusOne, build.scaleShift(negative, 1 / width));
    const TensorId sum = build.binary(BinaryFunction::Add, positive, build.scaleShift(curve, alpha));
    return build.scaleShift(sum, scale);
}
OnnxOutputs selu(OnnxCall& call) {
    return one(exponentialUnit(call, call.node.number("gamma", 1.05070102214813232421875),
                               call.node.number("alpha", 1.67326319217681884765625), 1));
}
OnnxOutputs celu(OnnxCall& call) {
    const double alpha = call.node.number("alpha", 1);
    return one(exponentialUnit(call, 1, alpha, alpha));
}
OnnxOutputs gelu(OnnxCall& call) {
    const bool isTanh = call.node.text("approximate", "none") == "tanh";
    return one(call.build.unary(isTanh ? UnaryFunction::GeluTanh : UnaryFunction::GeluErf, call.input()));
}
OnnxOutputs swish(OnnxCall& call) {
    const TensorId gate = call.build.unary(UnaryFunction::Sigmoid,
                                           call.build.scaleShift(call.input(), call.node.number("alpha", 1)));
    return one(call.build.binary(BinaryFunction::Multiply, call.input(), gate));
}

/// x + bias below −lambd, x − bias above lambd, else 0.
OnnxOutputs shrink(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const double lambda = call.node.number("lambd", 0.5);
    const double bias = call.node.number("bias", 0);
    const TensorId low = build.binary(BinaryFunction::Less, call.input(), call.scalar(-lambda));
    const TensorId high = build.binary(BinaryFunction::Greater, call.input(), call.scalar(lambda));
    const TensorId middle =
        build.add(Select{}, {high, build.scaleShift(call.input(), 1, -bias), call.scalar(0)}, "");
    return one(build.add(Select{}, {low, build.scaleShift(call.input(), 1, bias), middle}, ""));
}

OnnxOutputs prelu(OnnxCall& call) {
    GraphBuilder& build = call.build;
    TensorId slope = call.input(1);
    // A slope for each channel in the old form; today extents broadcast.
    if (!commonExtents(call.extents(), call.extents(1)) && call.rank(1) == 1 && call.rank() > 2) {
        Extents extents(static_cast<std::size_t>(call.rank() - 1), 1);
        extents[0] = call.extents(1)[0];
        slope = build.reshape(slope, std::move(extents));
    }
    const TensorId zero = call.scalar(0);
    const auto negative = broadcastBinary(build, BinaryFunction::Multiply,
                                          build.binary(BinaryFunction::Minimum, call.input(), zero), slope);
    if (!negative)
        return core::failure(negative.error());
    return one(build.binary(BinaryFunction::Add, build.binary(BinaryFunction::Maximum, call.input(), zero),
                            *negative));
}

OnnxOutputs clip(OnnxCall& call) {
    GraphBuilder& build = call.build;
    TensorId y = call.input();
    if (call.node.attribute("min") != nullptr)
        y = build.binary(BinaryFunction::Maximum, y, call.scalar(call.node.number("min", 0)));
    if (call.node.attribute("max") != nullptr)
        y = build.binary(BinaryFunction::Minimum, y, call.scalar(call.node.number("max", 0)));
    if (call.has(1))
        y = build.binary(BinaryFunction::Maximum, y, build.cast(call.input(1), call.type()));
    if (call.has(2))
        y = build.binary(BinaryFunction::Minimum, y, build.cast(call.input(2), call.type()));
    return one(y == call.input() ? build.add(Copy{}, {y}, "") : y);
}

/// ln(x + √(x² + shift)) and the like.
OnnxOutputs inverseHyperbolic(OnnxCall& call, double shift) {
    GraphBuilder& build = call.build;
    const TensorId magnitude = build.unary(UnaryFunction::Absolute, call.input());
    const TensorId square = build.scaleShift(build.unary(UnaryFunction::Square, magnitude), 1, shift);
    const TensorId sum =
        build.binary(BinaryFunction::Add, magnitude, build.unary(UnaryFunction::SquareRoot, square));
    const TensorId logarithm = build.unary(UnaryFunction::Logarithm, sum);
    return one(
        build.binary(BinaryFunction::Multiply, logarithm, build.unary(UnaryFunction::Sign, call.input())));
}
OnnxOutputs asinh(OnnxCall& call) {
    return inverseHyperbolic(call, 1);
}
OnnxOutputs acosh(OnnxCall& call) {
    return inverseHyperbolic(call, -1);
}
OnnxOutputs atanh(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const TensorId up = build.unary(UnaryFunction::LogarithmPlusOne, call.input());
    const TensorId down =
        build.unary(UnaryFunction::LogarithmPlusOne, build.unary(UnaryFunction::Negate, call.input()));
    return one(build.scaleShift(build.binary(BinaryFunction::Subtract, up, down), 0.5));
}

OnnxOutputs isInfinite(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const bool positive = call.node.integer("detect_positive", 1) != 0;
    const bool negative = call.node.integer("detect_negative", 1) != 0;
    if (!positive && !negative)
        return one(build.broadcast(build.constant(0, {}, DataType::Bool), call.extents()));
    const TensorId infinite = build.unary(UnaryFunction::IsInfinite, call.input());
    if (positive && negative)
        return one(infinite);
    const TensorId side =
        build.binary(positive ? BinaryFunction::Greater : BinaryFunction::Less, call.input(), call.scalar(0));
    return one(build.binary(BinaryFunction::LogicalAnd, infinite, side));
}

// ---- two operands ---------------------------------------------------------------------------------------

/// The second operand as operator sets before 7 broadcast it: from `axis` of the first on.
TensorId secondOperand(OnnxCall& call) {
    const TensorId b = call.input(1);
    if (call.opset >= 7 || call.node.integer("broadcast", 0) == 0 || call.node.attribute("axis") == nullptr)
        return b;
    const auto axis = onnxAxis(call.node.integer("axis", 0), call.rank());
    if (!axis || *axis + call.rank(1) > call.rank())
        return b;
    Extents extents = call.extents(1);
    extents.resize(static_cast<std::size_t>(call.rank() - *axis), 1);
    return call.build.reshape(b, std::move(extents));
}

template <BinaryFunction Function>
OnnxOutputs binary(OnnxCall& call) {
    const auto y = broadcastBinary(call.build, Function, call.input(0), secondOperand(call));
    return y ? one(*y) : core::failure(y.error());
}

/// The function of two numbers that the operator is.
OnnxOutputs binaryFunction(OnnxCall& call) {
    const auto y = broadcastBinary(call.build, core::binaryOfOnnx(call.node.operation)->function,
                                   call.input(0), secondOperand(call));
    return y ? one(*y) : core::failure(y.error());
}

/// Whole numbers divide towards zero.
OnnxOutputs divide(OnnxCall& call) {
    GraphBuilder& build = call.build;
    if (core::isFloating(call.type()))
        return binary<BinaryFunction::Divide>(call);
    const auto quotient =
        broadcastBinary(build, BinaryFunction::Divide, build.cast(call.input(0), DataType::Float32),
                        build.cast(secondOperand(call), DataType::Float32));
    if (!quotient)
        return core::failure(quotient.error());
    const TensorId whole = build.unary(UnaryFunction::Floor, build.unary(UnaryFunction::Absolute, *quotient));
    const TensorId truncated =
        build.binary(BinaryFunction::Multiply, whole, build.unary(UnaryFunction::Sign, *quotient));
    return one(build.cast(truncated, call.type()));
}

OnnxOutputs modulo(OnnxCall& call) {
    return call.node.integer("fmod", 0) != 0 ? binary<BinaryFunction::Remainder>(call)
                                             : binary<BinaryFunction::Modulo>(call);
}

/// Multiplies or divides by powers of two.
OnnxOutputs shiftBits(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const bool isLeft = call.node.text("direction", "LEFT") == "LEFT";
    const TensorId amount = build.cast(call.input(1), DataType::Float32);
    const TensorId factor =
        build.binary(BinaryFunction::Power, build.constant(2, {}, DataType::Float32), amount);
    const auto moved = broadcastBinary(build, isLeft ? BinaryFunction::Multiply : BinaryFunction::Divide,
                                       build.cast(call.input(0), DataType::Float32), factor);
    if (!moved)
        return core::failure(moved.error());
    return one(build.cast(build.unary(UnaryFunction::Floor, *moved), call.type()));
}

/// Left to right over any number of operands.
core::Result<TensorId> fold(OnnxCall& call, BinaryFunction function) {
    TensorId y = call.input();
    for (std::size_t i = 1; i < call.inputs.size(); ++i) {
        const auto next = broadcastBinary(call.build, function, y, call.input(i));
        if (!next)
            return next;
        y = *next;
    }
    return y;
}
template <BinaryFunction Function>
OnnxOutputs folded(OnnxCall& call) {
    const auto y = fold(call, Function);
    return y ? one(*y) : core::failure(y.error());
}
OnnxOutputs mean(OnnxCall& call) {
    const auto sum = fold(call, BinaryFunction::Add);
    if (!sum)
        return core::failure(sum.error());
    return one(call.build.scaleShift(*sum, 1.0 / static_cast<double>(call.inputs.size())));
}

OnnxOutputs select(OnnxCall& call) {
    const auto values = commonExtents(call.extents(1), call.extents(2));
    if (!values || !commonExtents(*values, call.extents(0)))
        return refuseOnnx("its operands' extents do not fit");
    return one(call.build.add(Select{}, {call.input(0), call.input(1), call.input(2)}, ""));
}

OnnxOutputs identity(OnnxCall& call) {
    return one(call.input());
}

OnnxOutputs castTo(OnnxCall& call) {
    const auto type = core::deviceType(static_cast<core::OnnxType>(call.node.integer("to", 1)));
    if (!type)
        return refuseOnnx("casts to a type that is no number");
    // Numbers that are not 0 are true.
    if (*type == DataType::Bool && call.type() != DataType::Bool)
        return one(call.build.binary(BinaryFunction::NotEqual, call.input(), call.scalar(0)));
    return one(call.build.cast(call.input(), *type));
}
OnnxOutputs castLike(OnnxCall& call) {
    if (call.type(1) == DataType::Bool && call.type() != DataType::Bool)
        return one(call.build.binary(BinaryFunction::NotEqual, call.input(), call.scalar(0)));
    return one(call.build.cast(call.input(), call.type(1)));
}

/// Operators that are more than one function of the catalogue.
constexpr OnnxEntry furtherNodes[]{
    {"Acosh", acosh},
    {"Asinh", asinh},
    {"Atanh", atanh},
    {"BitShift", shiftBits},
    {"Cast", castTo},
    {"CastLike", castLike},
    {"Celu", celu},
    {"Clip", clip},
    {"Div", divide},
    {"Elu", elu},
    {"Gelu", gelu},
    {"HardSigmoid", hardSigmoid},
    {"HardSwish", hardSwish},
    {"Identity", identity},
    {"IsInf", isInfinite},
    {"LeakyRelu", leakyRelu},
    {"Max", folded<BinaryFunction::Maximum>},
    {"Mean", mean},
    {"Min", folded<BinaryFunction::Minimum>},
    {"Mod", modulo},
    {"PRelu", prelu},
    {"Selu", selu},
    {"Shrink", shrink},
    {"Sum", folded<BinaryFunction::Add>},
    {"Swish", swish},
    {"ThresholdedRelu", thresholdedRelu},
    {"Where", select},
};

} // namespace

std::span<const OnnxEntry> onnxElementwise() {
    static const std::vector<OnnxEntry> entries = [] {
        std::vector<OnnxEntry> all(std::begin(furtherNodes), std::end(furtherNodes));
        for (const core::UnaryDefinition& function : core::unaryDefinitions())
            if (!function.onnx.empty())
                all.push_back({function.onnx, unaryFunction});
        for (const core::BinaryDefinition& function : core::binaryDefinitions())
            if (!function.onnx.empty())
                all.push_back({function.onnx, binaryFunction});
        return all;
    }();
    return entries;
}

} // namespace simulator
