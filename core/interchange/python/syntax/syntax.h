#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace core {

/// A place in a program, counted from 1; `file` 0 is the program itself, others are modules that it imports
/// from its folder.
struct PythonPlace {
    int line = 1;
    int column = 1;
    int file = 0;
    bool operator==(const PythonPlace&) const = default;
};

struct PythonStatement;
struct PythonExpression;
struct PythonKeyword;
using PythonExpressions = std::vector<PythonExpression>;

/// An expression of the subset that programs with Keras models need.
struct PythonExpression {
    enum class Kind : std::uint8_t {
        None,
        Boolean,
        Integer,
        Real,
        Text,
        FormattedText,  ///< pieces in order: Text, or a FormattedValue
        FormattedValue, ///< children[0] written with the format `text`
        Name,
        Attribute, ///< children[0].text
        Call,      ///< children[0](children[1…], keywords)
        Subscript, ///< children[0][children[1]]
        Slice,     ///< begin : end : step; None where absent
        List,
        Tuple,
        Set,
        Dictionary, ///< key, value, key, value, …; a Starred takes the place where a key and its value would
        Assigned,   ///< children[0] := children[1]
        Unary,      ///< text is "-", "+", "~" or "not"
        Binary,     ///< text is the operator
        Conditional, ///< children[0] if children[1] else children[2]
        Lambda,      ///< `function`: one statement, which returns the value
        Starred,     ///< text is "*" or "**"
        /// text says what it makes: "list", "tuple" (a generator), "set" or "dict". children[0]: the element
        /// (a Tuple of key and value for "dict"), then target, source and a Tuple of conditions per `for`.
        Comprehension,
        Ellipsis,
    };
    Kind kind = Kind::None;
    PythonPlace place;
    std::string text;
    std::int64_t integer = 0;
    double real = 0;
    PythonExpressions children;
    /// Of a call.
    std::vector<PythonKeyword> keywords;
    std::shared_ptr<const PythonStatement> function;
};

/// A keyword argument; its name is "**" for an unpacked dictionary.
struct PythonKeyword {
    std::string name;
    PythonExpression value;
};

using PythonBlock = std::vector<PythonStatement>;

struct PythonParameter {
    enum class Kind : std::uint8_t {
        Any,         ///< by position or by name
        KeywordOnly, ///< behind a `*`
        Positions,   ///< *args
        Keywords,    ///< **kwargs
    };
    std::string name;
    Kind kind = Kind::Any;
    bool hasDefault = false;
    PythonExpression value;
};

/// A statement of the subset.
struct PythonStatement {
    enum class Kind : std::uint8_t {
        Import,     ///< imports: what is bound, and the full path
        Assignment, ///< targets = value (one target of expression form; tuples unpack)
        Augmented,  ///< target text= value
        Expression,
        With,
        If,
        For,
        While,
        Function,
        Class,
        Return,
        Pass, ///< also an annotation without a value, of targets[0]
        Break,
        Continue,
        Assert,
        Raise,
        Global,  ///< the names in `targets` are the module's
        Try,     ///< body, `handlers`, orElse, atEnd
        Handler, ///< of a Try: values[0] is what it catches (absent: all), text the name of the error
        Delete,  ///< the names, attributes and elements in `targets`
        Yield,   ///< values[0]; text "from": every value of it
        Match,   ///< of values[0]: its cases are the `handlers`
        /// Of a Match: values[0] is its pattern, values[1] the condition behind "if". A pattern is written as
        /// the expression that it looks like; `pattern as name` is an Assigned.
        Case,
    };
    Kind kind = Kind::Pass;
    PythonPlace place;
    /// Function or class name; operator of an augmented assignment; ":" of an annotated assignment.
    std::string text;
    std::vector<std::pair<std::string, std::string>> imports;
    PythonExpressions targets;
    /// The value, condition, iterable, returned value, bases or context managers.
    PythonExpressions values;
    std::vector<PythonParameter> parameters;
    /// Of a class: what stands behind its bases by name.
    std::vector<PythonKeyword> keywords;
    /// Of a function or class, from top to bottom.
    PythonExpressions decorators;
    PythonBlock body;
    PythonBlock orElse;
    /// Of a Try: its handlers, and what is under "finally"; of a Match, its cases.
    PythonBlock handlers;
    PythonBlock atEnd;
    /// Of a function: there is a "yield" in it.
    bool isGenerator = false;
};

/// Parses a program, or a snippet that is indented as a whole. Errors: "python/syntax" with line:column.
[[nodiscard]] Result<PythonBlock> parsePython(std::string_view text, std::string_view file, int index = 0);

} // namespace core
