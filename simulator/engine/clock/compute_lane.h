#pragma once

#include "core/plan/plan_estimate.h"
#include "simulator/engine/clock/update_timing.h"

#include <optional>
#include <vector>

namespace simulator {

/// A stretch of one IPU's update: work, or a gap with its cause and the stage to blame. Work and gaps fill
/// the update without overlap.
struct LaneSegment {
    core::Cycles start;
    core::Cycles duration;
    /// Nothing: idle.
    std::optional<Phase> work;
    core::StageId stage;
    std::int32_t microBatch = -1;
    std::int32_t slot = -1;
    core::IdleCause cause = core::IdleCause::Imbalance;
    core::StageId blame;
};

/// What one IPU does over an update.
///
/// Causes, from the start of the update: until the first work, warm-up; after the last, drain; between, host
/// I/O before and after a slot's work, transfer (syncs and copies), and at the end of the work the wait for
/// the slowest IPU: warm-up or drain as far as a full slot would have given this IPU more to do, imbalance
/// beyond. Where one stage works at a time, the others wait for it (serial) instead.
///
/// In an asynchronous schedule, before each piece of work: the wait for the stage that makes the operands,
/// then transfer while they or the results before are on their way. That wait is warm-up (before the IPU's
/// first backward pass) or drain (after it) where the table leaves this IPU a slot without work or no other
/// IPU has more to do, else imbalance.
///
/// The update itself: all-reduce and its sync, then the wait for the slowest update.
[[nodiscard]] std::vector<LaneSegment> computeLane(const CompiledPipeline& pipeline,
                                                   const SlotPattern& pattern, const UpdateTiming& timing,
                                                   core::IpuId ipu);

/// Sums of one lane.
struct LaneSums {
    core::Cycles busy;
    /// Indexed by IdleCause.
    std::vector<core::Cycles> idle;

    [[nodiscard]] core::Cycles idleTotal() const;
};
[[nodiscard]] LaneSums sumsOf(const std::vector<LaneSegment>& lane);

} // namespace simulator
