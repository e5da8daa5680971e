#pragma once

#include "core/base/result.h"
#include "simulator/graph/operation_parts.h"
#include "simulator/numerics/bindings/bound_operation.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace simulator {

/// Finds the kernels of an operation and ties them to the operands. Operands of other element types than the
/// kernels' are converted on the way in and out (float16 is stored as such and computed in float32). Uses
/// `request.sharedScratchUsed` to say how much shared scratch it took. Refuses operations that have no kernel
/// ("numerics/no-kernel"), such as Opaque.
[[nodiscard]] core::Result<BoundOperation> bindOperation(BindRequest& request);

/// True when the output holds what the input holds, element for element in the same order: it can be the same
/// memory.
[[nodiscard]] bool isAlias(const Operation& operation);
/// True when the kernel may write its first output over the input at `index`.
[[nodiscard]] bool allowsInPlace(const Operation& operation, std::size_t index);

/// Rewrites `count` elements of a parameter and its slots, from element `begin` on, by as many gradients.
using ElementUpdate = std::function<void(const StepState& state, const float* gradient, std::int64_t begin,
                                         std::int64_t count)>;
/// An optimizer that goes element by element (all but those with a trust ratio); `updated`: the parameter and
/// its slots.
[[nodiscard]] ElementUpdate elementUpdate(const OptimizerUpdate& attributes,
                                          std::span<const Operand> updated);

/// The types the kernels of one operation want; nothing where any type will do.
struct OperandTypes {
    std::vector<std::optional<core::DataType>> inputs;
    std::vector<std::optional<core::DataType>> outputs;
};

/// How one kind of operation is computed.
struct Binding {
    /// Adds the phases of the operation; operands have the types below. Null: the operation is carried out by
    /// a session (streams) or not at all (Opaque).
    void (*bind)(BindRequest& request, BoundOperation& bound) = nullptr;
    /// Changes the types from float32, which most kernels want, to others.
    void (*setTypes)(const BindRequest& request, OperandTypes& types) = nullptr;
};

/// The binding of every kind. The rows stand at the end of the families' files in families/ and convolution/.
[[nodiscard]] const PartTable<Binding>& bindings();
[[nodiscard]] std::span<const PartRow<Binding>> collectivesBindings();
[[nodiscard]] std::span<const PartRow<Binding>> ctcBindings();
[[nodiscard]] std::span<const PartRow<Binding>> elementwiseBindings();
[[nodiscard]] std::span<const PartRow<Binding>> hostTablesBindings();
[[nodiscard]] std::span<const PartRow<Binding>> lookupsBindings();
[[nodiscard]] std::span<const PartRow<Binding>> lossesBindings();
[[nodiscard]] std::span<const PartRow<Binding>> metricsBindings();
[[nodiscard]] std::span<const PartRow<Binding>> movementsBindings();
[[nodiscard]] std::span<const PartRow<Binding>> normalizationsBindings();
[[nodiscard]] std::span<const PartRow<Binding>> productsBindings();
[[nodiscard]] std::span<const PartRow<Binding>> randomsBindings();
[[nodiscard]] std::span<const PartRow<Binding>> recurrentsBindings();
[[nodiscard]] std::span<const PartRow<Binding>> reductionsBindings();
[[nodiscard]] std::span<const PartRow<Binding>> updatesBindings();
[[nodiscard]] std::span<const PartRow<Binding>> windowsBindings();
[[nodiscard]] std::span<const PartRow<Binding>> convolutionsBindings();
[[nodiscard]] std::span<const PartRow<Binding>> sessionBindings();

// What `Binding::setTypes` often is.

/// Elements are moved, not computed with: any type will do.
void keepTypes(const BindRequest& request, OperandTypes& types);
/// Class numbers that a prediction is compared with stay whole.
void keepClassNumbers(const BindRequest& request, OperandTypes& types);
template <std::size_t... Inputs>
void wholeInputs(const BindRequest&, OperandTypes& types) {
    ((types.inputs[Inputs] = core::DataType::Int32), ...);
}
template <std::size_t... Outputs>
void wholeOutputs(const BindRequest&, OperandTypes& types) {
    ((types.outputs[Outputs] = core::DataType::Int32), ...);
}

} // namespace simulator
