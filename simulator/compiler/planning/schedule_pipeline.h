#pragma once

#include "simulator/compiler/planning/compile_options.h"
#include "simulator/compiler/staging/tensor_uses.h"
#include "simulator/program/scheduled_graph.h"

namespace simulator {

/// The slots of a pipeline, or of a model without stages, and how its backward programs get their
/// activations.
struct SlotPlan {
    PipelineSchedule schedule;
    core::RecomputationMode recomputationMode = core::RecomputationMode::RecomputeThenBackpropagate;
};

/// What `schedulePipeline` lays out, which takes no graph. `overlapsHostIo` is the deployment's.
[[nodiscard]] core::Result<SlotPlan> planSlots(const CompileOptions& options, bool overlapsHostIo);

/// Gives the stages of a pipeline, or a model without stages, their slots. Resolves the recomputation mode
/// first: where stages recompute in a program of their own, that has a slot. Refuses a mode that the schedule
/// does not have, whether or not anything is recomputed, and what the schedule's rules refuse. Where the
/// schedule runs weight gradients apart, their operations get that phase (`splitBackward`).
[[nodiscard]] core::Result<ScheduledGraph> schedulePipeline(StagedGraph staged, const TensorUses& uses,
                                                            const CompileOptions& options,
                                                            const Deployment& deployment);

} // namespace simulator
