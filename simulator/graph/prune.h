#pragma once

#include "simulator/graph/training_graph.h"

namespace simulator {

/// Drops operations whose results nobody needs, and tensors nobody touches; numbers the rest anew. Needed are
/// the loss, the metrics, of an inference graph the predictions, and whatever rewrites a weight, state,
/// accumulator or optimizer slot. Predictions of a graph with a loss that nobody needs leave its list, unless
/// they are to be kept.
void prune(TrainingGraph& graph, bool keepsPredictions = false);

/// Moves each gradient accumulation to right behind the operation that computes its gradient, so that
/// gradients do not wait in memory for the end of the backward pass.
void accumulateEarly(TrainingGraph& graph);

} // namespace simulator
