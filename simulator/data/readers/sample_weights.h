#pragma once

#include "simulator/data/files/array_file.h"
#include "simulator/data/readers/open_dataset.h"

#include <optional>
#include <span>
#include <vector>

namespace simulator {

/// What each sample of a dataset counts for in a loss: Keras' `sample_weight` (the dataset's
/// "sample_weights", a .npy file of one number per sample) times `class_weight` (its "class_weights", one
/// number per class).
class SampleWeights {
public:
    /// Every sample counts 1.
    SampleWeights() = default;
    /// `countsClasses`: class weights count in training alone. Errors: those of the .npy reader;
    /// "dataset/sample-counts", "dataset/shape" for a file of another number or shape of weights.
    [[nodiscard]] static core::Result<SampleWeights> open(const DatasetRequest& request, std::int64_t samples,
                                                          bool countsClasses);

    [[nodiscard]] bool countClasses() const { return !m_classes.empty(); }
    /// The weight of a sample with this target: a class number, or one value per class. Errors: reading;
    /// "dataset/class-weight" for a class without a weight.
    [[nodiscard]] core::Result<float> of(std::int64_t sample, std::span<const float> target) const;

private:
    std::optional<ArrayFile> m_samples;
    std::vector<float> m_classes;
};

} // namespace simulator
