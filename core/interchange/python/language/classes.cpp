// Classes of the program and their objects.
#include "core/interchange/python/language/interpreter.h"
#include "core/interchange/python/language/value_methods.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace core {

namespace {

bool hasDecorator(const PythonFunction& function, std::string_view name) {
    return std::ranges::any_of(function.declaration().decorators, [&](const PythonExpression& decorator) {
        return decorator.kind == PythonExpression::Kind::Name && decorator.text == name;
    });
}

/// Functions of a layer's own base that programs call by super() or redefine, and that say nothing here.
constexpr std::array<std::string_view, 4> silentFunctions{"__init__", "build", "__post_init__", "__exit__"};

/// What a base is told of a class that is derived from it.
const std::string subclassFunction = "__init_subclass__";

/// The class that defines a function, from `type` upwards; null where none does.
std::shared_ptr<const PythonClass> definingClass(std::shared_ptr<const PythonClass> type,
                                                 const std::string& name) {
    while (type != nullptr && !type->functions.contains(name))
        type = type->parent;
    return type;
}

/// The function of a class that an assignment in its body names; the end: it names none.
std::map<std::string, PythonFunction>::const_iterator otherFunction(const PythonStatement& member,
                                                                    const PythonClass& made) {
    const bool isName = member.kind == PythonStatement::Kind::Assignment && member.targets.size() == 1 &&
                        member.targets[0].kind == PythonExpression::Kind::Name && member.values.size() == 1 &&
                        member.values[0].kind == PythonExpression::Kind::Name;
    return isName ? made.functions.find(member.values[0].text) : made.functions.end();
}

} // namespace

/// What a class of classes does when a class is made is not followed.
void PythonInterpreter::warnOfMetaclass(const PythonValue& metaclass, PythonPlace place) {
    const auto* type = metaclass.as<PythonClassName>();
    if (type == nullptr)
        return;
    for (const char* name : {"__new__", "__init__", "__call__", "__prepare__"})
        if (type->definition->function(name) != nullptr) {
            m_messages.warn(place, "python/ignored",
                            fmt::format("what {}() of the metaclass {} does is left out", name,
                                        quotedName(type->definition->name)),
                            {"do it in __init_subclass__() of the class, or by a decorator"});
            return;
        }
}

void PythonInterpreter::define(const PythonStatement& entry) {
    auto made = std::make_shared<PythonClass>();
    m_classes.push_back(made);
    made->name = entry.text;
    std::vector<std::shared_ptr<const PythonClass>> bases;
    for (const PythonExpression& base : entry.values) {
        const auto value = definedHere(base);
        const auto* type = value ? value->as<PythonClassName>() : nullptr;
        if (type != nullptr) {
            bases.push_back(type->definition);
            if (type->definition->kind != PythonClassKind::Plain)
                made->kind = type->definition->kind;
            made->base = made->base.empty() ? type->definition->base : made->base;
            continue;
        }
        const std::string path = type == nullptr ? pathOf(base) : std::string();
        if (const auto kind = m_library.classKind(path))
            made->kind = *kind;
        // Members of IntEnum and StrEnum are numbers and texts.
        const bool isPlain = made->kind == PythonClassKind::Enumeration && lastPart(path) != "Enum";
        if (made->base.empty() && (made->kind == PythonClassKind::Plain || isPlain))
            made->base = path;
    }
    made->parent = chainOfBases(bases);
    for (auto base = bases.rbegin(); base != bases.rend(); ++base)
        for (const PythonField& field : (*base)->fields)
            if (std::ranges::find(made->fields, field.name, &PythonField::name) == made->fields.end())
                made->fields.push_back(field);
    for (const PythonExpression& decorator : entry.decorators) {
        const bool isCall = decorator.kind == PythonExpression::Kind::Call;
        if (const auto kind = m_library.classKind(pathOf(isCall ? decorator.children.at(0) : decorator)))
            made->kind = *kind;
    }
    PythonNames* const before = openNames(m_names);
    defineMembers(entry, made);
    for (auto& [name, value] : m_names->values)
        (*made->attributes)[name] = value;
    closeNames(before);
    finishClass(made);
    if (const auto above = definingClass(made->parent, subclassFunction); above != nullptr) {
        PythonArguments told{{PythonClassName{made}}, {}, entry.place};
        for (const auto& [name, value] : entry.keywords)
            if (name != "metaclass" && name != "**")
                told.keywords.emplace_back(name, evaluate(value));
        static_cast<void>(callBound(above->functions.at(subclassFunction), told, nullptr, above));
    }
    for (const auto& [name, value] : entry.keywords)
        if (name == "metaclass")
            warnOfMetaclass(evaluate(value), entry.place);
    bind(entry.text, decorated(entry, PythonClassName{std::move(made)}));
}

/// The body of a class: its functions do not see its other names, only what is around it.
void PythonInterpreter::defineMembers(const PythonStatement& entry,
                                      const std::shared_ptr<PythonClass>& type) {
    PythonClass& made = *type;
    for (const PythonStatement& member : entry.body) {
        if (member.kind == PythonStatement::Kind::Function) {
            PythonFunction own = *function(member).as<PythonFunction>();
            own.scope = m_names->outer;
            own.definedIn = type;
            const PythonValue handedOn = decorated(member, own);
            const auto* replaced = handedOn.as<PythonFunction>();
            if (replaced == nullptr) { // an object, which is called without the class's own
                bind(member.text, handedOn);
                made.order.push_back(member.text);
                continue;
            }
            if (replaced->definition != &member) {
                own = *replaced;
                own.method = &member;
            }
            const bool sets = std::ranges::any_of(member.decorators, [](const PythonExpression& decorator) {
                return decorator.kind == PythonExpression::Kind::Attribute && decorator.text == "setter";
            });
            made.functions[sets ? member.text + "=" : member.text] = own;
            continue;
        }
        // `__call__ = forward`: a function of the class by another name.
        if (const auto same = otherFunction(member, made); same != made.functions.end()) {
            const PythonFunction own = same->second;
            made.functions[member.targets[0].text] = own;
            continue;
        }
        const bool isField = member.text == ":" && member.targets.size() == 1 &&
                             member.targets[0].kind == PythonExpression::Kind::Name;
        static_cast<void>(statement(member));
        if (!member.targets.empty() && member.targets[0].kind == PythonExpression::Kind::Name)
            made.order.push_back(member.targets[0].text);
        if (!isField)
            continue;
        const std::string& name = member.targets[0].text;
        std::shared_ptr<const PythonValue> byDefault;
        if (member.kind == PythonStatement::Kind::Assignment)
            byDefault = std::make_shared<const PythonValue>(m_names->values.at(name));
        const auto known = std::ranges::find(made.fields, name, &PythonField::name);
        if (known != made.fields.end())
            known->byDefault = std::move(byDefault);
        else
            made.fields.push_back({name, std::move(byDefault)});
    }
}

/// The objects of an enumeration are made with it.
void PythonInterpreter::finishClass(const std::shared_ptr<PythonClass>& made) {
    for (const std::string& name : made->order) { // descriptors are told what they are called
        const auto found = made->attributes->find(name);
        const auto* descriptor =
            found == made->attributes->end() ? nullptr : found->second.as<PythonInstance>();
        if (descriptor == nullptr || descriptor->definition->function("__set_name__") == nullptr)
            continue;
        PythonArguments two{{PythonClassName{made}, pythonText(name)}, {}, {}};
        static_cast<void>(callOwn(PythonInstance(*descriptor), "__set_name__", two));
    }
    if (made->kind != PythonClassKind::Enumeration)
        return;
    std::int64_t number = 0;
    for (const std::string& name : made->order) {
        const auto found = made->attributes->find(name);
        if (found == made->attributes->end())
            continue;
        ++number;
        PythonValue value = found->second.is<PythonData>() ? pythonConstant(number) : found->second; // auto()
        PythonInstance object{made, std::make_shared<std::map<std::string, PythonValue>>(), made};
        (*object.attributes)["name"] = pythonText(name);
        (*object.attributes)["value"] = value;
        if (made->function("__init__") != nullptr) { // its values are the arguments
            const auto* list = value.as<PythonList>();
            PythonArguments given{list != nullptr && list->isTuple ? *list->items : PythonValues{value},
                                  {},
                                  made->functions.at("__init__").definition->place};
            static_cast<void>(callOwn(object, "__init__", given));
        }
        found->second = object;
    }
}

PythonInstance PythonInterpreter::emptyObject(const std::shared_ptr<const PythonClass>& definition,
                                              PythonPlace place) {
    const PythonInstance object{definition, std::make_shared<std::map<std::string, PythonValue>>(),
                                definition};
    m_objects.push_back(object.attributes);
    m_library.begin(object, place);
    return object;
}

PythonValue PythonInterpreter::construct(const std::shared_ptr<const PythonClass>& definition,
                                         PythonArguments& arguments) {
    if (definition->kind == PythonClassKind::Enumeration) {
        for (const std::string& name : definition->order) {
            const auto* object = definition->attributes->at(name).as<PythonInstance>();
            if (object != nullptr && !arguments.list.empty() &&
                areEqual(object->attributes->at("value"), arguments.list[0]))
                return *object;
        }
        m_messages.raise(arguments.place, {"ValueError", "Exception"}, "python/value",
                         fmt::format("{} has no entry with this value", quotedName(definition->name)),
                         {"take a value that its class defines"});
    }
    if (auto value = m_library.construct(*this, *definition, arguments))
        return std::move(*value);
    PythonInstance object = emptyObject(definition, arguments.place);
    const std::shared_ptr<const PythonClass> maker = definingClass(definition, "__new__");
    if (maker != nullptr && (definition->base.empty() || definition->base == "object")) {
        PythonArguments given = arguments;
        given.list.insert(given.list.begin(), PythonValue(PythonClassName{definition}));
        const PythonValue made = callBound(maker->functions.at("__new__"), given, nullptr, maker);
        if (!isObjectOf(made, *definition))
            return made;
        object = *made.as<PythonInstance>();
    }
    if (isDictionaryBase(definition->base))
        beginDictionary(object);
    if (definition->function("__init__") != nullptr)
        static_cast<void>(callOwn(object, "__init__", arguments));
    else if (definition->kind != PythonClassKind::Plain)
        fillFields(object, arguments);
    else if (isDictionaryBase(definition->base))
        static_cast<void>(callOfDictionary(*this, object, "__init__", arguments));
    else if (!definition->base.empty())
        static_cast<void>(m_library.callInherited(*this, object, "__init__", arguments));
    if (definition->function("__post_init__") != nullptr) {
        PythonArguments none{{}, {}, arguments.place};
        static_cast<void>(callOwn(object, "__post_init__", none));
    }
    if (auto value = m_library.finish(*this, object, arguments.place))
        return std::move(*value);
    return object;
}

/// The fields of a record from the arguments of its class.
void PythonInterpreter::fillFields(const PythonInstance& object, const PythonArguments& arguments) {
    const PythonClass& type = *object.definition;
    const auto refuse = [&](std::string message, std::string cure) {
        m_messages.raise(arguments.place, {"TypeError", "Exception"}, "python/name", std::move(message),
                         {std::move(cure)});
    };
    if (arguments.list.size() > type.fields.size())
        refuse(fmt::format("{}() takes {} arguments and gets {}", quotedName(type.name), type.fields.size(),
                           arguments.list.size()),
               "pass as many as it has fields");
    for (const auto& entry : arguments.keywords)
        if (std::ranges::find(type.fields, entry.first, &PythonField::name) == type.fields.end())
            refuse(fmt::format("{}() has no field \"{}\"", quotedName(type.name), quotedName(entry.first)),
                   "pass what its class has a field for");
    for (std::size_t i = 0; i < type.fields.size(); ++i) {
        const PythonField& field = type.fields[i];
        const auto* mark = field.byDefault == nullptr ? nullptr : field.byDefault->as<PythonMethod>();
        if (mark != nullptr && mark->name == pythonFieldAlone) // field(init=False): __post_init__ sets it
            continue;
        const PythonValue* given = arguments.find(field.name, i);
        if (given == nullptr && field.byDefault == nullptr)
            refuse(fmt::format("{}() lacks its argument \"{}\"", quotedName(type.name), field.name),
                   fmt::format("pass {}=…", field.name));
        PythonValue value = given != nullptr ? *given : *field.byDefault;
        if (given == nullptr && field.byDefault->is<PythonMethod>() && // field(default_factory=…)
            field.byDefault->as<PythonMethod>()->name == pythonDefaultFactory) {
            PythonArguments none{{}, {}, arguments.place};
            value = call(*field.byDefault->as<PythonMethod>()->owner, none);
        }
        checkHolds(object.attributes.get(), value, arguments.place);
        (*object.attributes)[field.name] = std::move(value);
    }
}

/// A function of a class that is called on the class.
PythonValue PythonInterpreter::callOfClass(const PythonClassName& type, const std::string& name,
                                           PythonArguments& arguments) {
    const std::shared_ptr<const PythonClass>& from = type.above == nullptr ? type.definition : type.above;
    const PythonFunction* own = from->function(name);
    if (own == nullptr && name == subclassFunction)
        return {};
    if (own == nullptr && name == "__new__" && !arguments.list.empty())
        if (const auto* wanted = arguments.list[0].as<PythonClassName>())
            return emptyObject(wanted->definition, arguments.place);
    if (own == nullptr && name == "_make" && arguments.list.size() == 1) {
        PythonArguments spread{iterate(arguments.list[0], arguments.place), {}, arguments.place};
        return construct(type.definition, spread);
    }
    if (own == nullptr)
        m_messages.raise(
            arguments.place, {"AttributeError", "Exception"}, "python/name",
            fmt::format("{} has no function \"{}\"", quotedName(type.definition->name), quotedName(name)),
            {"define it in the class"});
    arguments.list.insert(arguments.list.begin(), PythonValue(PythonClassName{type.definition}));
    return callBound(*own, arguments, nullptr, definingClass(from, name));
}

/// A function of an object's class, with the object as its first argument.
PythonValue PythonInterpreter::callOwn(const PythonInstance& object, const std::string& name,
                                       PythonArguments& arguments) {
    if (const auto found = object.attributes->find(name); found != object.attributes->end())
        return call(found->second, arguments);
    const std::shared_ptr<const PythonClass> type = definingClass(object.above, name);
    if (type == nullptr)
        if (auto value = callOfDictionary(*this, object, name, arguments))
            return std::move(*value);
    if (type == nullptr && name == "__setattr__" && arguments.list.size() == 2 &&
        arguments.list[0].isText()) { // what object does
        checkHolds(object.attributes.get(), arguments.list[1], arguments.place);
        (*object.attributes)[arguments.list[0].constant().get<std::string>()] = arguments.list[1];
        return {};
    }
    if (type == nullptr)
        if (auto value = m_library.callInherited(*this, object, name, arguments))
            return std::move(*value);
    if (type == nullptr && std::ranges::find(silentFunctions, name) != silentFunctions.end())
        return {};
    if (type == nullptr && (name == "get_config" || name == "_asdict")) {
        PythonValue entries = pythonDictionary({});
        for (const PythonField& field : object.definition->fields)
            entries.as<PythonDictionary>()->entries->emplace_back(pythonText(field.name),
                                                                  object.attributes->at(field.name));
        return entries;
    }
    if (type == nullptr && name == "_replace") {
        const PythonInstance other{object.definition,
                                   std::make_shared<std::map<std::string, PythonValue>>(*object.attributes),
                                   object.definition};
        for (const auto& [key, value] : arguments.keywords)
            (*other.attributes)[key] = value;
        m_objects.push_back(other.attributes);
        return other;
    }
    if (type == nullptr)
        m_messages.raise(
            arguments.place, {"AttributeError", "Exception"}, "python/name",
            fmt::format("{} has no function \"{}\"", quotedName(object.definition->name), quotedName(name)),
            {"define it in the class"});
    const PythonFunction& function = type->functions.at(name);
    const PythonInstance self{object.definition, object.attributes, object.definition};
    if (hasDecorator(function, "classmethod"))
        arguments.list.insert(arguments.list.begin(), PythonValue(PythonClassName{object.definition}));
    else if (!hasDecorator(function, "staticmethod"))
        arguments.list.insert(arguments.list.begin(), PythonValue(self));
    return callBound(function, arguments, &self, type);
}

bool PythonInterpreter::isObjectOf(const PythonValue& value, const PythonClass& type) {
    const auto* object = value.as<PythonInstance>();
    return object != nullptr && isDerivedFrom(object->definition.get(), type);
}

const PythonInstance* PythonInterpreter::runningObject() const {
    for (const PythonNames* names = m_names; names != nullptr; names = names->outer)
        if (names->self)
            return &*names->self;
    return nullptr;
}

PythonValue PythonInterpreter::superObject(PythonPlace place) const {
    for (const PythonNames* names = m_names; names != nullptr; names = names->outer) {
        if (names->self && names->definedIn != nullptr)
            return PythonInstance{names->self->definition, names->self->attributes, names->definedIn->parent};
        if (names->type != nullptr && names->definedIn != nullptr)
            return PythonClassName{names->type, names->definedIn->parent == nullptr
                                                    ? std::make_shared<const PythonClass>()
                                                    : names->definedIn->parent};
    }
    m_messages.refuse(place, "python/name", "super() stands outside of the functions of a class",
                      {"name the class whose function is meant"});
}

} // namespace core
