#include "core/interchange/python/apis/data/number_functions.h"

#include "core/interchange/python/apis/data/array_functions.h"
#include "core/interchange/python/draft/constant_array.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

namespace core {

namespace {

struct NumberFunction {
    std::string_view name;
    double (*compute)(double);
    bool isWhole = false;
};
constexpr std::array<NumberFunction, 25> functions{{
    {"ceil", [](double x) { return std::ceil(x); }, true},
    {"floor", [](double x) { return std::floor(x); }, true},
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
    {"log", [](double x) { return std::log(x); }},
    {"log2", [](double x) { return std::log2(x); }},
    {"log10", [](double x) { return std::log10(x); }},
    {"exp", [](double x) { return std::exp(x); }},
    {"fabs", [](double x) { return std::abs(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"sin", [](double x) { return std::sin(x); }},
    {"tanh", [](double x) { return std::tanh(x); }},
    {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
    {"square", [](double x) { return x * x; }},
    {"tan", [](double x) { return std::tan(x); }},
    {"acos", [](double x) { return std::acos(x); }},
    {"asin", [](double x) { return std::asin(x); }},
    {"atan", [](double x) { return std::atan(x); }},
    {"expm1", [](double x) { return std::expm1(x); }},
    {"log1p", [](double x) { return std::log1p(x); }},
    {"erf", [](double x) { return std::erf(x); }},
    {"radians", [](double x) { return x * std::numbers::pi / 180; }},
    {"degrees", [](double x) { return x * 180 / std::numbers::pi; }},
    {"isqrt", [](double x) { return std::floor(std::sqrt(x)); }, true},
    {"trunc", [](double x) { return std::trunc(x); }, true},
}};

/// math.log(x, base).
PythonValue logarithm(const PythonApiCall& call) {
    const PythonValues& list = call.arguments.list;
    const double value = list[0].constant().get<double>();
    const double base = list[1].constant().get<double>();
    if (value <= 0 || base <= 0 || base == 1)
        call.refuse("python/value", "this has no finite value", {"write the number itself"});
    // Exact where it is a power of two, as Python's is.
    return pythonConstant(base == 2 ? std::log2(value) : std::log(value) / std::log(base));
}

PythonValue compute(const PythonApiCall& call, const NumberFunction& function) {
    const bool hasBase = function.name == "log" && call.arguments.list.size() == 2 &&
                         std::ranges::all_of(call.arguments.list, &PythonValue::isNumber);
    if (hasBase)
        return logarithm(call);
    const bool isOne = call.arguments.list.size() == 1 && call.arguments.list[0].isNumber();
    if (!isOne)
        return callArrayFunction(call, call.name()).value_or(PythonData());
    const double result = function.compute(call.arguments.list[0].constant().get<double>());
    constexpr double exact = 9007199254740992.0;
    if (!std::isfinite(result))
        call.refuse("python/value", "this has no finite value", {"write the number itself"});
    return function.isWhole && std::abs(result) < exact ? pythonConstant(static_cast<std::int64_t>(result))
                                                        : pythonConstant(result);
}

/// Functions of whole numbers.
struct WholeFunction {
    std::string_view name;
    std::int64_t (*compute)(std::int64_t, std::int64_t);
};
std::int64_t leastMultiple(std::int64_t a, std::int64_t b) {
    return a == 0 || b == 0 ? 0 : std::lcm(a, b);
}
std::int64_t choices(std::int64_t of, std::int64_t count) {
    double result = 1;
    for (std::int64_t i = 1; i <= std::min(count, of - count); ++i)
        result = result * static_cast<double>(of - count + i) / static_cast<double>(i);
    return count > of ? 0 : std::llround(result);
}
constexpr std::array<WholeFunction, 3> wholeFunctions{
    {{"gcd", [](std::int64_t a, std::int64_t b) { return std::gcd(a, b); }},
     {"lcm", leastMultiple},
     {"comb", choices}}};

PythonValue computeWhole(const PythonApiCall& call, const WholeFunction& function) {
    constexpr std::int64_t largest = 1LL << 31;
    const PythonValues& list = call.arguments.list;
    const auto isSmall = [&](const PythonValue& value) {
        return value.isWhole() && std::abs(value.constant().get<std::int64_t>()) < largest;
    };
    if (list.size() < 2 || !std::ranges::all_of(list, isSmall))
        return callArrayFunction(call, call.name()).value_or(PythonData());
    std::int64_t result = list[0].constant().get<std::int64_t>();
    for (std::size_t i = 1; i < list.size(); ++i)
        result = function.compute(result, list[i].constant().get<std::int64_t>());
    return pythonConstant(result);
}

/// Functions of math of two numbers.
PythonValue ofTwoNumbers(const PythonApiCall& call) {
    const PythonValues& list = call.arguments.list;
    if (list.size() < 2 || !list[0].isNumber() || !list[1].isNumber())
        return PythonData();
    const double a = list[0].constant().get<double>();
    const double b = list[1].constant().get<double>();
    const std::string name = call.name();
    if (name == "isclose") {
        const auto tolerance = [&](const char* argument, double byDefault) {
            const PythonValue* given = call.arguments.keyword(argument);
            return given != nullptr && given->isNumber() ? given->constant().get<double>() : byDefault;
        };
        constexpr double relative = 1e-9;
        return pythonConstant(std::abs(a - b) <=
                              std::max(tolerance("rel_tol", relative) * std::max(std::abs(a), std::abs(b)),
                                       tolerance("abs_tol", 0)));
    }
    if (name == "fmod" && b == 0)
        call.refuse("python/value", "this has no finite value", {"write the number itself"});
    return pythonConstant(name == "hypot"      ? std::hypot(a, b)
                          : name == "copysign" ? std::copysign(a, b)
                          : name == "fmod"     ? std::fmod(a, b)
                                               : std::atan2(a, b));
}

/// Numbers that a program says, of an argument of NumPy; empty: it says none.
std::vector<double> numbersOf(const PythonApiCall& call, std::size_t place) {
    const auto array = place < call.arguments.list.size() ? arrayOf(call.arguments.list[place]) : nullptr;
    return array == nullptr || array->isOpen ? std::vector<double>() : array->numbers;
}

/// np.round(5.6), np.power(2, 3), np.clip(17, 0, 9), np.median([3, 6, 9]), np.interp(x, xs, ys).
PythonValue ofNumbers(const PythonApiCall& call) {
    const std::string name = call.name();
    const PythonValues& list = call.arguments.list;
    const bool areNumbers = !list.empty() && std::ranges::all_of(list, &PythonValue::isNumber);
    const auto at = [&](std::size_t i) { return list[i].constant().get<double>(); };
    std::vector<double> sorted = name == "median" && list.size() == 1 && call.arguments.keywords.empty()
                                     ? numbersOf(call, 0)
                                     : std::vector<double>();
    if (!sorted.empty()) {
        std::ranges::sort(sorted);
        const std::size_t half = sorted.size() / 2;
        return pythonConstant(sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2);
    }
    if (name == "interp" && list.size() == 3 && list[0].isNumber()) {
        const std::vector<double> xs = numbersOf(call, 1);
        const std::vector<double> ys = numbersOf(call, 2);
        if (xs.empty() || xs.size() != ys.size() || !std::ranges::is_sorted(xs))
            return PythonData();
        const auto above = std::ranges::upper_bound(xs, at(0)) - xs.begin();
        if (above == 0 || above == static_cast<std::ptrdiff_t>(xs.size()))
            return pythonConstant(above == 0 ? ys.front() : ys.back());
        const auto i = static_cast<std::size_t>(above) - 1;
        return pythonConstant(ys[i] + (ys[i + 1] - ys[i]) * (at(0) - xs[i]) / (xs[i + 1] - xs[i]));
    }
    if (areNumbers && name == "power" && list.size() == 2) {
        const PythonValue base = list[0];
        return call.interpreter.operation("**", base, list[1], call.place());
    }
    if (areNumbers && name == "clip" && list.size() == 3)
        return at(0) < at(1) ? list[1] : at(0) > at(2) ? list[2] : list[0];
    const PythonValue* decimals = call.arguments.find("decimals", 1);
    if (areNumbers && (name == "round" || name == "around" || name == "rint") &&
        (decimals == nullptr || decimals->isWhole())) {
        const double scale = std::pow(10.0, decimals == nullptr ? 0.0 : decimals->constant().get<double>());
        return pythonConstant(std::nearbyint(at(0) * scale) / scale);
    }
    return callArrayFunction(call, name).value_or(PythonData());
}

/// The product of a list of numbers; a whole number where they all are.
PythonValue product(const PythonApiCall& call) {
    double result = 1;
    bool areWhole = true;
    if (call.arguments.list.size() != 1 || !call.arguments.list[0].is<PythonList>())
        return callArrayFunction(call, call.name()).value_or(PythonData());
    for (const PythonValue& item : call.arguments.list[0].items()) {
        if (!item.isNumber())
            return callArrayFunction(call, call.name()).value_or(PythonData());
        result *= item.constant().get<double>();
        areWhole = areWhole && item.isWhole();
    }
    constexpr double exact = 9007199254740992.0;
    return areWhole && std::abs(result) < exact ? pythonConstant(static_cast<std::int64_t>(result))
                                                : pythonConstant(result);
}

} // namespace

namespace {

/// tf.where(condition, a, b) and tf.cond(condition, f, g), where the condition is known.
std::optional<PythonValue> chosenValue(const PythonApiCall& call) {
    const std::string name = call.name();
    if (name != "where" && name != "cond")
        return std::nullopt;
    const bool calls = name == "cond";
    const PythonValue* condition = call.arguments.find(calls ? "pred" : "condition", 0);
    const PythonValue* first = call.arguments.find(calls ? "true_fn" : "x", 1);
    const PythonValue* second = call.arguments.find(calls ? "false_fn" : "y", 2);
    if (condition == nullptr || !condition->constant().is_boolean() || first == nullptr || second == nullptr)
        return std::nullopt;
    const PythonValue chosen = condition->constant() == true ? *first : *second;
    PythonArguments none{{}, {}, call.place()};
    return calls ? call.interpreter.call(chosen, none) : chosen;
}

} // namespace

std::optional<PythonValue> numberOfTensor(const PythonApiCall& call) {
    if (auto chosen = chosenValue(call))
        return chosen;
    const PythonValues& list = call.arguments.list;
    if (list.empty() || !list[0].isNumber() || call.arguments.keyword("shape") != nullptr)
        return std::nullopt;
    const std::string name = call.name();
    if (name == "cast" || name == "constant" || name == "convert_to_tensor") {
        const PythonValue* type = call.arguments.find("dtype", 1);
        const auto* asked = type == nullptr ? nullptr : type->as<PythonLibraryName>();
        const bool isWhole = asked != nullptr && (asked->path.find("int") != std::string::npos);
        const double number = list[0].constant().get<double>();
        constexpr double exact = 9007199254740992.0;
        return isWhole && std::abs(number) < exact ? pythonConstant(static_cast<std::int64_t>(number))
                                                   : list[0];
    }
    if (list.size() == 2 && list[1].isNumber()) {
        const double a = list[0].constant().get<double>();
        const double b = list[1].constant().get<double>();
        constexpr std::array<std::pair<std::string_view, const char*>, 6> operators{{{"add", "+"},
                                                                                     {"subtract", "-"},
                                                                                     {"multiply", "*"},
                                                                                     {"divide", "/"},
                                                                                     {"truediv", "/"},
                                                                                     {"less", "<"}}};
        const auto known = std::ranges::find(operators, name, [](const auto& entry) { return entry.first; });
        if (known != operators.end())
            return call.interpreter.operation(known->second, list[0], list[1], call.place());
        if (name == "minimum" || name == "maximum")
            return (name == "minimum") == (a < b) ? list[0] : list[1];
        if (const double power = std::pow(a, b); name == "pow" && std::isfinite(power))
            return pythonConstant(power);
    }
    const auto row = std::ranges::find(functions, name, &NumberFunction::name);
    return row == functions.end() || list.size() != 1 ? std::nullopt : std::optional(compute(call, *row));
}

std::vector<PythonApiName> numberFunctions(const std::string& prefix) {
    std::vector<PythonApiName> names;
    for (const NumberFunction& function : functions)
        names.push_back(readName(prefix + std::string(function.name),
                                 [&function](const auto& call) { return compute(call, function); }));
    names.push_back(readName(prefix + "prod", product));
    if (prefix == "np.")
        for (const char* name : {"round", "around", "rint", "power", "clip", "median", "interp"})
            names.push_back(readName(prefix + name, ofNumbers));
    for (const WholeFunction& function : wholeFunctions)
        names.push_back(readName(prefix + std::string(function.name),
                                 [&function](const auto& call) { return computeWhole(call, function); }));
    if (prefix == "math.")
        for (const char* name : {"isclose", "hypot", "copysign", "fmod", "atan2"})
            names.push_back(readName(prefix + name, ofTwoNumbers));
    names.push_back(readName(prefix + "pow", [](const PythonApiCall& call) -> PythonValue {
        const PythonValues& list = call.arguments.list;
        return list.size() == 2 ? call.interpreter.operation("**", list[0], list[1], call.place())
                                : PythonValue(PythonData());
    }));
    return names;
}

} // namespace core
