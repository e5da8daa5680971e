#pragma once

#include "core/interchange/python/language/interpreter.h"

namespace core {

/// A call of a function that a list, dictionary or text has.
struct PythonValueCall {
    PythonInterpreter& interpreter;
    const PythonValue& owner;
    const std::string& name;
    PythonArguments& arguments;
};
using PythonValueMethod = PythonValue (*)(const PythonValueCall&);

/// Null: a value of this kind has no function of that name that is followed.
[[nodiscard]] PythonValueMethod findValueMethod(const PythonValue& owner, const std::string& name);
/// The same for texts.
[[nodiscard]] PythonValueMethod findTextMethod(const std::string& name);

} // namespace core
