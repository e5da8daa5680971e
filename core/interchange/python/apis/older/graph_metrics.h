#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <vector>

namespace core {

/// Functions of tf.metrics of TensorFlow 1, which measure labels and predictions of a graph, and in_top_k().
[[nodiscard]] std::vector<PythonApiName> graphMetricNames();
/// Whether a value is what such a function answers.
[[nodiscard]] bool isGraphMetric(const PythonValue& value);

} // namespace core
