// Functions applied element by element.
#include "tests/simulator/numerics/gradient_families.h"

namespace tests {
namespace {

using namespace simulator;

/// Where a function is smooth.
struct UnaryDomain {
    UnaryFunction function;
    double low;
    double high;
    double alpha = 0;
    double beta = 0;
};

GradientCase unaryCase(RandomOperands& random) {
    using enum UnaryFunction;
    static const std::vector<UnaryDomain> all{
        {Negate, -2, 2},
        {Absolute, -2, 2},
        {Square, -2, 2},
        {SquareRoot, 0.2, 3},
        {Reciprocal, 0.3, 2},
        {ReciprocalSquareRoot, 0.3, 3},
        {Exponential, -2, 2},
        {ExponentialMinusOne, -2, 2},
        {Logarithm, 0.2, 3},
        {LogarithmPlusOne, -0.5, 3},
        {Sine, -4, 4},
        {Cosine, -4, 4},
        {Tangent, -1, 1},
        {ArcSine, -0.8, 0.8},
        {ArcCosine, -0.8, 0.8},
        {ArcTangent, -3, 3},
        {HyperbolicSine, -2, 2},
        {HyperbolicCosine, -2, 2},
        {ErrorFunction, -2, 2},
        {Relu, -2, 2},
        {Relu, -2, 2, 0.3, 1.05},
        {Relu6, -8, 8},
        {LeakyRelu, -2, 2, 0.2},
        {ThresholdedRelu, 0.6, 3, 0.5},
        {ThresholdedRelu, -3, 0.4, 0.5},
        {Elu, -2, 2, 1},
        {Elu, -2, 2, 0.4},
        {Selu, -2, 2},
        {Sigmoid, -6, 6},
        {HardSigmoid, -4, 4, 0.2, 0.5},
        {HardSigmoid, -4, 4, 1.0 / 6, 0.5},
        {Tanh, -4, 4},
        {Softplus, -20, 20},
        {Softsign, -3, 3},
        {Swish, -6, 6},
        {GeluErf, -4, 4},
        {GeluTanh, -4, 4},
        {Mish, -6, 6},
        {Clip, -2, 2, -0.9, 1.1},
        {ScaleShift, -2, 2, 1.7, 0.3},
    };
    const UnaryDomain domain = random.pick(all);
    const Extents extents = random.extents(static_cast<std::size_t>(random.integer(0, 3)));
    const bool isCentred = domain.low == -domain.high;
    TestOperand x = isCentred ? smooth(random, extents, 0, domain.high)
                              : within(random, extents, domain.low, domain.high);
    return {Unary{domain.function, domain.alpha, domain.beta}, {std::move(x)}};
}

GradientCase binaryCase(RandomOperands& random) {
    using enum BinaryFunction;
    const BinaryFunction function = random.pick(
        std::vector{Add, Subtract, Multiply, Divide, Maximum, Minimum, Power, SquaredDifference, Atan2});
    const Extents wide = random.extents(static_cast<std::size_t>(random.integer(0, 4)));
    const Extents narrow = random.broadcastable(wide);
    const bool isLeftWide = random.coin();
    const Extents& left = isLeftWide ? wide : narrow;
    const Extents& right = isLeftWide ? narrow : wide;
    GradientCase one{Binary{function}, {smooth(random, left), smooth(random, right, 1)}};
    if (function == Power)
        one.operands[0] = within(random, left, 0.4, 2);
    if (function == Divide || function == Atan2)
        one.operands[1] = within(random, right, 0.5, 2);
    return one;
}

GradientCase moduloCase(RandomOperands& random) {
    const Extents extents = random.extents(2);
    return {Binary{random.coin() ? BinaryFunction::Modulo : BinaryFunction::Remainder},
            {within(random, extents, 0.1, 0.6), within(random, extents, 0.7, 0.9, false)}};
}

/// A number to many values the same: what a gradient of zero towards the base of a power is.
GradientCase constantPowerCase(RandomOperands& random) {
    const Extents extents = random.extents(2);
    return {Binary{BinaryFunction::Power},
            {smooth(random, extents), floats({}, {static_cast<float>(random.integer(1, 3))}, false)}};
}

GradientCase selectCase(RandomOperands& random) {
    const Extents extents = random.extents(3);
    const Extents condition = random.broadcastable(extents);
    TestOperand choice = integers(condition, random.integers(elementCount(condition), 0, 1));
    choice.form.type = core::DataType::Bool;
    return {Select{},
            {std::move(choice), smooth(random, extents), smooth(random, random.broadcastable(extents), 1)}};
}

GradientCase dropoutCase(RandomOperands& random) {
    const Extents extents = random.extents(3);
    Dropout dropout;
    dropout.rate = 0.3;
    dropout.seed = 7;
    if (random.coin())
        dropout.noiseExtents = {extents[0], 1, extents[2]};
    return {dropout, {smooth(random, extents)}};
}

GradientCase castCase(RandomOperands& random) {
    return {Cast{core::DataType::Float32}, {smooth(random, random.extents(2))}};
}

constexpr GradientFamily elementwiseCases[]{
    {"unary", unaryCase},   {"binary", binaryCase},   {"modulo", moduloCase}, {"power", constantPowerCase},
    {"select", selectCase}, {"dropout", dropoutCase}, {"cast", castCase},
};

} // namespace

std::span<const GradientFamily> elementwiseFamilies() {
    return elementwiseCases;
}

} // namespace tests
