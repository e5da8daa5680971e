#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <vector>

namespace core {

/// Strategies over several workers, and the descriptions of clusters that say how many there are:
/// TF_CONFIG, where the program sets it, and tf.train.ClusterSpec.
[[nodiscard]] std::vector<PythonApiName> workerStrategyNames();
[[nodiscard]] std::vector<PythonApiName> clusterNames();

} // namespace core
