#pragma once

#include "core/plan/schedule/schedule_facts.h"
#include "simulator/engine/clock/infeed_queue.h"
#include "simulator/engine/clock/outfeed_queue.h"
#include "simulator/engine/clock/slot_pattern.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace simulator {

/// One piece of work of an asynchronous schedule, from the start of the update. In order: what it waits for,
/// host input, the program, host output.
struct ItemTiming {
    /// The stage that makes the operands has made them, and they have arrived.
    core::Cycles made;
    core::Cycles arrived;
    core::StageId maker;
    /// What the program made for the micro-batch before has left, which takes space at the stage that reads.
    core::Cycles left;
    core::StageId reader;
    /// Waiting for the host, then moving the micro-batch in.
    core::Cycles hostIn;
    core::Cycles start;
    core::Cycles end;
    /// Waiting for the host, then moving the results out.
    core::Cycles hostOut;

    /// Nothing but the host is left to wait for.
    [[nodiscard]] core::Cycles ready() const { return start - hostIn; }
};

/// What one piece of work sends to a stage on another IPU.
struct CopyTiming {
    core::IpuId sender;
    core::StageId from;
    core::StageId to;
    std::int32_t microBatch = 0;
    /// Slot of the table in which the sender's work is.
    std::int32_t slot = 0;
    /// Both IPUs sync before the exchange and after it.
    core::Cycles start;
    core::Cycles sync;
    core::Cycles exchange;
    core::Bytes bytes;

    [[nodiscard]] core::Cycles exchangeStart() const { return start + sync; }
    [[nodiscard]] core::Cycles end() const { return start + sync * 2 + exchange; }
};

/// When an update asks the host's queues for something, from its start, and whether it has to wait for them.
struct HostCalls {
    std::vector<core::Cycles> takes;
    std::vector<core::Cycles> puts;
    bool waits = false;
};

struct ItemTimings {
    /// As `PipelineSchedule::items`.
    std::vector<ItemTiming> items;
    /// In the order of their start on each sender.
    std::vector<CopyTiming> copies;
    core::Cycles end;
    /// Host time of the IPU that spends most on it.
    core::Cycles exposedHost;
};

/// Runs the table of an asynchronous schedule once: an item starts when its IPU has done what comes before
/// it and its operands have arrived. Copies run beside the programs, those of one IPU one after the other;
/// one starts when the receiving buffer has space, whose depth the table gives, so that the memory plan
/// holds. Each copy costs what it costs in a slot. `clock`: start of the update on the clock of the host's
/// queues.
///
/// With `calls` the items and copies are not told, only when the host was asked.
///
/// Assumed: tiles that compute do not slow copies down. The bulk-synchronous IPU has no such copies; the
/// literature, which these schedules are from, takes them for granted.
[[nodiscard]] ItemTimings runItems(const CompiledPipeline& pipeline, const SlotPattern& pattern,
                                   InfeedQueue& infeed, OutfeedQueue& outfeed, core::Cycles clock,
                                   HostCalls* calls = nullptr);

/// The shortest time from one question to a queue of the host to the next, of updates that wait for none, the
/// first of the next update included; nothing where it is never asked.
struct HostPauses {
    std::optional<core::Cycles> betweenTakes;
    std::optional<core::Cycles> betweenPuts;
};

/// The shortest time between two questions.
struct PauseClock {
    std::optional<core::Cycles> first;
    core::Cycles latest;
    std::optional<core::Cycles> shortest;

    void ask(core::Cycles at) {
        if (first)
            shortest = shortest ? std::min(*shortest, at - latest) : at - latest;
        else
            first = at;
        latest = at;
    }
    /// Of updates that take `length`.
    [[nodiscard]] std::optional<core::Cycles> pause(core::Cycles length) const {
        if (!first)
            return std::nullopt;
        const core::Cycles between = *first + length - latest;
        return shortest ? std::min(*shortest, between) : between;
    }
};

/// Of an update in which nothing waits for the host.
struct UnhinderedItems {
    core::Cycles end;
    HostPauses pauses;
    /// Slots that were left out, because they only repeat others.
    std::size_t skipped = 0;
};

/// The same as `runItems` has where no queue lets it wait. Of slots that repeat (`core::slotRepeats`) only
/// as many are run as it takes until every time that later work can see is that of a cycle before and as much
/// later: the others then are, too.
[[nodiscard]] UnhinderedItems unhinderedItems(const CompiledPipeline& pipeline, const SlotPattern& pattern,
                                              std::span<const core::SlotRepeat> repeats);

} // namespace simulator
