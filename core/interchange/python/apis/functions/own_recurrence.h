#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

namespace core {

/// The class of a keras.layers.RNN whose cell is a class of the program.
inline constexpr const char* pythonOwnRecurrence = "keras.layers.own_recurrence";

/// keras.layers.RNN(cell) of such a cell; what the layer is told beside it is kept.
[[nodiscard]] PythonValue makeOwnRecurrence(const PythonApiCall& call);
/// Its call on a sequence: the cell is called for each step, one behind the other.
[[nodiscard]] PythonValue callOwnRecurrence(const PythonApiCall& call);

} // namespace core
