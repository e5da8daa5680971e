#pragma once

#include "core/base/result.h"
#include "core/model/activation_catalogue.h"
#include "simulator/compiler/lowering/layer_lowering.h"

#include <optional>

namespace simulator {

/// A Keras activation that is one elementwise function.
struct ElementwiseActivation {
    UnaryFunction function = UnaryFunction::Identity;
    double alpha = 0;
    double beta = 0;
};

/// Nothing when the activation is no single elementwise function ("softmax", "glu", …).
[[nodiscard]] std::optional<ElementwiseActivation>
elementwiseActivation(const core::ActivationSpec& activation);

/// Adds an activation of any form.
[[nodiscard]] core::Result<core::TensorId> addActivation(GraphBuilder& build, core::TensorId x,
                                                         const core::ActivationSpec& activation);

/// The layer's `activation` on `x`, as the only output.
[[nodiscard]] Lowered withActivation(LoweringCall& call, core::TensorId x);

} // namespace simulator
