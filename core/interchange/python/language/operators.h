#pragma once

#include "core/interchange/python/language/value.h"

#include <optional>
#include <string>

namespace core {

/// An operator on constants, lists and dictionaries, as Python computes it; nothing where it does not apply.
[[nodiscard]] std::optional<PythonValue> binaryOperation(const std::string& text, const PythonValue& a,
                                                         const PythonValue& b);
[[nodiscard]] std::optional<PythonValue> unaryOperation(const std::string& text, const PythonValue& value);

} // namespace core
