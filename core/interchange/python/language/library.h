#pragma once

#include "core/interchange/python/language/arguments.h"
#include "core/interchange/python/language/value.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

class PythonInterpreter;

/// A decorator of a function: its full name (empty where that is not known) and whether it has arguments.
struct PythonDecorator {
    std::string path;
    bool isCall = false;
    PythonPlace place;
};

/// What a loop over samples meets.
struct PythonRounds {
    /// Each time, in the number of rounds that `count` says; of an array, of its rows.
    PythonValue element;
    /// PythonData::endless: without end.
    std::int64_t count = 0;
    /// Its elements are pairs with the number of the round.
    bool isNumbered = false;
};

/// What the interpreter asks about libraries: it knows none of their names, and not what their values are.
class PythonLibrary {
public:
    PythonLibrary() = default;
    PythonLibrary(const PythonLibrary&) = delete;
    PythonLibrary& operator=(const PythonLibrary&) = delete;
    virtual ~PythonLibrary() = default;

    /// The one name of what programs import under several.
    [[nodiscard]] virtual std::string fullName(const std::string& path) const = 0;
    /// Names that a program has without saying so.
    [[nodiscard]] virtual std::map<std::string, PythonValue> names() const = 0;
    /// A name that nothing binds; `stars` are the modules of `from … import *`.
    [[nodiscard]] virtual std::optional<PythonValue> find(const std::string& name,
                                                          const std::vector<std::string>& stars) const = 0;

    virtual PythonValue call(PythonInterpreter& interpreter, const PythonValue& callee,
                             PythonArguments& arguments) = 0;
    /// Whether names that nothing binds are samples among the arguments of a call.
    [[nodiscard]] virtual bool takesSamples(const PythonValue& callee) const = 0;
    /// Whether the name, as a decorator, puts something else in the place of the function.
    [[nodiscard]] virtual bool replacesFunction(const std::string& path) const = 0;
    /// An object of a class of the program; nothing where no library has to do with it.
    virtual std::optional<PythonValue> construct(PythonInterpreter& interpreter, const PythonClass& made,
                                                 PythonArguments& arguments) = 0;
    /// What a class is by its base or decorator of that full name; nothing where that says nothing about it.
    [[nodiscard]] virtual std::optional<PythonClassKind> classKind(const std::string& path) const = 0;
    /// An object of a class of the program was made and its own __init__ comes next.
    virtual void begin(const PythonInstance& object, PythonPlace place) = 0;
    /// What stands for an object of a class whose __init__ has run; nothing: the object itself.
    virtual std::optional<PythonValue> finish(PythonInterpreter& interpreter, const PythonInstance& object,
                                              PythonPlace place) = 0;
    /// A call of an object; nothing where its class says itself what that is, or its base gives it no
    /// meaning.
    virtual std::optional<PythonValue>
    callObject(PythonInterpreter& interpreter, const PythonInstance& object, PythonArguments& arguments) = 0;
    /// A function that an object's class inherits from a library; nothing where it does not.
    virtual std::optional<PythonValue> callInherited(PythonInterpreter& interpreter,
                                                     const PythonInstance& object, const std::string& name,
                                                     PythonArguments& arguments) = 0;
    /// What a function of the program answers that has decorators; `run` follows its body.
    virtual PythonValue callDecorated(const std::string& function,
                                      const std::vector<PythonDecorator>& decorators, PythonPlace place,
                                      const std::function<PythonValue()>& run) = 0;

    [[nodiscard]] virtual std::optional<PythonValue> attribute(const PythonValue& owner,
                                                               const std::string& name) = 0;
    /// False: it has none that can be set.
    virtual bool setAttribute(const PythonValue& owner, const std::string& name, const PythonValue& value,
                              PythonPlace place) = 0;
    /// `owner[index] = value`. False: it has no elements that can be set.
    virtual bool setElement(const PythonValue& owner, const PythonValue& index, const PythonValue& value,
                            PythonPlace place) = 0;
    [[nodiscard]] virtual std::optional<PythonValue> element(const PythonValue& owner,
                                                             const PythonValue& index, PythonPlace place) = 0;
    /// `count` values that a value unpacks into.
    [[nodiscard]] virtual std::optional<PythonValues> unpack(const PythonValue& value, std::size_t count) = 0;
    /// The members of an enumeration, which a loop over it meets; nothing: the value is none.
    [[nodiscard]] virtual std::optional<PythonValues> members(const PythonValue& value) const = 0;
    /// What a loop over samples meets each time; nothing where the library does not know it.
    [[nodiscard]] virtual std::optional<PythonRounds> rounds(const PythonValue& value) const = 0;
    /// The next value of an iterator without end, such as itertools.count(); nothing: the value is none.
    [[nodiscard]] virtual std::optional<PythonValue>
    nextWithoutEnd(PythonInterpreter& interpreter, const PythonValue& value, PythonPlace place) = 0;
    /// A loop of the program begins and ends: `rounds` times, of which `followed` are followed one by one.
    /// What is done with each part of a value that only a run knows changes what is imported: followed once.
    [[nodiscard]] virtual bool followsParts() const = 0;
    virtual void beginLoop(const std::string& variable, std::int64_t rounds, bool isFollowed,
                           PythonPlace place) = 0;
    virtual void endLoop() = 0;
    /// The rounds of the loop at a place differ in what is imported: each is followed.
    [[nodiscard]] virtual bool followsEachRound(PythonPlace place) const = 0;
    /// What a run may do or not begins and ends.
    virtual void beginUnknownWay() = 0;
    virtual void endUnknownWay() = 0;
    /// What a loop or condition changed can be told by a state that is another one.
    [[nodiscard]] virtual std::string state() const = 0;
    /// The same with how often what is compiled was run.
    [[nodiscard]] virtual std::string progress() const = 0;
    [[nodiscard]] virtual std::optional<PythonValue> negative(const PythonValue& value,
                                                              PythonPlace place) = 0;
    [[nodiscard]] virtual std::optional<PythonValue> binary(const std::string& operation,
                                                            const PythonValue& left, const PythonValue& right,
                                                            PythonPlace place) = 0;
    /// The scope in which statements are; what `enter` answers is handed to `leave`.
    [[nodiscard]] virtual PythonScope enter(const PythonScope& scope) = 0;
    virtual void leave(const PythonScope& before) = 0;
};

} // namespace core
