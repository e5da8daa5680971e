#pragma once

#include "core/model/shape.h"

#include <cstdint>

namespace core {

/// A count of elements or operations that may depend on a free extent or be too large for 63 bits. Arithmetic
/// never overflows: too large stays too large, and otherwise unknown stays unknown.
class Count {
public:
    constexpr Count(std::int64_t value) // NOLINT: a whole number is a count
        : m_value(value) {}
    constexpr Count(const Dimension& extent) // NOLINT: an extent is a count
        : m_value(extent.value_or(0))
        , m_state(extent ? State::Known : State::Unknown) {}

    [[nodiscard]] constexpr bool isKnown() const { return m_state == State::Known; }
    [[nodiscard]] constexpr bool isTooLarge() const { return m_state == State::TooLarge; }
    /// Meaningful only when known.
    [[nodiscard]] constexpr std::int64_t value() const { return m_value; }
    /// Nothing when unknown or too large.
    [[nodiscard]] constexpr Dimension known() const { return isKnown() ? Dimension(m_value) : std::nullopt; }

    friend constexpr Count operator*(const Count& a, const Count& b) {
        return combine(a, b, [](std::int64_t x, std::int64_t y, std::int64_t* out) {
            return __builtin_mul_overflow(x, y, out);
        });
    }
    friend constexpr Count operator+(const Count& a, const Count& b) {
        return combine(a, b, [](std::int64_t x, std::int64_t y, std::int64_t* out) {
            return __builtin_add_overflow(x, y, out);
        });
    }
    friend constexpr Count operator-(const Count& a, const Count& b) { return a + b * Count(-1); }
    constexpr Count& operator*=(const Count& other) { return *this = *this * other; }
    constexpr Count& operator+=(const Count& other) { return *this = *this + other; }

    bool operator==(const Count&) const = default;

private:
    enum class State : std::uint8_t { Known, Unknown, TooLarge };

    template <class Operation>
    static constexpr Count combine(const Count& a, const Count& b, Operation operation) {
        Count result(0);
        if (a.isTooLarge() || b.isTooLarge())
            result.m_state = State::TooLarge;
        else if (!a.isKnown() || !b.isKnown())
            result.m_state = State::Unknown;
        else if (operation(a.m_value, b.m_value, &result.m_value))
            result = tooLarge();
        return result;
    }
    static constexpr Count tooLarge() {
        Count result(0);
        result.m_state = State::TooLarge;
        return result;
    }

    std::int64_t m_value = 0;
    State m_state = State::Known;
};

/// Product of all extents.
[[nodiscard]] inline Count elements(const Shape& shape) {
    Count count = 1;
    for (const Dimension& extent : shape.dimensions)
        count *= extent;
    return count;
}

} // namespace core
