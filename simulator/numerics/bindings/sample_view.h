#pragma once

#include "simulator/numerics/bindings/bound_operation.h"
#include "simulator/numerics/bindings/loss_functions.h"

namespace simulator {

/// Predictions and targets of a loss or metric, one sample after the other: inputs prediction, target (,
/// weight).
struct SampleView {
    const float* prediction = nullptr;
    const float* target = nullptr;
    const std::int32_t* targetClasses = nullptr;
    const float* weight = nullptr;
    std::int64_t samples = 0;
    std::int64_t classes = 1;

    SampleView(const BindRequest& request, bool weighted);

    [[nodiscard]] LossSample sample(std::int64_t index, const Loss& attributes, float* scratch) const;
    [[nodiscard]] double weightOf(std::int64_t index) const { return weight == nullptr ? 1 : weight[index]; }
    /// Every target is 0 or 1.
    [[nodiscard]] bool hasBinaryLabels() const;
};

} // namespace simulator
