#include "core/interchange/python/apis/calls/program_function.h"

#include "core/interchange/python/language/library_values.h"
#include "core/interchange/python/syntax/syntax.h"

#include <algorithm>

namespace core {

namespace {

/// A function whose first `given` parameters are filled.
std::optional<PythonProgramFunction> withoutFirst(const PythonFunction* function, std::size_t given) {
    if (function == nullptr || function->definition == nullptr)
        return std::nullopt;
    PythonProgramFunction made{function->definition, {}};
    const auto& parameters = function->definition->parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i)
        if (i >= given || parameters[i].kind != PythonParameter::Kind::Any)
            made.open.push_back(&parameters[i]);
    return made;
}

/// functools.partial(function, …): without what it is given already.
std::optional<PythonProgramFunction> ofPartial(const PythonLibraryObject& partial) {
    auto function = programFunction(partial.attributes->at("func"));
    if (!function)
        return std::nullopt;
    std::size_t given = partial.attributes->at("args").items().size();
    std::erase_if(function->open, [&](const PythonParameter* parameter) {
        return parameter->kind == PythonParameter::Kind::Any && given > 0 && given-- > 0;
    });
    for (const auto& [name, value] : *partial.attributes->at("keywords").as<PythonDictionary>()->entries)
        std::erase_if(function->open, [&](const PythonParameter* parameter) {
            return parameter->kind == PythonParameter::Kind::Any && name.constant() == parameter->name;
        });
    return function;
}

} // namespace

bool PythonProgramFunction::takesAnyNumber() const {
    return std::ranges::any_of(open, [](const PythonParameter* parameter) {
        return parameter->kind == PythonParameter::Kind::Positions;
    });
}

std::optional<PythonProgramFunction> programFunction(const PythonValue& value) {
    if (const auto* plain = value.as<PythonFunction>())
        return withoutFirst(plain, 0);
    if (const auto* method = value.as<PythonMethod>()) {
        const auto* object = method->owner->as<PythonInstance>();
        return object == nullptr ? std::nullopt : withoutFirst(object->definition->function(method->name), 1);
    }
    if (const auto* object = value.as<PythonInstance>())
        return withoutFirst(object->definition->function("__call__"), 1);
    const auto* partial = value.as<PythonLibraryObject>();
    if (partial == nullptr || partial->className != "functools.partial" ||
        !partial->attributes->contains("func"))
        return std::nullopt;
    return ofPartial(*partial);
}

PythonValues outputsOf(const PythonValue& answer) {
    if (answer.isNone())
        return {};
    return answer.is<PythonList>() ? answer.items() : PythonValues{answer};
}

} // namespace core
