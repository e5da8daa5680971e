#pragma once

#include "core/base/result.h"
#include "core/catalogue/losses.h"
#include "core/config/training_options.h"
#include "simulator/graph/operation_attributes.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace simulator {

/// The attributes of a Loss operation. Refuses unknown classes ("training/unknown-loss").
[[nodiscard]] core::Result<Loss> readLoss(const core::KerasObject& loss);
/// The axes that become one value, as the config gives them; nothing: all of them.
[[nodiscard]] std::optional<std::vector<std::int64_t>> lossAxes(const core::KerasObject& loss);

/// A metric as the graph computes it.
struct NamedMetric {
    std::string name;
    Metric attributes;
};
/// Reads a metric for an output whose loss is `loss` and whose last extent is `width`: "accuracy" becomes the
/// binary, categorical or sparse one, as Keras chooses, and so does "crossentropy". Refuses unknown classes
/// ("training/unknown-metric").
[[nodiscard]] core::Result<NamedMetric> readMetric(const core::KerasObject& metric,
                                                   const core::LossDefinition* loss, std::int64_t width);

} // namespace simulator
