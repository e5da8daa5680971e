#pragma once

#include "simulator/catalogue/compared_samples.h"

#include <span>
#include <string_view>

namespace simulator {

/// What a metric sees of one sample.
struct MetricSample {
    const float* prediction;
    const float* target;
    std::int64_t targetClass;
    std::int64_t classes;
    double parameter;
};

/// A Keras metric that is no mean of a loss, as the simulator has it: the (weighted) mean of a value per
/// sample, or sums over the whole micro-batch from which the value follows.
struct MetricFormula {
    /// As core's catalogue spells it.
    std::string_view className;
    double (*ofSample)(const MetricSample& sample) = nullptr;
    /// The sums that core's row of the class says (`MetricSums`).
    void (*addUp)(const ComparedSamples& samples, double parameter, double* sums) = nullptr;
    /// The value by the sums, which may be those of many micro-batches and replicas.
    double (*ofSums)(std::span<const double> sums) = nullptr;
};

[[nodiscard]] std::span<const MetricFormula> metricFormulas();
/// Null for a class without a row: the mean of a loss.
[[nodiscard]] const MetricFormula* findMetricFormula(std::string_view className);

/// The value of a metric by its sums. Precision: true positives, false positives. Recall: true positives,
/// false negatives. TruePositives, TrueNegatives, FalsePositives, FalseNegatives: the count. AUC: for each
/// threshold true positives, false positives, true negatives, false negatives. MeanIoU: how often each class
/// (row) is taken for each (column). RootMeanSquaredError: weighted squares, weights. Any other: weighted
/// values, weights.
[[nodiscard]] double metricOf(std::string_view className, std::span<const double> sums);

} // namespace simulator
