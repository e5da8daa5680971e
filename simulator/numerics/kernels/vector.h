#pragma once

#include <cstddef>
#include <cstdint>

// The kernels are compiled once per instruction set, each time into a namespace of its own, so that no
// function of one is ever merged with another's. They use nothing from the standard library that the compiler
// could emit as a shared inline function. KERNEL_VARIANT and the compiler's -m options come from
// simulator/CMakeLists.txt.
#ifndef KERNEL_VARIANT
#define KERNEL_VARIANT baseline
#endif

namespace simulator::KERNEL_VARIANT {

#if defined(__AVX512F__)
inline constexpr std::int64_t lanes = 16;
/// Rows and vectors of the register block of a matrix product: accumulators, a row of vectors and a broadcast
/// fit the register file.
inline constexpr std::int64_t blockRows = 8;
inline constexpr std::int64_t blockVectors = 3;
#elif defined(__AVX2__)
inline constexpr std::int64_t lanes = 8;
inline constexpr std::int64_t blockRows = 4;
inline constexpr std::int64_t blockVectors = 3;
#else
inline constexpr std::int64_t lanes = 4;
inline constexpr std::int64_t blockRows = 4;
inline constexpr std::int64_t blockVectors = 2;
#endif
inline constexpr std::int64_t blockColumns = blockVectors * lanes;

/// A register of floats; loads and stores of it need no alignment.
using Vector = float __attribute__((vector_size(lanes * sizeof(float)), aligned(4), may_alias));

template <class T>
[[gnu::always_inline]] inline T smaller(T a, T b) {
    return b < a ? b : a;
}
template <class T>
[[gnu::always_inline]] inline T larger(T a, T b) {
    return a < b ? b : a;
}
[[gnu::always_inline]] inline std::int64_t blocks(std::int64_t count, std::int64_t size) {
    return (count + size - 1) / size;
}

[[gnu::always_inline]] inline Vector loadVector(const float* from) {
    return *reinterpret_cast<const Vector*>(from);
}
[[gnu::always_inline]] inline void storeVector(float* to, Vector value) {
    *reinterpret_cast<Vector*>(to) = value;
}

} // namespace simulator::KERNEL_VARIANT
