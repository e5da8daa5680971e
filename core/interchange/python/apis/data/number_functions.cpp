#include "core/interchange/python/apis/data/number_functions.h"

#include "core/interchange/python/apis/data/array_functions.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace core {

namespace {

struct NumberFunction {
    std::string_view name;
    double (*compute)(double);
    bool isWhole = false;
};
constexpr std::array<NumberFunction, 14> functions{{
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

/// The product of a list of numbers; a whole number where they all are.
PythonValue product(const PythonApiCall& call) {
    double result = 1;
    bool areWhole = true;
    if (call.arguments.list.size() != 1 || !call.arguments.list[0].is<PythonList>())
        return PythonData();
    for (const PythonValue& item : call.arguments.list[0].items()) {
        if (!item.isNumber())
            return PythonData();
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
    names.push_back(readName(prefix + "pow", [](const PythonApiCall& call) -> PythonValue {
        const PythonValues& list = call.arguments.list;
        return list.size() == 2 ? call.interpreter.operation("**", list[0], list[1], call.place())
                                : PythonValue(PythonData());
    }));
    return names;
}

} // namespace core
