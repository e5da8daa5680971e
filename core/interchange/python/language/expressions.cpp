// Expressions, except for calls.
#include "core/interchange/python/language/interpreter.h"
#include "core/interchange/python/language/operators.h"
#include "core/interchange/python/language/text_format.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

using Kind = PythonExpression::Kind;

bool isProperty(const PythonFunction& function) {
    return std::ranges::any_of(function.definition->decorators, [](const PythonExpression& decorator) {
        return decorator.kind == Kind::Name && decorator.text == "property";
    });
}

/// Elements of a list or text between the bounds of a slice.
PythonValue partOf(const PythonValue& whole, const PythonSlice& slice) {
    const std::string* text = whole.isText() ? &whole.constant().get_ref<const std::string&>() : nullptr;
    const auto count = static_cast<std::int64_t>(text != nullptr ? text->size() : whole.items().size());
    const PythonValues& bounds = *slice.bounds;
    const std::int64_t given = bounds.at(2).isWhole() ? bounds[2].constant().get<std::int64_t>() : 1;
    const std::int64_t step = given == 0 ? 1 : std::clamp<std::int64_t>(given, -count - 1, count + 1);
    const auto bound = [&](std::size_t which, std::int64_t byDefault) {
        if (!bounds[which].isWhole())
            return byDefault;
        const auto number = bounds[which].constant().get<std::int64_t>();
        const std::int64_t fromStart =
            number < 0 ? std::max<std::int64_t>(number, -count - 1) + count : number;
        return std::clamp<std::int64_t>(fromStart, step > 0 ? 0 : -1, step > 0 ? count : count - 1);
    };
    PythonValues items;
    std::string letters;
    const std::int64_t end = bound(1, step > 0 ? count : -1);
    for (std::int64_t i = bound(0, step > 0 ? 0 : count - 1); step > 0 ? i < end : i > end; i += step) {
        if (text != nullptr)
            letters += (*text)[static_cast<std::size_t>(i)];
        else
            items.push_back(whole.items()[static_cast<std::size_t>(i)]);
    }
    if (text != nullptr)
        return pythonText(std::move(letters));
    return pythonList(std::move(items), whole.as<PythonList>()->isTuple);
}

/// Counts expressions within one another while it lives.
struct ExpressionDepth {
    explicit ExpressionDepth(int& counted)
        : depth(counted) {
        ++depth;
    }
    ~ExpressionDepth() { --depth; }
    ExpressionDepth(const ExpressionDepth&) = delete;
    ExpressionDepth& operator=(const ExpressionDepth&) = delete;
    int& depth;
};

} // namespace

PythonValue PythonInterpreter::evaluate(const PythonExpression& expression) {
    // Functions within expressions within functions would overflow the stack.
    constexpr int deepestExpressions = 1500;
    const ExpressionDepth depth(m_expressions);
    if (m_expressions > deepestExpressions)
        m_messages.refuse(expression.place, "python/endless", "functions call one another without end",
                          {"give the recursion an end"});
    switch (expression.kind) {
    case Kind::None:
        return {};
    case Kind::Ellipsis:
        return PythonEllipsis();
    case Kind::Boolean:
        return pythonConstant(expression.integer != 0);
    case Kind::Integer:
        return pythonConstant(expression.integer);
    case Kind::Real:
        return pythonConstant(expression.real);
    case Kind::Text:
        return pythonText(expression.text);
    case Kind::FormattedText:
        return formattedText(expression);
    case Kind::Name:
        return lookUp(expression);
    case Kind::Attribute:
        return attribute(expression);
    case Kind::Call:
        return callExpression(expression);
    case Kind::Subscript:
        return subscript(expression);
    case Kind::Slice: {
        PythonValues bounds;
        for (const PythonExpression& bound : expression.children)
            bounds.push_back(evaluate(bound));
        return PythonSlice{std::make_shared<const PythonValues>(std::move(bounds))};
    }
    case Kind::List:
    case Kind::Tuple:
    case Kind::Set:
        return listOf(expression);
    case Kind::Dictionary:
        return dictionaryOf(expression);
    case Kind::Unary:
        return unary(expression);
    case Kind::Binary:
        return binary(expression);
    case Kind::Conditional: {
        const PythonExpression& condition = expression.children.at(1);
        return evaluate(expression.children[isTrue(evaluate(condition), condition.place) ? 0 : 2]);
    }
    case Kind::Lambda:
        return function(*expression.function);
    case Kind::Comprehension:
        return comprehension(expression);
    case Kind::FormattedValue:
    case Kind::Starred:
        break;
    }
    m_messages.refuse(expression.place, "python/unsupported", "this expression is not read",
                      {"write the value as it is, or a list of values"});
}

const PythonValue* PythonInterpreter::bound(const std::string& name) const {
    if (const auto elsewhere = m_names->elsewhere.find(name); elsewhere != m_names->elsewhere.end()) {
        const auto found = elsewhere->second->values.find(name);
        return found == elsewhere->second->values.end() ? nullptr : &found->second;
    }
    for (const PythonNames* names = m_names; names != nullptr; names = names->outer)
        if (const auto found = names->values.find(name); found != names->values.end())
            return &found->second;
    const auto& module = m_scopes.front()->values;
    const auto found = module.find(name);
    return found == module.end() ? nullptr : &found->second;
}

PythonValue PythonInterpreter::lookUp(const PythonExpression& name) {
    if (const PythonValue* value = bound(name.text))
        return *value;
    if (auto value = m_library.find(name.text, m_stars))
        return std::move(*value);
    m_messages.refuse(name.place, "python/name", fmt::format("\"{}\" is not defined", quotedName(name.text)),
                      {"define it before it is used"});
}

PythonValue PythonInterpreter::attribute(const PythonExpression& expression) {
    return attributeOf(evaluate(expression.children.at(0)), expression.text);
}

PythonValue PythonInterpreter::attributeOf(const PythonValue& owner, const std::string& name) {
    if (const auto* symbol = owner.as<PythonLibraryName>())
        return PythonLibraryName{m_library.fullName(symbol->path + "." + name)};
    if (const auto* object = owner.as<PythonInstance>()) {
        if (const auto found = object->attributes->find(name); found != object->attributes->end())
            return found->second;
        if (const PythonValue* shared = object->definition->attribute(name))
            return *shared;
        const PythonFunction* own = object->above == nullptr ? nullptr : object->above->function(name);
        if (own != nullptr && isProperty(*own)) {
            PythonArguments none;
            none.place = own->definition->place;
            return callOwn(*object, name, none);
        }
    }
    if (const auto* type = owner.as<PythonClassName>()) {
        if (const PythonValue* shared = type->definition->attribute(name))
            return *shared;
        if (const PythonFunction* own = type->definition->function(name))
            return *own;
    }
    if (auto value = m_library.attribute(owner, name))
        return std::move(*value);
    return PythonMethod{std::make_shared<const PythonValue>(owner), name};
}

PythonValue PythonInterpreter::subscript(const PythonExpression& expression) {
    const PythonValue owner = evaluate(expression.children.at(0));
    if (owner.is<PythonData>() || owner.is<PythonLibraryName>() || owner.is<PythonMethod>())
        return PythonData();
    const PythonValue index = evaluate(expression.children.at(1));
    const bool isSequence = owner.is<PythonList>() || owner.isText();
    if (const auto* slice = index.as<PythonSlice>(); slice != nullptr && isSequence)
        return partOf(owner, *slice);
    if (isSequence && index.isWhole()) {
        const auto count = static_cast<std::int64_t>(
            owner.isText() ? owner.constant().get_ref<const std::string&>().size() : owner.items().size());
        const auto at = index.constant().get<std::int64_t>();
        const std::int64_t place = at < 0 ? at + count : at;
        if (place >= 0 && place < count && owner.isText())
            return pythonText(std::string(
                1, owner.constant().get_ref<const std::string&>()[static_cast<std::size_t>(place)]));
        if (place >= 0 && place < count)
            return owner.items()[static_cast<std::size_t>(place)];
        m_messages.refuse(expression.place, "python/unsupported", "this is not among what is read here",
                          {fmt::format("its places count from 0 to {}", count - 1)});
    }
    if (const auto* dictionary = owner.as<PythonDictionary>()) {
        for (const auto& [key, value] : *dictionary->entries)
            if (areEqual(key, index))
                return value;
    }
    if (auto value = m_library.element(owner, index, expression.children[1].place))
        return std::move(*value);
    m_messages.refuse(expression.place, "python/unsupported", "this is not among what is read here",
                      {"take an entry that the list or dictionary has"});
}

PythonValue PythonInterpreter::listOf(const PythonExpression& expression) {
    PythonValues items;
    for (const PythonExpression& child : expression.children) {
        if (child.kind == Kind::Starred) {
            const PythonValues more = iterate(evaluate(child.children.at(0)), child.place);
            items.insert(items.end(), more.begin(), more.end());
            continue;
        }
        PythonValue item = evaluate(child);
        checkHolds(&items, item, child.place);
        const bool isAgain = expression.kind == Kind::Set &&
                             std::ranges::any_of(items, [&](const auto& one) { return areEqual(one, item); });
        if (!isAgain)
            items.push_back(std::move(item));
    }
    return pythonList(std::move(items), expression.kind == Kind::Tuple);
}

PythonValue PythonInterpreter::dictionaryOf(const PythonExpression& expression) {
    std::vector<std::pair<PythonValue, PythonValue>> entries;
    const auto put = [&](PythonValue key, PythonValue value) {
        const auto found =
            std::ranges::find_if(entries, [&](const auto& entry) { return areEqual(entry.first, key); });
        if (found != entries.end())
            found->second = std::move(value);
        else
            entries.emplace_back(std::move(key), std::move(value));
    };
    for (std::size_t i = 0; i + 1 < expression.children.size(); i += 2) {
        const PythonExpression& key = expression.children[i];
        if (key.kind == Kind::Starred) {
            const PythonValue other = evaluate(key.children.at(0));
            const auto* dictionary = other.as<PythonDictionary>();
            if (dictionary == nullptr)
                m_messages.refuse(key.place, "python/unsupported", "only a dictionary is unpacked here",
                                  {"write the entries one by one"});
            for (const auto& entry : *dictionary->entries)
                put(entry.first, entry.second);
            continue;
        }
        PythonValue name = evaluate(key);
        PythonValue value = evaluate(expression.children[i + 1]);
        checkHolds(&entries, value, key.place);
        put(std::move(name), std::move(value));
    }
    return pythonDictionary(std::move(entries));
}

PythonValue PythonInterpreter::comprehension(const PythonExpression& expression) {
    // Its variables are its own.
    PythonNames* const before = openNames(m_names);
    PythonValues made;
    comprehend(expression, 1, made);
    closeNames(before);
    if (expression.text == "dict") {
        PythonValue dictionary = pythonDictionary({});
        auto& entries = *dictionary.as<PythonDictionary>()->entries;
        for (const PythonValue& pair : made) {
            const auto found = std::ranges::find_if(
                entries, [&](const auto& entry) { return areEqual(entry.first, pair.items()[0]); });
            if (found != entries.end())
                found->second = pair.items()[1];
            else
                entries.emplace_back(pair.items()[0], pair.items()[1]);
        }
        return dictionary;
    }
    if (expression.text == "set") {
        PythonValues once;
        for (const PythonValue& item : made)
            if (std::ranges::none_of(once, [&](const auto& one) { return areEqual(one, item); }))
                once.push_back(item);
        made = std::move(once);
    }
    return pythonList(std::move(made), expression.text == "tuple");
}

/// The `for` at `clause` and those behind it.
void PythonInterpreter::comprehend(const PythonExpression& expression, std::size_t clause,
                                   PythonValues& made) {
    if (clause + 2 >= expression.children.size()) {
        made.push_back(evaluate(expression.children.at(0)));
        checkHolds(&made, made.back(), expression.place);
        return;
    }
    const PythonExpression& source = expression.children[clause + 1];
    for (const PythonValue& item : iterate(evaluate(source), source.place)) {
        count(expression.place);
        assign(expression.children[clause], item);
        const bool isWanted =
            std::ranges::all_of(expression.children[clause + 2].children, [&](const auto& condition) {
                return isTrue(evaluate(condition), condition.place);
            });
        if (isWanted)
            comprehend(expression, clause + 3, made);
    }
}

PythonValue PythonInterpreter::formattedText(const PythonExpression& expression) {
    std::string whole;
    for (const PythonExpression& piece : expression.children) {
        if (piece.kind == Kind::Text) {
            whole += piece.text;
            continue;
        }
        const PythonValue value = evaluate(piece.children.at(0));
        if (value.is<PythonData>() || value.is<PythonMethod>())
            return PythonData();
        const auto formatted = formatValue(value, piece.text);
        if (!formatted)
            m_messages.refuse(piece.place, "python/unsupported",
                              fmt::format("the format \"{}\" is not read", quotedName(piece.text)),
                              {"write the text as it is, or with {}"});
        whole += *formatted;
    }
    return pythonText(std::move(whole));
}

PythonValue PythonInterpreter::unary(const PythonExpression& expression) {
    const PythonExpression& operand = expression.children.at(0);
    const PythonValue value = evaluate(operand);
    if (expression.text == "not")
        return pythonConstant(!isTrue(value, operand.place));
    if (const auto* data = value.as<PythonData>()) {
        PythonData result = *data;
        result.placeholder = 0;
        return result;
    }
    if (expression.text == "-")
        if (auto result = m_library.negative(value, expression.place))
            return std::move(*result);
    if (auto result = unaryOperation(expression.text, value))
        return std::move(*result);
    m_messages.refuse(expression.place, "python/unsupported", "this is no number",
                      {"write a number behind the sign"});
}

PythonValue PythonInterpreter::binary(const PythonExpression& expression) {
    const std::string& text = expression.text;
    if (text == "and" || text == "or") {
        PythonValue left = evaluate(expression.children.at(0));
        const bool isLeft = isTrue(left, expression.children[0].place) == (text == "or");
        return isLeft ? std::move(left) : evaluate(expression.children.at(1));
    }
    const PythonValue a = evaluate(expression.children.at(0));
    const PythonValue b = evaluate(expression.children.at(1));
    return operation(text, a, b, expression.place);
}

PythonValue PythonInterpreter::operation(const std::string& text, const PythonValue& a, const PythonValue& b,
                                         PythonPlace place) {
    if (auto result = m_library.binary(text, a, b, place))
        return std::move(*result);
    const auto isUnknown = [](const PythonValue& value) {
        const auto* method = value.as<PythonMethod>();
        return value.is<PythonData>() || (method != nullptr && method->owner->is<PythonData>());
    };
    if (isUnknown(a) || isUnknown(b)) {
        const auto* data = a.is<PythonData>() ? a.as<PythonData>() : b.as<PythonData>();
        PythonData result = data == nullptr ? PythonData() : *data;
        result.placeholder = 0;
        return result;
    }
    if (auto result = binaryOperation(text, a, b)) {
        constexpr std::size_t valuesOfStep = 8; // large lists count, so that they cannot fill the memory
        m_steps += static_cast<std::int64_t>(result->items().size() / valuesOfStep);
        return std::move(*result);
    }
    m_messages.refuse(place, "python/unsupported", fmt::format("\"{}\" is not read here", text),
                      {"it takes numbers, texts, lists and tensors of the model"});
}

} // namespace core
