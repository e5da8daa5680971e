#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <vector>

namespace core {

/// The loss of a step of training whose model is a graph of tensors: stages, bodies of loops, model
/// functions. Where the program computes it by itself of the labels, it is cut out of the graph: what lies
/// behind the last layer with weights becomes a loss function, what leads there is the prediction. A sum is a
/// loss of each prediction, and what the model adds to them of layers alone. `elements` are the samples'
/// tensors.
[[nodiscard]] std::vector<PythonLoss> lossesOfStep(const PythonApiCall& call, const PythonTrainingStep& step,
                                                   const PythonValues& elements);

} // namespace core
