#pragma once

#include "simulator/compiler/staging/tensor_uses.h"
#include "simulator/graph/staged_graph.h"

namespace simulator {

/// Takes the operations that only make gradients of weights out of the backward programs and into programs of
/// their own (`Phase::WeightGradient`), for a schedule that runs them apart. An operation stays where another
/// stage, or an operation that stays, reads what it makes.
[[nodiscard]] StagedGraph splitBackward(StagedGraph staged, const TensorUses& uses);

} // namespace simulator
