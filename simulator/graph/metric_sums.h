#pragma once

#include "simulator/graph/operation.h"

#include <cstdint>

namespace simulator {

/// Metrics that are no mean of their values over micro-batches (a ratio of counts, a root, an area, a
/// weighted mean) keep sums, from which the value of any number of micro-batches follows, as Keras' metrics
/// keep theirs.

/// How many sums a Metric operation answers behind its value; 0: the value alone.
[[nodiscard]] std::int64_t metricSums(const Metric& metric, const Extents& prediction);

} // namespace simulator
