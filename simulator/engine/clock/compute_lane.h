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
    /// Whose piece it is: of work, and of a gap in which the program itself moves data.
    core::StageId stage;
    std::int32_t microBatch = -1;
    std::int32_t slot = -1;
    core::IdleCause cause = core::IdleCause::Imbalance;
    core::StageId blame;
    /// The program that has pieces, how far into it this one begins, and the how manieth piece of work it is.
    std::optional<Phase> program;
    core::Cycles offset;
    std::int32_t part = 0;
};

/// What one IPU does over an update.
///
/// Causes, from the start of the update: until the first work, warm-up; after the last, drain; between, host
/// I/O before and after a slot's work, transfer (syncs and copies), and at the end of the work the wait for
/// the slowest IPU: warm-up or drain as far as a full slot would have given this IPU more to do, imbalance
/// beyond. Where one stage works at a time, the others wait for it (serial) instead. Of such an imbalance,
/// that part is offload by which the slowest IPU streams more remote memory than this one: without it the
/// wait were shorter by as much.
///
/// A program that streams remote memory, or rows of the host's tables, does nothing else meanwhile: offload,
/// or host, with its own stage to blame.
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
