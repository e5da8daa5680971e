#include "core/interchange/python/apis/object_functions.h"

#include "core/interchange/python/apis/api_catalogue.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace core {

namespace {

const PythonValue& objectArgument(const PythonApiCall& call) {
    if (call.arguments.list.empty())
        call.refuse("python/value", fmt::format("{}() lacks its argument", call.name()),
                    {"pass it in the brackets"});
    return call.arguments.list.front();
}

/// Whether only a run knows a value.
bool isOfRun(const PythonValue& value) {
    const auto* method = value.as<PythonMethod>();
    return value.is<PythonData>() || (method != nullptr && method->owner->is<PythonData>());
}

bool isOfType(const PythonValue& value, const std::string& type) {
    const Json& json = value.constant();
    if (type == "builtin.list" || type == "builtin.tuple")
        return value.is<PythonList>() && !value.as<PythonList>()->isSet &&
               value.as<PythonList>()->isTuple == (type == "builtin.tuple");
    if (type == "builtin.set")
        return value.is<PythonList>() && value.as<PythonList>()->isSet;
    if (type == "builtin.dict")
        return value.is<PythonDictionary>();
    if (type == "builtin.bool")
        return json.is_boolean();
    if (type == "builtin.int")
        return json.is_number_integer() || json.is_boolean();
    return type == "builtin.float" ? json.is_number_float() : type == "builtin.str" && json.is_string();
}

/// Whether a layer of a stage assignment is an object of one of the classes.
bool isLayerOf(const PythonStageEntry& entry, const PythonValue& types) {
    for (const PythonValue& type : types.is<PythonList>() ? types.items() : PythonValues{types}) {
        if (const auto* name = type.as<PythonLibraryName>();
            name != nullptr && (lastPart(name->path) == entry.className || lastPart(name->path) == "Layer"))
            return true;
        const auto* own = type.as<PythonClassName>();
        if (own != nullptr && isDerivedFrom(entry.definition.get(), *own->definition))
            return true;
    }
    return false;
}

/// vars(namespace): its attributes as a dictionary; of what only a run knows, nothing is known.
PythonValue attributesOf(const PythonApiCall& call) {
    const PythonValue& owner = objectArgument(call);
    const auto* object = owner.as<PythonLibraryObject>();
    const auto* instance = owner.as<PythonInstance>();
    const auto attributes = object != nullptr     ? object->attributes
                            : instance != nullptr ? instance->attributes
                                                  : nullptr;
    if (attributes == nullptr)
        return PythonData();
    return dictionaryOfAttributes(attributes);
}

PythonValue isInstance(const PythonApiCall& call) {
    const PythonValue* types = call.arguments.find("class_or_tuple", 1);
    if (const auto* entry = objectArgument(call).as<PythonStageEntry>();
        entry != nullptr && entry->isLayer && types != nullptr)
        return pythonConstant(isLayerOf(*entry, *types));
    if (const auto* layer = objectArgument(call).as<PythonLibraryObject>();
        layer != nullptr && layer->className.starts_with("keras.layers.") && types != nullptr) {
        PythonStageEntry entry; // a layer of a network that comes whole
        entry.className = lastPart(layer->className);
        return pythonConstant(isLayerOf(entry, *types));
    }
    if (const auto* layer = objectArgument(call).as<PythonLayerName>();
        layer != nullptr && types != nullptr) {
        PythonStageEntry entry;
        entry.className = call.builder.layer(layer->layer).className;
        return pythonConstant(isLayerOf(entry, *types));
    }
    if (const auto* object = objectArgument(call).as<PythonInstance>(); object != nullptr && types != nullptr)
        for (const PythonValue& type : types->is<PythonList>() ? types->items() : PythonValues{*types})
            if (const auto* base = type.as<PythonLibraryName>();
                base != nullptr && !object->definition->base.empty() &&
                lastPart(base->path) == lastPart(object->definition->base))
                return pythonConstant(true);
    // A function or class of a library is of none of Python's types for values.
    constexpr std::array<std::string_view, 11> ofValues{
        "int", "float", "str", "list", "tuple", "dict", "set", "bool", "bytes", "complex", "frozenset"};
    const auto isOfValues = [&](const PythonValue& type) {
        const auto* name = type.as<PythonLibraryName>();
        return name != nullptr && std::ranges::find(ofValues, lastPart(name->path)) != ofValues.end();
    };
    const bool isOfCode = call.arguments.list[0].is<PythonLibraryName>() ||
                          call.arguments.list[0].is<PythonFunction>() ||
                          call.arguments.list[0].is<PythonClassName>();
    if (types != nullptr && isOfCode &&
        (types->is<PythonList>() ? std::ranges::all_of(types->items(), isOfValues) : isOfValues(*types)))
        return pythonConstant(false);
    const bool isPlain =
        objectArgument(call).is<PythonConstant>() || call.arguments.list[0].is<PythonInstance>() ||
        call.arguments.list[0].is<PythonList>() || call.arguments.list[0].is<PythonDictionary>();
    if (types == nullptr || !isPlain)
        return PythonData();
    for (const PythonValue& type : types->is<PythonList>() ? types->items() : PythonValues{*types})
        if (const auto* name = type.as<PythonLibraryName>();
            name != nullptr && isOfType(call.arguments.list[0], name->path))
            return pythonConstant(true);
        else if (const auto* own = type.as<PythonClassName>();
                 own != nullptr && PythonInterpreter::isObjectOf(call.arguments.list[0], *own->definition))
            return pythonConstant(true);
    return pythonConstant(false);
}

/// The name that getattr(), hasattr() and setattr() ask for.
std::string attributeName(const PythonApiCall& call) {
    if (call.arguments.list.size() < 2 || !call.arguments.list[1].isText())
        call.refuse("python/value", fmt::format("{}() takes the name of an attribute", call.name()),
                    {"write the name in quotes"});
    return call.arguments.list[1].constant().get<std::string>();
}

PythonValue takeAttribute(const PythonApiCall& call) {
    const std::string name = attributeName(call);
    const PythonValue& owner = call.arguments.list[0];
    const bool isOpen = isOfRun(owner) || owner.is<PythonLibraryName>();
    if (call.arguments.list.size() > 2 && !isOpen && !call.interpreter.hasAttribute(owner, name))
        return call.arguments.list[2];
    return call.interpreter.attributeOf(owner, name);
}

PythonValue asksAttribute(const PythonApiCall& call) {
    const std::string name = attributeName(call);
    const PythonValue& owner = call.arguments.list[0];
    if (const auto* library = owner.as<PythonLibraryName>())
        return pythonConstant(findPythonName(fullPythonName(library->path + "." + name)) != nullptr);
    if (isOfRun(owner))
        return PythonData();
    return pythonConstant(call.interpreter.hasAttribute(owner, name));
}

PythonValue putAttribute(const PythonApiCall& call) {
    const std::string name = attributeName(call);
    if (call.arguments.list.size() != 3)
        call.refuse("python/value", "setattr() takes an object, a name and a value",
                    {"write owner.name = value"});
    call.interpreter.setAttribute(call.arguments.list[0], name, call.arguments.list[2], call.place());
    return {};
}

/// type("Name", (), {"attribute": value}): a class.
PythonValue madeClass(const PythonApiCall& call) {
    const PythonValues& given = call.arguments.list;
    const auto* bases = given[1].as<PythonList>();
    const auto* entries = given[2].as<PythonDictionary>();
    const bool hasBase = bases == nullptr || std::ranges::any_of(given[1].items(), [](const auto& base) {
                             const auto* name = base.template as<PythonLibraryName>();
                             return name == nullptr || name->path != "builtin.object";
                         });
    if (hasBase || entries == nullptr || !given[0].isText())
        call.refuse("python/unsupported", "the class that type() makes here is not read",
                    {"write the class: class Name(Base):", "give type() a name, () and a dictionary"});
    auto made = std::make_shared<PythonClass>();
    made->name = given[0].constant().get<std::string>();
    for (const auto& [key, value] : *entries->entries) {
        const std::string name = call.interpreter.text(key, call.place());
        if (const auto* function = value.as<PythonFunction>())
            made->functions.emplace(name, *function);
        else
            made->attributes->insert_or_assign(name, value);
        made->order.push_back(name);
    }
    return PythonClassName{std::move(made)};
}

PythonValue typeOf(const PythonApiCall& call) {
    constexpr std::size_t ofClass = 3;
    if (call.arguments.list.size() == ofClass)
        return madeClass(call);
    const PythonValue& value = objectArgument(call);
    if (const auto* object = value.as<PythonInstance>())
        return PythonClassName{object->definition};
    if (const auto* layer = value.as<PythonLayerName>())
        return PythonLibraryName{"keras.layers." + call.builder.layer(layer->layer).className};
    for (const char* type : {"bool", "int", "float", "str", "list", "tuple", "set", "dict"})
        if (const std::string path = std::string("builtin.") + type; isOfType(value, path))
            return PythonLibraryName{path};
    return PythonData();
}

PythonValue isCallable(const PythonApiCall& call) {
    const PythonValue& value = objectArgument(call);
    if (isOfRun(value))
        return PythonData();
    const auto* object = value.as<PythonInstance>();
    return pythonConstant(!value.is<PythonConstant>() && !value.is<PythonList>() &&
                          !value.is<PythonDictionary>() &&
                          (object == nullptr || call.interpreter.hasAttribute(value, "__call__")));
}

PythonValue divided(const PythonApiCall& call) {
    if (call.arguments.list.size() != 2)
        call.refuse("python/value", "divmod() takes two numbers", {"write divmod(a, b)"});
    const PythonValues& given = call.arguments.list;
    return pythonList({call.interpreter.operation("//", given[0], given[1], call.place()),
                       call.interpreter.operation("%", given[0], given[1], call.place())},
                      true);
}

PythonValue power(const PythonApiCall& call) {
    if (call.arguments.list.size() != 2)
        call.refuse("python/value", "pow() takes two numbers here", {"write a ** b"});
    return call.interpreter.operation("**", call.arguments.list[0], call.arguments.list[1], call.place());
}

/// object.__setattr__(x, name, value): without asking the class of x.
PythonValue setPlainAttribute(const PythonApiCall& call) {
    constexpr std::size_t valueAt = 2;
    const PythonValue* name = call.arguments.find("name", 1);
    const PythonValue* value = call.arguments.find("value", valueAt);
    const auto* object = call.arguments.list.empty() ? nullptr : call.arguments.list[0].as<PythonInstance>();
    if (object == nullptr || name == nullptr || value == nullptr || !name->isText())
        return PythonData();
    if (!canHold(object->attributes.get(), *value))
        call.refuse("python/endless", "this object would hold itself, or is nested too deep",
                    {"keep its parts in one list, one after the other"});
    (*object->attributes)[name->constant().get<std::string>()] = *value;
    return {};
}

PythonValue globalNames(const PythonApiCall& call) {
    return call.interpreter.globalNames();
}

} // namespace

std::vector<PythonApiName> objectFunctions(const std::string& prefix) {
    return {readName(prefix + "getattr", takeAttribute),
            readName(prefix + "hasattr", asksAttribute),
            readName(prefix + "setattr", putAttribute),
            readName(prefix + "type", typeOf),
            readName(prefix + "vars", attributesOf),
            readName(prefix + "callable", isCallable),
            readName(prefix + "isinstance", isInstance),
            readName(prefix + "divmod", divided),
            readName(prefix + "pow", power),
            readName(prefix + "globals", globalNames),
            readName(prefix + "locals", [](const auto& call) { return call.interpreter.localNames(); }),
            readName(prefix + "object.__setattr__", setPlainAttribute)};
}

PythonValue endProgram(const PythonApiCall& call) {
    call.interpreter.messages().raise(call.place(), {"SystemExit", "BaseException"}, pythonProgramEnd,
                                      "the program ends itself here", {"remove this call"});
}

} // namespace core
