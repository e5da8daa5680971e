// Operators, as the language, the program's classes and libraries have them.
#include "core/interchange/python/language/interpreter.h"
#include "core/interchange/python/language/operators.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace core {

void PythonInterpreter::countWork(std::size_t values, PythonPlace place) {
    constexpr std::size_t valuesOfStep = 8; // large lists count, so that they cannot fill the memory
    m_steps += static_cast<std::int64_t>(values / valuesOfStep);
    count(place);
}

/// What a class of the program defines for an operator.
std::optional<PythonValue> PythonInterpreter::ownOperation(const std::string& text, const PythonValue& a,
                                                           const PythonValue& b, PythonPlace place) {
    constexpr std::array<std::pair<std::string_view, const char*>, 9> functions{{{"+", "__add__"},
                                                                                 {"-", "__sub__"},
                                                                                 {"*", "__mul__"},
                                                                                 {"/", "__truediv__"},
                                                                                 {"//", "__floordiv__"},
                                                                                 {"==", "__eq__"},
                                                                                 {"<", "__lt__"},
                                                                                 {">", "__gt__"},
                                                                                 {"%", "__mod__"}}};
    const auto* type = b.as<PythonClassName>();
    if ((text == "in" || text == "not in") && (b.is<PythonInstance>() || type != nullptr)) {
        PythonArguments one{{a}, {}, place};
        const auto* object = b.as<PythonInstance>();
        if (object != nullptr && object->definition->function("__contains__") != nullptr)
            return pythonConstant(isTrue(callOwn(*object, "__contains__", one), place) == (text == "in"));
        return binaryOperation(text, a, pythonList(iterate(b, place)));
    }
    const auto* object = a.as<PythonInstance>();
    const auto* other = b.as<PythonInstance>();
    if (object == nullptr)
        return std::nullopt;
    const auto row = std::ranges::find(functions, text, &std::pair<std::string_view, const char*>::first);
    if (row != functions.end() && object->definition->function(row->second) != nullptr) {
        PythonArguments one{{b}, {}, place};
        return callOwn(*object, row->second, one);
    }
    const bool isRecord = object->definition->kind == PythonClassKind::Record ||
                          object->definition->kind == PythonClassKind::NamedTuple;
    if ((text == "==" || text == "!=") && isRecord && other != nullptr &&
        other->definition == object->definition) {
        const bool areAlike = std::ranges::equal(
            *object->attributes, *other->attributes, [](const auto& left, const auto& right) {
                return left.first == right.first && areEqual(left.second, right.second);
            });
        return pythonConstant(areAlike == (text == "=="));
    }
    return std::nullopt;
}

namespace {

/// An attribute of what a library makes that nothing is known of: it is equal to nothing, and different from
/// nothing.
bool isOpenAttribute(const PythonValue& value) {
    const auto* method = value.as<PythonMethod>();
    return method != nullptr &&
           (method->owner->is<PythonLayerName>() || method->owner->is<PythonModelName>() ||
            method->owner->is<PythonTensor>() || method->owner->is<PythonStageEntry>() ||
            method->owner->is<PythonConfigured>());
}

} // namespace

PythonValue PythonInterpreter::operation(const std::string& text, const PythonValue& a, const PythonValue& b,
                                         PythonPlace place) {
    if (auto result = m_library.binary(text, a, b, place))
        return std::move(*result);
    if (auto result = ownOperation(text, a, b, place))
        return std::move(*result);
    const bool asksWhetherOne = text == "is" || text == "is not";
    if (asksWhetherOne && (a.isNone() || b.isNone())) // data is something
        return pythonConstant((a.isNone() && b.isNone()) == (text == "is"));
    if (isOpenAttribute(a) || isOpenAttribute(b))
        return PythonData();
    if (isOfRun(a) || isOfRun(b)) {
        const auto* data = a.is<PythonData>() ? a.as<PythonData>() : b.as<PythonData>();
        PythonData result = data == nullptr ? PythonData() : *data;
        result.placeholder = 0;
        return result;
    }
    if (auto result = binaryOperation(text, a, b)) {
        countWork(result->items().size(), place);
        if (result->isText())
            countWork(result->constant().get_ref<const std::string&>().size(), place);
        return std::move(*result);
    }
    if (text == "%" && a.isText() && !b.is<PythonConstant>())
        return PythonData(); // what a run computes has no text here
    constexpr std::int64_t longestData = std::int64_t{1} << 26;
    const PythonValue& times = a.isWhole() ? a : b;
    const PythonValue& piece = a.isWhole() ? b : a;
    const std::size_t length =
        piece.isText() ? piece.constant().get_ref<const std::string&>().size() : piece.items().size();
    if (text == "*" && times.isWhole() && length > 0 &&
        times.constant().get<std::int64_t>() <= longestData / static_cast<std::int64_t>(length))
        return PythonData(); // samples that are made up, too many to be looked at one by one
    if (const auto error = operatorError(text, a, b))
        m_messages.raise(place, {error->error, "ArithmeticError", "Exception"}, "python/value",
                         error->message, {error->cure});
    m_messages.refuse(place, "python/unsupported", fmt::format("\"{}\" is not read here", text),
                      {"it takes numbers, texts, lists and tensors of the model"});
}

} // namespace core
