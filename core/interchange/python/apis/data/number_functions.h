#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <string>
#include <vector>

namespace core {

/// Functions of numbers that several libraries have under one name: rows for the library whose names begin
/// with `prefix`. Of anything but numbers they answer data.
[[nodiscard]] std::vector<PythonApiName> numberFunctions(const std::string& prefix);

/// A function of TensorFlow on one number of the program: the number that it gives; nothing for others.
[[nodiscard]] std::optional<PythonValue> numberOfTensor(const PythonApiCall& call);

} // namespace core
