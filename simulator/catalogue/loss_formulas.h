#pragma once

#include "simulator/graph/operation_attributes.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace simulator {

/// Keras' fuzz factor: keeps logarithms and quotients finite.
inline constexpr double lossEpsilon = 1e-7;

/// One sample of a loss: the prediction's last axis and what it is compared with.
struct LossSample {
    const float* prediction = nullptr;
    /// Dense targets; null for class numbers.
    const float* target = nullptr;
    std::int64_t targetClass = 0;
    std::int64_t classes = 1;
    const Loss* attributes = nullptr;
    /// Targets are 0 and 1 and stand for −1 and 1 where the loss takes them so.
    bool hasBinaryLabels = false;
    /// At least `classes` floats.
    float* scratch = nullptr;
    /// y = softmax(x), both of `classes` floats.
    void (*softmax)(const float* x, float* y, std::int64_t classes) = nullptr;
};

/// Element-wise cycles per element of float32 (half of that for float16), forward and backward.
struct LossPrice {
    double forward = 0;
    double gradient = 0;
    /// Losses over classes normalise their rows first when they take logits.
    bool overClasses = false;
};

/// A Keras loss as the simulator has it. Formulas, clipping by 1e-7 and renormalisation: Keras 2.
struct LossFormula {
    /// As core's catalogue spells it.
    std::string_view className;
    /// Of its own operation; nothing of a loss made of other operations, which have their own prices.
    LossPrice price = {};
    /// Value for one sample: its mean or sum over the last axis, as Keras has it. Null: the loss is made of
    /// other operations (`LossLowering`).
    double (*value)(const LossSample& sample) = nullptr;
    /// Its gradient times `scale`.
    void (*gradient)(const LossSample& sample, double scale, float* out) = nullptr;
    /// Targets of 0 and 1 stand for −1 and 1.
    bool takesBinaryLabels = false;

    [[nodiscard]] bool isComposed() const { return value == nullptr; }
};

[[nodiscard]] std::span<const LossFormula> lossFormulas();
/// Null for a class without a row.
[[nodiscard]] const LossFormula* findLossFormula(std::string_view className);
/// The row of a loss that the graph holds: `readLoss` has refused a class without one.
[[nodiscard]] const LossFormula& lossFormula(std::string_view className);
/// Class names of the losses that are one operation.
[[nodiscard]] std::vector<std::string_view> lossOperationNames();

} // namespace simulator
