#pragma once

#include <cstdint>
#include <string>

namespace simulator {

/// How a loss of many values becomes one: their mean (Keras' SUM_OVER_BATCH_SIZE), their sum, or not at all.
enum class LossReduction : std::uint8_t { Mean, Sum, None };
/// Keras' loss `className` (for example "SparseCategoricalCrossentropy"): prediction, target (, sample
/// weight) → scalar over the micro-batch (one value per sample with LossReduction::None).
struct Loss {
    std::string className;
    bool fromLogits = false;
    double labelSmoothing = 0;
    /// delta of Huber, gamma of the focal losses, …
    double parameter = 1;
    /// alpha of the focal losses, …
    double secondParameter = 0;
    LossReduction reduction = LossReduction::Mean;
    bool weighted = false;
    bool operator==(const Loss&) const = default;
};
/// prediction, target (, sample weight), dLoss → dPrediction.
struct LossGradient {
    Loss forward;
    bool operator==(const LossGradient&) const = default;
};
/// Keras' metric `className`: prediction, target (, sample weight) → value over the micro-batch, a scalar or,
/// for metrics that are no mean over micro-batches, [1 + sums] (see metric_sums.h).
struct Metric {
    std::string className;
    /// threshold of BinaryAccuracy, k of TopKCategoricalAccuracy, …
    double parameter = 0;
    bool fromLogits = false;
    double labelSmoothing = 0;
    bool weighted = false;
    bool operator==(const Metric&) const = default;
};

/// Connectionist temporal classification: data [T, N, C] (logits, or log probabilities), labels [N, L], label
/// lengths [N], data lengths [N] → negative log likelihood [N], d(loss)/d(data) [T, N, C].
struct CtcLoss {
    std::int64_t blank = 0;
    bool fromLogits = true;
    bool operator==(const CtcLoss&) const = default;
};
/// data as for CtcLoss, data lengths [N] → log probabilities [N, paths], lengths [N, paths], labels
/// [N, paths, T] (blank behind the length).
struct CtcBeamSearch {
    std::int64_t blank = 0;
    bool fromLogits = true;
    std::int64_t beamWidth = 100;
    std::int64_t topPaths = 1;
    bool operator==(const CtcBeamSearch&) const = default;
};

// clang-format off
#define LOSS_KINDS(KIND)                                                                                    \
    KIND(Loss) KIND(LossGradient) KIND(Metric) KIND(CtcLoss) KIND(CtcBeamSearch)
// clang-format on

} // namespace simulator
