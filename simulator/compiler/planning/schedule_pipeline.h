#pragma once

#include "simulator/compiler/planning/compile_options.h"
#include "simulator/compiler/staging/tensor_uses.h"
#include "simulator/program/scheduled_graph.h"

namespace simulator {

/// Gives the stages of a pipeline, or a model without stages, their slots. Resolves the recomputation mode
/// first: where stages recompute in a program of their own, that has a slot. Refuses a mode that the schedule
/// does not have, whether or not anything is recomputed, and what the schedule's rules refuse. Where the
/// schedule runs weight gradients apart, their operations get that phase (`splitBackward`).
[[nodiscard]] core::Result<ScheduledGraph> schedulePipeline(StagedGraph staged, const TensorUses& uses,
                                                            const CompileOptions& options,
                                                            const Deployment& deployment);

} // namespace simulator
