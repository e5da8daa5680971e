#pragma once

#include "simulator/graph/graph_builder.h"

#include <vector>

namespace simulator {

/// What a gradient rule works with: the forward operation, what is known of d(loss)/d(outputs), and which
/// inputs' gradients somebody wants. A rule adds backward operations through `build`.
struct GradientRequest {
    GraphBuilder& build;
    const Operation& operation;
    /// Parallel to the outputs; invalid where the loss does not depend on the output.
    std::vector<core::TensorId> outputGradients;
    /// Parallel to the inputs.
    std::vector<bool> wanted;

    [[nodiscard]] core::TensorId input(std::size_t index) const { return operation.inputs[index]; }
    [[nodiscard]] core::TensorId output(std::size_t index = 0) const { return operation.outputs[index]; }
    /// Gradient of output `index`, zeros where the loss does not depend on it.
    [[nodiscard]] core::TensorId gradient(std::size_t index = 0) const;
    template <class Kind>
    [[nodiscard]] const Kind& attributes() const {
        return std::get<Kind>(operation.attributes);
    }
};

/// d(loss)/d(input) per input; invalid where there is none or it is not wanted.
using InputGradients = std::vector<core::TensorId>;
using GradientRule = InputGradients (*)(const GradientRequest& request);

/// `gradient` summed over the axes along which `extents` was broadcast.
[[nodiscard]] core::TensorId unbroadcast(GraphBuilder& build, core::TensorId gradient,
                                         const Extents& extents);

// One rule per kind of operation; families by file.
// elementwise_gradients.cpp
InputGradients unaryGradients(const GradientRequest& request);
InputGradients binaryGradients(const GradientRequest& request);
InputGradients selectGradients(const GradientRequest& request);
InputGradients castGradients(const GradientRequest& request);
InputGradients dropoutGradients(const GradientRequest& request);
// reduction_gradients.cpp
InputGradients reduceGradients(const GradientRequest& request);
InputGradients cumulativeGradients(const GradientRequest& request);
InputGradients topKGradients(const GradientRequest& request);
InputGradients broadcastGradients(const GradientRequest& request);
InputGradients softmaxGradients(const GradientRequest& request);
InputGradients normalizationGradients(const GradientRequest& request);
// product_gradients.cpp
InputGradients matMulGradients(const GradientRequest& request);
InputGradients convolutionGradients(const GradientRequest& request);
InputGradients poolGradients(const GradientRequest& request);
InputGradients patchesGradients(const GradientRequest& request);
InputGradients recurrentGradients(const GradientRequest& request);
// movement_gradients.cpp
InputGradients passGradients(const GradientRequest& request);
InputGradients reshapeGradients(const GradientRequest& request);
InputGradients transposeGradients(const GradientRequest& request);
InputGradients concatenateGradients(const GradientRequest& request);
InputGradients sliceGradients(const GradientRequest& request);
InputGradients padGradients(const GradientRequest& request);
InputGradients upsampleGradients(const GradientRequest& request);
InputGradients gatherGradients(const GradientRequest& request);
InputGradients sequenceSliceGradients(const GradientRequest& request);
InputGradients collectiveGradients(const GradientRequest& request);
InputGradients userGradients(const GradientRequest& request);
InputGradients opaqueGradients(const GradientRequest& request);
// loss_gradients.cpp
InputGradients lossGradients(const GradientRequest& request);
InputGradients ctcLossGradients(const GradientRequest& request);

} // namespace simulator
