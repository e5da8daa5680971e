#include "core/interchange/python/language/operators.h"

#include "core/interchange/python/language/text_format.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace core {

namespace {

/// Longest list that a multiplication makes.
constexpr std::size_t longestProduct = 100000;

/// Truth values count as numbers.
std::optional<Json> asNumber(const Json& json) {
    if (json.is_boolean())
        return Json(json.get<bool>() ? 1 : 0);
    return json.is_number() ? std::optional(json) : std::nullopt;
}

std::optional<Json> bitwise(const std::string& text, const Json& a, const Json& b) {
    if (!a.is_number_integer() || !b.is_number_integer())
        return std::nullopt;
    const auto x = a.get<std::int64_t>();
    const auto y = b.get<std::int64_t>();
    constexpr std::int64_t bits = 62;
    if (text == "<<" && y >= 0 && y < bits && std::abs(x) < (std::int64_t{1} << (bits - y)))
        return Json(x * (std::int64_t{1} << y));
    if (text == ">>" && y >= 0)
        return Json(x >> std::min(y, bits));
    if (text == "&")
        return Json(x & y);
    if (text == "|")
        return Json(x | y);
    return text == "^" ? std::optional(Json(x ^ y)) : std::nullopt;
}

std::optional<Json> arithmetic(const std::string& text, const Json& a, const Json& b) {
    const double x = a.get<double>();
    const double y = b.get<double>();
    double result = 0;
    if (text == "+")
        result = x + y;
    else if (text == "-")
        result = x - y;
    else if (text == "*")
        result = x * y;
    else if (text == "/" && y != 0)
        return Json(x / y);
    else if (text == "//" && y != 0)
        result = std::floor(x / y);
    else if (text == "%" && y != 0)
        result = x - std::floor(x / y) * y;
    else if (text == "**")
        result = std::pow(x, y);
    else
        return std::nullopt;
    constexpr double exact = 9007199254740992.0;
    const bool isWhole = a.is_number_integer() && b.is_number_integer() && std::abs(result) < exact &&
                         result == std::floor(result);
    return isWhole ? Json(static_cast<std::int64_t>(result)) : Json(result);
}

std::optional<bool> ordered(const std::string& text, const Json& a, const Json& b) {
    const bool areTexts = a.is_string() && b.is_string();
    if (!areTexts && (!a.is_number() || !b.is_number()))
        return std::nullopt;
    const auto answer = [&](const auto& x, const auto& y) -> std::optional<bool> {
        if (text == "<")
            return x < y;
        if (text == "<=")
            return x <= y;
        if (text == ">")
            return x > y;
        return text == ">=" ? std::optional(x >= y) : std::nullopt;
    };
    return areTexts ? answer(a.get_ref<const std::string&>(), b.get_ref<const std::string&>())
                    : answer(a.get<double>(), b.get<double>());
}

std::optional<PythonValue> onConstants(const std::string& text, const Json& a, const Json& b) {
    if (a.is_string() && b.is_string() && text == "+")
        return pythonText(a.get<std::string>() + b.get<std::string>());
    if (a.is_string() && b.is_string() && (text == "in" || text == "not in"))
        return pythonConstant((b.get_ref<const std::string&>().find(a.get_ref<const std::string&>()) !=
                               std::string::npos) == (text == "in"));
    if (const auto answer = ordered(text, a, b))
        return pythonConstant(*answer);
    if (a.is_string() && b.is_number_integer() && text == "*") {
        std::string repeated;
        for (std::int64_t i = 0; i < b.get<std::int64_t>() && repeated.size() < longestProduct; ++i)
            repeated += a.get_ref<const std::string&>();
        return pythonText(std::move(repeated));
    }
    const auto x = asNumber(a);
    const auto y = asNumber(b);
    if (!x || !y)
        return std::nullopt;
    if (const auto result = arithmetic(text, *x, *y))
        return pythonConstant(*result);
    if (const auto result = bitwise(text, *x, *y))
        return pythonConstant(*result);
    return std::nullopt;
}

std::optional<PythonValue> onLists(const std::string& text, const PythonValue& a, const PythonValue& b) {
    const auto* left = a.as<PythonList>();
    if (left != nullptr && b.is<PythonList>() && text == "+") {
        PythonValues joined = *left->items;
        joined.insert(joined.end(), b.items().begin(), b.items().end());
        return pythonList(std::move(joined), left->isTuple);
    }
    if (left == nullptr || text != "*" || !b.isWhole())
        return std::nullopt;
    PythonValues repeated;
    const auto count = b.constant().get<std::int64_t>();
    for (std::int64_t i = 0; i < count && repeated.size() < longestProduct; ++i)
        repeated.insert(repeated.end(), left->items->begin(), left->items->end());
    return pythonList(std::move(repeated), left->isTuple);
}

/// Whether two values are one: constants that are equal, or copies that share what they hold.
bool areSame(const PythonValue& a, const PythonValue& b) {
    const auto* list = a.as<PythonList>();
    const auto* other = b.as<PythonList>();
    if (list != nullptr && other != nullptr)
        return list->items == other->items;
    return areEqual(a, b);
}

} // namespace

std::optional<PythonValue> binaryOperation(const std::string& text, const PythonValue& a,
                                           const PythonValue& b) {
    if (a.isText() && text == "%") {
        auto formatted = formatByPercent(a.constant().get<std::string>(), b);
        return formatted ? std::optional(pythonText(std::move(*formatted))) : std::nullopt;
    }
    const bool asksWhetherIn = text == "in" || text == "not in";
    if (asksWhetherIn && b.is<PythonList>())
        return pythonConstant(std::ranges::any_of(b.items(), [&](const PythonValue& item) {
                                  return areEqual(item, a);
                              }) == (text == "in"));
    if (const auto* dictionary = b.as<PythonDictionary>(); asksWhetherIn && dictionary != nullptr)
        return pythonConstant(std::ranges::any_of(*dictionary->entries, [&](const auto& entry) {
                                  return areEqual(entry.first, a);
                              }) == (text == "in"));
    if (text == "==" || text == "!=")
        return pythonConstant(areEqual(a, b) == (text == "=="));
    if (text == "is" || text == "is not")
        return pythonConstant(areSame(a, b) == (text == "is"));
    if (a.is<PythonConstant>() && b.is<PythonConstant>())
        return onConstants(text, a.constant(), b.constant());
    if (auto result = onLists(text, a, b))
        return result;
    return b.is<PythonList>() && text == "*" ? onLists(text, b, a) : std::nullopt;
}

std::optional<PythonValue> unaryOperation(const std::string& text, const PythonValue& value) {
    if (!value.isNumber())
        return std::nullopt;
    const Json& json = value.constant();
    if (text == "+")
        return value;
    if (text == "-")
        return pythonConstant(json.is_number_integer() && json != std::numeric_limits<std::int64_t>::min()
                                  ? Json(-json.get<std::int64_t>())
                                  : Json(-json.get<double>()));
    return text == "~" && json.is_number_integer() ? std::optional(pythonConstant(~json.get<std::int64_t>()))
                                                   : std::nullopt;
}

} // namespace core
