#pragma once

#include <compare>
#include <cstdint>

namespace core {

/// A signed 64-bit count of one unit. Quantities of the same unit add, subtract and compare; scaling takes a
/// plain integer; the ratio of two is a plain number. Different units do not mix.
template <class Unit>
class Quantity {
public:
    using Value = std::int64_t;

    constexpr Quantity() = default;
    constexpr explicit Quantity(Value value)
        : m_value(value) {}

    [[nodiscard]] constexpr Value value() const { return m_value; }

    constexpr Quantity& operator+=(Quantity other) {
        m_value += other.m_value;
        return *this;
    }
    constexpr Quantity& operator-=(Quantity other) {
        m_value -= other.m_value;
        return *this;
    }
    friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
    friend constexpr Quantity operator-(Quantity a, Quantity b) { return a -= b; }
    friend constexpr Quantity operator*(Quantity a, Value factor) { return Quantity(a.m_value * factor); }
    friend constexpr Quantity operator*(Value factor, Quantity a) { return a * factor; }
    friend constexpr auto operator<=>(const Quantity&, const Quantity&) = default;

    /// How many times `b` fits into `a`, as a real number; 0 when `b` is 0.
    friend constexpr double ratio(Quantity a, Quantity b) {
        return b.m_value == 0 ? 0.0 : static_cast<double>(a.m_value) / static_cast<double>(b.m_value);
    }

private:
    Value m_value = 0;
};

/// Tile clock cycles: the unit of time of the whole simulation.
using Cycles = Quantity<struct CyclesUnit>;
/// Bytes of memory or traffic.
using Bytes = Quantity<struct BytesUnit>;
/// Floating-point operations; a multiply-accumulate counts two.
using Flops = Quantity<struct FlopsUnit>;

/// A whole number as a factor of a formula; exact up to 2^53.
[[nodiscard]] constexpr double real(std::int64_t value) {
    return static_cast<double>(value);
}

/// ceil(a / b) for a >= 0, b > 0.
[[nodiscard]] constexpr std::int64_t ceilDivide(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

/// The smallest multiple of `grain` that is at least `a`, for a >= 0, grain > 0.
[[nodiscard]] constexpr std::int64_t roundUp(std::int64_t a, std::int64_t grain) {
    return ceilDivide(a, grain) * grain;
}

} // namespace core
