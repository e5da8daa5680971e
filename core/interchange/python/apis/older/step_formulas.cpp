#include "core/interchange/python/apis/older/step_formulas.h"

#include "core/interchange/python/draft/constant_array.h"
#include "core/interchange/python/draft/own_schedules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <numbers>

namespace core {

namespace {

constexpr const char* formulaClass = "tf.step_formula";
// What a formula is: an operator or a function by its name, with these operands; none: the step itself.
constexpr const char* itsOperator = "$operator";
constexpr const char* itsFunction = "$function";
constexpr const char* itsOperands = "$operands";
constexpr const char* itsKeywords = "$keywords";

PythonValue formula(const char* kind, const std::string& name, PythonValues operands,
                    std::vector<std::pair<PythonValue, PythonValue>> keywords = {}) {
    PythonLibraryObject made = pythonObject(formulaClass);
    (*made.attributes)[kind] = pythonText(name);
    (*made.attributes)[itsOperands] = pythonList(std::move(operands));
    (*made.attributes)[itsKeywords] = pythonDictionary(std::move(keywords));
    return made;
}

bool isSchedule(const PythonValue& value) {
    const auto* object = value.as<PythonConfigured>();
    return object != nullptr && object->json.value("class_name", std::string()).ends_with("Decay");
}

/// Functions that hand their first operand on.
bool handsOn(const std::string& name) {
    constexpr std::array<std::string_view, 9> known{
        "identity",   "convert_to_tensor", "read_value",       "value", "numpy", "stop_gradient",
        "assign_add", "constant",          "initialized_value"};
    return std::ranges::find(known, name) != known.end();
}

std::optional<double> numberIn(const Json& config, const char* key) {
    const Json value = config.value(key, Json());
    return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

/// Nothing where it is not made of numbers, one value more than boundaries.
std::optional<double> piecewise(const Json& config, double step) {
    const Json boundaries = config.value("boundaries", Json());
    const Json values = config.value("values", Json());
    const auto isNumber = [](const Json& value) { return value.is_number(); };
    if (!boundaries.is_array() || !values.is_array() || values.size() != boundaries.size() + 1 ||
        !std::ranges::all_of(boundaries, isNumber) || !std::ranges::all_of(values, isNumber))
        return std::nullopt;
    std::size_t at = 0;
    while (at < boundaries.size() && step > boundaries[at].get<double>())
        ++at;
    return values[at].get<double>();
}

/// A formula for a step of the training.
class FormulaAt {
public:
    FormulaAt(PythonInterpreter& interpreter, PythonValue step, PythonPlace place)
        : m_interpreter(interpreter)
        , m_step(std::move(step))
        , m_place(place) {}

    PythonValue read(const PythonValue& value) {
        if (isStepFormula(value))
            return readFormula(*value.as<PythonLibraryObject>()->attributes);
        if (isSchedule(value)) {
            const auto rate =
                rateOfSchedule(value.as<PythonConfigured>()->json, m_step.constant().get<double>());
            return rate ? pythonConstant(*rate) : PythonValue(PythonData());
        }
        if (const auto array = value.is<PythonData>() ? arrayOf(value) : nullptr;
            array != nullptr && array->numbers.size() == 1)
            return numberOfArray(*array, 0);
        if (value.is<PythonFunction>()) { // a branch of tf.cond()
            PythonArguments none{{}, {}, m_place};
            return read(m_interpreter.call(value, none));
        }
        if (const auto* list = value.as<PythonList>()) {
            PythonValues items;
            for (const PythonValue& item : *list->items)
                items.push_back(read(item));
            return pythonList(std::move(items), list->isTuple);
        }
        return value;
    }

private:
    PythonValue readFormula(const std::map<std::string, PythonValue>& parts) {
        if (parts.empty())
            return m_step;
        const PythonValues operands = parts.at(itsOperands).items();
        if (const auto name = parts.find(itsOperator); name != parts.end())
            return m_interpreter.operation(name->second.constant().get<std::string>(), read(operands.at(0)),
                                           read(operands.at(1)), m_place);
        PythonArguments arguments{{}, {}, m_place};
        for (const auto& [key, value] : *parts.at(itsKeywords).as<PythonDictionary>()->entries)
            arguments.keywords.emplace_back(key.constant().get<std::string>(), value);
        arguments.list = operands;
        return call(parts.at(itsFunction).constant().get<std::string>(), arguments);
    }

    PythonValue call(const std::string& path, PythonArguments& arguments) {
        const std::string name = lastPart(path);
        if (name == "cond" || name == "where") {
            const bool isCondition = name == "cond";
            const PythonValue* chosen = arguments.find(isCondition ? "pred" : "condition", 0);
            const PythonValue* first = arguments.find(isCondition ? "true_fn" : "x", 1);
            const PythonValue* second = arguments.find(isCondition ? "false_fn" : "y", 2);
            if (chosen == nullptr || first == nullptr || second == nullptr)
                return PythonData();
            const PythonValue truth = read(*chosen);
            if (!truth.constant().is_boolean() && !truth.isNumber())
                return PythonData();
            const bool isTrue = truth.constant() != false && truth.constant() != 0;
            return read(isTrue ? *first : *second);
        }
        for (PythonValue& value : arguments.list)
            value = read(value);
        for (auto& entry : arguments.keywords)
            entry.second = read(entry.second);
        if (handsOn(name) && !arguments.list.empty())
            return arguments.list.front();
        if ((name == "cast" || name == "to_float") && !arguments.list.empty())
            return typed(arguments.list.front(),
                         name == "cast" ? typeNamed(arguments.find("dtype", 1)) : "float");
        return read(m_interpreter.call(PythonLibraryName{path}, arguments));
    }

    static PythonValue typed(const PythonValue& value, const std::string& type) {
        const double number = value.constant().is_boolean() ? (value.constant() == true ? 1 : 0)
                              : value.isNumber()            ? value.constant().get<double>()
                                                            : std::nan("");
        if (std::isnan(number))
            return PythonData();
        if (type.find("int") != std::string::npos && std::abs(number) < 1e15)
            return pythonConstant(static_cast<std::int64_t>(number));
        return type == "bool" ? pythonConstant(number != 0) : pythonConstant(number);
    }

    PythonInterpreter& m_interpreter;
    PythonValue m_step;
    PythonPlace m_place;
};

} // namespace

PythonValue globalStep() {
    return pythonObject(formulaClass);
}

bool isStepFormula(const PythonValue& value) {
    const auto* object = value.as<PythonLibraryObject>();
    return object != nullptr && object->className == formulaClass;
}

std::optional<PythonValue> stepOperation(const std::string& operation, const PythonValue& left,
                                         const PythonValue& right) {
    const bool isOfStep = isStepFormula(left) || isStepFormula(right);
    const bool isOfSchedule = (isSchedule(left) && (right.isNumber() || isSchedule(right))) ||
                              (isSchedule(right) && left.isNumber());
    constexpr std::array<std::string_view, 12> known{"+", "-",  "*", "/",  "//", "**",
                                                     "%", "<=", "<", ">=", ">",  "=="};
    if ((!isOfStep && !isOfSchedule) || std::ranges::find(known, operation) == known.end())
        return std::nullopt;
    return formula(itsOperator, operation, {left, right});
}

std::optional<PythonValue> stepFunction(const PythonApiCall& call) {
    const bool isOfLibrary = call.path.starts_with("tf.") || call.path.starts_with("np.");
    const auto isEach = [](const PythonValue& value) {
        return isStepFormula(value) || std::ranges::any_of(value.items(), isStepFormula);
    };
    const bool isGiven =
        std::ranges::any_of(call.arguments.list, isEach) ||
        std::ranges::any_of(call.arguments.keywords, [&](const auto& entry) { return isEach(entry.second); });
    constexpr std::array<std::string_view, 5> ofHost{"print", "Print", "scalar", "group", "assert_equal"};
    const std::string name = call.name();
    if (isGiven && name.starts_with("assign"))
        call.builder.countsGlobalStep = true;
    if (!isOfLibrary || !isGiven || call.path.starts_with("tf.summary.") || name.ends_with("Optimizer") ||
        std::ranges::find(ofHost, name) != ofHost.end())
        return std::nullopt;
    // A schedule of the step itself is the one of Keras.
    const bool isDecay = call.path.starts_with("tf.train.");
    const PythonValue* first = call.arguments.list.empty() ? nullptr : call.arguments.list.data();
    const bool isOfStep = std::ranges::none_of(call.arguments.list, [](const PythonValue& value) {
        return isStepFormula(value) && !value.as<PythonLibraryObject>()->attributes->empty();
    });
    if (isDecay && isOfStep && (first == nullptr || !isStepFormula(*first) || name.starts_with("piecewise")))
        return std::nullopt;
    std::vector<std::pair<PythonValue, PythonValue>> keywords;
    for (const auto& [key, value] : call.arguments.keywords)
        keywords.emplace_back(pythonText(key), value);
    return formula(itsFunction, call.path, call.arguments.list, std::move(keywords));
}

PythonValue rateOfFormula(PythonProgramBuilder& builder, const PythonValue& value, PythonPlace place) {
    if (!isStepFormula(value))
        return value;
    return scheduleOf(builder, {[value, place](PythonInterpreter& interpreter, const PythonValue& step) {
                                    return FormulaAt(interpreter, step, place).read(value);
                                },
                                "of the global step", place});
}

std::optional<double> rateOfSchedule(const Json& schedule, double step) {
    const std::string name = schedule.value("class_name", std::string());
    const Json config = schedule.value("config", Json::object());
    if (name == "PiecewiseConstantDecay")
        return piecewise(config, step);
    const auto initial = numberIn(config, "initial_learning_rate");
    const auto length = numberIn(config, "decay_steps");
    if (!initial || !length || *length <= 0)
        return std::nullopt;
    const bool isStaircase = config.value("staircase", Json()) == true;
    const double share = isStaircase ? std::floor(step / *length) : step / *length;
    if (name == "ExponentialDecay" || name == "InverseTimeDecay") {
        const auto rate = numberIn(config, "decay_rate");
        if (!rate)
            return std::nullopt;
        return name == "ExponentialDecay" ? *initial * std::pow(*rate, share)
                                          : *initial / (1 + *rate * share);
    }
    if (name == "PolynomialDecay") {
        constexpr double ofKeras = 0.0001;
        const double end = numberIn(config, "end_learning_rate").value_or(ofKeras);
        const double power = numberIn(config, "power").value_or(1);
        const bool isCycle = config.value("cycle", Json()) == true;
        const double whole = isCycle ? *length * std::max(1.0, std::ceil(step / *length)) : *length;
        return (*initial - end) * std::pow(1 - std::min(step, whole) / whole, power) + end;
    }
    if (name == "CosineDecay") {
        const double alpha = numberIn(config, "alpha").value_or(0);
        const double cosine = (1 + std::cos(std::numbers::pi * std::min(step, *length) / *length)) / 2;
        return *initial * ((1 - alpha) * cosine + alpha);
    }
    return std::nullopt;
}

bool hasSchedule(const Json& optimizer) {
    const Json rate = optimizer.value("config", Json::object()).value("learning_rate", Json());
    return rate.is_object() && rateOfSchedule(rate, 0).has_value();
}

void settleGlobalStep(PythonProgramBuilder& builder) {
    for (PythonModel& model : builder.facts.draft.models) {
        if (!model.hasNoGlobalStep || builder.countsGlobalStep || !model.executionSteps.empty() ||
            !model.training.contains("optimizer"))
            continue;
        Json& config = optimizerOptions(model.training["optimizer"]);
        const auto rate = rateOfSchedule(config.value("learning_rate", Json::object()), 0);
        if (!rate)
            continue;
        config["learning_rate"] = *rate;
        builder.warn(
            model.trainingPlace, "python/no-effect",
            fmt::format("minimize() is not given the global step that the learning rate follows, and "
                        "nothing else counts it up: the rate stays at {}",
                        *rate),
            {"write minimize(loss, global_step=tf.train.get_or_create_global_step())"});
    }
}

bool makesGlobalStep(const PythonApiCall& call) {
    const bool isVariable = call.name() == "Variable";
    const PythonValue* begins = isVariable ? call.arguments.find("initial_value", 0) : nullptr;
    const PythonValue* name = isVariable ? call.arguments.keyword("name") : call.arguments.find("name", 0);
    const PythonValue* trains = call.arguments.keyword("trainable");
    const bool isNamed =
        name != nullptr && name->isText() &&
        name->constant().get_ref<const std::string&>().find("global_step") != std::string::npos;
    const bool isCounter =
        begins != nullptr && begins->isWhole() && begins->constant() == 0 && call.builder.importsOlderApi;
    return trains != nullptr && trains->constant() == false && (isNamed || isCounter);
}

std::vector<PythonApiName> globalStepNames() {
    std::vector<PythonApiName> names;
    for (const char* name : {"get_or_create_global_step", "create_global_step", "get_global_step"})
        names.push_back(
            readName(std::string("tf.train.") + name, [](const PythonApiCall&) { return globalStep(); }));
    return names;
}

} // namespace core
