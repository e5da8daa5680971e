#pragma once

#include "simulator/catalogue/compared_samples.h"

#include <cstdint>
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

/// What a metric does to every prediction on the device, once for each of its `passes`: it reduces the
/// prediction's last axis, compares the outcome with the target, and adds up over the micro-batch.
struct MetricPrice {
    /// What the reduction over the last axis finds of each row: the best value and where it is.
    std::int64_t resultsPerRow = 2;
    /// Comparisons per sample.
    std::int64_t comparesPerSample = 1;
    /// True: as many passes as the metric's parameter says (the thresholds of a curve).
    bool passesAreParameter = false;

    bool operator==(const MetricPrice&) const = default;
};

/// The price of the means of losses, and of the rows that say so: a metric that looks once at every
/// prediction is one reduction by row, one comparison by sample and one sum, whatever it compares; the cost
/// model resolves no less than that.
inline constexpr MetricPrice sharedReduction{};

/// A Keras metric that is no mean of a loss, as the simulator has it: the (weighted) mean of a value per
/// sample, or sums over the whole micro-batch from which the value follows.
struct MetricFormula {
    /// As core's catalogue spells it.
    std::string_view className;
    MetricPrice price = sharedReduction;
    double (*ofSample)(const MetricSample& sample) = nullptr;
    /// The sums that core's row of the class says (`MetricSums`).
    void (*addUp)(const ComparedSamples& samples, double parameter, double* sums) = nullptr;
    /// The value by the sums, which may be those of many micro-batches and replicas.
    double (*ofSums)(std::span<const double> sums) = nullptr;
};

[[nodiscard]] std::span<const MetricFormula> metricFormulas();
/// Null for a class without a row: the mean of a loss.
[[nodiscard]] const MetricFormula* findMetricFormula(std::string_view className);

[[nodiscard]] MetricPrice priceOfMetric(std::string_view className);

/// The value of a metric by its sums. Precision: true positives, false positives. Recall: true positives,
/// false negatives. TruePositives, TrueNegatives, FalsePositives, FalseNegatives: the count. AUC: for each
/// threshold true positives, false positives, true negatives, false negatives. MeanIoU: how often each class
/// (row) is taken for each (column). RootMeanSquaredError: weighted squares, weights. Any other: weighted
/// values, weights.
[[nodiscard]] double metricOf(std::string_view className, std::span<const double> sums);

} // namespace simulator
