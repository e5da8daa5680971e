#pragma once

#include "simulator/graph/operation.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace simulator {

/// Metrics that are no mean of their values over micro-batches (a ratio of counts, a root, an area, a
/// weighted mean) keep sums, from which the value of any number of micro-batches follows, as Keras' metrics
/// keep theirs.

/// How many sums a Metric operation answers behind its value; 0: the value alone.
[[nodiscard]] std::int64_t metricSums(const Metric& metric, const Extents& prediction);

/// The value of a metric by its sums, which are added up over micro-batches and replicas:
/// Precision: true positives, false positives. Recall: true positives, false negatives. TruePositives,
/// TrueNegatives, FalsePositives, FalseNegatives: the count. AUC: for each threshold true positives, false
/// positives, true negatives, false negatives. MeanIoU: how often each class (row) is taken for each
/// (column). RootMeanSquaredError: weighted squares, weights. Any other: weighted values, weights.
[[nodiscard]] double metricOf(std::string_view className, std::span<const double> sums);

} // namespace simulator
