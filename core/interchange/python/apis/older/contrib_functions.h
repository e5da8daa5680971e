#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <vector>

namespace core {

/// What programs of TensorFlow 1 take from tf.contrib, as rows: its layers, and hyperparameters.
[[nodiscard]] std::vector<PythonApiName> contribNames();

} // namespace core
