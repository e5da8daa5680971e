#pragma once

#include "simulator/graph/graph_builder.h"
#include "simulator/graph/operation_parts.h"

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

/// Nothing is learnt through the operation: its inputs get no gradients.
[[nodiscard]] InputGradients noGradients(const GradientRequest& request);
/// The gradient of the output is that of the input.
[[nodiscard]] InputGradients passGradients(const GradientRequest& request);

/// The rule of one kind, which may depend on its attributes; null: training cannot pass through the
/// operation. The rows stand at the end of the families' files in this folder.
using GradientChoice = GradientRule (*)(const OperationAttributes& attributes);
template <class Kind, InputGradients (*rule)(const GradientRequest&)>
[[nodiscard]] constexpr PartRow<GradientChoice> gradientRow() {
    return {kindIndex<Kind>(), [](const OperationAttributes&) -> GradientRule { return rule; }};
}
template <class Kind>
[[nodiscard]] constexpr PartRow<GradientChoice> noGradientRow(std::string_view why) {
    return {kindIndex<Kind>(), nullptr, why};
}
[[nodiscard]] const PartTable<GradientChoice>& gradientRules();

} // namespace simulator
