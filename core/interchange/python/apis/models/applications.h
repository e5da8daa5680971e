#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <vector>

namespace core {

/// The networks of keras.applications that are templates of this program, as Keras makes them.
[[nodiscard]] std::vector<PythonApiName> applicationNames();

} // namespace core
