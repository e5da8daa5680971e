#pragma once

#include "core/config/training_options.h"
#include "core/model/model_graph.h"

#include <string>
#include <vector>

namespace core {

/// The losses that the outputs of a model ask for, by what computes them: classes behind a softmax take the
/// cross entropy of class numbers, a sigmoid that of a probability, two or more numbers of a Dense layer that
/// of logits, and everything else the mean squared error. One for all outputs where they agree, else one
/// each; none without outputs.
[[nodiscard]] std::vector<KerasObject> proposedLosses(const ModelGraph& model);

/// "sparse categorical cross entropy": a loss in words.
[[nodiscard]] std::string lossInWords(const KerasObject& loss);

} // namespace core
