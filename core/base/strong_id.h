#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace core {

/// An index that cannot be mixed up with an index of another kind. Ids are dense: they index a vector of
/// their things, so `things[id.index()]` is the usual access. A default id is invalid.
template <class Tag>
class StrongId {
public:
    using Value = std::uint32_t;

    constexpr StrongId() = default;
    constexpr explicit StrongId(std::size_t index)
        : m_value(static_cast<Value>(index)) {}

    [[nodiscard]] constexpr bool isValid() const { return m_value != invalidValue; }
    [[nodiscard]] constexpr std::size_t index() const { return m_value; }
    [[nodiscard]] constexpr Value value() const { return m_value; }

    friend constexpr auto operator<=>(const StrongId&, const StrongId&) = default;

private:
    static constexpr Value invalidValue = std::numeric_limits<Value>::max();
    Value m_value = invalidValue;
};

} // namespace core

template <class Tag>
struct std::hash<core::StrongId<Tag>> {
    std::size_t operator()(core::StrongId<Tag> id) const noexcept {
        return std::hash<std::uint32_t>{}(id.value());
    }
};
