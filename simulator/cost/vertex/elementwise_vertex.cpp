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
    ElementwiseCost forward;
    ElementwiseCost gradient;
};

/// The gradient of a function without a vertex of its own: its derivative, then a product with dy.
constexpr UnaryRow composed(ElementwiseCost forward) {
    constexpr double derivativeAndProduct = 6;
    ElementwiseCost gradient = forward;
    gradient.single.cycles += derivativeAndProduct * real(forward.single.elements) / 2;
    gradient.half.cycles += derivativeAndProduct * real(forward.half.elements) / 4;
    return {forward, gradient};
}

/// In the order of `UnaryFunction`. Published rows as they are; the others are composed of published ones, as
/// the comment says.
constexpr std::array unaryRows{
    composed(perVector(2, 2)),                                  // Identity: as negate
    composed(perVector(2, 2)),                                  // Negate
    composed(perElement(1 + plainLoop, 1 + plainLoop)),         // Absolute
    composed(perVector(5 + plainLoop, 5 + plainLoop)),          // Sign
    composed(perVector(2, 2)),                                  // Square
    composed(perVector(10, 23)),                                // SquareRoot
    composed(perVector(8, 19)),                                 // ReciprocalSquareRoot
    composed(perVector(6, 15)),                                 // Reciprocal
    composed(withLaunch(perVector(6, 4), 33)),                  // Exponential
    composed({{4 + plainLoop, 1}, {5 + plainLoop, 4}}),         // ExponentialMinusOne
    composed(perVector(12, 4)),                                 // Logarithm
    composed(perVector(18 + plainLoop, 18 + plainLoop)),        // LogarithmPlusOne
    composed(perElement(2300 + plainLoop, 25 + plainLoop)),     // Sine
    composed(perElement(2300 + plainLoop, 25 + plainLoop)),     // Cosine
    composed(perElement(5100, 5700)),                           // Tangent
    composed(perElement(2300 + plainLoop, 25 + plainLoop)),     // ArcSine: as sine
    composed(perElement(2300 + plainLoop, 25 + plainLoop)),     // ArcCosine: as sine
    composed(perElement(2300 + plainLoop, 25 + plainLoop)),     // ArcTangent: as sine
    composed(withLaunch(perVector(6 + 6 + 6, 4 + 15 + 6), 33)), // HyperbolicSine: exp, reciprocal, 2 ops
    composed(withLaunch(perVector(6 + 6 + 6, 4 + 15 + 6), 33)), // HyperbolicCosine: likewise
    composed(perElement(41, 13)),                               // ErrorFunction
    composed(perVector(2 + plainLoop, 2 + plainLoop)),          // Floor
    composed(perVector(2 + plainLoop, 2 + plainLoop)),          // Ceiling
    composed(perVector(2 + plainLoop, 2 + plainLoop)),          // Round
    composed({{3, 4}, {3, 4}}),                                 // LogicalNot: one operation of 4 booleans
    composed(perVector(1 + plainLoop, 1 + plainLoop)),          // IsNan
    composed(perVector(1 + plainLoop, 1 + plainLoop)),          // IsInfinite
    UnaryRow{perVector(3, 3), perVector(3, 3)},                 // Relu
    UnaryRow{perVector(6, 6), perVector(6, 6)},                 // Relu6: maximum, minimum
    UnaryRow{perVector(5, 5), perVector(5, 5)},                 // LeakyRelu: product, maximum
    UnaryRow{perVector(6, 6), perVector(6, 6)},                 // ThresholdedRelu: compare, select
    composed(withLaunch(perVector(6 + 5, 4 + 5), 33)),          // Elu: exp, select
    composed(withLaunch(perVector(6 + 7, 4 + 7), 33)),          // Selu: exp, select, product
    UnaryRow{perVector(12, 6), perVector(3, 3)},                // Sigmoid
    UnaryRow{perVector(8, 8), perVector(6, 6)},                 // HardSigmoid: scale and shift, clip
    UnaryRow{perVector(12, 4), perVector(3, 3)},                // Tanh
    composed(perVector(6 + 22, 4 + 22)),                        // Softplus: exp, log1p
    composed(perVector(6 + 10, 6 + 21)),                        // Softsign: absolute, add, divide
    composed(perVector(11, 5)),                                 // Swish
    UnaryRow{perElement(22, 16), perVector(30, 15)},            // GeluErf
    UnaryRow{perVector(10, 5), perVector(10, 5)},               // GeluTanh
    composed(perVector(28 + 12 + 3, 26 + 4 + 3)),               // Mish: softplus, tanh, product
    UnaryRow{perVector(6, 6), perVector(6, 6)},                 // Clip: maximum, minimum
    UnaryRow{perVector(3, 3), perVector(3, 3)},                 // ScaleShift: as a scaled add
};
static_assert(unaryRows.size() == static_cast<std::size_t>(UnaryFunction::ScaleShift) + 1);

constexpr ElementwiseCost binary(LoopRate single, LoopRate half) {
    return {single, half, 29, 26, 11};
}
constexpr ElementwiseCost binaryPerVector(double single, double half) {
    return binary({single, 2}, {half, 4});
}

/// In the order of `BinaryFunction`.
constexpr std::array binaryRows{
    binaryPerVector(3, 3),              // Add
    binaryPerVector(3, 3),              // Subtract
    binaryPerVector(3, 3),              // Multiply
    binaryPerVector(10, 21),            // Divide
    binaryPerVector(3, 4),              // Maximum
    binaryPerVector(3, 4),              // Minimum
    binary({312, 1}, {312, 1}),         // Power
    binaryPerVector(10 + 9, 21 + 9),    // Modulo: divide, round, product, subtract
    binaryPerVector(10 + 9, 21 + 9),    // Remainder: likewise
    binaryPerVector(5, 5),              // SquaredDifference: subtract, square
    binary({2304 + 5, 1}, {29 + 6, 1}), // Atan2: divide, arc tangent
    binary({14, 4}, {9, 4}),            // Equal
    binary({14, 4}, {9, 4}),            // NotEqual
    binary({14, 4}, {9, 4}),            // Less
    binary({14, 4}, {9, 4}),            // LessEqual
    binary({14, 4}, {9, 4}),            // Greater
    binary({14, 4}, {9, 4}),            // GreaterEqual
    binary({3, 4}, {3, 4}),             // LogicalAnd: one operation of 4 booleans
    binary({3, 4}, {3, 4}),             // LogicalOr
    binary({3, 4}, {3, 4}),             // LogicalXor
};
static_assert(binaryRows.size() == static_cast<std::size_t>(BinaryFunction::LogicalXor) + 1);

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
    return binaryRows[static_cast<std::size_t>(function)];
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
