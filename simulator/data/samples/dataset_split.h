#pragma once

#include "core/config/training_options.h"

#include <cstdint>

namespace simulator {

/// A row of samples of a dataset.
struct SampleRange {
    std::int64_t first = 0;
    std::int64_t count = 0;
};

/// What a run of a mode takes of a dataset of so many samples: all of it, or when it trains with a validation
/// split, what lies before the split. Source: Keras' train_validation_split, which cuts at
/// floor(samples · (1 − split)).
[[nodiscard]] SampleRange runSamples(std::int64_t samples, const core::TrainingOptions& training,
                                     core::RunMode mode);
/// What lies behind the split.
[[nodiscard]] SampleRange validationSamples(std::int64_t samples, const core::TrainingOptions& training);

} // namespace simulator
