#pragma once

#include "simulator/numerics/kernels/vector.h"

namespace simulator::KERNEL_VARIANT {

// Elementary functions without branches, so that loops over them become vector code. Each is within a few
// units in the last place of the correctly rounded value over the whole range, answers infinities where float
// overflows, and keeps NaN. Polynomials are Chebyshev fits made for this file.

[[gnu::always_inline]] inline float bitsToFloat(std::uint32_t bits) {
    return __builtin_bit_cast(float, bits);
}
[[gnu::always_inline]] inline std::uint32_t floatToBits(float value) {
    return __builtin_bit_cast(std::uint32_t, value);
}
[[gnu::always_inline]] inline float absolute(float x) {
    return bitsToFloat(floatToBits(x) & 0x7fffffffU);
}
[[gnu::always_inline]] inline float withSign(float magnitude, float sign) {
    return bitsToFloat((floatToBits(magnitude) & 0x7fffffffU) | (floatToBits(sign) & 0x80000000U));
}

[[gnu::always_inline]] inline float exponential(float x) {
    // Past these bounds the result is 0 or infinity anyway; NaN passes both comparisons.
    x = x < -104.0F ? -104.0F : x;
    x = x > 89.0F ? 89.0F : x;
    constexpr float roundingShift = 12582912.0F; // 1.5 · 2^23: adding it rounds to a whole number
    const float shifted = x * 1.442695041F + roundingShift;
    const float n = shifted - roundingShift;
    const float r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
    float p = 1.0F / 5040.0F;
    p = p * r + 1.0F / 720.0F;
    p = p * r + 1.0F / 120.0F;
    p = p * r + 1.0F / 24.0F;
    p = p * r + 1.0F / 6.0F;
    p = p * r + 0.5F;
    p = p * r + 1.0F;
    p = p * r + 1.0F;
    // 2^n in two factors, so that the ends of the range (subnormal, infinite) come out right.
    const auto whole = static_cast<std::int32_t>(floatToBits(shifted) - floatToBits(roundingShift));
    const std::int32_t half = whole >> 1;
    const float first = bitsToFloat(static_cast<std::uint32_t>(half + 127) << 23);
    const float second = bitsToFloat(static_cast<std::uint32_t>(whole - half + 127) << 23);
    const float result = p * first * second;
    return x == x ? result : x;
}

/// log((1 + s) / (1 − s)) for |s| ≤ 1/3.
[[gnu::always_inline]] inline float logarithmOfRatio(float s) {
    const float z = s * s;
    float p = 2.0F / 17.0F;
    p = p * z + 2.0F / 15.0F;
    p = p * z + 2.0F / 13.0F;
    p = p * z + 2.0F / 11.0F;
    p = p * z + 2.0F / 9.0F;
    p = p * z + 2.0F / 7.0F;
    p = p * z + 2.0F / 5.0F;
    p = p * z + 2.0F / 3.0F;
    return s * (p * z) + 2.0F * s;
}

[[gnu::always_inline]] inline float logarithm(float x) {
    // Subnormal numbers are brought into the normal range first.
    const bool isTiny = x < 1.17549435e-38F;
    const float scaled = isTiny ? x * 16777216.0F : x;
    const std::uint32_t bits = floatToBits(scaled);
    // Exponent such that the mantissa lies in [sqrt(1/2), sqrt(2)).
    const std::uint32_t offset = bits - 0x3f3504f3U;
    const auto exponent = static_cast<std::int32_t>(offset) >> 23;
    const float mantissa = bitsToFloat((offset & 0x007fffffU) + 0x3f3504f3U);
    const float n = static_cast<float>(exponent) - (isTiny ? 24.0F : 0.0F);
    const float m = mantissa - 1.0F;
    const float value = logarithmOfRatio(m / (m + 2.0F)) + n * 0.693147181F;
    const float infinity = bitsToFloat(0x7f800000U);
    const float undefined = bitsToFloat(0x7fc00000U);
    float result = x == infinity ? infinity : value;
    result = x == 0.0F ? -infinity : result;
    result = x < 0.0F ? undefined : result;
    return x == x ? result : x;
}

/// log(1 + x) for 0 ≤ x ≤ 1.
[[gnu::always_inline]] inline float logarithmPlusOneOfUnit(float x) {
    return logarithmOfRatio(x / (x + 2.0F));
}

[[gnu::always_inline]] inline float logarithmPlusOne(float x) {
    const float near = logarithmOfRatio(x / (x + 2.0F));
    const float far = logarithm(1.0F + x);
    return absolute(x) < 0.5F ? near : far;
}

[[gnu::always_inline]] inline float exponentialMinusOne(float x) {
    float p = 1.0F / 40320.0F;
    p = p * x + 1.0F / 5040.0F;
    p = p * x + 1.0F / 720.0F;
    p = p * x + 1.0F / 120.0F;
    p = p * x + 1.0F / 24.0F;
    p = p * x + 1.0F / 6.0F;
    p = p * x + 0.5F;
    p = p * x + 1.0F;
    const float far = exponential(x) - 1.0F;
    return absolute(x) < 0.5F ? p * x : far;
}

[[gnu::always_inline]] inline float hyperbolicTangent(float x) {
    const float z = x * x;
    float p = -0.005657289F;
    p = p * z + 0.020588328F;
    p = p * z - 0.053720149F;
    p = p * z + 0.133311146F;
    p = p * z - 0.333332599F;
    p = p * z + 0.999999996F;
    const float far = withSign(1.0F - 2.0F / (exponential(2.0F * absolute(x)) + 1.0F), x);
    return absolute(x) < 0.625F ? p * x : far;
}

[[gnu::always_inline]] inline float sigmoid(float x) {
    return 1.0F / (1.0F + exponential(-x));
}

[[gnu::always_inline]] inline float softplus(float x) {
    const float tail = logarithmPlusOneOfUnit(exponential(-absolute(x)));
    return (x > 0.0F ? x : 0.0F) + tail;
}

[[gnu::always_inline]] inline float errorFunction(float x) {
    const float z = x * x;
    float near = 8.399777777e-5F;
    near = near * z - 0.000815005F;
    near = near * z + 0.0052017146F;
    near = near * z - 0.0268596907F;
    near = near * z + 0.1128370117F;
    near = near * z - 0.3761263414F;
    near = near * z + 1.1283791667F;
    // −log(erfc(|x|)), smooth enough for a polynomial up to 4, where erf is 1 in float.
    const float a = absolute(x) > 4.0F ? 4.0F : absolute(x);
    float far = -1.643063656e-6F;
    far = far * a + 4.616385863e-5F;
    far = far * a - 0.0005975857704F;
    far = far * a + 0.004762625833F;
    far = far * a - 0.02642763716F;
    far = far * a + 0.1100871665F;
    far = far * a + 0.6318239181F;
    far = far * a + 1.1302310552F;
    far = far * a - 0.0003185396344F;
    const float outer = withSign(1.0F - exponential(-far), x);
    const float result = absolute(x) < 0.92F ? near * x : outer;
    return x == x ? result : x;
}

[[gnu::always_inline]] inline float swishSlope(float x) {
    const float s = sigmoid(x);
    return s + x * s * (1.0F - s);
}
[[gnu::always_inline]] inline float geluTanhSlope(float x) {
    constexpr float c = 0.79788456F;
    const float t = hyperbolicTangent(c * (x + 0.044715F * x * x * x));
    return 0.5F * (1.0F + t) + 0.5F * x * (1.0F - t * t) * c * (1.0F + 3.0F * 0.044715F * x * x);
}
[[gnu::always_inline]] inline float mishSlope(float x) {
    const float t = hyperbolicTangent(softplus(x));
    return t + x * (1.0F - t * t) * sigmoid(x);
}

} // namespace simulator::KERNEL_VARIANT
