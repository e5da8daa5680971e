#pragma once

#include "simulator/engine/clock/item_clock.h"

#include <optional>
#include <vector>

namespace simulator {

/// One slot, from the start of the update. In order: host input (unless overlapped), compute, sync, exchange,
/// sync, host output (unless overlapped).
struct SlotTiming {
    core::Cycles start;
    /// Waiting for the host, then moving the micro-batch in.
    core::Cycles hostWait;
    core::Cycles hostIn;
    core::Cycles computeStart;
    /// The slowest IPU's work, and whose it is.
    core::Cycles compute;
    core::StageId slowest;
    /// Overlapped host I/O that outlasts the compute.
    core::Cycles hostTail;
    /// Each of the two syncs around the exchange; 0 where nothing crosses.
    core::Cycles sync;
    core::Cycles exchangeStart;
    core::Cycles exchange;
    core::Cycles hostOut;
    core::Cycles end;

    [[nodiscard]] core::Cycles computeEnd() const { return computeStart + compute; }
    /// Host time that no work hides.
    [[nodiscard]] core::Cycles exposedHost() const { return hostTail + (end - hostOutStart()) + headHost(); }
    /// Before the compute.
    [[nodiscard]] core::Cycles headHost() const { return computeStart - start; }
    [[nodiscard]] core::Cycles hostOutStart() const { return exchangeStart + exchange + sync; }
};

/// The weight update, after the last slot: all-reduce over the replicas, values between stages, the update
/// programs side by side, the accumulated outfeed.
struct UpdatePhaseTiming {
    core::Cycles start;
    core::Cycles sync;
    /// By IPU.
    std::vector<core::Cycles> allReduce;
    core::Cycles exchange;
    core::Cycles computeStart;
    std::vector<core::Cycles> compute;
    core::StageId slowest;
    core::Cycles computeEnd;
    core::Cycles hostOut;
    core::Cycles end;
};

/// One update (training) or pipeline execution (inference) in the steady state of the host's queue.
struct UpdateTiming {
    /// Empty where IPUs do not meet at the ends of slots.
    std::vector<SlotTiming> timeSlots;
    /// Only there.
    std::vector<ItemTiming> items;
    std::vector<CopyTiming> copies;
    /// Of zero length in inference, where only an accumulated outfeed takes time.
    UpdatePhaseTiming update;
    core::Cycles total;
    /// Host time that no work hides.
    core::Cycles exposedHost;
};

/// Executes one update in integer cycles, as bulk-synchronous steps: a slot takes its slowest IPU's programs,
/// the exchange of its copies between two syncs, and the host I/O that nothing hides. The items of an
/// asynchronous schedule run as `runItems` says.
[[nodiscard]] UpdateTiming simulateUpdate(const CompiledPipeline& pipeline, const SlotPattern& pattern);

/// How long an update takes, and nothing else of it.
struct UpdateLength {
    core::Cycles total;
    /// Of one in which nothing waits for the host; `waits` where no such one was met.
    HostCalls calls;
};

/// What transfers from and to the host take of the time that the target gives them.
struct HostShares {
    double infeed = 1;
    double outfeed = 1;
};

/// The same update as `simulateUpdate` has, for many pipelines one after the other.
[[nodiscard]] UpdateLength updateLength(const CompiledPipeline& pipeline, const SlotPattern& pattern,
                                        const HostShares& host = {});

/// Whether the host's queues, as deep as the pipeline has them, keep up with an update of these calls, so
/// that updates of this pipeline are of that length. `calls` are of a pipeline that differs in `execution`
/// alone, and there only in the depths of the queues and in counts.
[[nodiscard]] bool hostKeepsUp(const CompiledPipeline& pipeline, const UpdateLength& update);

/// What updates of the same programs and slots have in common wherever their IPUs are, while nothing waits
/// for the host: the sums of their slots.
struct UpdateSums {
    /// Slots of each kind of the pattern.
    std::vector<std::int64_t> slotsOfKind;
    /// All slots, with nothing that crosses between IPUs.
    core::Cycles timeSlots;
    /// Of that: what crosses between IPUs only puts questions further apart.
    HostPauses pauses;
};

/// Nothing for an asynchronous schedule, whose copies wait for one another.
[[nodiscard]] std::optional<UpdateSums> updateSums(const CompiledPipeline& pipeline,
                                                   const SlotPattern& pattern);

/// Whether no update that asks the host's queues no faster waits for them.
[[nodiscard]] bool hostKeepsUp(const CompiledPipeline& pipeline, const HostPauses& pauses);

/// What `updateLength` has, where the host keeps up.
[[nodiscard]] core::Cycles unhinderedLength(const CompiledPipeline& pipeline, const SlotPattern& pattern,
                                            const UpdateSums& sums);
/// The same of an asynchronous schedule.
[[nodiscard]] core::Cycles unhinderedLength(const CompiledPipeline& pipeline, const SlotPattern& pattern,
                                            const UnhinderedItems& items);

} // namespace simulator
