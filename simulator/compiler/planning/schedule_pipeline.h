#pragma once

#include "simulator/compiler/planning/compile_options.h"
#include "simulator/schedule/schedule_catalogue.h"

namespace simulator {

/// The schedule of a project: its stages on their IPUs, or a model without stages. `recompute`: stages run a
/// recompute item of their own. Refuses what the schedule's rules refuse.
[[nodiscard]] core::Result<PipelineSchedule> schedulePipeline(const CompileOptions& options, bool recompute);

} // namespace simulator
