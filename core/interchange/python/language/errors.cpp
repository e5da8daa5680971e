// Errors that a program raises and catches, and what it asserts.
#include "core/interchange/python/language/interpreter.h"

#include <algorithm>
#include <array>
#include <utility>

namespace core {

namespace {

using Kind = PythonExpression::Kind;

/// The error of Python that another one is a kind of; every other one is an Exception.
struct ErrorParent {
    std::string_view name;
    std::string_view parent;
};
constexpr std::array<ErrorParent, 9> errorParents{{{"KeyError", "LookupError"},
                                                   {"IndexError", "LookupError"},
                                                   {"ZeroDivisionError", "ArithmeticError"},
                                                   {"OverflowError", "ArithmeticError"},
                                                   {"ModuleNotFoundError", "ImportError"},
                                                   {"FileNotFoundError", "OSError"},
                                                   {"NotImplementedError", "RuntimeError"},
                                                   {"RecursionError", "RuntimeError"},
                                                   {"UnicodeError", "ValueError"}}};

} // namespace

/// The name of an error and those of what it is derived from.
std::vector<std::string> PythonInterpreter::errorNames(const PythonExpression& error) const {
    std::vector<std::string> names{error.text};
    const PythonValue* value = error.kind == Kind::Name ? bound(error.text) : nullptr;
    const auto* type = value == nullptr ? nullptr : value->as<PythonClassName>();
    for (const PythonClass* own = type == nullptr ? nullptr : type->definition.get(); own != nullptr;
         own = own->parent.get()) {
        names.push_back(own->name);
        names.push_back(lastPart(own->base));
    }
    const auto parent = std::ranges::find(errorParents, names.back(), &ErrorParent::name);
    if (parent != errorParents.end())
        names.emplace_back(parent->parent);
    if (names.back() != "SystemExit" && names.back() != "KeyboardInterrupt")
        names.emplace_back("Exception");
    return names;
}

bool PythonInterpreter::catches(const PythonStatement& handler, const PythonRefusal& refusal) const {
    if (handler.values.empty())
        return true;
    const PythonExpression& what = handler.values[0];
    const auto fits = [&](const PythonExpression& one) {
        return one.text == "BaseException" ||
               std::ranges::find(refusal.errors, one.text) != refusal.errors.end();
    };
    return what.kind == Kind::Tuple ? std::ranges::any_of(what.children, fits) : fits(what);
}

/// What the program's own handlers make of an error; only errors that Python raises as well are caught.
PythonInterpreter::Outcome PythonInterpreter::handled(const PythonStatement& entry,
                                                      const PythonRefusal& refusal) {
    const auto handler = std::ranges::find_if(
        entry.handlers, [&](const PythonStatement& one) { return catches(one, refusal); });
    if (refusal.errors.empty() || handler == entry.handlers.end())
        throw PythonRefusal(refusal);
    if (!handler->text.empty())
        bind(handler->text, pythonText(refusal.diagnostic.message));
    const PythonRefusal* const before = std::exchange(m_handled, &refusal);
    Outcome outcome = block(handler->body);
    m_handled = before;
    return outcome;
}

std::optional<PythonRefusal> PythonInterpreter::attempt(const std::function<void()>& run) {
    PythonNames* const names = m_names;
    const int depth = m_depth;
    const PythonScope scope = m_library.enter({});
    const std::size_t open = m_openScopes.size();
    try { // a refusal is also how an error of the program travels
        run();
    } catch (const PythonRefusal& refusal) {
        m_names = names;
        m_depth = depth;
        m_openScopes.resize(open);
        m_scopesBefore.resize(open);
        m_library.leave(scope);
        return refusal;
    }
    return std::nullopt;
}

PythonInterpreter::Outcome PythonInterpreter::tryStatement(const PythonStatement& entry) {
    const auto finish = [&](Outcome outcome) {
        Outcome last = block(entry.atEnd);
        return last.kind == Outcome::Kind::Next ? std::move(outcome) : std::move(last);
    };
    Outcome outcome;
    const std::optional<PythonRefusal> refusal = attempt([&] {
        outcome = block(entry.body);
        if (outcome.kind == Outcome::Kind::Next)
            outcome = block(entry.orElse);
    });
    return finish(refusal ? handled(entry, *refusal) : std::move(outcome));
}

/// An assertion about what only a run knows, or about what is not followed, is left to the run.
void PythonInterpreter::check(const PythonStatement& assertion) {
    const PythonExpression& whole = assertion.values.at(0);
    const bool isPair = whole.kind == Kind::Tuple && whole.children.size() == 2;
    const PythonExpression& condition = isPair ? whole.children[0] : whole;
    PythonNames* const names = m_names;
    const int depth = m_depth;
    bool holds = true;
    try {
        holds = isTrue(evaluate(condition), condition.place);
    } catch (const PythonRefusal& refusal) {
        if (refusal.diagnostic.code == "python/endless")
            throw;
        m_names = names;
        m_depth = depth;
    }
    if (holds)
        return;
    std::string message = "the program ends itself here: its assertion does not hold";
    if (isPair)
        if (const PythonValue said = evaluate(whole.children[1]); said.isText())
            message += ": " + quotedName(said.constant().get_ref<const std::string&>());
    m_messages.raise(assertion.place, {"AssertionError", "Exception"}, "python/raised", std::move(message),
                     {"change the values that it compares"});
}

} // namespace core
