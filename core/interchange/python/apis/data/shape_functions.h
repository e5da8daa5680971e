#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <optional>
#include <string>

namespace core {

/// What a function of NumPy or TensorFlow answers that moves, joins, repeats, cuts or pads axes, by its last
/// name. Nothing: the function is another one.
[[nodiscard]] std::optional<PythonValue> rearrangedArray(const PythonApiCall& call, const std::string& name);

/// The array that such a function is given first, by place or by one of its names; null: none.
[[nodiscard]] const PythonValue* shapedArgument(const PythonApiCall& call);
/// Its extents; null where they are not known.
[[nodiscard]] Json firstShape(const PythonApiCall& call);

} // namespace core
