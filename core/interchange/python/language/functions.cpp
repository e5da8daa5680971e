// Calls, and the functions of the program.
#include "core/interchange/python/language/interpreter.h"
#include "core/interchange/python/language/value_methods.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace core {

namespace {

using Kind = PythonExpression::Kind;
using Parameter = PythonParameter::Kind;

constexpr int deepestCalls = 60;

/// Of a list of parameters, those that take arguments by their position.
std::size_t countPositions(const std::vector<PythonParameter>& parameters) {
    return static_cast<std::size_t>(std::ranges::count(parameters, Parameter::Any, &PythonParameter::kind));
}

} // namespace

PythonNames* PythonInterpreter::openNames(PythonNames* outer) {
    PythonNames* const before = m_names;
    m_scopes.push_back(std::make_unique<PythonNames>());
    m_names = m_scopes.back().get();
    m_names->outer = outer;
    return before;
}

void PythonInterpreter::closeNames(PythonNames* before) {
    // What a function was defined in stays as long as the program.
    if (!m_names->isCaptured && m_scopes.back().get() == m_names)
        m_scopes.pop_back();
    m_names = before;
}

PythonValue PythonInterpreter::function(const PythonStatement& definition) {
    for (PythonNames* names = m_names; names != nullptr; names = names->outer)
        names->isCaptured = true;
    auto defaults = std::make_shared<std::map<std::string, PythonValue>>();
    for (const PythonParameter& parameter : definition.parameters) {
        // A snippet may use what it does not define; that matters where the default is used.
        const bool isFree = parameter.value.kind == Kind::Name && bound(parameter.value.text) == nullptr;
        if (parameter.hasDefault && !isFree)
            (*defaults)[parameter.name] = evaluate(parameter.value);
    }
    return PythonFunction{&definition, m_names, std::move(defaults)};
}

/// `*values`: of samples, one stands for all.
PythonValues PythonInterpreter::starred(const PythonExpression& expression) {
    const PythonValue values = evaluate(expression.children.at(0));
    const auto* data = values.as<PythonData>();
    const auto rounds = data == nullptr ? std::nullopt : m_library.rounds(values);
    if (data == nullptr || (rounds && rounds->count >= 0) || m_library.members(values))
        return iterate(values, expression.place);
    PythonData many = *partOfRun(values).as<PythonData>();
    many.standsForMany = true;
    return {many};
}

PythonArguments PythonInterpreter::argumentsOf(const PythonExpression& expression, bool takesSamples) {
    PythonArguments arguments;
    arguments.place = expression.place;
    // A dataset that a snippet does not define is data all the same.
    const auto argument = [&](const PythonExpression& given) -> PythonValue {
        const bool isFree = takesSamples && given.kind == Kind::Name && bound(given.text) == nullptr;
        return isFree ? PythonValue(PythonData()) : evaluate(given);
    };
    for (std::size_t i = 1; i < expression.children.size(); ++i) {
        const PythonExpression& child = expression.children[i];
        if (child.kind == Kind::Starred) {
            const PythonValues more = starred(child);
            arguments.list.insert(arguments.list.end(), more.begin(), more.end());
        } else {
            arguments.list.push_back(argument(child));
        }
    }
    for (const auto& [name, value] : expression.keywords) {
        if (name != "**") {
            arguments.keywords.emplace_back(name, argument(value));
            continue;
        }
        const PythonValue given = evaluate(value);
        const auto* dictionary = given.as<PythonDictionary>();
        if (dictionary == nullptr)
            m_messages.refuse(value.place, "python/unsupported", "only a dictionary is unpacked here",
                              {"write the arguments one by one"});
        for (const auto& [key, entry] : *dictionary->entries)
            arguments.keywords.emplace_back(text(key, value.place), entry);
    }
    return arguments;
}

std::optional<PythonInstance> PythonInterpreter::ownerOfNames(const PythonExpression& expression) {
    if (expression.kind != Kind::Attribute || expression.text != "__dict__")
        return std::nullopt;
    const PythonValue owner = evaluate(expression.children.at(0));
    const auto* object = owner.as<PythonInstance>();
    return object == nullptr ? std::nullopt : std::optional(*object);
}

PythonValue PythonInterpreter::callExpression(const PythonExpression& expression) {
    const PythonExpression& called = expression.children.at(0);
    if (called.kind == Kind::Attribute && called.text == "update")
        if (const auto object = ownerOfNames(called.children.at(0))) { // object.__dict__.update(names)
            const PythonArguments names = argumentsOf(expression, false);
            for (const PythonValue& given : names.list)
                if (const auto* dictionary = given.as<PythonDictionary>())
                    for (const auto& [key, entry] : *dictionary->entries)
                        setAttribute(*object, text(key, names.place), entry, names.place);
            for (const auto& [name, entry] : names.keywords)
                setAttribute(*object, name, entry, names.place);
            return {};
        }
    const PythonValue callee = evaluate(expression.children.at(0));
    PythonArguments arguments = argumentsOf(expression, m_library.takesSamples(callee));
    return call(callee, arguments);
}

PythonValue PythonInterpreter::call(const PythonValue& callee, PythonArguments& arguments) {
    count(arguments.place);
    if (const auto* function = callee.as<PythonFunction>())
        return callFunction(*function, arguments);
    if (const auto* type = callee.as<PythonClassName>())
        return construct(type->definition, arguments);
    if (const auto* method = callee.as<PythonMethod>())
        return callMethod(*method, arguments);
    if (const auto* object = callee.as<PythonInstance>()) {
        if (auto value = m_library.callObject(*this, *object, arguments))
            return std::move(*value);
        return callOwn(*object, "__call__", arguments);
    }
    return m_library.call(*this, callee, arguments);
}

PythonValue PythonInterpreter::callMethod(const PythonMethod& method, PythonArguments& arguments) {
    if (const auto* object = method.owner->as<PythonInstance>())
        return callOwn(*object, method.name, arguments);
    if (const auto* type = method.owner->as<PythonClassName>())
        return callOfClass(*type, method.name, arguments);
    if (const auto known = findValueMethod(*method.owner, method.name)) {
        PythonValue answer = known({*this, *method.owner, method.name, arguments});
        writeAttributes(*method.owner);
        return answer;
    }
    return m_library.call(*this, method, arguments);
}

PythonValue PythonInterpreter::callFunction(const PythonFunction& function, PythonArguments& arguments) {
    const std::shared_ptr<const PythonClass> type = function.definedIn.lock();
    const auto* object = arguments.list.empty() ? nullptr : arguments.list[0].as<PythonInstance>();
    if (type == nullptr || object == nullptr)
        return callBound(function, arguments, nullptr, type);
    // Where a class has several bases, its chain of parents holds copies of them.
    std::shared_ptr<const PythonClass> above = object->definition;
    while (above != nullptr && !isSameClass(*above, *type))
        above = above->parent;
    const PythonInstance self{object->definition, object->attributes, object->definition};
    return callBound(function, arguments, above == nullptr ? nullptr : &self,
                     above == nullptr ? type : above);
}

PythonValue PythonInterpreter::callBound(const PythonFunction& function, PythonArguments& arguments,
                                         const PythonInstance* self,
                                         std::shared_ptr<const PythonClass> definedIn) {
    if (m_depth > deepestCalls)
        m_messages.refuse(arguments.place, "python/endless", "functions call one another without end",
                          {"give the recursion an end"});
    const PythonStatement& definition = *function.definition;
    std::map<std::string, PythonValue> values = bindParameters(function, arguments);
    const auto run = [&]() -> PythonValue {
        PythonNames* const before = openNames(function.scope);
        m_names->values = std::move(values);
        if (self != nullptr)
            m_names->self = *self;
        if (self == nullptr && definedIn != nullptr && !arguments.list.empty())
            if (const auto* type = arguments.list.front().as<PythonClassName>())
                m_names->type = type->definition;
        m_names->definedIn = std::move(definedIn);
        ++m_depth;
        const std::shared_ptr<PythonValues> yielded =
            definition.isGenerator ? std::make_shared<PythonValues>() : nullptr;
        m_names->yielded = yielded;
        m_names->outerScopes = m_openScopes.size();
        Outcome outcome = block(definition.body);
        --m_depth;
        auto scopes = std::move(m_names->scopes);
        const bool isCut = m_names->isCut;
        closeNames(before);
        if (yielded != nullptr) {
            PythonList iterator = *pythonIterator(std::move(*yielded)).as<PythonList>();
            iterator.scopes = std::move(scopes);
            iterator.isCut = isCut;
            return iterator;
        }
        return outcome.kind == Outcome::Kind::Return ? std::move(outcome.value) : PythonValue();
    };
    PythonNames* const caller = std::exchange(m_names, function.scope); // the names that they are written by
    const std::vector<PythonDecorator> decorators = decoratorsOf(definition);
    m_names = caller;
    return decorators.empty() ? run()
                              : m_library.callDecorated(definition.text, decorators, arguments.place, run);
}

std::map<std::string, PythonValue> PythonInterpreter::bindParameters(const PythonFunction& function,
                                                                     const PythonArguments& arguments) {
    const PythonStatement& definition = *function.definition;
    const auto refuse = [&](std::string message, std::string cure) {
        m_messages.refuse(arguments.place, "python/name", std::move(message), {std::move(cure)});
    };
    std::map<std::string, PythonValue> values;
    std::size_t position = 0;
    std::vector<std::pair<PythonValue, PythonValue>> further;
    const PythonParameter* keywords = nullptr;
    bool takesFurther = false;
    for (const PythonParameter& parameter : definition.parameters) {
        if (parameter.kind == Parameter::Keywords) {
            keywords = &parameter;
        } else if (parameter.kind == Parameter::Positions) {
            takesFurther = true;
            const std::size_t taken = std::min(position, arguments.list.size());
            values[parameter.name] = pythonList(
                {arguments.list.begin() + static_cast<std::ptrdiff_t>(taken), arguments.list.end()}, true);
        } else {
            const bool isAny = parameter.kind == Parameter::Any;
            const PythonValue* given =
                isAny ? arguments.find(parameter.name, position) : arguments.keyword(parameter.name);
            position += isAny ? 1 : 0;
            if (given != nullptr)
                values[parameter.name] = *given;
            else if (const auto found = function.defaults->find(parameter.name);
                     found != function.defaults->end())
                values[parameter.name] = found->second;
            else if (parameter.hasDefault)
                values[parameter.name] = evaluate(parameter.value);
            else
                refuse(fmt::format("{}() lacks its argument \"{}\"", definition.text, parameter.name),
                       fmt::format("pass {}=…", parameter.name));
        }
    }
    if (!takesFurther && arguments.list.size() > position)
        refuse(fmt::format("{}() takes {} arguments and gets {}", definition.text,
                           countPositions(definition.parameters), arguments.list.size()),
               "pass as many as it has parameters");
    for (const auto& [name, value] : arguments.keywords) {
        const auto known = std::ranges::find(definition.parameters, name, &PythonParameter::name);
        if (known != definition.parameters.end() && known->kind != Parameter::Keywords)
            continue;
        if (keywords == nullptr)
            refuse(fmt::format("{}() has no argument \"{}\"", definition.text, quotedName(name)),
                   "pass what it has a parameter for");
        further.emplace_back(pythonText(name), value);
    }
    if (keywords != nullptr)
        values[keywords->name] = pythonDictionary(std::move(further));
    return values;
}

/// The full name that a decorator or base class has; empty where it is not known.
std::string PythonInterpreter::pathOf(const PythonExpression& expression) const {
    if (expression.kind == Kind::Attribute) {
        const std::string module = pathOf(expression.children.at(0));
        return module.empty() ? module : m_library.fullName(module + "." + expression.text);
    }
    if (expression.kind != Kind::Name)
        return {};
    const PythonValue* value = bound(expression.text);
    if (value == nullptr) {
        const auto found = m_library.find(expression.text, m_stars);
        const auto* name = found ? found->as<PythonLibraryName>() : nullptr;
        return name == nullptr ? std::string() : name->path;
    }
    const auto* name = value->as<PythonLibraryName>();
    return name == nullptr ? std::string() : name->path;
}

/// The full name of a decorator; of a function of an object, with the object's class.
std::string PythonInterpreter::decoratorPath(const PythonExpression& root) const {
    if (root.kind == Kind::Attribute && root.children.at(0).kind == Kind::Name) {
        const PythonValue* owner = bound(root.children[0].text);
        if (const auto* object = owner == nullptr ? nullptr : owner->as<PythonLibraryObject>())
            return object->className + "." + root.text;
    }
    return pathOf(root);
}

/// Whether the program itself defines a decorator: it is called where the function is defined.
bool PythonInterpreter::isOwnDecorator(const PythonExpression& decorator) {
    const PythonExpression& root = decorator.kind == Kind::Call ? decorator.children.at(0) : decorator;
    if (root.kind == Kind::Attribute) // a function of a class or an object, such as Registry.add
        if (const auto owner = definedHere(root.children.at(0))) {
            const auto* object = owner->as<PythonInstance>();
            const auto* type = owner->as<PythonClassName>();
            const PythonClass* definition = object != nullptr ? object->definition.get()
                                            : type != nullptr ? type->definition.get()
                                                              : nullptr;
            if (definition != nullptr && definition->function(root.text) != nullptr)
                return true;
        }
    if (m_library.replacesFunction(decoratorPath(root)))
        return true;
    const auto value = definedHere(root);
    return value &&
           (value->is<PythonFunction>() || value->is<PythonClassName>() || value->is<PythonInstance>());
}

PythonValue PythonInterpreter::decorated(const PythonStatement& definition, PythonValue value) {
    for (auto decorator = definition.decorators.rbegin(); decorator != definition.decorators.rend();
         ++decorator) {
        if (!isOwnDecorator(*decorator))
            continue;
        PythonArguments one{{std::move(value)}, {}, decorator->place};
        value = call(evaluate(*decorator), one);
    }
    return value;
}

void PythonInterpreter::yield(const PythonStatement& entry) {
    PythonValues values;
    if (entry.text == "from")
        values = iterate(evaluate(entry.values.at(0)), entry.place);
    else
        values.push_back(entry.values.empty() ? PythonValue() : evaluate(entry.values[0]));
    PythonNames* names = m_names;
    while (names != nullptr && names->yielded == nullptr)
        names = names->outer;
    if (names == nullptr)
        m_messages.refuse(entry.place, "python/syntax", "\"yield\" is outside of a function",
                          {"write it in a function"});
    const std::shared_ptr<PythonValues> yielded = names->yielded;
    if (yielded->empty() && m_openScopes.size() > names->outerScopes)
        names->scopes = std::make_shared<const std::vector<PythonScope>>(
            m_openScopes.begin() + static_cast<std::ptrdiff_t>(names->outerScopes), m_openScopes.end());
    for (PythonValue& value : values) {
        checkHolds(yielded.get(), value, entry.place);
        appendValue(*yielded, std::move(value));
    }
    for (const PythonExpression& target : entry.targets)
        assign(target, PythonValue());
}

std::vector<PythonDecorator> PythonInterpreter::decoratorsOf(const PythonStatement& definition) {
    std::vector<PythonDecorator> list;
    for (const PythonExpression& decorator : definition.decorators) {
        const bool isOfLanguage =
            (decorator.kind == Kind::Name &&
             (decorator.text == "property" || decorator.text == "staticmethod" ||
              decorator.text == "classmethod")) ||
            (decorator.kind == Kind::Attribute && (decorator.text == "setter" || decorator.text == "getter"));
        if (isOfLanguage || isOwnDecorator(decorator))
            continue;
        const bool isCall = decorator.kind == Kind::Call;
        list.push_back({pathOf(isCall ? decorator.children.at(0) : decorator), isCall, decorator.place});
    }
    return list;
}

bool PythonInterpreter::isBehindYield() const {
    for (const PythonNames* names = m_names; names != nullptr; names = names->outer)
        if (names->yielded != nullptr && !names->yielded->empty())
            return true;
    return false;
}

} // namespace core
