// Outputs and gradients of functions applied element by element.
#include "simulator/graph/rules/rule_families.h"

namespace simulator {

using core::DataType;
using core::TensorId;

static InputGradients unaryGradients(const GradientRequest& request) {
    GraphBuilder& build = request.build;
    const auto& unary = request.attributes<Unary>();
    const UnaryGradientNeeds needs = gradientNeeds(unary.function);
    if (needs.isFlat)
        return {TensorId{}};
    if (unary.function == UnaryFunction::Negate || unary.function == UnaryFunction::ScaleShift)
        return {
            build.scaleShift(request.gradient(), unary.function == UnaryFunction::Negate ? -1 : unary.alpha)};
    std::vector<TensorId> inputs;
    if (needs.input)
        inputs.push_back(request.input(0));
    if (needs.output)
        inputs.push_back(request.output());
    inputs.push_back(request.gradient());
    return {build.add(UnaryGradient{unary}, std::move(inputs), "")};
}

namespace {

/// One where `comparison` holds, zero elsewhere, in the type of `like`.
TensorId indicator(GraphBuilder& build, BinaryFunction comparison, TensorId a, TensorId b) {
    return build.cast(build.binary(comparison, a, b), build.type(a));
}

/// Partial derivatives of one binary function, before broadcasting is undone. Each is called only when
/// wanted.
struct BinaryRule {
    GraphBuilder& build;
    TensorId a;
    TensorId b;
    TensorId y;
    TensorId dy;

    TensorId times(TensorId left, TensorId right) const {
        return build.binary(BinaryFunction::Multiply, left, right);
    }
    TensorId divided(TensorId left, TensorId right) const {
        return build.binary(BinaryFunction::Divide, left, right);
    }
    TensorId sumOfSquares() const { return build.binary(BinaryFunction::Add, times(a, a), times(b, b)); }

    /// By the left operand, else by the right one.
    TensorId partial(BinaryFunction function, bool isLeft) const {
        switch (function) {
        case BinaryFunction::Add:
            return dy;
        case BinaryFunction::Subtract:
            return isLeft ? dy : build.scaleShift(dy, -1);
        case BinaryFunction::Multiply:
            return times(dy, isLeft ? b : a);
        case BinaryFunction::Divide:
            return isLeft ? divided(dy, b) : build.scaleShift(times(dy, divided(y, b)), -1);
        case BinaryFunction::Maximum:
            return times(
                dy, indicator(build, isLeft ? BinaryFunction::GreaterEqual : BinaryFunction::Less, a, b));
        case BinaryFunction::Minimum:
            return times(
                dy, indicator(build, isLeft ? BinaryFunction::LessEqual : BinaryFunction::Greater, a, b));
        case BinaryFunction::Power:
            return isLeft ? powerByBase() : powerByExponent();
        case BinaryFunction::SquaredDifference:
            return times(dy, build.scaleShift(build.binary(BinaryFunction::Subtract, a, b), isLeft ? 2 : -2));
        case BinaryFunction::Atan2:
            return isLeft ? times(dy, divided(b, sumOfSquares()))
                          : build.scaleShift(times(dy, divided(a, sumOfSquares())), -1);
        case BinaryFunction::Modulo:
        case BinaryFunction::Remainder:
            // By the divisor: zero between the steps at which the quotient changes, as TensorFlow has it for
            // a divisor held fixed.
            return isLeft ? dy : TensorId{};
        case BinaryFunction::Equal:
        case BinaryFunction::NotEqual:
        case BinaryFunction::Less:
        case BinaryFunction::LessEqual:
        case BinaryFunction::Greater:
        case BinaryFunction::GreaterEqual:
        case BinaryFunction::LogicalAnd:
        case BinaryFunction::LogicalOr:
        case BinaryFunction::LogicalXor:
            break; // truth has no derivative
        }
        return {};
    }

    TensorId powerByBase() const {
        const TensorId lower = build.binary(BinaryFunction::Power, a, build.scaleShift(b, 1, -1));
        return times(dy, times(b, lower));
    }
    /// log(a) only where a is positive, as TensorFlow has it.
    TensorId powerByExponent() const {
        const TensorId zero = build.constant(0, {}, build.type(a));
        const TensorId one = build.constant(1, {}, build.type(a));
        const TensorId isPositive = build.binary(BinaryFunction::Greater, a, zero);
        const TensorId safe = build.add(Select{}, {isPositive, a, one}, "");
        return times(dy, times(y, build.unary(UnaryFunction::Logarithm, safe)));
    }
};

} // namespace

static InputGradients binaryGradients(const GradientRequest& request) {
    GraphBuilder& build = request.build;
    const BinaryFunction function = request.attributes<Binary>().function;
    InputGradients gradients(2);
    if (answersBool(function))
        return gradients;
    const BinaryRule rule{build, request.input(0), request.input(1), request.output(), request.gradient()};
    for (std::size_t i = 0; i < 2; ++i)
        if (request.wanted[i])
            gradients[i] = rule.partial(function, i == 0);
    for (std::size_t i = 0; i < 2; ++i) {
        if (gradients[i].isValid())
            gradients[i] = unbroadcast(build, gradients[i], Extents(build.extents(request.input(i))));
    }
    return gradients;
}

static InputGradients selectGradients(const GradientRequest& request) {
    GraphBuilder& build = request.build;
    const TensorId zero = build.constant(0, {}, build.type(request.output()));
    InputGradients gradients(3);
    for (std::size_t i = 1; i < 3; ++i) {
        if (!request.wanted[i])
            continue;
        const TensorId kept = i == 1 ? request.gradient() : zero;
        const TensorId other = i == 1 ? zero : request.gradient();
        const TensorId wide = build.add(Select{}, {request.input(0), kept, other}, "");
        gradients[i] = unbroadcast(build, wide, Extents(build.extents(request.input(i))));
    }
    return gradients;
}

static InputGradients castGradients(const GradientRequest& request) {
    const core::DataType from = request.build.type(request.input(0));
    return {core::isFloating(from) ? request.build.cast(request.gradient(), from) : TensorId{}};
}

static InputGradients dropoutGradients(const GradientRequest& request) {
    return {request.build.add(DropoutGradient{request.attributes<Dropout>()}, {request.gradient()}, "")};
}

// Outputs.

static OutputForms outputsOf(const Unary& unary, InputForms inputs) {
    return oneOutput(inputs[0].extents, answersBool(unary.function) ? DataType::Bool : inputs[0].type);
}
static OutputForms outputsOf(const UnaryGradient&, InputForms inputs) {
    return sameOutput(inputs.back());
}
static OutputForms outputsOf(const Binary& binary, InputForms inputs) {
    return oneOutput(broadcastExtents(inputs[0].extents, inputs[1].extents),
                     answersBool(binary.function) ? DataType::Bool : inputs[0].type);
}
static OutputForms outputsOf(const Select&, InputForms inputs) {
    const Extents values = broadcastExtents(inputs[1].extents, inputs[2].extents);
    return oneOutput(broadcastExtents(inputs[0].extents, values), inputs[1].type);
}
static OutputForms outputsOf(const Cast& cast, InputForms inputs) {
    return oneOutput(inputs[0].extents, cast.to);
}
static OutputForms outputsOf(const Dropout&, InputForms inputs) {
    return sameOutput(inputs[0]);
}
static OutputForms outputsOf(const DropoutGradient&, InputForms inputs) {
    return sameOutput(inputs[0]);
}

std::span<const PartRow<GradientChoice>> elementwiseGradients() {
    static constexpr PartRow<GradientChoice> rows[]{
        gradientRow<Unary, unaryGradients>(),
        noGradientRow<UnaryGradient>("it is made by differentiation, which nothing differentiates again"),
        gradientRow<Binary, binaryGradients>(),
        gradientRow<Select, selectGradients>(),
        gradientRow<Cast, castGradients>(),
        gradientRow<Dropout, dropoutGradients>(),
        noGradientRow<DropoutGradient>("it is made by differentiation, which nothing differentiates again"),
        gradientRow<Random, noGradients>()};
    return rows;
}

std::span<const PartRow<OutputRule>> elementwiseOutputs() {
    static constexpr PartRow<OutputRule> rows[]{
        outputRow<Unary, outputsOf>(),
        outputRow<UnaryGradient, outputsOf>(),
        outputRow<Binary, outputsOf>(),
        outputRow<Select, outputsOf>(),
        outputRow<Cast, outputsOf>(),
        outputRow<Dropout, outputsOf>(),
        outputRow<DropoutGradient, outputsOf>(),
        {kindIndex<Random>(), nullptr, "whoever makes it chooses its extents"}};
    return rows;
}

} // namespace simulator
