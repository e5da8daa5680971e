#pragma once

#include "core/base/result.h"
#include "core/config/training_options.h"
#include "simulator/compiler/lowering/layer_lowering.h"

#include <string>
#include <vector>

namespace simulator {

/// One output of a model and what people call it.
struct NamedOutput {
    std::string name;
    core::TensorId tensor;
};

/// Adds targets, losses, penalties and metrics to the context's graph: sets `loss`, `metrics` and `targets`.
/// A model with several outputs also shows each one's loss as a metric "NAME_loss", as Keras does.
[[nodiscard]] core::Result<void> addEvaluation(LoweringContext& context,
                                               const std::vector<NamedOutput>& outputs,
                                               const core::TrainingOptions& training);

} // namespace simulator
