#pragma once

#include "simulator/catalogue/loss_formulas.h"

namespace simulator {

/// Predictions and targets of a loss or metric, one sample after the other.
struct ComparedSamples {
    const float* prediction = nullptr;
    /// Dense targets, or null.
    const float* target = nullptr;
    /// Class numbers, or null.
    const std::int32_t* targetClasses = nullptr;
    /// Null: every sample counts once.
    const float* weight = nullptr;
    std::int64_t samples = 0;
    std::int64_t classes = 1;

    [[nodiscard]] double weightOf(std::int64_t index) const { return weight == nullptr ? 1 : weight[index]; }
    /// Every target is 0 or 1.
    [[nodiscard]] bool hasBinaryLabels() const;
};

} // namespace simulator
