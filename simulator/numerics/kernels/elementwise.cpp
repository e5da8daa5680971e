#include "simulator/numerics/kernels/elementwise.h"

#include "simulator/numerics/kernels/functions.h"
#include "simulator/numerics/kernels/kernel_table.h"

namespace simulator::KERNEL_VARIANT {
namespace {

constexpr float seluScale = 1.05070098F;
constexpr float seluAlpha = 1.67326324F;
constexpr float rootOfHalf = 0.70710678F;
constexpr float rootOfTwoOverPi = 0.79788456F;
constexpr float normalDensityAtZero = 0.39894228F;

float notANumber() {
    return bitsToFloat(0x7fc00000U);
}
[[gnu::always_inline]] inline float clamp(float x, float low, float high) {
    x = x < low ? low : x;
    return x > high ? high : x;
}
[[gnu::always_inline]] inline float powerOf(float x, float y) {
    return __builtin_powf(x, y);
}

// Each function is a struct: `value` of x, and `slope`, the derivative as a function of what gradientNeeds
// says it reads (v is x or y). a and b are alpha and beta.
#define UNARY(Name, valueOfX, slopeOfV)                                                                      \
    struct Name {                                                                                            \
        [[gnu::always_inline]] static inline float value(float x, [[maybe_unused]] float a,                  \
                                                         [[maybe_unused]] float b) {                         \
            return valueOfX;                                                                                 \
        }                                                                                                    \
        [[gnu::always_inline]] static inline float slope([[maybe_unused]] float v, [[maybe_unused]] float a, \
                                                         [[maybe_unused]] float b) {                         \
            return slopeOfV;                                                                                 \
        }                                                                                                    \
    };

UNARY(Identity, x, 1.0F)
UNARY(Negate, -x, -1.0F)
UNARY(Absolute, absolute(x), (v > 0 ? 1.0F : (v < 0 ? -1.0F : 0.0F)))
UNARY(Sign, (x > 0 ? 1.0F : (x < 0 ? -1.0F : x)), 0.0F)
UNARY(Square, x* x, 2 * v)
UNARY(SquareRoot, __builtin_sqrtf(x), 0.5F / v)
UNARY(ReciprocalSquareRoot, 1.0F / __builtin_sqrtf(x), -0.5F * v * v * v)
UNARY(Reciprocal, 1.0F / x, -v* v)
UNARY(Exponential, exponential(x), v)
UNARY(ExponentialMinusOne, exponentialMinusOne(x), v + 1.0F)
UNARY(Logarithm, logarithm(x), 1.0F / v)
UNARY(LogarithmPlusOne, logarithmPlusOne(x), 1.0F / (1.0F + v))
UNARY(Sine, __builtin_sinf(x), __builtin_cosf(v))
UNARY(Cosine, __builtin_cosf(x), -__builtin_sinf(v))
UNARY(Tangent, __builtin_tanf(x), 1.0F + v * v)
UNARY(ArcSine, __builtin_asinf(x), 1.0F / __builtin_sqrtf(1.0F - v * v))
UNARY(ArcCosine, __builtin_acosf(x), -1.0F / __builtin_sqrtf(1.0F - v * v))
UNARY(ArcTangent, __builtin_atanf(x), 1.0F / (1.0F + v * v))
UNARY(HyperbolicSine, __builtin_sinhf(x), __builtin_coshf(v))
UNARY(HyperbolicCosine, __builtin_coshf(x), __builtin_sinhf(v))
UNARY(ErrorFunction, errorFunction(x), 1.12837917F * exponential(-v * v))
UNARY(Floor, __builtin_floorf(x), 0.0F)
UNARY(Ceiling, __builtin_ceilf(x), 0.0F)
UNARY(Round, __builtin_rintf(x), 0.0F)
// alpha: slope below zero; beta: upper bound, 0 for none.
UNARY(Relu, (x > 0 ? (b > 0 && x > b ? b : x) : (x == x ? x * a : x)),
      (v > 0 ? (b > 0 && v >= b ? 0.0F : 1.0F) : a))
UNARY(Relu6, clamp(x, 0.0F, 6.0F), (v > 0 && v < 6 ? 1.0F : 0.0F))
UNARY(LeakyRelu, (x > 0 ? x : x * a), (v > 0 ? 1.0F : a))
UNARY(ThresholdedRelu, (x > a ? x : (x == x ? 0.0F : x)), (v > a ? 1.0F : 0.0F))
UNARY(Elu, (x > 0 ? x : a * exponentialMinusOne(x)), (v > 0 ? 1.0F : v + a))
UNARY(Selu, (x > 0 ? seluScale * x : seluScale * seluAlpha * exponentialMinusOne(x)),
      (v > 0 ? seluScale : v + seluScale * seluAlpha))
UNARY(Sigmoid, sigmoid(x), v*(1.0F - v))
UNARY(HardSigmoid, clamp(a* x + b, 0.0F, 1.0F), (v >= -b / a && v <= (1.0F - b) / a ? a : 0.0F))
UNARY(Tanh, hyperbolicTangent(x), 1.0F - v * v)
UNARY(Softplus, softplus(x), 1.0F - exponential(-v))
UNARY(Softsign, x / (1.0F + absolute(x)), (1.0F - absolute(v)) * (1.0F - absolute(v)))
UNARY(Swish, x* sigmoid(x), swishSlope(v))
UNARY(GeluErf, 0.5F * x * (1.0F + errorFunction(x * rootOfHalf)),
      0.5F * (1.0F + errorFunction(v * rootOfHalf)) + v * normalDensityAtZero * exponential(-0.5F * v * v))
UNARY(GeluTanh, 0.5F * x * (1.0F + hyperbolicTangent(rootOfTwoOverPi * (x + 0.044715F * x * x * x))),
      geluTanhSlope(v))
UNARY(Mish, x* hyperbolicTangent(softplus(x)), mishSlope(v))
UNARY(Clip, clamp(x, a, b), (v >= a && v <= b ? 1.0F : 0.0F))
UNARY(ScaleShift, x* a + b, a)
#undef UNARY

template <class Function>
void unaryRange(const UnaryMap& map, std::int64_t begin, std::int64_t end) {
    const float* x = map.x;
    float* y = map.y;
    const float a = map.alpha;
    const float b = map.beta;
#pragma GCC ivdep
    for (std::int64_t i = begin; i < end; ++i)
        y[i] = Function::value(x[i], a, b);
}

template <class Function>
void unaryGradientRange(const UnaryGradientMap& map, std::int64_t begin, std::int64_t end) {
    const float* v = map.x != nullptr ? map.x : map.y;
    const float* dy = map.dy;
    float* dx = map.dx;
    const float a = map.alpha;
    const float b = map.beta;
    if (v == nullptr)
        v = dy;
#pragma GCC ivdep
    for (std::int64_t i = begin; i < end; ++i)
        dx[i] = dy[i] * Function::slope(v[i], a, b);
}

struct UnaryEntry {
    ElementwiseKernels::UnaryRange value = nullptr;
    ElementwiseKernels::UnaryGradientRange gradient = nullptr;
};
template <class Function>
constexpr UnaryEntry entry() {
    return {unaryRange<Function>, unaryGradientRange<Function>};
}

UnaryEntry unaryEntry(UnaryFunction function) {
    switch (function) {
#define ENTRY(Name)                                                                                          \
    case UnaryFunction::Name:                                                                                \
        return entry<Name>();
        ENTRY(Identity)
        ENTRY(Negate)
        ENTRY(Absolute)
        ENTRY(Sign)
        ENTRY(Square)
        ENTRY(SquareRoot)
        ENTRY(ReciprocalSquareRoot)
        ENTRY(Reciprocal)
        ENTRY(Exponential)
        ENTRY(ExponentialMinusOne)
        ENTRY(Logarithm)
        ENTRY(LogarithmPlusOne)
        ENTRY(Sine)
        ENTRY(Cosine)
        ENTRY(Tangent)
        ENTRY(ArcSine)
        ENTRY(ArcCosine)
        ENTRY(ArcTangent)
        ENTRY(HyperbolicSine)
        ENTRY(HyperbolicCosine)
        ENTRY(ErrorFunction)
        ENTRY(Floor)
        ENTRY(Ceiling)
        ENTRY(Round)
        ENTRY(Relu)
        ENTRY(Relu6)
        ENTRY(LeakyRelu)
        ENTRY(ThresholdedRelu)
        ENTRY(Elu)
        ENTRY(Selu)
        ENTRY(Sigmoid)
        ENTRY(HardSigmoid)
        ENTRY(Tanh)
        ENTRY(Softplus)
        ENTRY(Softsign)
        ENTRY(Swish)
        ENTRY(GeluErf)
        ENTRY(GeluTanh)
        ENTRY(Mish)
        ENTRY(Clip)
        ENTRY(ScaleShift)
#undef ENTRY
    case UnaryFunction::LogicalNot:
    case UnaryFunction::IsNan:
    case UnaryFunction::IsInfinite:
        break;
    }
    return {};
}

ElementwiseKernels::UnaryRange unary(UnaryFunction function) {
    return unaryEntry(function).value;
}
ElementwiseKernels::UnaryGradientRange unaryGradient(UnaryFunction function) {
    return unaryEntry(function).gradient;
}

#define BINARY(Name, expression)                                                                             \
    struct Name {                                                                                            \
        [[gnu::always_inline]] static inline float value(float x, float y) { return expression; }            \
    };
BINARY(Add, x + y)
BINARY(Subtract, x - y)
BINARY(Multiply, x* y)
BINARY(Divide, x / y)
BINARY(Maximum, (x != x ? x : (y > x || y != y ? y : x)))
BINARY(Minimum, (x != x ? x : (y < x || y != y ? y : x)))
BINARY(Power, powerOf(x, y))
BINARY(Modulo, (y == 0 ? notANumber() : x - y * __builtin_floorf(x / y)))
BINARY(Remainder, __builtin_fmodf(x, y))
BINARY(SquaredDifference, (x - y) * (x - y))
BINARY(Atan2, __builtin_atan2f(x, y))
BINARY(Equal, (x == y ? 1.0F : 0.0F))
BINARY(NotEqual, (x != y ? 1.0F : 0.0F))
BINARY(Less, (x < y ? 1.0F : 0.0F))
BINARY(LessEqual, (x <= y ? 1.0F : 0.0F))
BINARY(Greater, (x > y ? 1.0F : 0.0F))
BINARY(GreaterEqual, (x >= y ? 1.0F : 0.0F))
BINARY(LogicalAnd, (x != 0 && y != 0 ? 1.0F : 0.0F))
BINARY(LogicalOr, (x != 0 || y != 0 ? 1.0F : 0.0F))
BINARY(LogicalXor, ((x != 0) != (y != 0) ? 1.0F : 0.0F))
#undef BINARY

/// Where a row of a broadcast begins in each operand.
struct RowStart {
    std::int64_t a = 0;
    std::int64_t b = 0;
    std::int64_t c = 0;
};
RowStart rowStart(const BinaryMap& map, std::int64_t row) {
    RowStart start;
    for (int axis = broadcastAxes - 2; axis >= 0; --axis) {
        const std::int64_t index = row % map.extents[axis];
        row /= map.extents[axis];
        start.a += index * map.strideA[axis];
        start.b += index * map.strideB[axis];
        start.c += index * map.strideC[axis];
    }
    return start;
}

template <class Function>
[[gnu::always_inline]] inline void binaryRow(const float* a, std::int64_t stepA, const float* b,
                                             std::int64_t stepB, float* out, std::int64_t count) {
    if (stepA == 1 && stepB == 1) {
#pragma GCC ivdep
        for (std::int64_t i = 0; i < count; ++i)
            out[i] = Function::value(a[i], b[i]);
    } else if (stepA == 1 && stepB == 0) {
        const float same = *b;
#pragma GCC ivdep
        for (std::int64_t i = 0; i < count; ++i)
            out[i] = Function::value(a[i], same);
    } else if (stepA == 0 && stepB == 1) {
        const float same = *a;
#pragma GCC ivdep
        for (std::int64_t i = 0; i < count; ++i)
            out[i] = Function::value(same, b[i]);
    } else {
        for (std::int64_t i = 0; i < count; ++i)
            out[i] = Function::value(a[i * stepA], b[i * stepB]);
    }
}

template <class Function>
void binaryRows(const BinaryMap& map, std::int64_t begin, std::int64_t end) {
    constexpr int inner = broadcastAxes - 1;
    const std::int64_t count = map.extents[inner];
    for (std::int64_t row = begin; row < end; ++row) {
        const RowStart start = rowStart(map, row);
        binaryRow<Function>(map.a + start.a, map.strideA[inner], map.b + start.b, map.strideB[inner],
                            map.out + row * count, count);
    }
}

template <class Function>
void comparisonRows(const BinaryMap& map, std::int64_t begin, std::int64_t end) {
    constexpr int inner = broadcastAxes - 1;
    const std::int64_t count = map.extents[inner];
    for (std::int64_t row = begin; row < end; ++row) {
        const RowStart start = rowStart(map, row);
        const float* a = map.a + start.a;
        const float* b = map.b + start.b;
        std::uint8_t* out = map.outBool + row * count;
        for (std::int64_t i = 0; i < count; ++i)
            out[i] = Function::value(a[i * map.strideA[inner]], b[i * map.strideB[inner]]) != 0 ? 1 : 0;
    }
}

ElementwiseKernels::BinaryRows binary(BinaryFunction function) {
    switch (function) {
#define ENTRY(Name, rows)                                                                                    \
    case BinaryFunction::Name:                                                                               \
        return rows<Name>;
        ENTRY(Add, binaryRows)
        ENTRY(Subtract, binaryRows)
        ENTRY(Multiply, binaryRows)
        ENTRY(Divide, binaryRows)
        ENTRY(Maximum, binaryRows)
        ENTRY(Minimum, binaryRows)
        ENTRY(Power, binaryRows)
        ENTRY(Modulo, binaryRows)
        ENTRY(Remainder, binaryRows)
        ENTRY(SquaredDifference, binaryRows)
        ENTRY(Atan2, binaryRows)
        ENTRY(Equal, comparisonRows)
        ENTRY(NotEqual, comparisonRows)
        ENTRY(Less, comparisonRows)
        ENTRY(LessEqual, comparisonRows)
        ENTRY(Greater, comparisonRows)
        ENTRY(GreaterEqual, comparisonRows)
        ENTRY(LogicalAnd, comparisonRows)
        ENTRY(LogicalOr, comparisonRows)
        ENTRY(LogicalXor, comparisonRows)
#undef ENTRY
    }
    return nullptr;
}

void selectRows(const BinaryMap& map, std::int64_t begin, std::int64_t end) {
    constexpr int inner = broadcastAxes - 1;
    const std::int64_t count = map.extents[inner];
    for (std::int64_t row = begin; row < end; ++row) {
        const RowStart start = rowStart(map, row);
        for (std::int64_t i = 0; i < count; ++i) {
            const bool takesA = map.condition[start.c + i * map.strideC[inner]] != 0;
            map.out[row * count + i] =
                takesA ? map.a[start.a + i * map.strideA[inner]] : map.b[start.b + i * map.strideB[inner]];
        }
    }
}

void addScaled(const float* x, float scale, float* out, std::int64_t count) {
#pragma GCC ivdep
    for (std::int64_t i = 0; i < count; ++i)
        out[i] += x[i] * scale;
}

void blend(const float* x, float scale, float keep, float* out, std::int64_t count) {
#pragma GCC ivdep
    for (std::int64_t i = 0; i < count; ++i)
        out[i] = out[i] * keep + x[i] * scale;
}

} // namespace

const ElementwiseKernels& elementwiseKernels() {
    static constexpr ElementwiseKernels kernels{unary, unaryGradient, binary, selectRows, addScaled, blend};
    return kernels;
}

} // namespace simulator::KERNEL_VARIANT
