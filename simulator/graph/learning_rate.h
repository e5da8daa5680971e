#pragma once

#include "core/base/result.h"
#include "core/config/training_options.h"

#include <cstdint>

namespace simulator {

/// The learning rate of every weight update: a number, Keras' `decay` (rate / (1 + decay·update)), or a Keras
/// learning-rate schedule.
struct LearningRate {
    double initial = 0.01;
    double decay = 0;
    /// A class of keras.optimizers.schedules with its config; empty class name: none.
    core::KerasObject schedule;
};

/// Reads an optimizer's `learning_rate` (or the older `lr`) and `decay`; `preset` where the config has none.
/// Refuses schedules Keras does not know and schedules without their required numbers.
[[nodiscard]] core::Result<LearningRate> readLearningRate(const core::Json& optimizerConfig, double preset);

/// The rate of the update that `update` updates came before. Formulas: keras.optimizers.schedules.
[[nodiscard]] double learningRateAt(const LearningRate& rate, std::int64_t update);

} // namespace simulator
