#include "core/base/whole_number.h"

#include <cmath>

namespace core {

std::optional<std::int64_t> wholeNumber(const Json& value) {
    if (value.is_number_unsigned()) {
        const auto number = value.get<std::uint64_t>();
        return number <= static_cast<std::uint64_t>(INT64_MAX)
                   ? std::optional(static_cast<std::int64_t>(number))
                   : std::nullopt;
    }
    if (value.is_number_integer())
        return value.get<std::int64_t>();
    if (!value.is_number_float())
        return std::nullopt;
    const auto number = value.get<double>();
    // Beyond 2^53 a float no longer says which whole number it is.
    constexpr double exactLimit = 9007199254740992.0;
    if (!(std::abs(number) <= exactLimit) || number != std::floor(number))
        return std::nullopt;
    return static_cast<std::int64_t>(number);
}

} // namespace core
