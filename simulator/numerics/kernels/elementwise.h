#pragma once

#include "simulator/graph/operation_attributes.h"

#include <cstdint>

namespace simulator {

/// y[i] = f(x[i]) for a unary function; alpha and beta as in `Unary`.
struct UnaryMap {
    const float* x = nullptr;
    float* y = nullptr;
    float alpha = 0;
    float beta = 0;
};
/// dx[i] = f′ · dy[i], f′ from x or y, whichever the function needs.
struct UnaryGradientMap {
    const float* x = nullptr;
    const float* y = nullptr;
    const float* dy = nullptr;
    float* dx = nullptr;
    float alpha = 0;
    float beta = 0;
};

/// Largest number of axes a broadcast keeps after neighbours that behave alike are joined.
inline constexpr int broadcastAxes = 6;
/// out[i0, …] = f(a, b) with one element stride per axis (0 where broadcast); out is dense. The last axis is
/// the inner one; unused leading axes have extent 1.
struct BinaryMap {
    std::int64_t extents[broadcastAxes] = {1, 1, 1, 1, 1, 1};
    std::int64_t strideA[broadcastAxes] = {};
    std::int64_t strideB[broadcastAxes] = {};
    /// Only for Select: strides of the condition.
    std::int64_t strideC[broadcastAxes] = {};
    const float* a = nullptr;
    const float* b = nullptr;
    /// Select: a where it is not 0, else b.
    const std::uint8_t* condition = nullptr;
    float* out = nullptr;
    /// Comparisons and logical functions write here instead: 1 or 0.
    std::uint8_t* outBool = nullptr;
};

struct ElementwiseKernels {
    /// Elements [begin, end). Null for functions of whole numbers only.
    using UnaryRange = void (*)(const UnaryMap&, std::int64_t begin, std::int64_t end);
    using UnaryGradientRange = void (*)(const UnaryGradientMap&, std::int64_t begin, std::int64_t end);
    /// Rows (positions of all axes but the last) [begin, end).
    using BinaryRows = void (*)(const BinaryMap&, std::int64_t begin, std::int64_t end);

    UnaryRange (*unary)(UnaryFunction function);
    UnaryGradientRange (*unaryGradient)(UnaryFunction function);
    BinaryRows (*binary)(BinaryFunction function);
    BinaryRows select;
    /// out[i] += x[i]·scale
    void (*addScaled)(const float* x, float scale, float* out, std::int64_t count);
    /// out[i] = out[i]·keep + x[i]·scale
    void (*blend)(const float* x, float scale, float keep, float* out, std::int64_t count);
};

} // namespace simulator
