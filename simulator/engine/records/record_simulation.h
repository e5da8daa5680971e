#pragma once

#include "core/base/job_context.h"
#include "core/profile/records/profile_sink.h"
#include "simulator/engine/clock/timeline.h"
#include "simulator/engine/records/compile_report.h"

#include <cstdint>

namespace simulator {

/// How much of a run is recorded; each level adds to the one before.
enum class ProfileLevel : std::uint8_t {
    None,   ///< executions, metrics and the summary
    Device, ///< what compiling found: operations, program, transfers, liveness
    Ipu,    ///< the timeline of every IPU, blocks of memory and tiles
    Tile,   ///< also the exchanges inside every stage program
};

/// Tells a sink everything about a simulated run but its provenance, its metrics and its end; less where the
/// job is cancelled meanwhile.
void recordSimulation(const CompiledPipeline& pipeline, const SimulatedUpdate& update, ProfileLevel level,
                      const LayerNames& layers, core::ProfileSink& sink, const core::JobContext& job);

} // namespace simulator
