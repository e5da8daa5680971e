#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace simulator {

enum class Accumulation : std::uint8_t { Sum, Mean, RunningMean };

/// gradient, accumulator → accumulator in place. Mean adds gradient / count; RunningMean weights by the
/// number of micro-batches seen so far. A parameter used by several invocations has one of these for each;
/// only the one that runs first in a micro-batch (`scalesAccumulator`) scales what RunningMean has so far.
struct AccumulateGradient {
    Accumulation reduction = Accumulation::Sum;
    std::int64_t count = 1;
    bool scalesAccumulator = true;
    bool operator==(const AccumulateGradient&) const = default;
};
/// Keras' optimizer `className` (OptimizerV2 formulas): gradient, parameter, slots… → parameter and slots in
/// place. `hyperparameters` in the order the optimizer catalogue gives them; the learning rate of an update
/// comes from `TrainingGraph::learningRate`.
struct OptimizerUpdate {
    std::string className;
    std::vector<double> hyperparameters;
    bool operator==(const OptimizerUpdate&) const = default;
};

// clang-format off
#define UPDATE_KINDS(KIND)                                                                                  \
    KIND(AccumulateGradient) KIND(OptimizerUpdate)
// clang-format on

} // namespace simulator
