#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace core {

/// The number that a text is from its first to its last character, with a point in every locale, which
/// std::strtod reads otherwise in a window whose person writes a comma. "inf" and "nan" are numbers, and one
/// beyond the largest is infinite. Nothing where it is another text.
[[nodiscard]] inline std::optional<double> decimalNumber(std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error == std::errc::invalid_argument || end != text.data() + text.size())
        return std::nullopt;
    if (error == std::errc::result_out_of_range && text.find("e-") == text.npos &&
        text.find("E-") == text.npos)
        number = text.front() == '-' ? -HUGE_VAL : HUGE_VAL;
    return number;
}

} // namespace core
