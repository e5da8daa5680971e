#pragma once

#include "core/catalogue/functions.h"

namespace simulator {

using core::BinaryFunction;
using core::UnaryFunction;

/// x → f(x). `alpha`, `beta`: slope, bounds or scale where the function has them (LeakyRelu alpha; Clip
/// alpha..beta; HardSigmoid clip(alpha·x + beta, 0, 1); ThresholdedRelu alpha; Elu alpha; Relu slope alpha
/// below 0 and upper bound beta, 0: none; ScaleShift alpha·x + beta).
struct Unary {
    UnaryFunction function = UnaryFunction::Identity;
    double alpha = 0;
    double beta = 0;
    bool operator==(const Unary&) const = default;
};
/// Those of x and y = f(x) that the function needs (see `gradientNeeds`), dy → dx.
struct UnaryGradient {
    Unary forward;
    bool operator==(const UnaryGradient&) const = default;
};

/// a, b → f(a, b) with NumPy broadcasting.
struct Binary {
    BinaryFunction function = BinaryFunction::Add;
    bool operator==(const Binary&) const = default;
};
/// condition, a, b → condition ? a : b, with broadcasting.
struct Select {
    bool operator==(const Select&) const = default;
};

// clang-format off
#define ELEMENTWISE_KINDS(KIND)                                                                             \
    KIND(Unary) KIND(UnaryGradient) KIND(Binary) KIND(Select)
// clang-format on

} // namespace simulator
