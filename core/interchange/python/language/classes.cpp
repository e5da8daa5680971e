// Classes of the program and their objects.
#include "core/interchange/python/language/interpreter.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

bool isStaticFunction(const PythonFunction& function) {
    return std::ranges::any_of(function.definition->decorators, [](const PythonExpression& decorator) {
        return decorator.kind == PythonExpression::Kind::Name && decorator.text == "staticmethod";
    });
}

/// The class that defines a function, from `type` upwards; null where none does.
std::shared_ptr<const PythonClass> definingClass(std::shared_ptr<const PythonClass> type,
                                                 const std::string& name) {
    while (type != nullptr && !type->functions.contains(name))
        type = type->parent;
    return type;
}

} // namespace

void PythonInterpreter::define(const PythonStatement& entry) {
    auto made = std::make_shared<PythonClass>();
    made->name = entry.text;
    if (!entry.values.empty()) {
        const PythonExpression& base = entry.values.front();
        const PythonValue* value = base.kind == PythonExpression::Kind::Name ? bound(base.text) : nullptr;
        const auto* type = value == nullptr ? nullptr : value->as<PythonClassName>();
        made->base = type == nullptr ? pathOf(base) : type->definition->base;
        if (type != nullptr)
            made->parent = type->definition;
    }
    for (const PythonStatement& member : entry.body) {
        if (member.kind == PythonStatement::Kind::Function)
            made->functions[member.text] = *function(member).as<PythonFunction>();
        const bool isConstant = member.kind == PythonStatement::Kind::Assignment &&
                                member.targets.size() == 1 &&
                                member.targets[0].kind == PythonExpression::Kind::Name;
        if (isConstant)
            made->attributes[member.targets[0].text] = evaluate(member.values.at(0));
    }
    bind(entry.text, PythonClassName{std::move(made)});
}

PythonValue PythonInterpreter::construct(const std::shared_ptr<const PythonClass>& definition,
                                         PythonArguments& arguments) {
    if (auto value = m_library.construct(*this, *definition, arguments))
        return std::move(*value);
    const PythonInstance object{definition, std::make_shared<std::map<std::string, PythonValue>>(),
                                definition};
    if (definition->function("__init__") != nullptr)
        static_cast<void>(callOwn(object, "__init__", arguments));
    return object;
}

/// A function of an object's class, with the object as its first argument.
PythonValue PythonInterpreter::callOwn(const PythonInstance& object, const std::string& name,
                                       PythonArguments& arguments) {
    if (const auto found = object.attributes->find(name); found != object.attributes->end())
        return call(found->second, arguments);
    const std::shared_ptr<const PythonClass> type = definingClass(object.above, name);
    if (type == nullptr && name == "__init__" && arguments.list.empty())
        return {};
    if (type == nullptr)
        m_messages.refuse(
            arguments.place, "python/name",
            fmt::format("{} has no function \"{}\"", quotedName(object.definition->name), quotedName(name)),
            {"define it in the class"});
    const PythonFunction& function = type->functions.at(name);
    const PythonInstance self{object.definition, object.attributes, object.definition};
    if (!isStaticFunction(function))
        arguments.list.insert(arguments.list.begin(), PythonValue(self));
    return callBound(function, arguments, &self, type);
}

PythonValue PythonInterpreter::superObject(PythonPlace place) const {
    for (const PythonNames* names = m_names; names != nullptr; names = names->outer)
        if (names->self)
            return PythonInstance{names->self->definition, names->self->attributes, names->definedIn->parent};
    m_messages.refuse(place, "python/name", "super() stands outside of the functions of a class",
                      {"name the class whose function is meant"});
}

} // namespace core
