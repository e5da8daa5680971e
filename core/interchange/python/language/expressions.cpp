// Expressions, except for calls.
#include "core/interchange/python/language/interpreter.h"
#include "core/interchange/python/language/operators.h"
#include "core/interchange/python/language/text_format.h"
#include "core/interchange/python/language/value_methods.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <utility>

namespace core {

namespace {

using Kind = PythonExpression::Kind;

PythonValue fieldNames(const PythonClass& type) {
    PythonValues names;
    for (const PythonField& field : type.fields)
        names.push_back(pythonText(field.name));
    return pythonList(std::move(names), true);
}

bool isProperty(const PythonFunction& function) {
    return std::ranges::any_of(function.declaration().decorators, [](const PythonExpression& decorator) {
        return (decorator.kind == Kind::Name && decorator.text == "property") ||
               decorator.text == "cached_property"; // functools.cached_property
    });
}

bool isOfClass(const PythonFunction& function) {
    return std::ranges::any_of(function.declaration().decorators, [](const PythonExpression& decorator) {
        return decorator.kind == Kind::Name && decorator.text == "classmethod";
    });
}

bool hasOpenBounds(const PythonSlice& slice) {
    return std::ranges::any_of(*slice.bounds, &PythonInterpreter::isOfRun);
}

/// The same of a list of which a run knows the values, or between bounds that it knows.
PythonValue openPartOf(const PythonList& whole, const PythonSlice& slice) {
    const auto size = lengthOf(whole);
    std::int64_t count = PythonData::unknownCount;
    if (hasOpenBounds(slice))
        count = slice.length && (!size || *slice.length <= *size) ? *slice.length : PythonData::unknownCount;
    else if (size)
        count = countOfPlaces(*size, slice);
    if (whole.items->empty() || count == 0)
        return pythonList({}, whole.isTuple);
    const auto* many = whole.items->front().as<PythonData>();
    const bool isMany = many != nullptr && many->standsForMany && many->element != nullptr;
    const PythonValue one = isMany                     ? *many->element
                            : whole.items->size() == 1 ? whole.items->front()
                                                       : likeOthers(whole.items->front());
    if (count < 0 || count > mostFollowed)
        return pythonList({pythonMany(one, count)}, whole.isTuple);
    return pythonList(PythonValues(static_cast<std::size_t>(count), one), whole.isTuple);
}

/// Elements of a list or text between the bounds of a slice.
PythonValue partOf(const PythonValue& whole, const PythonSlice& slice) {
    const std::string* text = whole.isText() ? &whole.constant().get_ref<const std::string&>() : nullptr;
    if (text == nullptr && (hasOpenBounds(slice) || manyIn(whole) != nullptr))
        return openPartOf(*whole.as<PythonList>(), slice);
    if (hasOpenBounds(slice))
        return PythonData();
    const PythonValue places = sliceOfPlaces(text != nullptr ? text->size() : whole.items().size(), slice);
    PythonValues items;
    std::string letters;
    for (const PythonValue& place : places.items()) {
        const auto at = place.constant().get<std::size_t>();
        if (text != nullptr)
            letters += (*text)[at];
        else
            items.push_back(whole.items()[at]);
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
        PythonSlice slice{std::make_shared<const PythonValues>(std::move(bounds))};
        if (hasOpenBounds(slice))
            slice.length = lengthBetween(expression);
        return slice;
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
    case Kind::Conditional:
        return conditional(expression);
    case Kind::Lambda:
        return function(*expression.function);
    case Kind::Comprehension:
        return comprehension(expression);
    case Kind::Assigned: {
        PythonValue value = evaluate(expression.children.at(1));
        PythonNames* names = m_names;
        while (names->isComprehension && names->outer != nullptr)
            names = names->outer;
        PythonNames* const before = std::exchange(m_names, names);
        bind(expression.children[0].text, value);
        m_names = before;
        return value;
    }
    case Kind::FormattedValue:
    case Kind::Starred:
        break;
    }
    m_messages.refuse(expression.place, "python/unsupported", "this expression is not read",
                      {"write the value as it is, or a list of values"});
}

/// One value or the other; what only a run decides is data, as long as nothing of the model depends on it.
PythonValue PythonInterpreter::conditional(const PythonExpression& expression) {
    const PythonExpression& condition = expression.children.at(1);
    const PythonValue value = evaluate(condition);
    if (!isOfRun(value))
        return evaluate(expression.children[isTrue(value, condition.place) ? 0 : 2]);
    const std::string before = m_library.state();
    const PythonValue first = evaluate(expression.children[0]);
    const PythonValue second = evaluate(expression.children[2]);
    if (m_library.state() == before && areEqual(first, second))
        return first;
    if (m_library.state() != before)
        refuseData(condition.place, value, "this condition depends on data",
                   {"write the value that it asks for in the program"});
    return partOfRun(isOfRun(first) ? first : isOfRun(second) ? second : value);
}

/// An expression as a sum of what only a run knows, each times a number, and a number of the program; false:
/// it is no such sum. What is called is not called again.
bool PythonInterpreter::addTerms(const PythonExpression& expression, std::int64_t factor,
                                 std::map<std::string, std::int64_t>& terms) {
    constexpr std::int64_t most = std::int64_t{1} << 31;
    if (factor > most || factor < -most)
        return false;
    const auto isSmall = [](std::int64_t number) { return number <= most && number >= -most; };
    const auto add = [&](const std::string& name, std::int64_t number) {
        return isSmall(number) && !__builtin_add_overflow(terms[name], factor * number, &terms[name]);
    };
    const auto isIn = [&](const char* operators) {
        return expression.kind == Kind::Binary &&
               std::string_view(operators).find(expression.text) != std::string_view::npos;
    };
    if (isIn("+-"))
        return addTerms(expression.children.at(0), factor, terms) &&
               addTerms(expression.children.at(1), expression.text == "-" ? -factor : factor, terms);
    if (isIn("*"))
        for (const std::size_t number : {0U, 1U}) {
            std::map<std::string, std::int64_t> own;
            const PythonExpression& other = expression.children.at(1 - number);
            if (addTerms(expression.children.at(number), 1, own) &&
                std::ranges::all_of(own, [](const auto& term) { return term.first.empty(); }))
                return isSmall(own[""]) && addTerms(other, factor * own[""], terms);
        }
    std::string name;
    const PythonExpression* part = &expression;
    for (; part->kind == Kind::Attribute; part = &part->children.at(0))
        name = "." + part->text + name;
    if (expression.kind == Kind::Integer)
        return add("", expression.integer);
    if (part->kind != Kind::Name || bound(part->text) == nullptr)
        return false;
    const PythonValue value = evaluate(expression);
    return value.isWhole() ? add("", value.constant().get<std::int64_t>()) : add(part->text + name, 1);
}

/// How many places lie between the bounds of a slice, where both are the same but for a number: a[s:s + 8].
std::optional<std::int64_t> PythonInterpreter::lengthBetween(const PythonExpression& slice) {
    std::map<std::string, std::int64_t> terms;
    const bool isWhole = slice.children.at(0).kind != Kind::None && slice.children.at(1).kind != Kind::None &&
                         slice.children.at(2).kind == Kind::None;
    if (!isWhole || !addTerms(slice.children[1], 1, terms) || !addTerms(slice.children[0], -1, terms))
        return std::nullopt;
    const std::int64_t length = terms[""];
    const bool isKnown =
        std::ranges::all_of(terms, [](const auto& term) { return term.first.empty() || term.second == 0; });
    return isKnown && length >= 0 ? std::optional(length) : std::nullopt;
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
    m_messages.raise(name.place, {"NameError", "Exception"}, "python/name",
                     fmt::format("\"{}\" is not defined", quotedName(name.text)),
                     {"define it before it is used, or import it"});
}

PythonValue PythonInterpreter::attribute(const PythonExpression& expression) {
    return attributeOf(evaluate(expression.children.at(0)), expression.text);
}

PythonValue PythonInterpreter::attributeOf(const PythonValue& owner, const std::string& name) {
    if (const auto* symbol = owner.as<PythonLibraryName>())
        return named(m_library.fullName(symbol->path + "." + name));
    if (const auto* object = owner.as<PythonInstance>()) {
        if (const auto found = object->attributes->find(name); found != object->attributes->end())
            return found->second;
        if (const PythonValue* shared = object->definition->attribute(name)) {
            const auto* descriptor = shared->as<PythonInstance>();
            if (descriptor == nullptr || descriptor->definition->function("__get__") == nullptr)
                return *shared;
            PythonArguments owners{{owner, PythonClassName{object->definition}}, {}, {}};
            return callOwn(PythonInstance(*descriptor), "__get__", owners);
        }
        if (object->definition->kind == PythonClassKind::Module)
            if (auto part = moduleObject(object->definition->name + "." + name))
                return std::move(*part);
        if (name == "__class__")
            return PythonClassName{object->definition};
        if (name == "_fields" && object->definition->kind == PythonClassKind::NamedTuple)
            return fieldNames(*object->definition);
        if (name == "__dict__") {
            return dictionaryOfAttributes(object->attributes);
        }
        const PythonFunction* own = object->above == nullptr ? nullptr : object->above->function(name);
        if (own != nullptr && isProperty(*own)) {
            PythonArguments none;
            none.place = own->definition->place;
            return callOwn(*object, name, none);
        }
        if (auto absent = absentAttribute(*this, *object, name, {}))
            return std::move(*absent);
    }
    if (const auto* type = owner.as<PythonClassName>(); type != nullptr && type->above != nullptr) {
        const PythonValue* shared = type->above->attribute(name);
        return shared != nullptr
                   ? *shared
                   : PythonValue(PythonMethod{std::make_shared<const PythonValue>(owner), name});
    }
    if (const auto* type = owner.as<PythonClassName>()) {
        if (const PythonValue* shared = type->definition->attribute(name))
            return *shared;
        if (name == "__name__")
            return pythonText(type->definition->name);
        if (name == "_fields" && type->definition->kind == PythonClassKind::NamedTuple)
            return fieldNames(*type->definition);
        if (const PythonFunction* own = type->definition->function(name))
            return isOfClass(*own)
                       ? PythonValue(PythonMethod{std::make_shared<const PythonValue>(owner), name})
                       : PythonValue(*own);
    }
    if (const auto* own = owner.as<PythonFunction>(); own != nullptr && name == "__name__")
        return pythonText(own->definition->text);
    if (const auto* own = owner.as<PythonFunction>();
        own != nullptr && name == "__defaults__" && own->defaults) {
        PythonValues defaults;
        for (const auto& parameter : own->definition->parameters)
            if (const auto found = own->defaults->find(parameter.name); found != own->defaults->end())
                defaults.push_back(found->second);
        return pythonList(std::move(defaults), true);
    }
    if (auto value = m_library.attribute(owner, name))
        return std::move(*value);
    return PythonMethod{std::make_shared<const PythonValue>(owner), name};
}

bool PythonInterpreter::hasAttribute(const PythonValue& owner, const std::string& name) const {
    if (const auto* object = owner.as<PythonInstance>())
        return object->attributes->contains(name) || object->definition->attribute(name) != nullptr ||
               object->definition->function(name) != nullptr;
    if (const auto* type = owner.as<PythonClassName>())
        return type->definition->attribute(name) != nullptr || type->definition->function(name) != nullptr;
    return m_library.attribute(owner, name).has_value() || findValueMethod(owner, name) != nullptr;
}

PythonValue PythonInterpreter::subscript(const PythonExpression& expression) {
    const PythonValue owner = evaluate(expression.children.at(0));
    if (const auto* library = owner.as<PythonLibraryName>()) {
        const PythonValue index = evaluate(expression.children.at(1));
        if (index.isText()) // a member of an enumeration by its name
            return PythonLibraryName{library->path + "." + index.constant().get<std::string>()};
        if (auto made = m_library.element(owner, index, expression.place))
            return std::move(*made);
    }
    if (owner.is<PythonLibraryName>() || owner.is<PythonMethod>()) {
        const auto* method = owner.as<PythonMethod>();
        const auto* data = method == nullptr ? nullptr : method->owner->as<PythonData>();
        PythonData part;
        part.origin = data == nullptr ? std::string() : data->origin;
        part.unread = data == nullptr ? std::string() : data->unread;
        return part;
    }
    if (owner.is<PythonData>()) {
        PythonValue part =
            m_library.element(owner, evaluate(expression.children.at(1)), expression.place).value_or(owner);
        keepUnread(owner, part);
        return part;
    }
    return elementOf(owner, evaluate(expression.children.at(1)), expression.place,
                     expression.children[1].place);
}

PythonValue PythonInterpreter::elementOf(const PythonValue& owner, const PythonValue& index,
                                         PythonPlace place, PythonPlace indexPlace) {
    if (const auto* object = index.as<PythonInstance>();
        object != nullptr && (owner.is<PythonList>() || owner.isText()) &&
        object->definition->function("__index__") != nullptr) {
        PythonArguments none{{}, {}, indexPlace};
        return elementOf(owner, callOwn(*object, "__index__", none), place, indexPlace);
    }
    const auto* list = owner.as<PythonList>();
    const bool isSequence = (list != nullptr && !list->isSet && !list->isIterator) || owner.isText();
    if (const auto* slice = index.as<PythonSlice>(); slice != nullptr && isSequence)
        return partOf(owner, *slice);
    if (const PythonValue* many = isSequence && !isOfRun(index) ? manyIn(owner) : nullptr) {
        const auto* data = many->as<PythonData>(); // one is like the others
        return list->items->size() == 1 && data->element != nullptr ? *data->element : partOfRun(*many);
    }
    if (isSequence && index.isWhole()) {
        const auto count = static_cast<std::int64_t>(
            owner.isText() ? owner.constant().get_ref<const std::string&>().size() : owner.items().size());
        const auto at = index.constant().get<std::int64_t>();
        const std::int64_t chosen = at < 0 ? at + count : at;
        if (chosen >= 0 && chosen < count && owner.isText())
            return pythonText(std::string(
                1, owner.constant().get_ref<const std::string&>()[static_cast<std::size_t>(chosen)]));
        if (chosen >= 0 && chosen < count)
            return owner.items()[static_cast<std::size_t>(chosen)];
        m_messages.raise(place, {"IndexError", "LookupError", "Exception"}, "python/unsupported",
                         fmt::format("place {} is not among what is read here", at),
                         {count == 0 ? std::string("it is empty: put values in before")
                                     : fmt::format("its places count from 0 to {}", count - 1)});
    }
    if (const auto* dictionary = owner.as<PythonDictionary>();
        dictionary != nullptr && (!isOfRun(index) || dictionary->missing != nullptr)) {
        // One entry stands for those that only a run knows.
        const auto found = std::ranges::find_if(*dictionary->entries, [&](const auto& entry) {
            return isOfRun(index) ? isOfRun(entry.first) : areEqual(entry.first, index);
        });
        if (found != dictionary->entries->end())
            return found->second;
        if (dictionary->missing != nullptr) {
            PythonArguments none{{}, {}, place};
            PythonValue made = call(*dictionary->missing, none);
            dictionary->entries->emplace_back(index, made);
            return made;
        }
        m_messages.raise(
            place, {"KeyError", "LookupError", "Exception"}, "python/unsupported",
            fmt::format("{} is not among what is read here", index.isText() || index.isNumber()
                                                                 ? formatValue(index, "!r").value_or("this")
                                                                 : "this"),
            {"take an entry that the dictionary has, or .get(key, value)"});
    }
    if (const auto* object = owner.as<PythonInstance>()) {
        if (object->definition->kind == PythonClassKind::NamedTuple)
            return elementOf(pythonList(iterate(owner, place), true), index, place, indexPlace);
        PythonArguments one{{index}, {}, place};
        return callOwn(*object, "__getitem__", one);
    }
    if (const auto* type = owner.as<PythonClassName>();
        type != nullptr && type->definition->kind == PythonClassKind::Enumeration && index.isText())
        if (const PythonValue* entry = type->definition->attribute(index.constant().get<std::string>()))
            return *entry;
    if (auto value = m_library.element(owner, index, indexPlace))
        return std::move(*value);
    // Whichever it is, it is data.
    const bool isAnyData = isSequence && list != nullptr && isOfRun(index) && !list->items->empty() &&
                           std::ranges::all_of(*list->items, [](const PythonValue& item) {
                               return item.is<PythonData>() || item.isNumber();
                           });
    if (isAnyData)
        return list->items->front().is<PythonData>() ? list->items->front() : PythonValue(PythonData());
    const bool areTexts = owner.isText() || (isSequence && list != nullptr && !list->items->empty() &&
                                             std::ranges::all_of(*list->items, &PythonValue::isText));
    if (isOfRun(index) && (areTexts || owner.is<PythonDictionary>()))
        return partOfRun(index); // which one only a run knows
    if (isOfRun(index) && isSequence && list != nullptr && !list->items->empty() &&
        std::ranges::all_of(*list->items, [&](const PythonValue& item) {
            return isSample(item) && item.items().size() == list->items->front().items().size();
        }))
        return likeOthers(list->items->front());
    m_messages.refuse(place, "python/unsupported", "this is not among what is read here",
                      {"take an entry that the list or dictionary has"});
}

PythonValue PythonInterpreter::listOf(const PythonExpression& expression) {
    PythonValues items;
    for (const PythonExpression& child : expression.children) {
        if (child.kind == Kind::Starred) {
            const PythonValues more = starred(child);
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
    if (expression.kind == Kind::Set)
        return pythonSet(std::move(items));
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
            if (other.is<PythonData>()) // which entries it has only a run knows
                return other;
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
    m_names->isComprehension = true;
    PythonValues made;
    const bool outer = std::exchange(m_isOfRun, false);
    comprehend(expression, 1, made);
    closeNames(before);
    if (std::exchange(m_isOfRun, outer)) {
        PythonValue part = made.empty() ? PythonValue(PythonData()) : partOfRun(made.front());
        const auto* source = m_sourceOfRun.as<PythonData>();
        if (auto* data = std::get_if<PythonData>(&part.content);
            data != nullptr && source != nullptr && data->origin.empty() && data->unread.empty()) {
            data->origin = source->origin; // why it is not known
            data->unread = source->unread;
            data->cure = source->cure;
        }
        return part;
    }
    const bool hasKeys = expression.text == "dict" || expression.text == "set";
    if (const PythonValue whole = pythonList(made); hasKeys && manyIn(whole) != nullptr)
        return partOfRun(*manyIn(whole)); // which of its keys are the same only a run knows
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
    if (expression.text == "set")
        return pythonSet(std::move(made));
    return expression.text == "tuple" ? pythonIterator(std::move(made)) : pythonList(std::move(made));
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
    const PythonValue given = evaluate(source);
    const PythonValue* many = manyIn(given);
    const PythonValue values = many != nullptr ? *many : given;
    const bool isWhole = many == nullptr || given.items().size() == 1;
    const auto rounds = isWhole ? m_library.rounds(values) : std::nullopt;
    const bool hasMembers = m_library.members(values).has_value();
    if (!hasMembers && (isOfRun(values) || rounds) && (!rounds || rounds->count < 0)) {
        m_isOfRun = true;
        m_sourceOfRun = partOfRun(values);
        if (m_library.followsParts()) {
            assign(expression.children[clause], partOfRun(values));
            comprehend(expression, clause + 3, made);
        }
        return;
    }
    if (rounds && rounds->count > mostFollowed)
        return comprehendOnce(expression, clause, *rounds, made);
    for (const PythonValue& item : iterate(values, source.place)) {
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

/// Of too many rounds to be followed one by one, one stands for all.
void PythonInterpreter::comprehendOnce(const PythonExpression& expression, std::size_t clause,
                                       const PythonRounds& rounds, PythonValues& made) {
    assign(expression.children[clause],
           likeOthers(rounds.isNumbered ? pythonList({pythonConstant(0), rounds.element}, true)
                                        : rounds.element));
    for (const PythonExpression& condition : expression.children[clause + 2].children) {
        const PythonValue isWanted = evaluate(condition);
        if (isOfRun(isWanted)) { // how many it takes only a run knows
            m_isOfRun = true;
            m_sourceOfRun = partOfRun(isWanted);
        } else if (!isTrue(isWanted, condition.place))
            return;
    }
    PythonValues inner;
    comprehend(expression, clause + 3, inner);
    std::int64_t all = PythonData::unknownCount;
    const auto each = lengthOf(*pythonList(inner).as<PythonList>());
    if (inner.empty())
        return;
    if (!each || __builtin_mul_overflow(*each, rounds.count, &all))
        all = PythonData::unknownCount;
    const auto* many = inner.front().as<PythonData>();
    const bool isMany = many != nullptr && many->standsForMany && many->element != nullptr;
    made.push_back(pythonMany(isMany ? *many->element : inner.front(), all));
}

PythonValue PythonInterpreter::unary(const PythonExpression& expression) {
    const PythonExpression& operand = expression.children.at(0);
    const PythonValue value = evaluate(operand);
    if (expression.text == "not" && isOfRun(value))
        return value;
    if (expression.text == "not")
        return pythonConstant(!isTrue(value, operand.place));
    if (const auto* object = value.as<PythonInstance>()) {
        const char* const name = expression.text == "-"   ? "__neg__"
                                 : expression.text == "+" ? "__pos__"
                                                          : "__invert__";
        if (object->definition->function(name) != nullptr) {
            PythonArguments none{{}, {}, expression.place};
            return callOwn(*object, name, none);
        }
    }
    if (expression.text == "-")
        if (auto result = m_library.negative(value, expression.place))
            return std::move(*result);
    if (const auto* data = value.as<PythonData>()) {
        PythonData result = *data;
        result.placeholder = 0;
        if (expression.text == "~" && data->array != nullptr)
            return m_library.binary("^", value, pythonConstant(true), expression.place).value_or(result);
        return result;
    }
    if (auto result = unaryOperation(expression.text, value))
        return std::move(*result);
    m_messages.refuse(expression.place, "python/unsupported", "this is no number",
                      {"write a number behind the sign"});
}

PythonValue PythonInterpreter::binary(const PythonExpression& expression) {
    const std::string& text = expression.text;
    if (text == "and" || text == "or") {
        PythonValue left = evaluate(expression.children.at(0));
        if (isOfRun(left))
            return PythonData();
        const bool isLeft = isTrue(left, expression.children[0].place) == (text == "or");
        return isLeft ? std::move(left) : evaluate(expression.children.at(1));
    }
    const PythonValue a = evaluate(expression.children.at(0));
    const PythonValue b = evaluate(expression.children.at(1));
    return operation(text, a, b, expression.place);
}

} // namespace core
