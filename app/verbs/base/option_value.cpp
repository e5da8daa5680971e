#include "app/verbs/base/option_value.h"

#include "core/text/nearest_name.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace app {

namespace {

constexpr std::size_t longestQuote = 40;

std::string quoted(const std::string& value) {
    return value.size() <= longestQuote ? fmt::format("\"{}\"", value)
                                        : fmt::format("\"{}…\"", value.substr(0, longestQuote));
}

template <class Number>
bool reads(const std::string& text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

} // namespace

std::size_t readChoice(const std::string& option, const std::string& value,
                       std::span<const std::string_view> names) {
    for (std::size_t index = 0; index < names.size(); ++index) {
        if (names[index] == value)
            return index;
    }
    const auto near = core::nearestName(value, std::vector<std::string>(names.begin(), names.end()));
    throw RefusedValue(option, fmt::format("cannot be {}", quoted(value)),
                       fmt::format("{}allowed: {}", near ? fmt::format("did you mean \"{}\"? ", *near) : "",
                                   fmt::join(names, ", ")));
}

std::int64_t readWholeNumber(const std::string& option, const std::string& value, std::int64_t low,
                             std::int64_t high) {
    std::int64_t number = 0;
    if (reads(value, number) && number >= low && number <= high)
        return number;
    const bool isBounded = high < std::numeric_limits<std::int64_t>::max();
    throw RefusedValue(option, fmt::format("cannot be {}", quoted(value)),
                       isBounded ? fmt::format("give a whole number from {} to {}", low, high)
                                 : fmt::format("give a whole number from {}", low));
}

double readNumber(const std::string& option, const std::string& value, double low, double high, bool isOpen) {
    double number = 0;
    const bool isRead = reads(value, number) && std::isfinite(number);
    if (isRead && number <= high && (isOpen ? number > low : number >= low))
        return number;
    std::string hint = fmt::format("give a number {} {}", isOpen ? "above" : "from", low);
    if (std::isfinite(high))
        hint += fmt::format(" to {}", high);
    throw RefusedValue(option, fmt::format("cannot be {}", quoted(value)), std::move(hint));
}

} // namespace app
