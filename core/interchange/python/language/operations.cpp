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

namespace {

/// The functions of a class for an operator, as the left operand has it and as the right one does.
struct OwnOperator {
    std::string_view text;
    const char* left;
    const char* right;
};
constexpr std::array<OwnOperator, 19> ownOperators{{{"+", "__add__", "__radd__"},
                                                    {"-", "__sub__", "__rsub__"},
                                                    {"*", "__mul__", "__rmul__"},
                                                    {"/", "__truediv__", "__rtruediv__"},
                                                    {"//", "__floordiv__", "__rfloordiv__"},
                                                    {"%", "__mod__", "__rmod__"},
                                                    {"**", "__pow__", "__rpow__"},
                                                    {"@", "__matmul__", "__rmatmul__"},
                                                    {"&", "__and__", "__rand__"},
                                                    {"|", "__or__", "__ror__"},
                                                    {"^", "__xor__", "__rxor__"},
                                                    {"<<", "__lshift__", "__rlshift__"},
                                                    {">>", "__rshift__", "__rrshift__"},
                                                    {"==", "__eq__", "__eq__"},
                                                    {"!=", "__ne__", "__ne__"},
                                                    {"<", "__lt__", "__gt__"},
                                                    {">", "__gt__", "__lt__"},
                                                    {"<=", "__le__", "__ge__"},
                                                    {">=", "__ge__", "__le__"}}};

bool isNotImplemented(const PythonValue& value) {
    const auto* name = value.as<PythonLibraryName>();
    return name != nullptr && lastPart(name->path) == "NotImplemented";
}

bool hasFunction(const PythonValue& value, const char* name) {
    const auto* object = value.as<PythonInstance>();
    return object != nullptr && object->definition->function(name) != nullptr;
}

/// A member of an enumeration of numbers or of texts is one of them.
const PythonValue* valueOfMember(const PythonValue& value) {
    const auto* member = value.as<PythonInstance>();
    if (member == nullptr || member->definition->kind != PythonClassKind::Enumeration ||
        !member->attributes->contains("value"))
        return nullptr;
    const std::string& base = member->definition->base;
    const bool isPlain =
        base.starts_with("builtin.") || lastPart(base) == "IntEnum" || lastPart(base) == "StrEnum";
    return isPlain ? &member->attributes->at("value") : nullptr;
}

} // namespace

/// What a class of the program defines for an operator.
std::optional<PythonValue> PythonInterpreter::ownOperation(const std::string& text, const PythonValue& a,
                                                           const PythonValue& b, PythonPlace place) {
    const auto* type = b.as<PythonClassName>();
    const bool asksMember = text == "in" || text == "not in";
    if (asksMember && (b.is<PythonInstance>() || type != nullptr)) {
        PythonArguments one{{a}, {}, place};
        const auto* object = b.as<PythonInstance>();
        if (object != nullptr && object->definition->function("__contains__") != nullptr)
            return pythonConstant(isTrue(callOwn(*object, "__contains__", one), place) == (text == "in"));
        return binaryOperation(text, a, pythonList(iterate(b, place)));
    }
    const auto compares = [](const PythonValue& value) { return hasFunction(value, "__eq__"); };
    if (asksMember && b.is<PythonList>() && (compares(a) || std::ranges::any_of(b.items(), compares))) {
        const bool isIn = std::ranges::any_of(b.items(), [&](const PythonValue& item) {
            return isTrue(operation("==", item, a, place), place);
        });
        return pythonConstant(isIn == (text == "in"));
    }
    const auto* object = a.as<PythonInstance>();
    const auto* other = b.as<PythonInstance>();
    if (object == nullptr && other == nullptr)
        return std::nullopt;
    const PythonValue* first = valueOfMember(a);
    const PythonValue* second = valueOfMember(b);
    if (first != nullptr || second != nullptr)
        return operation(text, first == nullptr ? a : *first, second == nullptr ? b : *second, place);
    const auto* const row = std::ranges::find(ownOperators, text, &OwnOperator::text);
    if (row == ownOperators.end())
        return std::nullopt;
    const auto ask = [&](const PythonValue& owner, const char* name,
                         const PythonValue& operand) -> std::optional<PythonValue> {
        if (!hasFunction(owner, name))
            return std::nullopt;
        PythonArguments one{{operand}, {}, place};
        PythonValue answer = callOwn(*owner.as<PythonInstance>(), name, one);
        return isNotImplemented(answer) ? std::nullopt : std::optional(std::move(answer));
    };
    if (auto answer = ask(a, row->left, b))
        return answer;
    if (auto answer = ask(b, row->right, a))
        return answer;
    if (text == "!=" && (compares(a) || compares(b)))
        return pythonConstant(!isTrue(operation("==", a, b, place), place));
    // functools.total_ordering: the others follow of one order and of "==".
    const auto holds = [&](const char* operation_, const PythonValue& left, const PythonValue& right) {
        return isTrue(operation(operation_, left, right, place), place);
    };
    const bool isOrder = text == "<=" || text == ">=" || text == "<" || text == ">";
    if (isOrder && hasFunction(a, "__lt__"))
        return pythonConstant(text == ">=" ? !holds("<", a, b)
                                           : (holds("<", a, b) || holds("==", a, b)) == (text == "<="));
    if (isOrder && hasFunction(a, "__gt__"))
        return pythonConstant(text == "<=" ? !holds(">", a, b)
                                           : (holds(">", a, b) || holds("==", a, b)) == (text == ">="));
    if (isOrder && hasFunction(a, "__le__"))
        return pythonConstant(text == ">" ? !holds("<=", a, b)
                                          : (holds("<=", a, b) && !holds("==", a, b)) == (text == "<"));
    if (object == nullptr || other == nullptr)
        return std::nullopt;
    const bool isRecord = object->definition->kind == PythonClassKind::Record ||
                          object->definition->kind == PythonClassKind::NamedTuple;
    if ((text == "==" || text == "!=") && isRecord && other->definition == object->definition) {
        const bool areAlike = std::ranges::equal(
            *object->attributes, *other->attributes, [](const auto& left, const auto& right) {
                return left.first == right.first && areEqual(left.second, right.second);
            });
        return pythonConstant(areAlike == (text == "=="));
    }
    return std::nullopt;
}

namespace {

/// Whether two values are equal; nothing: that depends on parts of them that only a run knows.
std::optional<bool> knownEquality(const PythonValue& a, const PythonValue& b, int depth = 0) {
    constexpr int deepest = 64;
    if (depth > deepest || areEqual(a, b))
        return true;
    if (PythonInterpreter::isOfRun(a) || PythonInterpreter::isOfRun(b))
        return std::nullopt;
    const auto* left = a.as<PythonList>();
    const auto* right = b.as<PythonList>();
    if (left == nullptr || right == nullptr || left->isSet || left->isTuple != right->isTuple ||
        left->items->size() != right->items->size())
        return false;
    bool isKnown = true;
    for (std::size_t i = 0; i < left->items->size(); ++i) {
        const auto areAlike = knownEquality((*left->items)[i], (*right->items)[i], depth + 1);
        if (areAlike == false)
            return false;
        isKnown = isKnown && areAlike;
    }
    return isKnown ? std::optional(true) : std::nullopt;
}

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

std::optional<PythonValue> PythonInterpreter::changedInPlace(const std::string& text, const PythonValue& a,
                                                             const PythonValue& b, PythonPlace place) {
    const auto* object = a.as<PythonInstance>();
    const auto* const row = std::ranges::find(ownOperators, text, &OwnOperator::text);
    if (object == nullptr || row == ownOperators.end())
        return std::nullopt;
    const std::string name = "__i" + std::string(row->left).substr(2);
    if (object->definition->function(name) == nullptr)
        return std::nullopt;
    PythonArguments one{{b}, {}, place};
    return callOwn(*object, name, one);
}

PythonValue PythonInterpreter::operation(const std::string& text, const PythonValue& a, const PythonValue& b,
                                         PythonPlace place) {
    if (auto result = ownOperation(text, a, b, place))
        return std::move(*result);
    if (auto result = m_library.binary(text, a, b, place)) {
        keepUnread(a, *result);
        keepUnread(b, *result);
        return std::move(*result);
    }
    const bool asksWhetherOne = text == "is" || text == "is not";
    if (asksWhetherOne && (a.isNone() || b.isNone())) // data is something
        return pythonConstant((a.isNone() && b.isNone()) == (text == "is"));
    if (isOpenAttribute(a) || isOpenAttribute(b))
        return PythonData();
    if (isOfRun(a) || isOfRun(b)) {
        const auto* data = a.is<PythonData>() ? a.as<PythonData>() : b.as<PythonData>();
        PythonData result = data == nullptr ? PythonData() : *data;
        result.placeholder = 0;
        PythonValue made = std::move(result);
        keepUnread(a, made);
        keepUnread(b, made);
        return made;
    }
    if ((text == "==" || text == "!=") && a.is<PythonList>() && b.is<PythonList>() && !knownEquality(a, b))
        return PythonData();
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
    // Which version runs, only a run knows.
    for (const PythonValue* operand : {&a, &b})
        if (const auto* name = operand->as<PythonLibraryName>();
            name != nullptr && lastPart(name->path) == "__version__")
            return PythonData();
    m_messages.refuse(place, "python/unsupported", fmt::format("\"{}\" is not read here", text),
                      {"it takes numbers, texts, lists and tensors of the model"});
}

} // namespace core
