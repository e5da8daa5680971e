// The functions of lists, dictionaries and texts.
#include "core/interchange/python/language/value_methods.h"

#include "core/interchange/python/language/operators.h"
#include "core/interchange/python/language/text_format.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <span>

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

const std::string& firstText(const Call& call) {
    if (!first(call).isText())
        refuse(call, fmt::format("{}() takes a text here", call.name), "write the text in quotes");
    return call.arguments.list.front().constant().get_ref<const std::string&>();
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
    items.insert(items.begin() + static_cast<std::ptrdiff_t>(std::min(at, items.size())), value);
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

PythonValue reverse(const Call& call) {
    std::ranges::reverse(changed(call));
    return {};
}

PythonValue copyList(const Call& call) {
    return pythonList(call.owner.items());
}

PythonValue indexOf(const Call& call) {
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

// ---- texts ----------------------------------------------------------------------------------------------

const std::string& ownText(const Call& call) {
    return call.owner.constant().get_ref<const std::string&>();
}

PythonValue startsOrEnds(const Call& call) {
    const std::string& part = firstText(call);
    return pythonConstant(call.name == "startswith" ? ownText(call).starts_with(part)
                                                    : ownText(call).ends_with(part));
}

PythonValue format(const Call& call) {
    auto text = formatByBraces(ownText(call), call.arguments);
    if (!text)
        refuse(call, "what this text is formatted with is not read", "write the text as it is");
    return pythonText(std::move(*text));
}

PythonValue join(const Call& call) {
    std::string whole;
    bool isFirst = true;
    for (const PythonValue& item : call.interpreter.iterate(first(call), call.arguments.place)) {
        whole += isFirst ? "" : ownText(call);
        whole += call.interpreter.text(item, call.arguments.place);
        isFirst = false;
    }
    return pythonText(std::move(whole));
}

PythonValue split(const Call& call) {
    const std::string& text = ownText(call);
    const std::string by = call.arguments.list.empty() ? " " : firstText(call);
    const bool keepsEmpty = !call.arguments.list.empty();
    PythonValues parts;
    std::size_t begin = 0;
    while (!by.empty() && begin <= text.size()) {
        const std::size_t end = std::min(text.find(by, begin), text.size());
        if (keepsEmpty || end > begin)
            parts.push_back(pythonText(text.substr(begin, end - begin)));
        begin = end + by.size();
    }
    return pythonList(std::move(parts));
}

PythonValue changeCase(const Call& call) {
    std::string text = ownText(call);
    for (char& c : text)
        c = static_cast<char>(call.name == "upper" ? std::toupper(static_cast<unsigned char>(c))
                                                   : std::tolower(static_cast<unsigned char>(c)));
    return pythonText(std::move(text));
}

PythonValue replace(const Call& call) {
    const std::string from = firstText(call);
    const PythonValue* to = call.arguments.find("new", 1);
    if (to == nullptr || !to->isText() || from.empty())
        refuse(call, "replace() takes two texts", "write both in quotes");
    const std::string& by = to->constant().get_ref<const std::string&>();
    const std::string& text = ownText(call);
    std::string result;
    std::size_t begin = 0;
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, begin)) {
        result += text.substr(begin, at - begin) + by;
        begin = at + from.size();
    }
    return pythonText(result + text.substr(begin));
}

PythonValue strip(const Call& call) {
    const std::string& text = ownText(call);
    const std::string letters = call.arguments.list.empty() ? " \t\n\r" : firstText(call);
    const std::size_t begin = text.find_first_not_of(letters);
    if (begin == std::string::npos)
        return pythonText("");
    return pythonText(text.substr(begin, text.find_last_not_of(letters) - begin + 1));
}

struct NamedMethod {
    std::string_view name;
    PythonValueMethod method;
};
constexpr std::array<NamedMethod, 8> listMethods{{{"append", append},
                                                  {"extend", extend},
                                                  {"insert", insert},
                                                  {"pop", pop},
                                                  {"reverse", reverse},
                                                  {"copy", copyList},
                                                  {"index", indexOf},
                                                  {"count", countOf}}};
constexpr std::array<NamedMethod, 6> dictionaryMethods{{{"keys", dictionaryParts},
                                                        {"values", dictionaryParts},
                                                        {"items", dictionaryParts},
                                                        {"get", get},
                                                        {"update", update},
                                                        {"copy", copyDictionary}}};
constexpr std::array<NamedMethod, 9> textMethods{{{"startswith", startsOrEnds},
                                                  {"endswith", startsOrEnds},
                                                  {"format", format},
                                                  {"join", join},
                                                  {"split", split},
                                                  {"upper", changeCase},
                                                  {"lower", changeCase},
                                                  {"replace", replace},
                                                  {"strip", strip}}};

} // namespace

PythonValueMethod findValueMethod(const PythonValue& owner, const std::string& name) {
    std::span<const NamedMethod> methods;
    if (owner.is<PythonList>())
        methods = listMethods;
    else if (owner.is<PythonDictionary>())
        methods = dictionaryMethods;
    else if (owner.isText())
        methods = textMethods;
    const auto found = std::ranges::find(methods, name, &NamedMethod::name);
    return found == methods.end() ? nullptr : found->method;
}

} // namespace core
