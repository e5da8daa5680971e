#pragma once

#include "simulator/compiler/lowering/layer_lowering.h"

namespace simulator {

/// A Keras regularizer's sums: l1·Σ|x| + l2·Σx².
struct Regularizer {
    double l1 = 0;
    double l2 = 0;

    [[nodiscard]] bool isNothing() const { return l1 == 0 && l2 == 0; }
};

/// Reads every form Keras writes: null, "l2", {"class_name": "L1L2", "config": {…}}. Nothing for classes
/// without such sums (orthogonal regularizers).
[[nodiscard]] std::optional<Regularizer> regularizerFromJson(const core::Json& value);

/// Adds the penalties of the layer's weight and activity regularizers to the context.
void addPenalties(LoweringCall& call, const std::vector<core::TensorId>& outputs);

/// l1·Σ|x| + l2·Σx², scaled.
[[nodiscard]] core::TensorId penalty(GraphBuilder& build, core::TensorId x, const Regularizer& regularizer,
                                     double scale);

} // namespace simulator
