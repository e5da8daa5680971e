// The functions of lists, sets and dictionaries.
#include "core/interchange/python/language/value_methods.h"

#include "core/interchange/python/language/operators.h"
#include "core/interchange/python/language/text_format.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <span>
#include <utility>

namespace core {

namespace {

using Call = PythonValueCall;

[[noreturn]] void refuse(const Call& call, std::string message, std::string cure) {
    call.interpreter.messages().refuse(call.arguments.place, "python/value", std::move(message),
                                       {std::move(cure)});
}

const PythonValue& first(const Call& call) {
    if (call.arguments.list.empty())
        refuse(call, fmt::format("{}() lacks its argument", call.name), "pass it in the brackets");
    return call.arguments.list.front();
}

// ---- lists ----------------------------------------------------------------------------------------------

PythonValues& changed(const Call& call) {
    const auto* list = call.owner.as<PythonList>();
    if (list->isTuple)
        refuse(call, fmt::format("a tuple has no {}()", call.name), "make a list of it: list(…)");
    return *list->items;
}

void put(const Call& call, std::size_t at, const PythonValue& value) {
    PythonValues& items = changed(call);
    constexpr std::size_t longest = 1000000;
    if (!canHold(&items, value) || items.size() >= longest)
        call.interpreter.messages().refuse(call.arguments.place, "python/endless",
                                           "this list would hold itself, or is too large",
                                           {"put its values into one list, one after the other"});
    if (at >= items.size())
        appendValue(items, value);
    else
        items.insert(items.begin() + static_cast<std::ptrdiff_t>(at), value);
    trimFront(items, call.owner.as<PythonList>()->longest);
}

std::size_t placeIn(const Call& call, std::size_t size, bool mayBeEnd) {
    const PythonValue& index = first(call);
    const std::int64_t count = static_cast<std::int64_t>(size);
    std::int64_t at = index.isWhole() ? index.constant().get<std::int64_t>() : count;
    at = at < 0 ? at + count : at;
    if (mayBeEnd)
        at = std::clamp<std::int64_t>(at, 0, count);
    if (at < 0 || (!mayBeEnd && at >= count))
        refuse(call, "the list has no such place", fmt::format("its places count from 0 to {}", count - 1));
    return static_cast<std::size_t>(at);
}

PythonValue append(const Call& call) {
    put(call, changed(call).size(), first(call));
    return {};
}

PythonValue extend(const Call& call) {
    if (const auto* data = first(call).as<PythonData>()) {
        PythonData many = *data;
        many.standsForMany = true;
        put(call, changed(call).size(), many);
        return {};
    }
    for (const PythonValue& item : call.interpreter.iterate(first(call), call.arguments.place))
        put(call, changed(call).size(), item);
    return {};
}

PythonValue insert(const Call& call) {
    if (call.arguments.list.size() < 2)
        refuse(call, "insert() takes a place and a value", "write insert(0, value)");
    put(call, placeIn(call, changed(call).size(), true), call.arguments.list[1]);
    return {};
}

PythonValue pop(const Call& call) {
    PythonValues& items = changed(call);
    if (items.empty())
        refuse(call, "pop() of an empty list", "append to it before");
    const std::size_t at =
        call.arguments.list.empty() ? items.size() - 1 : placeIn(call, items.size(), false);
    PythonValue taken = items[at];
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(at));
    return taken;
}

/// Of a deque: at its front, where its last value goes when it is full.
PythonValue appendLeft(const Call& call) {
    PythonValues& items = changed(call);
    const std::int64_t most = call.owner.as<PythonList>()->longest;
    if (most >= 0 && static_cast<std::int64_t>(items.size()) >= most && !items.empty())
        items.pop_back();
    put(call, 0, first(call));
    return {};
}

PythonValue popLeft(const Call& call) {
    PythonValues& items = changed(call);
    if (items.empty())
        refuse(call, "popleft() of an empty deque", "append to it before");
    PythonValue taken = items.front();
    items.erase(items.begin());
    return taken;
}

PythonValue reverse(const Call& call) {
    std::ranges::reverse(changed(call));
    return {};
}

PythonValue copyList(const Call& call) {
    return call.owner.as<PythonList>()->isSet ? pythonSet(call.owner.items())
                                              : pythonList(call.owner.items());
}

PythonValue indexOf(const Call& call) {
    if (first(call).is<PythonData>())
        return PythonData();
    const auto found = std::ranges::find_if(
        call.owner.items(), [&](const PythonValue& item) { return areEqual(item, first(call)); });
    if (found == call.owner.items().end())
        refuse(call, "the list has no such value", "ask with \"in\" before");
    return pythonConstant(found - call.owner.items().begin());
}

PythonValue countOf(const Call& call) {
    return pythonConstant(std::ranges::count_if(
        call.owner.items(), [&](const PythonValue& item) { return areEqual(item, first(call)); }));
}

// ---- dictionaries ---------------------------------------------------------------------------------------

PythonValue dictionaryParts(const Call& call) {
    PythonValues parts;
    for (const auto& [key, value] : *call.owner.as<PythonDictionary>()->entries)
        parts.push_back(call.name == "keys"     ? key
                        : call.name == "values" ? value
                                                : pythonList({key, value}, true));
    return pythonList(std::move(parts));
}

/// most_common(n) of a collections.Counter: the highest counts first.
PythonValue mostCommon(const Call& call) {
    auto entries = *call.owner.as<PythonDictionary>()->entries;
    if (!std::ranges::all_of(entries, [](const auto& entry) { return entry.second.isWhole(); }))
        return PythonData();
    std::ranges::stable_sort(entries, std::ranges::greater(), [](const auto& entry) {
        return entry.second.constant().template get<std::int64_t>();
    });
    const bool isLimited = !call.arguments.list.empty() && call.arguments.list[0].isWhole();
    const std::int64_t most = isLimited ? call.arguments.list[0].constant().get<std::int64_t>() : 0;
    PythonValues pairs;
    for (const auto& [key, count] : entries) {
        if (isLimited && static_cast<std::int64_t>(pairs.size()) >= most)
            break;
        pairs.push_back(pythonList({key, count}, true));
    }
    return pythonList(std::move(pairs));
}

/// elements() of a collections.Counter: each as often as it was counted.
PythonValue countedElements(const Call& call) {
    constexpr std::int64_t most = 100'000;
    PythonValues elements;
    for (const auto& [key, count] : *call.owner.as<PythonDictionary>()->entries) {
        if (!count.isWhole() ||
            count.constant().get<std::int64_t>() + static_cast<std::int64_t>(elements.size()) > most)
            return PythonData();
        for (std::int64_t i = 0; i < count.constant().get<std::int64_t>(); ++i)
            elements.push_back(key);
    }
    return pythonList(std::move(elements));
}

PythonValue get(const Call& call) {
    for (const auto& [key, value] : *call.owner.as<PythonDictionary>()->entries)
        if (areEqual(key, first(call)))
            return value;
    return call.arguments.list.size() > 1 ? call.arguments.list[1] : PythonValue();
}

PythonValue update(const Call& call) {
    auto& entries = *call.owner.as<PythonDictionary>()->entries;
    const auto set = [&](const PythonValue& key, const PythonValue& value) {
        if (!canHold(&entries, value))
            refuse(call, "this dictionary would hold itself", "put its entries in one by one");
        const auto found =
            std::ranges::find_if(entries, [&](const auto& entry) { return areEqual(entry.first, key); });
        if (found != entries.end())
            found->second = value;
        else
            entries.emplace_back(key, value);
    };
    for (const PythonValue& other : call.arguments.list) {
        const auto* dictionary = other.as<PythonDictionary>();
        if (dictionary == nullptr)
            refuse(call, "update() takes a dictionary", "write its entries in braces");
        const auto given = *dictionary->entries;
        for (const auto& [key, value] : given)
            set(key, value);
    }
    for (const auto& [key, value] : call.arguments.keywords)
        set(pythonText(key), value);
    return {};
}

PythonValue copyDictionary(const Call& call) {
    return pythonDictionary(*call.owner.as<PythonDictionary>()->entries);
}

// ---- more of lists and dictionaries ---------------------------------------------------------------------

PythonValue clearList(const Call& call) {
    changed(call).clear();
    return {};
}

PythonValue removeOne(const Call& call) {
    PythonValues& items = changed(call);
    const auto found =
        std::ranges::find_if(items, [&](const PythonValue& item) { return areEqual(item, first(call)); });
    if (found != items.end())
        items.erase(found);
    else if (call.name == "remove")
        call.interpreter.messages().raise(call.arguments.place, {"ValueError", "Exception"}, "python/value",
                                          "the list has no such value", {"ask with \"in\" before"});
    return {};
}

PythonValue sortList(const Call& call) {
    PythonValues& items = changed(call);
    PythonArguments arguments{{pythonList(items)}, call.arguments.keywords, call.arguments.place};
    PythonValue sorted = call.interpreter.call(PythonLibraryName{"builtin.sorted"}, arguments);
    items = sorted.items();
    return {};
}

PythonValue addToSet(const Call& call) {
    PythonValues& items = changed(call);
    if (std::ranges::none_of(items, [&](const PythonValue& item) { return areEqual(item, first(call)); }))
        put(call, items.size(), first(call));
    return {};
}

PythonValue updateSet(const Call& call) {
    for (const PythonValue& other : call.arguments.list)
        for (const PythonValue& item : call.interpreter.iterate(other, call.arguments.place)) {
            PythonArguments one{{item}, {}, call.arguments.place};
            static_cast<void>(addToSet({call.interpreter, call.owner, call.name, one}));
        }
    return {};
}

/// union(), intersection(), difference() and symmetric_difference().
PythonValue combinedSet(const Call& call) {
    const std::string text = call.name == "union"          ? "|"
                             : call.name == "intersection" ? "&"
                             : call.name == "difference"   ? "-"
                                                           : "^";
    PythonValue result = pythonSet(call.owner.items());
    for (const PythonValue& other : call.arguments.list)
        result = call.interpreter.operation(text, result,
                                            pythonSet(call.interpreter.iterate(other, call.arguments.place)),
                                            call.arguments.place);
    return result;
}

PythonValue compareSets(const Call& call) {
    if (first(call).is<PythonData>())
        return PythonData();
    const PythonValues other = call.interpreter.iterate(first(call), call.arguments.place);
    const auto within = [](const PythonValues& inner, const PythonValues& outer) {
        return std::ranges::all_of(inner, [&](const PythonValue& item) {
            return std::ranges::any_of(outer, [&](const PythonValue& one) { return areEqual(one, item); });
        });
    };
    if (call.name == "issubset")
        return pythonConstant(within(call.owner.items(), other));
    if (call.name == "issuperset")
        return pythonConstant(within(other, call.owner.items()));
    return pythonConstant(std::ranges::none_of(other, [&](const PythonValue& item) {
        return std::ranges::any_of(call.owner.items(), [&](const auto& one) { return areEqual(one, item); });
    }));
}

PythonValue setDefault(const Call& call) {
    auto& entries = *call.owner.as<PythonDictionary>()->entries;
    for (const auto& [key, value] : entries)
        if (areEqual(key, first(call)))
            return value;
    PythonValue value = call.arguments.list.size() > 1 ? call.arguments.list[1] : PythonValue();
    if (!canHold(&entries, value))
        refuse(call, "this dictionary would hold itself", "put its entries in one by one");
    entries.emplace_back(first(call), value);
    return value;
}

PythonValue popEntry(const Call& call) {
    auto& entries = *call.owner.as<PythonDictionary>()->entries;
    if (call.name == "popitem" && !entries.empty()) {
        PythonValue last = pythonList({entries.back().first, entries.back().second}, true);
        entries.pop_back();
        return last;
    }
    const auto found =
        call.name == "popitem" ? entries.end() : std::ranges::find_if(entries, [&](const auto& entry) {
            return areEqual(entry.first, first(call));
        });
    if (found != entries.end()) {
        PythonValue value = found->second;
        entries.erase(found);
        return value;
    }
    if (call.arguments.list.size() > 1)
        return call.arguments.list[1];
    call.interpreter.messages().raise(call.arguments.place, {"KeyError", "LookupError", "Exception"},
                                      "python/value", "the dictionary has no such entry",
                                      {"give pop() a second argument: what it answers then"});
}

PythonValue clearDictionary(const Call& call) {
    call.owner.as<PythonDictionary>()->entries->clear();
    return {};
}

/// What bars that show how far a loop is are told; the loop is over their list.
PythonValue tellBar(const Call&) {
    return {};
}

struct NamedMethod {
    std::string_view name;
    PythonValueMethod method;
};
constexpr std::array<NamedMethod, 19> listMethods{{{"append", append},
                                                   {"appendleft", appendLeft},
                                                   {"popleft", popLeft},
                                                   {"extend", extend},
                                                   {"insert", insert},
                                                   {"pop", pop},
                                                   {"reverse", reverse},
                                                   {"copy", copyList},
                                                   {"index", indexOf},
                                                   {"count", countOf},
                                                   {"clear", clearList},
                                                   {"remove", removeOne},
                                                   {"sort", sortList},
                                                   {"set_description", tellBar},
                                                   {"set_description_str", tellBar},
                                                   {"set_postfix", tellBar},
                                                   {"set_postfix_str", tellBar},
                                                   {"refresh", tellBar},
                                                   {"close", tellBar}}};
constexpr std::array<NamedMethod, 14> setMethods{{{"add", addToSet},
                                                  {"discard", removeOne},
                                                  {"remove", removeOne},
                                                  {"pop", pop},
                                                  {"clear", clearList},
                                                  {"copy", copyList},
                                                  {"update", updateSet},
                                                  {"union", combinedSet},
                                                  {"intersection", combinedSet},
                                                  {"difference", combinedSet},
                                                  {"symmetric_difference", combinedSet},
                                                  {"issubset", compareSets},
                                                  {"issuperset", compareSets},
                                                  {"isdisjoint", compareSets}}};
constexpr std::array<NamedMethod, 12> dictionaryMethods{{{"keys", dictionaryParts},
                                                         {"values", dictionaryParts},
                                                         {"items", dictionaryParts},
                                                         {"most_common", mostCommon},
                                                         {"elements", countedElements},
                                                         {"get", get},
                                                         {"update", update},
                                                         {"copy", copyDictionary},
                                                         {"setdefault", setDefault},
                                                         {"pop", popEntry},
                                                         {"popitem", popEntry},
                                                         {"clear", clearDictionary}}};

} // namespace

PythonValueMethod findValueMethod(const PythonValue& owner, const std::string& name) {
    std::span<const NamedMethod> methods;
    if (const auto* list = owner.as<PythonList>())
        methods = list->isSet ? std::span<const NamedMethod>(setMethods)
                              : std::span<const NamedMethod>(listMethods);
    else if (owner.is<PythonDictionary>())
        methods = dictionaryMethods;
    else if (owner.isText())
        return findTextMethod(name);
    const auto found = std::ranges::find(methods, name, &NamedMethod::name);
    return found == methods.end() ? nullptr : found->method;
}

} // namespace core
