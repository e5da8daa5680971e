#pragma once

#include "core/interchange/python/language/value.h"

#include <optional>
#include <vector>

namespace core {

/// A function of the program that a library is handed and calls: one of `def` or `lambda`, that of an object,
/// an object with `__call__`, or functools.partial of any of them.
struct PythonProgramFunction {
    const PythonStatement* definition = nullptr;
    /// The parameters that are not given already, in their order.
    std::vector<const PythonParameter*> open;

    [[nodiscard]] bool takesAnyNumber() const;
};

/// The class of what tf.function(f) answers.
inline constexpr const char* pythonCompiledFunction = "tf.function.compiled";

/// Null: the value is no function that the program writes.
[[nodiscard]] std::optional<PythonProgramFunction> programFunction(const PythonValue& value);

/// What such a function answers, value by value: those of its list, or the one that it answers.
[[nodiscard]] PythonValues outputsOf(const PythonValue& answer);

} // namespace core
