#pragma once

#include "simulator/cost/operations/plan_context.h"

namespace simulator {

// The table from the kind of an operation to its planner: one overload per kind, chosen by `planOperation`
// through std::visit, so a new kind does not build until it has one. Grouped by the file that defines them.

// matrix_plans.cpp
[[nodiscard]] OperationPlan plan(const PlanContext& context, const MatMul& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const Convolution& operation);

// elementwise_plans.cpp
[[nodiscard]] OperationPlan plan(const PlanContext& context, const Unary& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const UnaryGradient& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const Binary& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const Select& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const Cast& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const Fill& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const OneHot& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const Dropout& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const DropoutGradient& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const Random& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const MovingAverage& operation);

// reduction_plans.cpp
[[nodiscard]] OperationPlan plan(const PlanContext& context, const Reduce& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const Cumulative& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const ArgReduce& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const TopK& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const Histogram& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const Softmax& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const SoftmaxGradient& operation);

// normalization_plans.cpp
[[nodiscard]] OperationPlan plan(const PlanContext& context, const Normalization& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const NormalizationGradient& operation);

// loss_plans.cpp
[[nodiscard]] OperationPlan plan(const PlanContext& context, const Loss& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const LossGradient& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const Metric& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const CtcLoss& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const CtcBeamSearch& operation);

// pooling_plans.cpp
[[nodiscard]] OperationPlan plan(const PlanContext& context, const Pool& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const PoolGradient& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const Upsample& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const UpsampleGradient& operation);

// embedding_plans.cpp
[[nodiscard]] OperationPlan plan(const PlanContext& context, const Gather& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const GatherGradient& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const SequenceSlice& operation);

// recurrent_plans.cpp
[[nodiscard]] OperationPlan plan(const PlanContext& context, const Recurrent& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const RecurrentGradient& operation);

// layout_plans.cpp
[[nodiscard]] OperationPlan plan(const PlanContext& context, const Reshape& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const RecomputationCheckpoint& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const Transpose& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const Concatenate& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const Slice& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const Pad& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const Broadcast& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const ExtractPatches& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const ExtractPatchesGradient& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const Copy& operation);

// update_plans.cpp
[[nodiscard]] OperationPlan plan(const PlanContext& context, const AccumulateGradient& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const OptimizerUpdate& operation);

// transfer_plans.cpp
[[nodiscard]] OperationPlan plan(const PlanContext& context, const Collective& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const InterIpuCopy& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const StreamCopy& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const Opaque& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const UserOperation& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const ReplicationIndex& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const HostLookup& operation);
[[nodiscard]] OperationPlan plan(const PlanContext& context, const HostUpdate& operation);

} // namespace simulator
