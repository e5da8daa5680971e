#pragma once

#include "simulator/graph/operation_attributes.h"

#include <cstdint>
#include <string_view>

namespace simulator {

/// One sample of a loss: the prediction's last axis and what it is compared with.
struct LossSample {
    const float* prediction = nullptr;
    /// Dense targets; null for class numbers.
    const float* target = nullptr;
    std::int64_t targetClass = 0;
    std::int64_t classes = 1;
    const Loss* attributes = nullptr;
    /// Hinge losses: targets are 0 and 1 and stand for −1 and 1.
    bool hasBinaryLabels = false;
    /// At least `classes` floats.
    float* scratch = nullptr;
};

/// Value of a Keras loss for one sample (its mean or sum over the last axis, as Keras has it), and its
/// gradient times `scale`. Formulas, clipping by 1e-7 and renormalisation: Keras 2.
struct LossFunction {
    std::string_view className;
    double (*value)(const LossSample& sample);
    void (*gradient)(const LossSample& sample, double scale, float* out);
};

/// Null for a class without a function.
[[nodiscard]] const LossFunction* findLossFunction(std::string_view className);

} // namespace simulator
