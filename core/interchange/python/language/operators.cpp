#include "core/interchange/python/language/operators.h"

#include "core/interchange/python/language/text_format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
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

/// Whole numbers stay exact as long as they fit.
std::optional<Json> onWhole(const std::string& text, std::int64_t x, std::int64_t y) {
    std::int64_t result = 0;
    if (text == "+" && !__builtin_add_overflow(x, y, &result))
        return Json(result);
    if (text == "-" && !__builtin_sub_overflow(x, y, &result))
        return Json(result);
    if (text == "*" && !__builtin_mul_overflow(x, y, &result))
        return Json(result);
    if ((text == "//" || text == "%") && y != 0 && y != -1) {
        const std::int64_t rest = x % y;
        const bool isBelow = rest != 0 && (rest < 0) != (y < 0);
        return text == "%" ? Json(isBelow ? rest + y : rest) : Json(x / y - (isBelow ? 1 : 0));
    }
    return std::nullopt;
}

std::optional<Json> arithmetic(const std::string& text, const Json& a, const Json& b) {
    if (a.is_number_integer() && b.is_number_integer())
        if (auto exact = onWhole(text, a.get<std::int64_t>(), b.get<std::int64_t>()))
            return exact;
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
    if (!std::isfinite(result))
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
    if (a.is_number_integer() && b.is_string() && text == "*")
        return onConstants(text, b, a);
    if (a.is_string() && b.is_number_integer() && text == "*") {
        const std::string& piece = a.get_ref<const std::string&>();
        const auto times = std::max<std::int64_t>(b.get<std::int64_t>(), 0);
        if (piece.empty() || times == 0)
            return pythonText("");
        if (static_cast<std::uint64_t>(times) > longestProduct / piece.size())
            return std::nullopt;
        std::string repeated;
        for (std::int64_t i = 0; i < times; ++i)
            repeated += piece;
        return pythonText(std::move(repeated));
    }
    if (const auto answer = ordered(text, asNumber(a).value_or(a), asNumber(b).value_or(b)))
        return pythonConstant(*answer);
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

std::optional<PythonValue> onSets(const std::string& text, const PythonValue& a, const PythonValue& b) {
    const auto isIn = [](const PythonValue& item, const PythonValues& list) {
        return std::ranges::any_of(list, [&](const PythonValue& one) { return areEqual(one, item); });
    };
    PythonValues result;
    for (const PythonValue& item : a.items())
        if (text == "|" || isIn(item, b.items()) == (text == "&"))
            result.push_back(item);
    if (text == "|" || text == "^")
        for (const PythonValue& item : b.items())
            if (!isIn(item, a.items()))
                result.push_back(item);
    return text == "|" || text == "&" || text == "-" || text == "^"
               ? std::optional(pythonSet(std::move(result)))
               : std::nullopt;
}

std::optional<PythonValue> onLists(const std::string& text, const PythonValue& a, const PythonValue& b) {
    const auto* left = a.as<PythonList>();
    if (left != nullptr && b.is<PythonList>() && text == "+") {
        if (left->isTuple != b.as<PythonList>()->isTuple)
            return std::nullopt;
        // Before it is made: it holds both once more.
        if (bytesOf(*left->items) + bytesOf(b.items()) > mostListBytes / 4)
            throw PythonTooLarge();
        PythonValues joined = *left->items;
        joined.insert(joined.end(), b.items().begin(), b.items().end());
        return pythonList(std::move(joined), left->isTuple);
    }
    if (left == nullptr || text != "*" || !b.isWhole())
        return std::nullopt;
    PythonValues repeated;
    const auto count = b.constant().get<std::int64_t>();
    if (count > 0 && !left->items->empty() &&
        (static_cast<std::uint64_t>(count) > longestProduct / left->items->size() ||
         count > mostListBytes / bytesOf(*left->items))) {
        const auto each = lengthOf(*left);
        std::int64_t all = 0;
        if (!each || left->isSet || __builtin_mul_overflow(*each, count, &all))
            return std::nullopt;
        const bool isOne = left->items->size() == 1;
        return pythonList({pythonMany(isOne ? left->items->front() : PythonValue(PythonData()), all)},
                          left->isTuple);
    }
    for (std::int64_t i = 0; i < count && !left->items->empty(); ++i)
        repeated.insert(repeated.end(), left->items->begin(), left->items->end());
    return pythonList(std::move(repeated), left->isTuple);
}

/// Lists and tuples in the order of the first values that differ.
std::optional<PythonValue> orderedLists(const std::string& text, const PythonValues& a,
                                        const PythonValues& b) {
    if (text != "<" && text != "<=" && text != ">" && text != ">=")
        return std::nullopt;
    std::size_t at = 0;
    while (at < a.size() && at < b.size() && areEqual(a[at], b[at]))
        ++at;
    if (at < a.size() && at < b.size())
        return binaryOperation(text, a[at], b[at]);
    const auto answer = ordered(text, Json(a.size()), Json(b.size()));
    return answer ? std::optional(pythonConstant(*answer)) : std::nullopt;
}

/// Whether two values are one: constants that are equal, or copies that share what they hold.
bool areSame(const PythonValue& a, const PythonValue& b) {
    const auto* list = a.as<PythonList>();
    const auto* other = b.as<PythonList>();
    if (list != nullptr && other != nullptr)
        return list->items == other->items;
    const bool isTruth = a.constant().is_boolean() || b.constant().is_boolean();
    return areEqual(a, b) && (!isTruth || a.constant().is_boolean() == b.constant().is_boolean());
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
    const auto* left = a.as<PythonDictionary>();
    const auto* right = b.as<PythonDictionary>();
    if (left != nullptr && right != nullptr && text == "|") {
        PythonValue joined = pythonDictionary(*left->entries);
        auto& entries = *joined.as<PythonDictionary>()->entries;
        for (const auto& [key, value] : *right->entries) {
            const auto found =
                std::ranges::find_if(entries, [&](const auto& entry) { return areEqual(entry.first, key); });
            if (found != entries.end())
                found->second = value;
            else
                entries.emplace_back(key, value);
        }
        return joined;
    }
    const auto* set = a.as<PythonList>();
    if (set != nullptr && set->isSet && b.is<PythonList>() && b.as<PythonList>()->isSet)
        return onSets(text, a, b);
    if (a.is<PythonConstant>() && b.is<PythonConstant>())
        return onConstants(text, a.constant(), b.constant());
    if (a.is<PythonList>() && b.is<PythonList>())
        if (auto result = orderedLists(text, a.items(), b.items()))
            return result;
    if (auto result = onLists(text, a, b))
        return result;
    return b.is<PythonList>() && text == "*" ? onLists(text, b, a) : std::nullopt;
}

namespace {

/// The places of a slice in a list of that size: from, to, step.
std::array<std::int64_t, 3> placesOf(std::int64_t size, const PythonSlice& slice) {
    const PythonValues& bounds = *slice.bounds;
    const std::int64_t given = bounds.at(2).isWhole() ? bounds[2].constant().get<std::int64_t>() : 1;
    const std::int64_t step = given == 0 ? 1 : std::clamp<std::int64_t>(given, -size - 1, size + 1);
    const auto bound = [&](std::size_t which, std::int64_t byDefault) {
        if (!bounds[which].isWhole())
            return byDefault;
        const auto number = bounds[which].constant().get<std::int64_t>();
        const std::int64_t fromStart = number < 0 ? std::max<std::int64_t>(number, -size - 1) + size : number;
        return std::clamp<std::int64_t>(fromStart, step > 0 ? 0 : -1, step > 0 ? size : size - 1);
    };
    return {bound(0, step > 0 ? 0 : size - 1), bound(1, step > 0 ? size : -1), step};
}

} // namespace

std::int64_t countOfPlaces(std::int64_t size, const PythonSlice& slice) {
    const auto [begin, end, step] = placesOf(size, slice);
    if (step > 0)
        return begin < end ? (end - begin - 1) / step + 1 : 0;
    return begin > end ? (begin - end - 1) / -step + 1 : 0;
}

PythonValue sliceOfPlaces(std::size_t count, const PythonSlice& slice) {
    const auto [begin, end, step] = placesOf(static_cast<std::int64_t>(count), slice);
    PythonValues places;
    for (std::int64_t i = begin; step > 0 ? i < end : i > end; i += step)
        places.push_back(pythonConstant(i));
    return pythonList(std::move(places));
}

std::optional<PythonOperatorError> operatorError(const std::string& text, const PythonValue& a,
                                                 const PythonValue& b) {
    const bool divides = text == "/" || text == "//" || text == "%";
    if (divides && a.isNumber() && b.isNumber() && b.constant().get<double>() == 0)
        return PythonOperatorError{"ZeroDivisionError", "this divides by zero", "divide by another number"};
    if (a.isNumber() && b.isNumber())
        return PythonOperatorError{"OverflowError",
                                   fmt::format("the result of \"{}\" is out of the range of numbers", text),
                                   "take smaller numbers"};
    const bool repeats = (b.isWhole() && (a.isText() || a.is<PythonList>())) ||
                         (a.isWhole() && (b.isText() || b.is<PythonList>()));
    if (text == "*" && repeats)
        return PythonOperatorError{
            "MemoryError", fmt::format("what is repeated here is longer than {} values", longestProduct),
            "repeat it fewer times"};
    return std::nullopt;
}

std::optional<PythonValue> unaryOperation(const std::string& text, const PythonValue& value) {
    if (value.constant().is_boolean())
        return unaryOperation(text, pythonConstant(value.constant().get<bool>() ? 1 : 0));
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
