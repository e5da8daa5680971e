#pragma once

#include "simulator/compiler/lowering/layer_lowering.h"

namespace simulator {

/// One recurrent layer's operands, however it came by them.
struct RecurrentOperands {
    core::TensorId x; // [N, T, I]
    core::TensorId kernel;
    core::TensorId recurrentKernel;
    core::TensorId bias;                // invalid: none
    std::vector<core::TensorId> states; // empty: zeros
    core::TensorId attention;           // invalid: none
    core::TensorId lengths;             // invalid: none
    core::TensorId mask;                // invalid: none
};

/// What a run of a cell gives: the outputs (a sequence or the last) and the final states.
struct RecurrentResult {
    core::TensorId output;
    std::vector<core::TensorId> states;
};

/// A sequence of the layer's order, [N, T, …] or with `time_major` [T, N, …], in the other one where it has
/// `time_major`: inputs as the operation takes them, and its outputs as the layer gives them.
[[nodiscard]] core::TensorId timeMajorSwapped(LoweringCall& call, core::TensorId sequence);

/// Adds a Recurrent operation with the dropout its attributes ask for.
[[nodiscard]] core::Result<RecurrentResult> addRecurrent(LoweringCall& call, Recurrent attributes,
                                                         RecurrentOperands operands);

/// Cell, activations and flags of a layer or cell of class `className` with these attributes.
[[nodiscard]] core::Result<Recurrent> recurrentAttributes(const core::LayerAttributes& attributes,
                                                          std::string_view className);

} // namespace simulator
