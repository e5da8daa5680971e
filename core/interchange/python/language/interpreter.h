#pragma once

#include "core/interchange/python/language/arguments.h"
#include "core/interchange/python/language/library.h"
#include "core/interchange/python/language/value.h"
#include "core/interchange/python/syntax/messages.h"
#include "core/interchange/python/syntax/syntax.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace core {

class PythonModules;

/// Where a loop may end before its last round, as what only a run knows says.
struct PythonUnknownEnd {
    PythonPlace place;
    PythonValue condition;
    /// A `return`: it ends the loops around it, too.
    bool endsAll = false;
};

/// Where the rest of a round may be left out, as what only a run knows says; what was imported by then.
struct PythonUnknownSkip {
    PythonPlace place;
    PythonValue condition;
    std::string progress;
};

/// Names that are bound in one place: the module, or one call of a function.
struct PythonNames {
    std::map<std::string, PythonValue> values;
    /// The names around it; null: the module's.
    PythonNames* outer = nullptr;
    /// Where names of `global` and `nonlocal` are bound.
    std::map<std::string, PythonNames*> elsewhere;
    /// A function that is defined here may outlive the call.
    bool isCaptured = false;
    /// Of a comprehension: `:=` binds outside of it.
    bool isComprehension = false;
    /// At the outermost level of a module: the package in which it is, for its imports that begin with dots.
    std::string package;
    /// What a generator yields, while its body is followed.
    std::shared_ptr<PythonValues> yielded;
    /// It would yield more without end.
    bool isCut = false;
    /// Then: how many scopes were open where it was called, and those that it has opened where it yields
    /// first.
    std::size_t outerScopes = 0;
    std::shared_ptr<const std::vector<PythonScope>> scopes;
    /// Of a call of a function of an object: the object, and the class that defines the function.
    std::optional<PythonInstance> self;
    std::shared_ptr<const PythonClass> definedIn;
    /// Of a call of a function of a class: the class.
    std::shared_ptr<const PythonClass> type;
    /// Of loops that are open here and may be left before their end.
    int openLoops = 0;
    std::optional<PythonUnknownEnd> unknownEnd;
    std::optional<PythonUnknownSkip> unknownSkip;
};

/// The refusal that a PythonTooLarge becomes.
[[noreturn]] void refuseTooLarge(PythonMessages& messages, PythonPlace place);

/// Whether a value has a pattern, from the weakest answer to the strongest.
enum class PythonMatch : std::uint8_t { No, OfRun, Yes };

/// Follows a program statement by statement. It computes with constants, lists and dictionaries, calls the
/// program's functions and makes objects of its classes; what libraries mean it asks the library. Data stays
/// opaque. Refuses by PythonRefusal what it does not follow, and programs that do not come to an end.
class PythonInterpreter {
public:
    /// `modules`: what the program imports from its folder; it stays as long as the interpreter.
    PythonInterpreter(PythonMessages& messages, PythonLibrary& library, PythonModules& modules);
    PythonInterpreter(const PythonInterpreter&) = delete;
    PythonInterpreter& operator=(const PythonInterpreter&) = delete;
    PythonInterpreter(PythonInterpreter&&) = delete;
    PythonInterpreter& operator=(PythonInterpreter&&) = delete;
    ~PythonInterpreter();

    void run(const PythonBlock& program);

    PythonValue call(const PythonValue& callee, PythonArguments& arguments);
    PythonValue callFunction(const PythonFunction& function, PythonArguments& arguments);
    /// Does something that may be refused, and is back where it was before then. Nothing: it was done.
    std::optional<PythonRefusal> attempt(const std::function<void()>& run);
    /// What a loop over a value meets, one after the other; an iterator is empty then.
    [[nodiscard]] PythonValues iterate(const PythonValue& value, PythonPlace place);
    [[nodiscard]] bool isTrue(const PythonValue& value, PythonPlace place);
    /// How str() writes it; `place` is where it would be refused.
    [[nodiscard]] std::string text(const PythonValue& value, PythonPlace place);
    /// The object that super() stands for where a function of a class runs.
    [[nodiscard]] PythonValue superObject(PythonPlace place) const;
    /// The object whose function runs; null: none.
    [[nodiscard]] const PythonInstance* runningObject() const;
    [[nodiscard]] PythonMessages& messages() const { return m_messages; }
    /// What a name stands for where the program is; behind run(), at its outermost level. Null: nothing.
    [[nodiscard]] const PythonValue* bound(const std::string& name) const;
    /// The names at the outermost level of the file that is followed, with what they stand for.
    [[nodiscard]] PythonValue globalNames() const;
    /// The names where the program is.
    [[nodiscard]] PythonValue localNames() const;
    /// `a text b` as the operator computes it.
    PythonValue operation(const std::string& text, const PythonValue& a, const PythonValue& b,
                          PythonPlace place);
    /// `owner.name`.
    PythonValue attributeOf(const PythonValue& owner, const std::string& name);
    /// `owner[index]`.
    PythonValue elementOf(const PythonValue& owner, const PythonValue& index, PythonPlace place,
                          PythonPlace indexPlace);
    /// Whether a value has an attribute of its own by that name.
    [[nodiscard]] bool hasAttribute(const PythonValue& owner, const std::string& name) const;
    void setAttribute(const PythonValue& owner, const std::string& name, const PythonValue& value,
                      PythonPlace place);
    /// Whether a value is an object of a class, or of one derived from it.
    [[nodiscard]] static bool isObjectOf(const PythonValue& value, const PythonClass& type);
    /// A function of an object's class, with the object as its first argument.
    PythonValue callOwn(const PythonInstance& object, const std::string& name, PythonArguments& arguments);
    /// Whether only a run knows a value.
    [[nodiscard]] static bool isOfRun(const PythonValue& value);
    /// Refuses what depends on samples, and says what they come from where that is known.
    [[noreturn]] void refuseData(PythonPlace place, const PythonValue& value, std::string what,
                                 std::vector<std::string> cures) const;
    /// What `with` does with a value at its beginning, and what it binds to the name behind `as`.
    PythonValue enterContext(const PythonValue& context, PythonPlace place);
    /// Whether a generator is followed behind its first yield, so before what the program does meanwhile.
    [[nodiscard]] bool isBehindYield() const;
    /// How many scopes of libraries are open; leaveContexts() goes back to that.
    [[nodiscard]] std::size_t openContexts() const { return m_openScopes.size(); }
    void leaveContexts(std::size_t open);
    /// Counts work that is not a statement, so that a program that only makes lists ends, too.
    void countWork(std::size_t values, PythonPlace place);

private:
    /// How a statement ends.
    struct Outcome {
        enum class Kind : std::uint8_t { Next, Break, Continue, Return };
        Kind kind = Kind::Next;
        PythonValue value;
    };

    // Statements.
    Outcome block(const PythonBlock& statements);
    Outcome statement(const PythonStatement& statement);
    Outcome with(const PythonStatement& statement);
    /// Whether a context ends an error that its body ended with.
    bool endsError(const PythonValue& context, const PythonRefusal& refusal, PythonPlace place);
    void exitContext(const PythonValue& context, PythonPlace place);
    Outcome tryStatement(const PythonStatement& statement);
    Outcome handled(const PythonStatement& statement, const PythonRefusal& refusal);
    [[nodiscard]] bool catches(const PythonStatement& handler, const PythonRefusal& refusal) const;
    void check(const PythonStatement& assertion);
    void erase(const PythonExpression& target);
    void yield(const PythonStatement& statement);
    Outcome follow(const PythonStatement& statement);
    Outcome ifStatement(const PythonStatement& statement);
    Outcome::Kind followUnknownWay(const std::function<Outcome()>& way, const PythonValue& condition,
                                   PythonPlace place);
    /// Keeps that a loop may end here, or leave the rest of a round out. `isGuard`: only where its results
    /// have become no numbers.
    void noteUnknownEnd(Outcome::Kind kind, PythonPlace place, const PythonValue& condition,
                        bool isGuard = false);
    Outcome matchStatement(const PythonStatement& statement);
    Outcome followCases(const PythonStatement& statement, const PythonValue& subject, std::size_t first);
    PythonMatch matches(const PythonExpression& pattern, const PythonValue& value);
    PythonMatch matchesValue(const PythonExpression& pattern, const PythonValue& value);
    PythonMatch matchesSequence(const PythonExpression& pattern, const PythonValue& value);
    PythonMatch matchesMapping(const PythonExpression& pattern, const PythonValue& value);
    PythonMatch matchesClass(const PythonExpression& pattern, const PythonValue& value);
    /// What the names that a statement sees stand for, and how long the lists among them are.
    struct Names {
        std::vector<std::pair<PythonNames*, std::map<std::string, PythonValue>>> scopes;
        std::map<const PythonValues*, std::size_t> lengths;
    };
    [[nodiscard]] Names namesNow() const;
    static void restoreNames(const Names& names);
    /// Names that stand for one thing on one way and for another on the other, and lists that one of them has
    /// changed, are known only when the program runs.
    void joinNames(const Names& before, const Names& other, const PythonValue& condition);
    Outcome forLoop(const PythonStatement& statement);
    /// Of an iterator without end; `first`: what it begins with.
    Outcome loopWithoutEnd(const PythonStatement& statement, const PythonValue& source, PythonValue first);
    Outcome loopOverSamples(const PythonStatement& statement, const PythonValue& source,
                            const PythonRounds& rounds);
    Outcome whileLoop(const PythonStatement& statement);
    class LeftLoop;
    [[noreturn]] void raised(const PythonStatement& statement);
    void import(const PythonStatement& statement);
    PythonValue named(const std::string& path);
    void importAll(const std::string& path);
    /// What a dotted path means in the program's own files; nothing: it begins with none of them.
    std::optional<PythonValue> inModules(const std::string& path, PythonPlace place);
    /// A module of the program's folder as an object; nothing: there is no such file.
    std::optional<PythonValue> moduleObject(const std::string& path);
    /// A path that begins with dots, from the module that is followed.
    [[nodiscard]] std::string absolutePath(const std::string& path) const;
    /// The names at the outermost level of what is followed.
    [[nodiscard]] PythonNames* outermost() const;
    /// What a name, or an attribute of a module, stands for in the program; nothing: it is of a library.
    std::optional<PythonValue> definedHere(const PythonExpression& expression);
    void declareOutside(const PythonStatement& statement);
    void assign(const PythonExpression& target, const PythonValue& value);
    void unpack(const PythonExpression& target, const PythonValue& value);
    void assignAttribute(const PythonExpression& target, const PythonValue& value);
    void assignElement(const PythonExpression& target, const PythonValue& value);
    void bind(const std::string& name, PythonValue value);
    void count(PythonPlace place);
    /// Opens a scope for names within `outer`; `closeNames` goes back to what was open before.
    PythonNames* openNames(PythonNames* outer);
    void closeNames(PythonNames* before);

    // Expressions.
    PythonValue evaluate(const PythonExpression& expression);
    PythonValue conditional(const PythonExpression& expression);
    PythonValue lookUp(const PythonExpression& name);
    PythonValue attribute(const PythonExpression& expression);
    PythonValue subscript(const PythonExpression& expression);
    bool addTerms(const PythonExpression& expression, std::int64_t factor,
                  std::map<std::string, std::int64_t>& terms);
    std::optional<std::int64_t> lengthBetween(const PythonExpression& slice);
    PythonValue listOf(const PythonExpression& expression);
    PythonValue dictionaryOf(const PythonExpression& expression);
    PythonValue comprehension(const PythonExpression& expression);
    void comprehend(const PythonExpression& expression, std::size_t clause, PythonValues& made);
    void comprehendOnce(const PythonExpression& expression, std::size_t clause, const PythonRounds& rounds,
                        PythonValues& made);
    PythonValue formattedText(const PythonExpression& expression);
    PythonValue unary(const PythonExpression& expression);
    PythonValue binary(const PythonExpression& expression);
    std::optional<PythonValue> ownOperation(const std::string& text, const PythonValue& a,
                                            const PythonValue& b, PythonPlace place);
    /// What a class of the program defines for `a text= b`; nothing: it defines nothing for it.
    std::optional<PythonValue> changedInPlace(const std::string& text, const PythonValue& a,
                                              const PythonValue& b, PythonPlace place);
    /// An object of a class without anything, as object.__new__() makes it.
    PythonInstance emptyObject(const std::shared_ptr<const PythonClass>& definition, PythonPlace place);
    void checkHolds(const void* holder, const PythonValue& value, PythonPlace place) const;

    // Calls and classes.
    /// The object of `object.__dict__`; nothing: the expression is something else.
    std::optional<PythonInstance> ownerOfNames(const PythonExpression& expression);
    PythonValue callExpression(const PythonExpression& expression);
    PythonValues starred(const PythonExpression& expression);
    PythonArguments argumentsOf(const PythonExpression& expression, bool takesSamples);
    PythonValue callMethod(const PythonMethod& method, PythonArguments& arguments);
    PythonValue callBound(const PythonFunction& function, PythonArguments& arguments,
                          const PythonInstance* self, std::shared_ptr<const PythonClass> definedIn);
    PythonValue function(const PythonStatement& definition);
    std::map<std::string, PythonValue> bindParameters(const PythonFunction& function,
                                                      const PythonArguments& arguments);
    [[nodiscard]] bool isOwnDecorator(const PythonExpression& decorator);
    [[nodiscard]] std::string decoratorPath(const PythonExpression& root) const;
    /// A function or class as the decorators that the program defines hand it on.
    PythonValue decorated(const PythonStatement& definition, PythonValue value);
    [[nodiscard]] std::vector<std::string> errorNames(const PythonExpression& error) const;
    [[nodiscard]] std::vector<PythonDecorator> decoratorsOf(const PythonStatement& definition);
    [[nodiscard]] std::string pathOf(const PythonExpression& expression) const;
    void define(const PythonStatement& statement);
    void warnOfMetaclass(const PythonValue& metaclass, PythonPlace place);
    void defineMembers(const PythonStatement& statement, const std::shared_ptr<PythonClass>& type);
    void finishClass(const std::shared_ptr<PythonClass>& made);
    PythonValue construct(const std::shared_ptr<const PythonClass>& definition, PythonArguments& arguments);
    void fillFields(const PythonInstance& object, const PythonArguments& arguments);
    PythonValue callOfClass(const PythonClassName& type, const std::string& name, PythonArguments& arguments);

    PythonMessages& m_messages;
    PythonLibrary& m_library;
    PythonModules& m_files;
    /// Modules that were imported, by their paths: their names, and the object that stands for them.
    std::map<std::string, std::pair<std::unique_ptr<PythonNames>, PythonValue>> m_modules;
    std::vector<std::unique_ptr<PythonNames>> m_scopes;
    /// A class may hold its own objects, which hold the class: their attributes go with the interpreter.
    std::vector<std::shared_ptr<PythonClass>> m_classes;
    /// An object may keep its own functions, which keep the object: they go with the interpreter, too.
    std::vector<std::weak_ptr<std::map<std::string, PythonValue>>> m_objects;
    PythonNames* m_names = nullptr;
    std::vector<std::string> m_stars;
    /// The scopes of libraries around the statement that is followed.
    std::vector<PythonScope> m_openScopes;
    /// For each of them, the scope that the library was in before.
    std::vector<PythonScope> m_scopesBefore;
    int m_depth = 0;
    int m_expressions = 0;
    std::int64_t m_steps = 0;
    /// The comprehension that is followed goes over samples of unknown number.
    bool m_isOfRun = false;
    /// Of which that is known: a part of those samples.
    PythonValue m_sourceOfRun = PythonData();
    /// The error that the handler is about that runs; null: none does.
    const PythonRefusal* m_handled = nullptr;
};

} // namespace core
