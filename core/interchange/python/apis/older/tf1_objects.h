#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

namespace core {

/// The initializers and learning-rate schedules of TensorFlow 1, as the classes of Keras that do the same.
[[nodiscard]] std::vector<PythonApiName> olderObjectNames();

} // namespace core
