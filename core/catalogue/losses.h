#pragma once

#include "core/catalogue/keras_class.h"

#include <optional>

namespace core {

/// What a loss or metric compares a prediction with, unless `ownLabelExtents` says other extents.
enum class TargetForm : std::uint8_t {
    Dense,   ///< the prediction's extents
    Classes, ///< class numbers: the prediction's extents without the last
};

/// A number that a loss or metric takes, by its key.
struct LossNumber {
    /// Empty: it takes none.
    std::string_view key = {};
    /// What a null stands for.
    double ifNull = 0;
    /// Key of a switch without which the number is 0; empty: it always counts.
    std::string_view onlyWith = {};
};

/// A Keras loss. Source: the constructors' signatures in the Keras documentation. How it computes and what
/// that costs is the simulator's row of the same class name.
struct LossDefinition : KerasClass {
    TargetForm target = TargetForm::Dense;
    LossNumber first = {};
    LossNumber second = {};

    /// Runs over all axes unless its config names some.
    [[nodiscard]] bool runsOverAllAxes() const;
};

[[nodiscard]] std::span<const LossDefinition> losses();
/// By class name in any case, in snake case, or by Keras' other texts ("mse"); null when unknown.
[[nodiscard]] const LossDefinition* findLoss(std::string_view text);
[[nodiscard]] const KerasCatalogue& lossCatalogue();

/// What a metric adds up over micro-batches, replicas and steps.
enum class MetricSums : std::uint8_t {
    Mean,             ///< values and their weights; nothing where samples have no weights
    Count,            ///< one number
    Ratio,            ///< two numbers
    FourPerThreshold, ///< for each threshold true and false positives, true and false negatives
    PairsOfClasses,   ///< how often each class is taken for each
};

/// A Keras metric.
struct MetricDefinition : KerasClass {
    TargetForm target = TargetForm::Dense;
    LossNumber number = {};
    /// The loss it is the mean of; empty: a metric of its own.
    std::string_view loss = {};
    MetricSums sums = MetricSums::Mean;
    /// Not empty: the text stands for one of the classes "Binary…", "Categorical…" and "SparseCategorical…"
    /// with this ending, as the loss and the output ask for.
    std::string_view choiceEnding = {};
};

[[nodiscard]] std::span<const MetricDefinition> metrics();
[[nodiscard]] const MetricDefinition* findMetric(std::string_view text);
[[nodiscard]] const KerasCatalogue& metricCatalogue();

} // namespace core
