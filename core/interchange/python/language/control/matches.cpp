// `match`: the case whose pattern a value has.
#include "core/interchange/python/language/interpreter.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

using Kind = PythonExpression::Kind;

/// Classes of Python whose one place in a pattern is the value itself.
constexpr std::array<std::string_view, 9> wholeClasses{"builtin.int",   "builtin.float", "builtin.str",
                                                       "builtin.bool",  "builtin.list",  "builtin.dict",
                                                       "builtin.tuple", "builtin.set",   "builtin.frozenset"};

} // namespace

PythonInterpreter::Outcome PythonInterpreter::matchStatement(const PythonStatement& entry) {
    return followCases(entry, evaluate(entry.values.at(0)), 0);
}

/// The cases from `first` on. One that only a run decides is followed like an `if`.
PythonInterpreter::Outcome PythonInterpreter::followCases(const PythonStatement& entry,
                                                          const PythonValue& subject, std::size_t first) {
    for (std::size_t at = first; at < entry.handlers.size(); ++at) {
        const PythonStatement& one = entry.handlers[at];
        PythonMatch fits = matches(one.values.at(0), subject);
        PythonValue condition = subject;
        if (fits != PythonMatch::No && one.values.size() > 1) {
            const PythonValue guard = evaluate(one.values[1]);
            if (isOfRun(guard)) {
                condition = guard;
                fits = PythonMatch::OfRun;
            } else if (!isTrue(guard, one.values[1].place)) {
                fits = PythonMatch::No;
            }
        }
        if (fits == PythonMatch::No)
            continue;
        if (fits == PythonMatch::Yes)
            return block(one.body);
        const PythonValue open = isOfRun(condition) ? condition : PythonValue(PythonData());
        const Names before = namesNow();
        noteUnknownEnd(followUnknownWay([&] { return block(one.body); }, open, one.place), one.place, open);
        const Names other = namesNow();
        restoreNames(before);
        noteUnknownEnd(followUnknownWay([&] { return followCases(entry, subject, at + 1); }, open, one.place),
                       one.place, open);
        joinNames(before, other, open);
        return {};
    }
    return {};
}

/// Whether a value has a pattern, whose names are bound then.
PythonMatch PythonInterpreter::matches(const PythonExpression& pattern, const PythonValue& value) {
    switch (pattern.kind) {
    case Kind::Name:
        if (pattern.text != "_")
            bind(pattern.text, value);
        return PythonMatch::Yes;
    case Kind::Assigned: {
        const PythonMatch fits = matches(pattern.children.at(1), value);
        if (fits != PythonMatch::No)
            bind(pattern.children.at(0).text, value);
        return fits;
    }
    case Kind::Binary: {
        if (pattern.text != "|")
            return matchesValue(pattern, value);
        const PythonMatch left = matches(pattern.children.at(0), value);
        return left == PythonMatch::Yes ? left : std::max(left, matches(pattern.children.at(1), value));
    }
    case Kind::List:
    case Kind::Tuple:
        return matchesSequence(pattern, value);
    case Kind::Dictionary:
        return matchesMapping(pattern, value);
    case Kind::Call:
        return matchesClass(pattern, value);
    default:
        return matchesValue(pattern, value);
    }
}

PythonMatch PythonInterpreter::matchesValue(const PythonExpression& pattern, const PythonValue& value) {
    if (isOfRun(value))
        return PythonMatch::OfRun;
    const bool isSingle = pattern.kind == Kind::None || pattern.kind == Kind::Boolean;
    const PythonValue answer = operation(isSingle ? "is" : "==", value, evaluate(pattern), pattern.place);
    if (isOfRun(answer))
        return PythonMatch::OfRun;
    return isTrue(answer, pattern.place) ? PythonMatch::Yes : PythonMatch::No;
}

PythonMatch PythonInterpreter::matchesSequence(const PythonExpression& pattern, const PythonValue& value) {
    const auto* list = value.as<PythonList>();
    const auto* object = value.as<PythonInstance>();
    const bool isTuple = object != nullptr && object->definition->kind == PythonClassKind::NamedTuple;
    const bool isList = list != nullptr && !list->isSet && !list->isIterator;
    const bool isOpen = isOfRun(value) || manyIn(value) != nullptr;
    if (!isOpen && !isList && !isTuple)
        return PythonMatch::No;
    const PythonValues items = isOpen ? PythonValues() : iterate(value, pattern.place);
    const auto star = std::ranges::find(pattern.children, Kind::Starred, &PythonExpression::kind);
    const bool hasStar = star != pattern.children.end();
    const std::size_t least = pattern.children.size() - (hasStar ? 1 : 0);
    if (!isOpen && (items.size() < least || (!hasStar && items.size() > least)))
        return PythonMatch::No;
    const auto before = static_cast<std::size_t>(star - pattern.children.begin());
    PythonMatch whole = isOpen ? PythonMatch::OfRun : PythonMatch::Yes;
    for (std::size_t i = 0, at = 0; i < pattern.children.size() && whole != PythonMatch::No; ++i) {
        const PythonExpression& part = pattern.children[i];
        if (isOpen) {
            static_cast<void>(
                matches(part.kind == Kind::Starred ? part.children.at(0) : part, partOfRun(value)));
        } else if (hasStar && i == before) {
            const std::size_t taken = items.size() - least;
            const auto begin = items.begin() + static_cast<std::ptrdiff_t>(at);
            whole = std::min(whole, matches(part.children.at(0),
                                            pythonList({begin, begin + static_cast<std::ptrdiff_t>(taken)})));
            at += taken;
        } else {
            whole = std::min(whole, matches(part, items[at++]));
        }
    }
    return whole;
}

PythonMatch PythonInterpreter::matchesMapping(const PythonExpression& pattern, const PythonValue& value) {
    const auto* dictionary = value.as<PythonDictionary>();
    if (dictionary == nullptr && !isOfRun(value))
        return PythonMatch::No;
    PythonMatch whole = dictionary == nullptr ? PythonMatch::OfRun : PythonMatch::Yes;
    std::vector<std::pair<PythonValue, PythonValue>> rest;
    if (dictionary != nullptr)
        rest = *dictionary->entries;
    for (std::size_t i = 0; i + 1 < pattern.children.size() && whole != PythonMatch::No; i += 2) {
        const PythonExpression& key = pattern.children[i];
        if (key.kind == Kind::Starred) {
            bind(key.children.at(0).text, dictionary == nullptr ? partOfRun(value) : pythonDictionary(rest));
            continue;
        }
        if (dictionary == nullptr) {
            static_cast<void>(matches(pattern.children[i + 1], partOfRun(value)));
            continue;
        }
        const PythonValue wanted = evaluate(key);
        const auto entry =
            std::ranges::find_if(rest, [&](const auto& one) { return areEqual(one.first, wanted); });
        if (entry == rest.end())
            return PythonMatch::No;
        whole = std::min(whole, matches(pattern.children[i + 1], entry->second));
        rest.erase(entry);
    }
    return whole;
}

PythonMatch PythonInterpreter::matchesClass(const PythonExpression& pattern, const PythonValue& value) {
    const PythonValue type = evaluate(pattern.children.at(0));
    PythonArguments asked{{value, type}, {}, pattern.place};
    const PythonValue is = call(PythonLibraryName{"builtin.isinstance"}, asked);
    PythonMatch whole = isOfRun(is) ? PythonMatch::OfRun : PythonMatch::Yes;
    if (!isOfRun(is) && !isTrue(is, pattern.place))
        return PythonMatch::No;
    const auto* library = type.as<PythonLibraryName>();
    const auto* own = type.as<PythonClassName>();
    const bool isWhole =
        library != nullptr && std::ranges::find(wholeClasses, library->path) != wholeClasses.end();
    std::vector<std::string> places;
    if (own != nullptr) {
        if (const PythonValue* named = own->definition->attribute("__match_args__"))
            for (const PythonValue& name : named->items())
                places.push_back(text(name, pattern.place));
        else
            for (const PythonField& field : own->definition->fields)
                places.push_back(field.name);
    }
    const auto follow = [&](const std::string& name, const PythonExpression& part) {
        if (!isOfRun(value) && !hasAttribute(value, name))
            return PythonMatch::No;
        return matches(part, isOfRun(value) ? partOfRun(value) : attributeOf(value, name));
    };
    for (std::size_t i = 1; i < pattern.children.size() && whole != PythonMatch::No; ++i) {
        const PythonExpression& part = pattern.children[i];
        if (isWhole && i == 1)
            whole = std::min(whole, matches(part, value));
        else if (i <= places.size())
            whole = std::min(whole, follow(places[i - 1], part));
        else
            m_messages.raise(part.place, {"TypeError", "Exception"}, "python/value",
                             "the class of this pattern has no such place",
                             {"name the attribute: Class(name=pattern)"});
    }
    for (const auto& [name, part] : pattern.keywords)
        whole = whole == PythonMatch::No ? whole : std::min(whole, follow(name, part));
    return whole;
}

} // namespace core
