#pragma once

#include "core/config/training_options.h"

#include <span>

namespace core {

/// What the loss of an output counts for in "loss" and in the gradients (Keras' `loss_weights`); 1 where
/// nobody says otherwise. The loss that is shown of the output itself does not have it, as in Keras.
[[nodiscard]] double lossWeight(const KerasObject& loss);
/// Whether one of them counts for something else than 1.
[[nodiscard]] bool hasLossWeights(std::span<const KerasObject> losses);
void setLossWeight(KerasObject& loss, double weight);
/// The loss itself.
[[nodiscard]] KerasObject withoutLossWeight(KerasObject loss);

} // namespace core
