#pragma once

#include "simulator/graph/training_graph.h"

#include <cstdint>

namespace simulator {

/// Keras' rules for the scale of a loss: it doubles after so many updates in a row whose gradients were all
/// finite; where one is not, the update is left out and the scale halved, down to 1. Source:
/// tf.keras.mixed_precision.LossScaleOptimizer.
struct DynamicLossScale {
    double initial = 32768;
    std::int64_t growthSteps = 2000;
};

/// What the graph calls the scalar that the loss is multiplied by when the host may change it between
/// updates.
inline constexpr const char* lossScaleScope = "loss_scale";
inline constexpr const char* lossScaleLabel = "dynamic";

/// That scalar; invalid where the scale is fixed.
[[nodiscard]] core::TensorId lossScaleTensor(const TrainingGraph& graph);

} // namespace simulator
