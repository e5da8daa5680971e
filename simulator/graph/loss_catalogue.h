#pragma once

#include "core/base/result.h"
#include "core/config/training_options.h"
#include "simulator/graph/operation_attributes.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace simulator {

/// What a loss or metric compares a prediction with.
enum class TargetForm : std::uint8_t {
    Dense,   ///< the prediction's extents
    Classes, ///< class numbers: the prediction's extents without the last
};

/// A Keras loss.
struct LossDefinition {
    std::string_view className;
    /// Keras' function names ("mse", "mean_squared_error").
    std::vector<std::string_view> functionNames;
    TargetForm target = TargetForm::Dense;
    /// Config keys of Loss::parameter and Loss::secondParameter with their defaults; empty: none.
    std::string_view parameter = {};
    double parameterPreset = 0;
    std::string_view secondParameter = {};
    double secondPreset = 0;
    /// Made of other operations (`LossLowering`); the others are one operation over the last axis.
    bool isComposed = false;
    /// Runs over all axes unless its config names some.
    bool runsOverAllAxes = false;
};
[[nodiscard]] std::span<const LossDefinition> lossCatalogue();
/// By class or function name, in any case; null when unknown.
[[nodiscard]] const LossDefinition* findLoss(std::string_view name);
/// The attributes of a Loss operation. Refuses unknown classes ("training/unknown-loss").
[[nodiscard]] core::Result<Loss> readLoss(const core::KerasObject& loss);
/// The axes that become one value, as the config gives them; nothing: all of them.
[[nodiscard]] std::optional<std::vector<std::int64_t>> lossAxes(const core::KerasObject& loss);

/// A Keras metric.
struct MetricDefinition {
    std::string_view className;
    std::vector<std::string_view> functionNames;
    /// Keras' default name ("sparse_categorical_accuracy").
    std::string_view defaultName;
    TargetForm target = TargetForm::Dense;
    std::string_view parameter = {};
    double parameterPreset = 0;
    /// The loss the metric is the mean of; empty: a metric of its own.
    std::string_view loss = {};
};
[[nodiscard]] std::span<const MetricDefinition> metricCatalogue();
[[nodiscard]] const MetricDefinition* findMetric(std::string_view name);

/// A metric as the graph computes it.
struct NamedMetric {
    std::string name;
    Metric attributes;
};
/// Reads a metric for an output whose loss is `loss` and whose last extent is `width`: "accuracy" becomes the
/// binary, categorical or sparse one, as Keras chooses, and so does "crossentropy". Refuses unknown classes
/// ("training/unknown-metric").
[[nodiscard]] core::Result<NamedMetric> readMetric(const core::KerasObject& metric,
                                                   const LossDefinition* loss, std::int64_t width);

} // namespace simulator
