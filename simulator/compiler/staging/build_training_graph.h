#pragma once

#include "core/base/result.h"
#include "core/config/pipeline_options.h"
#include "core/config/training_options.h"
#include "core/model/typed_graph.h"
#include "core/project/validated_project.h"
#include "simulator/graph/training_graph.h"

#include <cstdint>
#include <map>
#include <string>

namespace simulator {

/// What building a training graph needs besides the model.
struct TrainingGraphOptions {
    core::RunMode mode = core::RunMode::Train;
    core::TrainingOptions training;
    core::PipelineOptions pipeline;
    /// Gradients are added up over micro-batches before they are applied.
    bool accumulates = false;
    /// Micro-batches per weight update (N).
    std::int64_t microBatches = 1;
    /// Copies of the model whose gradients are reduced together.
    std::int64_t replicas = 1;
    /// Predictions stay readable beside the loss.
    bool keepsPredictions = false;
    /// Declared forward arithmetic of layers the catalogue does not know, by layer path.
    std::map<std::string, std::int64_t> opaqueFlops;
};

/// Lowers a model to primitive operations and, for training, adds losses, metrics, the backward pass,
/// gradient accumulation and the optimizer's updates; drops what nobody needs. Refuses layers that cannot be
/// computed ("numerics/layer", with the layer as place), operations training cannot pass
/// ("numerics/not-trainable"), and losses, metrics and optimizers it does not know ("training/…").
///
/// A softmax (sigmoid) that only feeds its cross-entropy is left out: the loss takes the logits, as Keras
/// does. Without a loss a training graph takes the mean squared error, so that its time and memory can be
/// looked at.
[[nodiscard]] core::Result<TrainingGraph> buildTrainingGraph(const core::TypedGraph& model,
                                                             const TrainingGraphOptions& options);

/// The graph of a project in the mode it was validated for.
[[nodiscard]] core::Result<TrainingGraph> buildTrainingGraph(const core::ValidatedProject& project);

} // namespace simulator
