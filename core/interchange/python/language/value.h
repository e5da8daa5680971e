#pragma once

#include "core/base/json.h"
#include "core/interchange/python/language/library_values.h"
#include "core/interchange/python/syntax/syntax.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace core {

struct PythonClass;
struct PythonValue;
struct PythonNames;
using PythonValues = std::vector<PythonValue>;

/// None, a truth value, a number, a text.
struct PythonConstant {
    Json json;
};

/// Values in order. Copies of a list share its values, as in Python; a tuple's never change.
struct PythonList {
    std::shared_ptr<PythonValues> items;
    bool isTuple = false;
    bool isSet = false;
    /// What loops and next() take out of it.
    bool isIterator = false;
    /// Of a generator without end: there would be more than its values.
    bool isCut = false;
    /// Of a generator: the scopes of libraries in which it was when it yielded first; null: none.
    std::shared_ptr<const std::vector<PythonScope>> scopes = nullptr;
    /// Of a deque: how many values it keeps, the last ones; −1: all.
    std::int64_t longest = -1;
};

/// Keys and values in the order in which they were added; shared like a list's.
struct PythonDictionary {
    std::shared_ptr<std::vector<std::pair<PythonValue, PythonValue>>> entries;
    /// Makes the value of a key that it lacks; null: it has none.
    std::shared_ptr<const PythonValue> missing = nullptr;
    /// The attributes that it is: vars(object). Null: it is none.
    std::shared_ptr<std::map<std::string, PythonValue>> attributes = nullptr;
};

/// begin : end : step between brackets.
struct PythonSlice {
    std::shared_ptr<const PythonValues> bounds;
    /// Where only a run knows the bounds: how many places lie between them; nothing: that, too.
    std::optional<std::int64_t> length = std::nullopt;
};
struct PythonEllipsis {};

/// Something of a library, by its full name.
struct PythonLibraryName {
    std::string path;
};

/// A function or lambda of the program and the names around its definition.
struct PythonFunction {
    const PythonStatement* definition = nullptr; ///< owned by the program's syntax
    PythonNames* scope = nullptr;
    /// Values of the defaults, made where the function is defined.
    std::shared_ptr<const std::map<std::string, PythonValue>> defaults;
    /// Of a function of a class: the class. It goes on where a decorator wraps the function.
    std::weak_ptr<const PythonClass> definedIn = {};
    /// The method in whose place a decorator of the program put it; null: none did.
    const PythonStatement* method = nullptr;

    /// What says by its decorators how it is called.
    [[nodiscard]] const PythonStatement& declaration() const {
        return method == nullptr ? *definition : *method;
    }
};

/// What a class does without saying so.
enum class PythonClassKind : std::uint8_t {
    Plain,
    Record,      ///< its fields are the parameters of __init__: a dataclass
    NamedTuple,  ///< the same, and it unpacks into them
    Enumeration, ///< its attributes are its only objects, each with name and value
    Module,      ///< its only object is a file of the program: its attributes are the names there
};

/// The method that stands for a field's default which is made anew for every object; its owner makes it.
constexpr std::string_view pythonDefaultFactory = "default_factory";

/// The same for a field that is no parameter of __init__ and has no default.
constexpr std::string_view pythonFieldAlone = "field_alone";

/// A field of a record, and the value that it has where none is given.
struct PythonField {
    std::string name;
    std::shared_ptr<const PythonValue> byDefault;
};

/// A class of the program: what it is derived from and what it defines.
struct PythonClass {
    std::string name;
    PythonClassKind kind = PythonClassKind::Plain;
    /// Those of its parent come first.
    std::vector<PythonField> fields;
    /// What its body defines; setters of properties are "name=".
    std::map<std::string, PythonFunction> functions;
    /// Shared by everything that knows the class, which may set them.
    std::shared_ptr<std::map<std::string, PythonValue>> attributes =
        std::make_shared<std::map<std::string, PythonValue>>();
    /// Names of its attributes in the order in which they were defined.
    std::vector<std::string> order;
    /// The class of the program that it is derived from; null: none.
    std::shared_ptr<const PythonClass> parent;
    /// The class of a library below it, by its full name; empty where there is none.
    std::string base;

    /// Its own function, or the nearest parent's; null: none.
    [[nodiscard]] const PythonFunction* function(const std::string& wanted) const;
    [[nodiscard]] const PythonValue* attribute(const std::string& wanted) const;
};
struct PythonClassName {
    std::shared_ptr<const PythonClass> definition;
    /// Where its functions are looked for, where that is not the class itself: super() in a function of it.
    std::shared_ptr<const PythonClass> above = nullptr;
};

/// An object of a class of the program that no library knows.
struct PythonInstance {
    std::shared_ptr<const PythonClass> definition;
    std::shared_ptr<std::map<std::string, PythonValue>> attributes;
    /// Where its functions are looked for: super() begins above its class.
    std::shared_ptr<const PythonClass> above;
};

/// A function that belongs to a value: `owner.name`.
struct PythonMethod {
    std::shared_ptr<const PythonValue> owner;
    std::string name;
};

/// What an expression of a program stands for, as far as models and their options need it.
struct PythonValue {
    using Content = std::variant<PythonConstant, PythonList, PythonDictionary, PythonSlice, PythonEllipsis,
                                 PythonLibraryName, PythonFunction, PythonClassName, PythonInstance,
                                 PythonMethod, PythonData, PythonConfigured, PythonLibraryObject,
                                 PythonLayerName, PythonTensor, PythonModelName, PythonOptions, PythonQueue,
                                 PythonLoss, PythonTrainingStep, PythonScope, PythonStageEntry>;

    PythonValue() = default;
    template <class T>
    requires(!std::is_same_v<std::remove_cvref_t<T>, PythonValue> && std::is_constructible_v<Content, T&&>)
        PythonValue(T&& value) // NOLINT: every alternative is a value
        : content(std::forward<T>(value)) {}

    Content content;

    /// Null: it is something else.
    template <class T>
    [[nodiscard]] const T* as() const {
        return std::get_if<T>(&content);
    }
    template <class T>
    [[nodiscard]] bool is() const {
        return std::holds_alternative<T>(content);
    }
    [[nodiscard]] bool isNone() const;
    [[nodiscard]] bool isText() const;
    [[nodiscard]] bool isNumber() const;
    [[nodiscard]] bool isWhole() const;
    /// JSON of a constant; null for everything else.
    [[nodiscard]] const Json& constant() const;
    /// Of a list or a tuple; empty for everything else.
    [[nodiscard]] const PythonValues& items() const;
};

/// Thrown where the values of a program would take more memory than is given to it; the interpreter refuses
/// the statement that it follows then.
struct PythonTooLarge {};
/// What programs together may hold in lists on a thread, and what texts they may make, in bytes.
constexpr std::int64_t mostListBytes = std::int64_t{384} << 20U;
constexpr std::int64_t mostTextBytes = std::int64_t{128} << 20U;
/// Rounds and values that are followed and written out one by one; of more, one stands for all.
constexpr std::int64_t mostFollowed = 100'000;
/// What values take as items of a list.
[[nodiscard]] std::int64_t bytesOf(const PythonValues& items);
/// Begins to count anew what texts a program makes.
void forgetTexts();

[[nodiscard]] PythonValue pythonConstant(Json json);
[[nodiscard]] PythonValue pythonText(std::string text);
[[nodiscard]] PythonValue pythonList(PythonValues items, bool isTuple = false);
[[nodiscard]] PythonValue pythonSet(PythonValues items);
[[nodiscard]] PythonValue pythonIterator(PythonValues items);
/// An object of a library, without attributes so far.
[[nodiscard]] PythonLibraryObject pythonObject(std::string className);
[[nodiscard]] PythonValue pythonDictionary(std::vector<std::pair<PythonValue, PythonValue>> entries);
/// Equal constants, or lists and dictionaries of such; other values where they are the same one.
[[nodiscard]] bool areEqual(const PythonValue& a, const PythonValue& b);
/// Whether a list, dictionary or object that is known by its shared part can hold `value`: it does not hold
/// itself then, and is neither too deep nor too large to be walked.
[[nodiscard]] bool canHold(const void* holder, const PythonValue& value);
/// Whether a value is a function of an object of the program, or a list, dictionary or object of a library
/// with one in it.
[[nodiscard]] bool holdsMethod(const PythonValue& value);

/// The gradients that a value is, answers each time or holds; null: none.
[[nodiscard]] const PythonData* gradientsIn(const PythonValue& value);
/// What is made of a value with gradients in it is gradients, too; else it stays what it is.
void keepGradients(const PythonValue& value, PythonData& made);
/// What stands for each part of a value that only a run knows: of its gradients, where it is some, and of
/// what made it.
[[nodiscard]] PythonValue partOfRun(const PythonValue& value);
/// The call that such a value, or one in a list of them, is made of: "np.unwrap() at 12:8"; null: none is
/// known.
[[nodiscard]] const std::string* unreadIn(const PythonValue& value);
/// What is made of such a value is made of the same call.
void keepUnread(const PythonValue& from, PythonValue& made);

/// What stands in a list for `count` values like `item`; unknownCount: for nobody knows how many.
[[nodiscard]] PythonValue pythonMany(const PythonValue& item, std::int64_t count);
/// How many values a list has; nothing: some of its items stand for values of unknown number.
[[nodiscard]] std::optional<std::int64_t> lengthOf(const PythonList& list);
/// What stands for values of the kind of one of them: its numbers and texts are not those of the others.
[[nodiscard]] PythonValue likeOthers(const PythonValue& value);
/// Whether a value is made of numbers, texts and what only a run knows.
[[nodiscard]] bool isSample(const PythonValue& value);
/// Puts a value at the end of a list. Too many to be remembered one by one are remembered as alike.
void appendValue(PythonValues& items, PythonValue value);

/// The attributes of an object as a dictionary, which sets them where it is written.
[[nodiscard]] PythonValue
dictionaryOfAttributes(const std::shared_ptr<std::map<std::string, PythonValue>>& attributes);
/// After such a dictionary was changed.
void writeAttributes(const PythonValue& dictionary);

/// Takes values away from the front of a deque that holds more than `longest`.
void trimFront(PythonValues& items, std::int64_t longest);

/// Several bases of a class as one chain of parents, in Python's method resolution order: super() of the one
/// leads to the next. Null: there are none.
[[nodiscard]] std::shared_ptr<const PythonClass>
chainOfBases(const std::vector<std::shared_ptr<const PythonClass>>& bases);

/// Whether both are one class of the program: where it stands in the chain of another it is a copy.
[[nodiscard]] bool isSameClass(const PythonClass& a, const PythonClass& b);

/// Whether `type` is `base`, or is derived from it.
[[nodiscard]] bool isDerivedFrom(const PythonClass* type, const PythonClass& base);

/// What follows the last dot of a library's name for something.
[[nodiscard]] inline std::string lastPart(const std::string& path) {
    return path.substr(path.rfind('.') + 1);
}

} // namespace core
