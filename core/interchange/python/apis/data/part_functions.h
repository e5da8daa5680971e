#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <optional>
#include <string>

namespace core {

/// What a function of NumPy or TensorFlow answers that takes arrays apart, or makes arrays of places, by its
/// last name: split(), meshgrid(), where(). Nothing: the function is another one.
[[nodiscard]] std::optional<PythonValue> partsOfArray(const PythonApiCall& call, const std::string& name);
/// np.mgrid, np.ogrid, np.c_ and np.r_, which are indexed; nothing: the name is another one.
[[nodiscard]] std::optional<PythonValue> indexedMaker(const std::string& path, const PythonValue& index);

} // namespace core
