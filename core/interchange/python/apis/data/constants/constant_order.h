#pragma once

#include "core/interchange/python/apis/calls/api_table.h"
#include "core/interchange/python/draft/constant_array.h"

#include <optional>
#include <string>

namespace core {

/// Arrays whose numbers the program says in another order, repeated, framed or added up one after the other;
/// places of the largest and smallest. By the function's plain name; nothing where the numbers are not known,
/// or the function is another one.
[[nodiscard]] std::optional<PythonArray> constantOrder(const PythonApiCall& call, const std::string& name);

/// Places of arrays of the program: tril_indices(), nonzero(), meshgrid(), indices(); nothing: `call` is of
/// another function, or its numbers are not known.
[[nodiscard]] std::optional<PythonValue> constantPlaces(const PythonApiCall& call);

} // namespace core
