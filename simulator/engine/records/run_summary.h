#pragma once

#include "core/profile/records/run_records.h"
#include "simulator/engine/clock/timeline.h"

namespace simulator {

/// Figures of one stage: cycles per micro-batch (update: per weight update), bytes it sends over the links
/// per micro-batch, bytes of its FIFOs on the tiles.
[[nodiscard]] std::vector<core::StageSummary> stageSummaries(const CompiledPipeline& pipeline);

/// Everything the simulation says about a run; provenance and metrics are the caller's.
[[nodiscard]] core::RunSummary runSummary(const CompiledPipeline& pipeline, const SimulatedUpdate& update);

/// Idle share over all IPUs of a replica and one update.
[[nodiscard]] double idleFraction(const SimulatedUpdate& update);

} // namespace simulator
