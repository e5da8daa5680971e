#include "simulator/data/samples/dataset_split.h"

#include <cmath>

namespace simulator {

SampleRange runSamples(std::int64_t samples, const core::TrainingOptions& training, core::RunMode mode) {
    if (mode != core::RunMode::Train || training.validationDataset)
        return {0, samples};
    return {0, static_cast<std::int64_t>(
                   std::floor(static_cast<double>(samples) * (1 - training.validationSplit)))};
}

SampleRange validationSamples(std::int64_t samples, const core::TrainingOptions& training) {
    const std::int64_t cut = runSamples(samples, training, core::RunMode::Train).count;
    return {cut, samples - cut};
}

} // namespace simulator
