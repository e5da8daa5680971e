#include "simulator/cost/vertex/elementwise_vertex.h"

#include "core/base/quantity.h"

#include <algorithm>
#include <array>

namespace simulator {

namespace {

using core::real;

using core::ceilDivide;
using core::DataType;

/// Loops that use the natural vector or a plain loop pay this on top.
constexpr double plainLoop = 4;

constexpr ElementwiseCost perVector(double single, double half) {
    return {{single, 2}, {half, 4}};
}
constexpr ElementwiseCost perElement(double single, double half) {
    return {{single, 1}, {half, 1}};
}
constexpr ElementwiseCost withLaunch(ElementwiseCost cost, std::int64_t launch) {
    cost.singleLaunch = cost.halfLaunch = launch;
    return cost;
}

struct UnaryRow {
    UnaryFunction function;
    ElementwiseCost forward;
    ElementwiseCost gradient;
};

/// The gradient of a function without a vertex of its own: its derivative, then a product with dy.
constexpr UnaryRow composed(UnaryFunction function, ElementwiseCost forward) {
    constexpr double derivativeAndProduct = 6;
    ElementwiseCost gradient = forward;
    gradient.single.cycles += derivativeAndProduct * real(forward.single.elements) / 2;
    gradient.half.cycles += derivativeAndProduct * real(forward.half.elements) / 4;
    return {function, forward, gradient};
}

using F = UnaryFunction;

/// In the order of `UnaryFunction`. Published rows as they are; the others are composed of published ones, as
/// the comment says.
constexpr std::array unaryRows{
    composed(F::Identity, perVector(2, 2)), // as negate
    composed(F::Negate, perVector(2, 2)),
    composed(F::Absolute, perElement(1 + plainLoop, 1 + plainLoop)),
    composed(F::Sign, perVector(5 + plainLoop, 5 + plainLoop)),
    composed(F::Square, perVector(2, 2)),
    composed(F::SquareRoot, perVector(10, 23)),
    composed(F::ReciprocalSquareRoot, perVector(8, 19)),
    composed(F::Reciprocal, perVector(6, 15)),
    composed(F::Exponential, withLaunch(perVector(6, 4), 33)),
    composed(F::ExponentialMinusOne, {{4 + plainLoop, 1}, {5 + plainLoop, 4}}),
    composed(F::Logarithm, perVector(12, 4)),
    composed(F::LogarithmPlusOne, perVector(18 + plainLoop, 18 + plainLoop)),
    composed(F::Sine, perElement(2300 + plainLoop, 25 + plainLoop)),
    composed(F::Cosine, perElement(2300 + plainLoop, 25 + plainLoop)),
    composed(F::Tangent, perElement(5100, 5700)),
    composed(F::ArcSine, perElement(2300 + plainLoop, 25 + plainLoop)),              // as sine
    composed(F::ArcCosine, perElement(2300 + plainLoop, 25 + plainLoop)),            // as sine
    composed(F::ArcTangent, perElement(2300 + plainLoop, 25 + plainLoop)),           // as sine
    composed(F::HyperbolicSine, withLaunch(perVector(6 + 6 + 6, 4 + 15 + 6), 33)),   // exp, reciprocal, 2 ops
    composed(F::HyperbolicCosine, withLaunch(perVector(6 + 6 + 6, 4 + 15 + 6), 33)), // likewise
    composed(F::ErrorFunction, perElement(41, 13)),
    composed(F::Floor, perVector(2 + plainLoop, 2 + plainLoop)),
    composed(F::Ceiling, perVector(2 + plainLoop, 2 + plainLoop)),
    composed(F::Round, perVector(2 + plainLoop, 2 + plainLoop)),
    composed(F::LogicalNot, {{3, 4}, {3, 4}}), // one operation of 4 booleans
    composed(F::IsNan, perVector(1 + plainLoop, 1 + plainLoop)),
    composed(F::IsInfinite, perVector(1 + plainLoop, 1 + plainLoop)),
    UnaryRow{F::Relu, perVector(3, 3), perVector(3, 3)},
    UnaryRow{F::Relu6, perVector(6, 6), perVector(6, 6)},           // maximum, minimum
    UnaryRow{F::LeakyRelu, perVector(5, 5), perVector(5, 5)},       // product, maximum
    UnaryRow{F::ThresholdedRelu, perVector(6, 6), perVector(6, 6)}, // compare, select
    composed(F::Elu, withLaunch(perVector(6 + 5, 4 + 5), 33)),      // exp, select
    composed(F::Selu, withLaunch(perVector(6 + 7, 4 + 7), 33)),     // exp, select, product
    UnaryRow{F::Sigmoid, perVector(12, 6), perVector(3, 3)},
    UnaryRow{F::HardSigmoid, perVector(8, 8), perVector(6, 6)}, // scale and shift, clip
    UnaryRow{F::Tanh, perVector(12, 4), perVector(3, 3)},
    composed(F::Softplus, perVector(6 + 22, 4 + 22)), // exp, log1p
    composed(F::Softsign, perVector(6 + 10, 6 + 21)), // absolute, add, divide
    composed(F::Swish, perVector(11, 5)),
    UnaryRow{F::GeluErf, perElement(22, 16), perVector(30, 15)},
    UnaryRow{F::GeluTanh, perVector(10, 5), perVector(10, 5)},
    composed(F::Mish, perVector(28 + 12 + 3, 26 + 4 + 3)),     // softplus, tanh, product
    UnaryRow{F::Clip, perVector(6, 6), perVector(6, 6)},       // maximum, minimum
    UnaryRow{F::ScaleShift, perVector(3, 3), perVector(3, 3)}, // as a scaled add
};

constexpr ElementwiseCost binary(LoopRate single, LoopRate half) {
    return {single, half, 29, 26, 11};
}
constexpr ElementwiseCost binaryPerVector(double single, double half) {
    return binary({single, 2}, {half, 4});
}

struct BinaryRow {
    BinaryFunction function;
    ElementwiseCost cost;
};

using G = BinaryFunction;

/// In the order of `BinaryFunction`.
constexpr std::array binaryRows{
    BinaryRow{G::Add, binaryPerVector(3, 3)},
    BinaryRow{G::Subtract, binaryPerVector(3, 3)},
    BinaryRow{G::Multiply, binaryPerVector(3, 3)},
    BinaryRow{G::Divide, binaryPerVector(10, 21)},
    BinaryRow{G::Maximum, binaryPerVector(3, 4)},
    BinaryRow{G::Minimum, binaryPerVector(3, 4)},
    BinaryRow{G::Power, binary({312, 1}, {312, 1})},
    BinaryRow{G::Modulo, binaryPerVector(10 + 9, 21 + 9)},    // divide, round, product, subtract
    BinaryRow{G::Remainder, binaryPerVector(10 + 9, 21 + 9)}, // likewise
    BinaryRow{G::SquaredDifference, binaryPerVector(5, 5)},   // subtract, square
    BinaryRow{G::Atan2, binary({2304 + 5, 1}, {29 + 6, 1})},  // divide, arc tangent
    BinaryRow{G::Equal, binary({14, 4}, {9, 4})},
    BinaryRow{G::NotEqual, binary({14, 4}, {9, 4})},
    BinaryRow{G::Less, binary({14, 4}, {9, 4})},
    BinaryRow{G::LessEqual, binary({14, 4}, {9, 4})},
    BinaryRow{G::Greater, binary({14, 4}, {9, 4})},
    BinaryRow{G::GreaterEqual, binary({14, 4}, {9, 4})},
    BinaryRow{G::LogicalAnd, binary({3, 4}, {3, 4})}, // one operation of 4 booleans
    BinaryRow{G::LogicalOr, binary({3, 4}, {3, 4})},
    BinaryRow{G::LogicalXor, binary({3, 4}, {3, 4})},
};

template <class Rows>
constexpr bool isInOrderOf(const Rows& rows, std::size_t count) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (static_cast<std::size_t>(rows[i].function) != i)
            return false;
    }
    return rows.size() == count;
}
static_assert(isInOrderOf(unaryRows, core::unaryDefinitions().size()), "every function has its price");
static_assert(isInOrderOf(binaryRows, core::binaryDefinitions().size()), "every function has its price");

constexpr ElementwiseCost scalarOperandCost(double single, double half) {
    return {{single, 2}, {half, 4}, 20, 20, 11};
}

constexpr ElementwiseCost inverseProductRow = binaryPerVector(6 + 3, 15 + 3);
constexpr ElementwiseCost selectRow = binaryPerVector(5, 5);
constexpr ElementwiseCost scaledAddRow = binaryPerVector(3, 3);
constexpr ElementwiseCost mixedScaledAddRow = binaryPerVector(5, 5);

bool isNarrow(DataType type) {
    return core::elementBytes(type) <= 2;
}

} // namespace

double ElementwiseCost::cycles(std::int64_t elements, DataType type, std::int64_t workers) const {
    if (elements <= 0)
        return 0;
    const bool narrow = isNarrow(type);
    const LoopRate& rate = narrow ? half : single;
    const std::int64_t loops = ceilDivide(ceilDivide(elements, workers), rate.elements);
    const std::int64_t launch = narrow ? halfLaunch : singleLaunch;
    return real(supervisor) + real(workers) * (real(launch) + real(loops) * rate.cycles);
}

const ElementwiseCost& unaryCost(UnaryFunction function) {
    return unaryRows[static_cast<std::size_t>(function)].forward;
}

const ElementwiseCost& unaryGradientCost(UnaryFunction function) {
    return unaryRows[static_cast<std::size_t>(function)].gradient;
}

const ElementwiseCost& binaryCost(BinaryFunction function, bool scalarOperand) {
    static constexpr ElementwiseCost scalarAdd = scalarOperandCost(2, 2);
    static constexpr ElementwiseCost scalarDivide = scalarOperandCost(6, 8);
    const bool additive = function == BinaryFunction::Add || function == BinaryFunction::Subtract ||
                          function == BinaryFunction::Multiply;
    if (scalarOperand && additive)
        return scalarAdd;
    if (scalarOperand && function == BinaryFunction::Divide)
        return scalarDivide;
    return binaryRows[static_cast<std::size_t>(function)].cost;
}

const ElementwiseCost& inverseProductCost() {
    return inverseProductRow;
}

const ElementwiseCost& selectCost() {
    return selectRow;
}

const ElementwiseCost& scaledAddCost(bool mixed) {
    return mixed ? mixedScaledAddRow : scaledAddRow;
}

double castCycles(DataType from, DataType to, std::int64_t elements, std::int64_t workers) {
    if (elements <= 0)
        return 0;
    const std::int64_t perWorker = ceilDivide(elements, workers);
    const double base = 12 + real(workers) * (18 + 19);
    if (!core::isFloating(from) || !core::isFloating(to)) {
        // Bytes to half and back have loops of their own; other integers go one by one.
        constexpr std::int64_t byteVector = 4;
        const std::int64_t vectors = std::max<std::int64_t>(ceilDivide(perWorker, byteVector) - 1, 0);
        if (core::elementBytes(from) == 1 && to == DataType::Float16)
            return base + real(workers) * (14 + 9 * real(vectors));
        if (core::elementBytes(to) == 1 && from == DataType::Float16)
            return base + real(workers) * (19 + 16 * real(vectors));
        return base + real(workers) * 2 * real(perWorker);
    }
    const bool widens = core::elementBytes(to) > core::elementBytes(from);
    const std::int64_t vector = widens ? 2 : 4;
    const std::int64_t cyclesPerVector = widens ? 1 : 2;
    // Elements beyond whole vectors cost 4 cycles; filling the last vector is never cheaper than that.
    constexpr std::int64_t remainder = 4;
    const std::int64_t before = cyclesPerVector * ((perWorker - 1) / vector) + remainder;
    const std::int64_t whole = cyclesPerVector * (perWorker / vector);
    return base + real(workers) * real(std::max(before, whole));
}

double fillCycles(DataType type, std::int64_t elements, std::int64_t workers) {
    if (elements <= 0)
        return 0;
    const std::int64_t n = ceilDivide(elements, workers);
    constexpr std::int64_t longRun = 64;
    std::int64_t worker = 0;
    switch (core::elementBytes(type)) {
    case 1:
        worker = n < longRun ? 28 + n / 4 : 39 + n / 8;
        break;
    case 2:
        worker = n == 1 ? 15 : n == 2 ? 21 : 26 + n / 4;
        break;
    default:
        worker = 23 + n / 2 + n % 2;
        break;
    }
    return real(workers * worker);
}

} // namespace simulator
