#pragma once

#include "core/interchange/python/apis/calls/api_table.h"
#include "core/interchange/python/draft/constant_array.h"

#include <optional>
#include <string>

namespace core {

/// Products, diagonals and reductions of arrays whose numbers the program says, by the function's plain name.
/// Nothing where the numbers are not known, or the function is another one.
[[nodiscard]] std::optional<PythonArray> constantAlgebra(const PythonApiCall& call, const std::string& name);
/// The product of matrices, or of a matrix and a vector.
[[nodiscard]] std::optional<PythonArray> productOfArrays(const PythonArray& a, const PythonArray& b);

} // namespace core
