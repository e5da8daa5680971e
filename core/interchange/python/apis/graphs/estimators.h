#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <vector>

namespace core {

/// What a function of tf.metrics of TensorFlow 1 answers: its name, and k of in_top_k().
inline constexpr const char* pythonGraphMetric = "tf.graph_metric";

/// Estimators with their specifications: models that a model function of the program computes on what an
/// input function feeds.
[[nodiscard]] std::vector<PythonApiName> estimatorNames();

} // namespace core
