#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace core {

/// A function of NumPy or TensorFlow on arrays whose numbers the program says: masks, tables of angles.
/// Nothing where the numbers are not known, or the function is another one.
[[nodiscard]] std::optional<PythonValue> constantFunction(const PythonApiCall& call);
/// Extents as a program writes them: a number or a list of numbers; nothing where one is open.
[[nodiscard]] std::optional<std::vector<std::int64_t>> writtenExtents(const PythonValue* value);
/// What a function of TensorFlow makes is a tensor of the stage that it is called in.
void markTensor(const PythonApiCall& call, PythonArray& made);
/// An operator on such arrays and numbers.
[[nodiscard]] std::optional<PythonValue> constantOperation(const std::string& operation,
                                                           const PythonValue& left, const PythonValue& right);
/// A method or attribute of such an array: astype(), reshape(), T.
[[nodiscard]] std::optional<PythonValue> constantMethod(const PythonApiCall& call, const PythonValue& owner);
/// where(mask, a, b) with a mask whose numbers are known, of tensors.
[[nodiscard]] std::optional<PythonValue> chosenByMask(const PythonApiCall& call);

} // namespace core
