#pragma once

#include "core/profile/records/profile_sink.h"
#include "simulator/engine/clock/compute_lane.h"

namespace simulator {

/// Everything the timeline of one update needs, worked out once.
struct SimulatedUpdate {
    SlotPattern pattern;
    UpdateTiming timing;
    /// Compute lanes, by IPU.
    std::vector<std::vector<LaneSegment>> lanes;
    std::vector<LaneSums> sums;
};

[[nodiscard]] SimulatedUpdate simulate(const CompiledPipeline& pipeline);

/// Lanes per IPU: compute, exchange, sync, host, and remote memory where some program streams it.
void recordLanes(const CompiledPipeline& pipeline, core::ProfileSink& sink);

/// The spans of one update of replica 0. `withPrograms`: also the exchanges inside every stage program.
void recordSpans(const CompiledPipeline& pipeline, const SimulatedUpdate& update, bool withPrograms,
                 core::ProfileSink& sink);

} // namespace simulator
