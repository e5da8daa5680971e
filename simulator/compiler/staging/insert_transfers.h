#pragma once

#include "core/plan/schedule/pipeline_schedule.h"
#include "simulator/compiler/staging/tensor_uses.h"
#include "simulator/program/routed_graph.h"

namespace simulator {

/// Finds every value that another stage needs and says how it gets there (`RoutedGraph::transfers`):
/// - one copy per value and destination, shared by all readers there; a value needed further on passes
///   through every stage between, one hop per stage (targets and sample weights enter at stage 0 with the
///   inputs and pass to the last stage);
/// - where the schedule shortens such ways, a stage on an IPU that already holds the value takes a local
/// FIFO,
///   or reads it in place where no later micro-batch overwrites it first, instead of the hops;
/// - a sharded model has no stages to pass through: one copy from the IPU that makes the value to each that
///   reads it;
/// - consecutive stages on one IPU: a copy on the IPU where both run in one slot, else as above.
///
/// A forward value that only a later stage's backward reads goes to that stage's forward, which stashes it.
[[nodiscard]] std::vector<StageTransfer> insertTransfers(const StagedGraph& staged, const TensorUses& uses,
                                                         const core::PipelineSchedule& schedule,
                                                         bool isSharded = false);

} // namespace simulator
