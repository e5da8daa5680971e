#pragma once

#include "core/base/result.h"
#include "simulator/numerics/bindings/bound_operation.h"

#include <functional>
#include <span>

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
/// An optimizer that goes element by element (all but LAMB); `updated`: the parameter and its slots.
[[nodiscard]] ElementUpdate elementUpdate(const OptimizerUpdate& attributes,
                                          std::span<const Operand> updated);

// One binder per kind of operation; families by file. Each adds the phases of the operation to `bound`;
// operands have the types that `operandTypes` says.
using Binder = void (*)(BindRequest& request, BoundOperation& bound);

void bindMatMul(BindRequest& request, BoundOperation& bound);      // products.cpp
void bindConvolution(BindRequest& request, BoundOperation& bound); // convolution/convolutions.cpp
void bindUnary(BindRequest& request, BoundOperation& bound);       // elementwise_bindings.cpp
void bindUnaryGradient(BindRequest& request, BoundOperation& bound);
void bindBinary(BindRequest& request, BoundOperation& bound);
void bindSelect(BindRequest& request, BoundOperation& bound);
void bindReduce(BindRequest& request, BoundOperation& bound); // reductions.cpp
void bindCumulative(BindRequest& request, BoundOperation& bound);
void bindArgReduce(BindRequest& request, BoundOperation& bound);
void bindTopK(BindRequest& request, BoundOperation& bound);
void bindSoftmax(BindRequest& request, BoundOperation& bound);
void bindSoftmaxGradient(BindRequest& request, BoundOperation& bound);
void bindNormalization(BindRequest& request, BoundOperation& bound); // normalizations.cpp
void bindNormalizationGradient(BindRequest& request, BoundOperation& bound);
void bindMovingAverage(BindRequest& request, BoundOperation& bound);
void bindPool(BindRequest& request, BoundOperation& bound); // windows.cpp
void bindPoolGradient(BindRequest& request, BoundOperation& bound);
void bindExtractPatches(BindRequest& request, BoundOperation& bound);
void bindExtractPatchesGradient(BindRequest& request, BoundOperation& bound);
void bindBroadcast(BindRequest& request, BoundOperation& bound); // movements.cpp
void bindCopy(BindRequest& request, BoundOperation& bound);
void bindTranspose(BindRequest& request, BoundOperation& bound);
void bindConcatenate(BindRequest& request, BoundOperation& bound);
void bindSlice(BindRequest& request, BoundOperation& bound);
void bindPad(BindRequest& request, BoundOperation& bound);
void bindUpsample(BindRequest& request, BoundOperation& bound);
void bindUpsampleGradient(BindRequest& request, BoundOperation& bound);
void bindCast(BindRequest& request, BoundOperation& bound);
void bindFill(BindRequest& request, BoundOperation& bound);
void bindGather(BindRequest& request, BoundOperation& bound);
void bindGatherGradient(BindRequest& request, BoundOperation& bound);
void bindOneHot(BindRequest& request, BoundOperation& bound);
void bindSequenceSlice(BindRequest& request, BoundOperation& bound);
void bindHistogram(BindRequest& request, BoundOperation& bound);
void bindRecurrent(BindRequest& request, BoundOperation& bound); // recurrents.cpp
void bindRecurrentGradient(BindRequest& request, BoundOperation& bound);
void bindDropout(BindRequest& request, BoundOperation& bound); // randoms.cpp
void bindDropoutGradient(BindRequest& request, BoundOperation& bound);
void bindRandom(BindRequest& request, BoundOperation& bound);
void bindLoss(BindRequest& request, BoundOperation& bound); // losses.cpp
void bindLossGradient(BindRequest& request, BoundOperation& bound);
void bindMetric(BindRequest& request, BoundOperation& bound);  // metrics.cpp
void bindCtcLoss(BindRequest& request, BoundOperation& bound); // ctc.cpp
void bindCtcBeamSearch(BindRequest& request, BoundOperation& bound);
void bindAccumulateGradient(BindRequest& request, BoundOperation& bound); // updates.cpp
void bindOptimizerUpdate(BindRequest& request, BoundOperation& bound);

void bindCollective(BindRequest& request, BoundOperation& bound); // collectives.cpp
void bindReplicationIndex(BindRequest& request, BoundOperation& bound);
void bindUserOperation(BindRequest& request, BoundOperation& bound);
void bindHostLookup(BindRequest& request, BoundOperation& bound); // host_tables.cpp
void bindHostUpdate(BindRequest& request, BoundOperation& bound);

} // namespace simulator
