#pragma once

#include "core/interchange/python/language/value.h"

#include <optional>
#include <string>

namespace core {

/// An operator on constants, lists and dictionaries, as Python computes it; nothing where it does not apply.
[[nodiscard]] std::optional<PythonValue> binaryOperation(const std::string& text, const PythonValue& a,
                                                         const PythonValue& b);
/// How many of `size` values a slice takes.
[[nodiscard]] std::int64_t countOfPlaces(std::int64_t size, const PythonSlice& slice);
/// A list of the places that a slice takes of `count` values, in its order.
[[nodiscard]] PythonValue sliceOfPlaces(std::size_t count, const PythonSlice& slice);
/// Why an operator has no value on these, as Python's error and in words; empty where it is not known.
struct PythonOperatorError {
    std::string error;
    std::string message;
    std::string cure;
};
[[nodiscard]] std::optional<PythonOperatorError> operatorError(const std::string& text, const PythonValue& a,
                                                               const PythonValue& b);
[[nodiscard]] std::optional<PythonValue> unaryOperation(const std::string& text, const PythonValue& value);

} // namespace core
