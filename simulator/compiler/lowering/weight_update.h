#pragma once

#include "core/base/result.h"
#include "core/config/pipeline_options.h"
#include "core/config/training_options.h"
#include "simulator/graph/dynamic_loss_scale.h"
#include "simulator/graph/graph_builder.h"
#include "simulator/graph/rules/differentiate.h"

namespace simulator {

/// How gradients become weights.
struct UpdateOptions {
    core::KerasObject optimizer;
    bool accumulates = false;
    std::int64_t microBatches = 1;
    core::ReductionMethod reduction = core::ReductionMethod::Sum;
    /// Nothing: each variable's own type.
    std::optional<core::DataType> accumulatorType;
    /// On what the optimizer reads.
    double gradientFactor = 1;
    /// Replicas whose gradients are added up before that: each of theirs decays the weights.
    std::int64_t replicas = 1;
};

/// An optimizer without what wraps it, and the factor a LossScaleOptimizer puts on the loss: a fixed one, or
/// rules for one.
struct UnwrappedOptimizer {
    core::KerasObject optimizer;
    double lossScale = 1;
    std::optional<DynamicLossScale> dynamicScale;
};
[[nodiscard]] UnwrappedOptimizer unwrapOptimizer(const core::KerasObject& optimizer);

/// Adds accumulation (Backward) and updates (WeightUpdate) for every parameter with a gradient, with Keras'
/// clipvalue, clipnorm and global_clipnorm; fills `parameters` and `learningRate` of the graph. `gradients`
/// are those of the loss times `lossScale` of the graph, or a scale that the host changes.
[[nodiscard]] core::Result<void> addWeightUpdates(GraphBuilder& build, const Gradients& gradients,
                                                  const UpdateOptions& options);

} // namespace simulator
