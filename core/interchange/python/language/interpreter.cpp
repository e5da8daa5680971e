// Statements and their order.
#include "core/interchange/python/language/interpreter.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

using Statement = PythonStatement::Kind;

/// Statements and values of a whole program, before it is called endless.
constexpr std::int64_t mostStatements = 2000000;

/// An object of a library that is a scope itself, as an open file is.
bool isScope(const PythonValue& value) {
    const auto* object = value.as<PythonLibraryObject>();
    return object != nullptr && object->attributes->contains(std::string(pythonEnterFunction));
}

} // namespace

void refuseTooLarge(PythonMessages& messages, PythonPlace place) {
    messages.refuse(place, "python/endless", "the values of the program take more memory than is given to it",
                    {"make them smaller, or leave them to the arrays and datasets of the program"});
}

PythonInterpreter::PythonInterpreter(PythonMessages& messages, PythonLibrary& library, PythonModules& modules)
    : m_messages(messages)
    , m_library(library)
    , m_files(modules) {
    forgetTexts();
    m_scopes.push_back(std::make_unique<PythonNames>());
    m_names = m_scopes.back().get();
    m_names->values = library.names();
    m_names->values["__name__"] = pythonText("__main__");
    m_names->values["__file__"] = pythonText(modules.programFile());
    m_names->values["__doc__"] = PythonData();
}

PythonInterpreter::~PythonInterpreter() {
    for (const auto& made : m_classes)
        made->attributes->clear();
    for (const auto& made : m_objects)
        if (const auto attributes = made.lock())
            std::erase_if(*attributes, [](const auto& entry) { return holdsMethod(entry.second); });
}

void PythonInterpreter::run(const PythonBlock& program) {
    static_cast<void>(block(program));
}

void PythonInterpreter::count(PythonPlace place) {
    if (++m_steps > mostStatements)
        m_messages.refuse(place, "python/endless", "the program does not come to an end",
                          {"give its loops an end, or fewer rounds"});
}

PythonInterpreter::Outcome PythonInterpreter::block(const PythonBlock& statements) {
    for (const PythonStatement& entry : statements) {
        Outcome outcome = statement(entry);
        if (outcome.kind != Outcome::Kind::Next)
            return outcome;
    }
    return {};
}

PythonInterpreter::Outcome PythonInterpreter::statement(const PythonStatement& entry) {
    try {
        return follow(entry);
    } catch (const PythonTooLarge&) {
        refuseTooLarge(m_messages, entry.place);
    }
}

PythonInterpreter::Outcome PythonInterpreter::follow(const PythonStatement& entry) {
    count(entry.place);
    switch (entry.kind) {
    case Statement::Import:
        import(entry);
        break;
    case Statement::Assignment: {
        const PythonValue value = evaluate(entry.values.at(0));
        for (const PythonExpression& target : entry.targets)
            assign(target, value);
        break;
    }
    case Statement::Augmented: {
        const PythonValue before = evaluate(entry.targets.at(0));
        const PythonValue by = evaluate(entry.values.at(0));
        if (auto changed = changedInPlace(entry.text, before, by, entry.place)) {
            assign(entry.targets[0], *changed);
            break;
        }
        const auto* list = before.as<PythonList>();
        const bool isChanged = list != nullptr && !list->isTuple && !list->isSet && entry.text == "+";
        if (isChanged && !by.is<PythonData>()) { // changes the list itself
            for (const PythonValue& item : iterate(by, entry.place)) {
                checkHolds(list->items.get(), item, entry.place);
                list->items->push_back(item);
            }
            break;
        }
        assign(entry.targets[0], operation(entry.text, before, by, entry.place));
        break;
    }
    case Statement::Expression:
        static_cast<void>(evaluate(entry.values.at(0)));
        break;
    case Statement::With:
        return with(entry);
    case Statement::If:
        return ifStatement(entry);
    case Statement::Match:
        return matchStatement(entry);
    case Statement::For:
        return forLoop(entry);
    case Statement::While:
        return whileLoop(entry);
    case Statement::Function:
        bind(entry.text, decorated(entry, function(entry)));
        break;
    case Statement::Class:
        define(entry);
        break;
    case Statement::Return:
        return {Outcome::Kind::Return, entry.values.empty() ? PythonValue() : evaluate(entry.values[0])};
    case Statement::Break:
        return {Outcome::Kind::Break, {}};
    case Statement::Continue:
        return {Outcome::Kind::Continue, {}};
    case Statement::Raise:
        raised(entry);
    case Statement::Global:
        declareOutside(entry);
        break;
    case Statement::Try:
        return tryStatement(entry);
    case Statement::Delete:
        for (const PythonExpression& target : entry.targets)
            erase(target);
        break;
    case Statement::Yield:
        yield(entry);
        break;
    case Statement::Assert:
        check(entry);
        break;
    case Statement::Handler:
    case Statement::Case:
    case Statement::Pass:
        break;
    }
    return {};
}

void PythonInterpreter::raised(const PythonStatement& entry) {
    if (entry.values.empty() && m_handled != nullptr)
        throw PythonRefusal(*m_handled);
    std::string what;
    std::vector<std::string> errors{"Exception"};
    if (!entry.values.empty()) {
        const PythonExpression& error = entry.values[0];
        const bool isCall = error.kind == PythonExpression::Kind::Call;
        const PythonExpression& name = isCall ? error.children.at(0) : error;
        what = quotedName(name.text);
        errors = errorNames(name);
        bool saysWhy = false;
        if (isCall && error.children.size() > 1) {
            // Python evaluates it first: raise SystemExit(main()) runs the program.
            const PythonValue message = evaluate(error.children[1]);
            saysWhy = message.isText();
            if (saysWhy)
                what += ": " + quotedName(message.constant().get_ref<const std::string&>());
        }
        if (name.text == "SystemExit" && !saysWhy)
            m_messages.raise(entry.place, std::move(errors), pythonProgramEnd, "the program ends itself here",
                             {"remove this statement"});
    }
    m_messages.raise(entry.place, std::move(errors), "python/raised",
                     what.empty() ? "the program ends itself here with an error"
                                  : fmt::format("the program ends itself here with {}", what),
                     {"change the value that the condition above asks for"});
}

void PythonInterpreter::declareOutside(const PythonStatement& entry) {
    PythonNames* const module = outermost();
    for (const PythonExpression& target : entry.targets) {
        PythonNames* owner = m_names->outer;
        while (owner != nullptr && !owner->values.contains(target.text))
            owner = owner->outer;
        const bool isHere = m_names == module;
        if (!isHere)
            m_names->elsewhere[target.text] = owner == nullptr ? module : owner;
    }
}

PythonValue PythonInterpreter::enterContext(const PythonValue& context, PythonPlace place) {
    const auto open = [&](const PythonScope& scope) {
        m_scopesBefore.push_back(m_library.enter(scope));
        m_openScopes.push_back(scope);
    };
    const auto* object = context.as<PythonInstance>();
    const auto* generator = context.as<PythonList>();
    if (object != nullptr && object->definition->function("__enter__") != nullptr) {
        PythonArguments none{{}, {}, place};
        return callOwn(*object, "__enter__", none);
    }
    if (generator != nullptr && generator->isIterator && generator->items->size() < 2) {
        if (generator->scopes != nullptr)
            std::ranges::for_each(*generator->scopes, open);
        return generator->items->empty() ? PythonValue() : generator->items->front();
    }
    if (const auto* scope = context.as<PythonScope>())
        open(*scope);
    else if (!context.is<PythonData>() && !isScope(context))
        m_messages.refuse(
            place, "python/unsupported", "this scope is not known",
            {"IPUStrategy().scope(), ipu.keras.PipelineStage(k) and ipu.scopes.ipu_shard(k) are"});
    return context;
}

void PythonInterpreter::leaveContexts(std::size_t open) {
    while (m_openScopes.size() > open) {
        m_library.leave(m_scopesBefore.back());
        m_scopesBefore.pop_back();
        m_openScopes.pop_back();
    }
}

bool PythonInterpreter::endsError(const PythonValue& context, const PythonRefusal& refusal,
                                  PythonPlace place) {
    if (const auto* made = context.as<PythonLibraryObject>();
        made != nullptr && made->className == pythonSuppress)
        return std::ranges::any_of(made->attributes->at("errors").items(), [&](const PythonValue& error) {
            const auto* name = error.as<PythonLibraryName>();
            return name != nullptr &&
                   std::ranges::find(refusal.errors, lastPart(name->path)) != refusal.errors.end();
        });
    const auto* object = context.as<PythonInstance>();
    if (object == nullptr || object->definition->function("__exit__") == nullptr)
        return false;
    PythonArguments error{
        {pythonText(refusal.errors.front()), pythonText(refusal.diagnostic.message), PythonData()},
        {},
        place};
    const PythonValue answer = callOwn(*object, "__exit__", error);
    return !isOfRun(answer) && isTrue(answer, place);
}

/// Without an error.
void PythonInterpreter::exitContext(const PythonValue& context, PythonPlace place) {
    const auto* object = context.as<PythonInstance>();
    if (object == nullptr || object->definition->function("__exit__") == nullptr)
        return;
    PythonArguments noError{{PythonValue(), PythonValue(), PythonValue()}, {}, place};
    static_cast<void>(callOwn(*object, "__exit__", noError));
}

PythonInterpreter::Outcome PythonInterpreter::with(const PythonStatement& entry) {
    const std::size_t open = m_openScopes.size();
    PythonValues contexts;
    for (std::size_t i = 0; i < entry.values.size(); ++i) {
        contexts.push_back(evaluate(entry.values[i]));
        const PythonValue entered = enterContext(contexts.back(), entry.values[i].place);
        if (i < entry.targets.size() && entry.targets[i].kind != PythonExpression::Kind::None)
            assign(entry.targets[i], entered);
    }
    Outcome outcome;
    const bool mayEndErrors = std::ranges::any_of(contexts, [](const PythonValue& context) {
        const auto* object = context.as<PythonInstance>();
        const auto* made = context.as<PythonLibraryObject>();
        return (object != nullptr && object->definition->function("__exit__") != nullptr) ||
               (made != nullptr && made->className == pythonSuppress);
    });
    if (mayEndErrors) {
        const std::optional<PythonRefusal> refusal = attempt([&] { outcome = block(entry.body); });
        if (refusal) {
            leaveContexts(open);
            // Once an inner one has ended the error, the outer ones know of none.
            bool isEnded = false;
            for (auto context = contexts.rbegin(); context != contexts.rend(); ++context) {
                if (isEnded)
                    exitContext(*context, entry.place);
                else
                    isEnded = !refusal->errors.empty() && endsError(*context, *refusal, entry.place);
            }
            if (!isEnded)
                throw PythonRefusal(*refusal);
            return outcome;
        }
    } else {
        outcome = block(entry.body);
    }
    leaveContexts(open);
    for (auto context = contexts.rbegin(); context != contexts.rend(); ++context)
        exitContext(*context, entry.place);
    return outcome;
}

} // namespace core
