#include "core/interchange/python/language/value_methods.h"

#include <algorithm>

namespace core {

namespace {

constexpr const char* itsEntries = "$entries";
constexpr const char* attributesAreEntries = "$attributes";

using Entries = std::vector<std::pair<PythonValue, PythonValue>>;

/// Null: the object is no dictionary.
const PythonDictionary* entriesOf(const PythonInstance& object) {
    const auto found = object.attributes->find(itsEntries);
    return found == object.attributes->end() ? nullptr : found->second.as<PythonDictionary>();
}

const PythonValue* entryOf(const PythonDictionary& dictionary, const PythonValue& key) {
    const auto found = std::ranges::find_if(*dictionary.entries,
                                            [&](const auto& entry) { return areEqual(entry.first, key); });
    return found == dictionary.entries->end() ? nullptr : &found->second;
}

void setEntry(const PythonDictionary& dictionary, const PythonValue& key, const PythonValue& value) {
    if (!canHold(dictionary.entries.get(), value))
        return;
    const auto found = std::ranges::find_if(*dictionary.entries,
                                            [&](const auto& entry) { return areEqual(entry.first, key); });
    if (found == dictionary.entries->end())
        dictionary.entries->emplace_back(key, value);
    else
        found->second = value;
}

/// dict(other, name=value, …) and update() of the same.
void fill(const PythonDictionary& dictionary, const PythonArguments& arguments) {
    for (const PythonValue& given : arguments.list) {
        const auto* object = given.as<PythonInstance>();
        const auto* other = object == nullptr ? given.as<PythonDictionary>() : entriesOf(*object);
        const Entries entries = other == nullptr ? Entries() : *other->entries;
        for (const auto& [key, value] : entries)
            setEntry(dictionary, key, value);
        for (const PythonValue& pair : given.items())
            if (pair.items().size() == 2)
                setEntry(dictionary, pair.items().front(), pair.items().back());
    }
    for (const auto& [name, value] : arguments.keywords)
        setEntry(dictionary, pythonText(name), value);
}

/// Whether the class says `name = dict.…` in its body.
bool takesFromDictionary(const PythonInstance& object, const char* name) {
    const PythonValue* own = object.definition->attribute(name);
    return own != nullptr && own->is<PythonLibraryName>();
}

bool hasEntriesAsAttributes(const PythonInstance& object) {
    return object.attributes->contains(attributesAreEntries);
}

} // namespace

bool isDictionaryBase(const std::string& base) {
    const std::string name = lastPart(base);
    return name == "dict" || name == "OrderedDict" || name == "UserDict";
}

void beginDictionary(const PythonInstance& object) {
    (*object.attributes)[itsEntries] = pythonDictionary({});
}

std::optional<PythonValue> callOfDictionary(PythonInterpreter& interpreter, const PythonInstance& object,
                                            const std::string& name, PythonArguments& arguments) {
    const PythonDictionary* dictionary = entriesOf(object);
    if (dictionary == nullptr)
        return std::nullopt;
    const PythonValue whole = *dictionary;
    if (name == "__init__" || name == "update") {
        fill(*whole.as<PythonDictionary>(), arguments);
        return PythonValue();
    }
    if (name == "__setitem__" && arguments.list.size() == 2) {
        setEntry(*whole.as<PythonDictionary>(), arguments.list[0], arguments.list[1]);
        return PythonValue();
    }
    if (name == "__getitem__" && arguments.list.size() == 1)
        return interpreter.elementOf(whole, arguments.list[0], arguments.place, arguments.place);
    if (name == "__iter__")
        return pythonIterator(interpreter.iterate(whole, arguments.place));
    if (const auto known = findValueMethod(whole, name))
        return known({interpreter, whole, name, arguments});
    return std::nullopt;
}

std::optional<PythonValue> absentAttribute(PythonInterpreter& interpreter, const PythonInstance& object,
                                           const std::string& name, PythonPlace place) {
    const bool isSpecial = name.starts_with("__");
    const PythonDictionary* dictionary = isSpecial ? nullptr : entriesOf(object);
    const bool asks = takesFromDictionary(object, "__getattr__");
    const bool isMethod = dictionary != nullptr && findValueMethod(*dictionary, name) != nullptr;
    if (dictionary != nullptr && !isMethod && (asks || hasEntriesAsAttributes(object))) {
        if (const PythonValue* entry = entryOf(*dictionary, pythonText(name)))
            return *entry;
        if (asks &&
            lastPart(object.definition->attribute("__getattr__")->as<PythonLibraryName>()->path) == "get")
            return PythonValue();
    }
    const std::string& base = object.definition->base; // what a library's class has is not absent
    const bool isOwn =
        base.empty() || base == "object" || base == "builtins.object" || isDictionaryBase(base);
    if (isSpecial || isMethod || !isOwn || object.definition->function("__getattr__") == nullptr ||
        object.definition->function(name) != nullptr)
        return std::nullopt;
    PythonArguments one{{pythonText(name)}, {}, place};
    return interpreter.call(PythonMethod{std::make_shared<const PythonValue>(object), "__getattr__"}, one);
}

bool setEntryAsAttribute(const PythonInstance& object, const std::string& name, const PythonValue& value) {
    const PythonDictionary* dictionary = entriesOf(object);
    if (dictionary == nullptr)
        return false;
    if (const auto* other = value.as<PythonInstance>();
        name == "__dict__" && other != nullptr && other->attributes == object.attributes) {
        (*object.attributes)[attributesAreEntries] = pythonConstant(true);
        return true;
    }
    if (!hasEntriesAsAttributes(object) && !takesFromDictionary(object, "__setattr__"))
        return false;
    setEntry(*dictionary, pythonText(name), value);
    return true;
}

} // namespace core
