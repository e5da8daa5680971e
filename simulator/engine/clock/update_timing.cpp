#include "simulator/engine/clock/update_timing.h"

#include "core/base/quantity.h"
#include "simulator/target/link_topology.h"

#include <algorithm>
#include <array>

namespace simulator {

namespace {

using core::Cycles;

/// Updates after which the host's queue has found its rhythm, at most.
constexpr int settlingUpdates = 4;

/// Whether nothing waits in the update that begins at `clock`.
bool keepUp(InfeedQueue& infeed, OutfeedQueue& outfeed, const HostCalls& calls, Cycles clock) {
    for (const Cycles at : calls.takes)
        if (infeed.take(clock + at).value() > 0)
            return false;
    return std::ranges::none_of(calls.puts, [&](Cycles at) { return outfeed.put(clock + at).value() > 0; });
}

/// Its weight update, whose copies between stages take `exchange`; `sync` is one of all IPUs.
UpdatePhaseTiming updatePhase(const CompiledPipeline& pipeline, Cycles start, Cycles exchange, Cycles sync,
                              const HostShares& host) {
    UpdatePhaseTiming timing;
    timing.start = start;
    timing.allReduce.resize(pipeline.ipuCount());
    timing.compute.resize(pipeline.ipuCount());
    Cycles longestReduce;
    if (pipeline.schedule.weightUpdateAfterSlot) {
        timing.allReduce = pipeline.allReduce;
        for (const Cycles cycles : timing.allReduce)
            longestReduce = std::max(longestReduce, cycles);
        timing.exchange = exchange;
        // IPUs only meet before the update where something crosses.
        if (longestReduce + timing.exchange > Cycles(0))
            timing.sync = sync;
        for (std::size_t stage = 0; stage < pipeline.stages.size(); ++stage)
            timing.compute[pipeline.ipus[stage].index()] += pipeline.stages[stage].weightUpdate.total();
    }
    timing.computeStart = start + timing.sync + longestReduce + timing.exchange;
    Cycles longest;
    for (std::size_t stage = 0; stage < pipeline.stages.size(); ++stage) {
        const Cycles cycles = timing.compute[pipeline.ipus[stage].index()];
        if (cycles > longest || !timing.slowest.isValid()) {
            longest = cycles;
            timing.slowest = core::StageId(stage);
        }
    }
    timing.computeEnd = timing.computeStart + longest;
    if (pipeline.execution.accumulateOutfeed)
        timing.hostOut =
            shareOf(hostCopyCycles(pipeline.system.target, pipeline.updateOutfeedBytes), host.outfeed);
    timing.end = timing.computeEnd + timing.hostOut;
    return timing;
}

class UpdateSimulator {
public:
    UpdateSimulator(const CompiledPipeline& pipeline, const SlotPattern& pattern, const HostShares& host = {})
        : m_pipeline(pipeline)
        , m_pattern(pattern)
        , m_target(pipeline.system.target)
        , m_host(host)
        , m_infeed(pipeline, host.infeed)
        , m_outfeed(pipeline, host.outfeed)
        , m_sync(globalSync(m_target, pipeline.system.ipusPerReplica)) {
        for (std::size_t phase = 0; phase < core::phaseCount; ++phase)
            for (std::size_t stage = 0; stage < pipeline.stages.size(); ++stage)
                m_work[phase].push_back(
                    workCycles(pipeline, static_cast<Phase>(phase), core::StageId(stage)));
        // Only what the host does differs from update to update.
        if (!pipeline.schedule.isAsynchronous) {
            m_slowest.reserve(pipeline.schedule.timeSlots.size());
            for (const Slot& slot : pipeline.schedule.timeSlots)
                m_slowest.push_back(slowestOf(slot));
        }
    }

    UpdateTiming run() {
        UpdateTiming timing = simulate();
        const bool meetsHost = m_pipeline.infeedBytes + m_pipeline.outfeedBytes > core::Bytes(0);
        for (int update = 1; update < settlingUpdates && meetsHost; ++update) {
            UpdateTiming next = simulate();
            const bool settled = next.total == timing.total;
            timing = std::move(next);
            if (settled)
                break;
        }
        return timing;
    }

    UpdateLength length() {
        UpdateLength result;
        const bool meetsHost = m_pipeline.infeedBytes + m_pipeline.outfeedBytes > core::Bytes(0);
        for (int update = 0; update < settlingUpdates; ++update) {
            HostCalls calls;
            m_calls = &calls;
            const Cycles total = simulate().total;
            const bool settled = update > 0 && total == result.total;
            result = {total, std::move(calls)};
            if (settled || !meetsHost)
                break;
            if (!result.calls.waits && nextIsTheSame(result.calls))
                break;
        }
        m_calls = nullptr;
        return result;
    }

    /// The slots of an update that waits for no queue, and when it asks them.
    UpdateLength unhinderedSlots() {
        m_isUnhindered = true;
        UpdateLength result;
        m_calls = &result.calls;
        UpdateTiming timing;
        result.total = addSlots(timing);
        return result;
    }

private:
    /// Of an update in which nothing waits: whether nothing does in the next one.
    [[nodiscard]] bool nextIsTheSame(const HostCalls& calls) const {
        InfeedQueue infeed = m_infeed;
        OutfeedQueue outfeed = m_outfeed;
        return keepUp(infeed, outfeed, calls, m_clock);
    }

    UpdateTiming simulate() {
        UpdateTiming timing;
        Cycles now;
        if (m_pipeline.schedule.isAsynchronous) {
            ItemTimings items = runItems(m_pipeline, m_pattern, m_infeed, m_outfeed, m_clock, m_calls);
            now = items.end;
            timing.exposedHost = items.exposedHost;
            timing.items = std::move(items.items);
            timing.copies = std::move(items.copies);
        } else {
            now = addSlots(timing);
        }
        timing.update = updatePhase(m_pipeline, now, m_pattern.updateExchange.duration, m_sync, m_host);
        timing.exposedHost += timing.update.hostOut;
        timing.total = timing.update.end;
        m_clock += timing.total;
        return timing;
    }

    /// Returns when the last slot ends.
    Cycles addSlots(UpdateTiming& timing) {
        if (m_calls == nullptr)
            timing.timeSlots.reserve(m_pipeline.schedule.timeSlots.size());
        Cycles now;
        for (std::size_t index = 0; index < m_pipeline.schedule.timeSlots.size(); ++index) {
            const SlotTiming slot = slotTiming(index, now);
            now = slot.end;
            timing.exposedHost += slot.exposedHost();
            if (m_calls == nullptr)
                timing.timeSlots.push_back(slot);
        }
        return now;
    }

    /// What a queue answered when it was asked `at` cycles after the start of the update.
    Cycles asked(Cycles wait, Cycles at, std::vector<Cycles> HostCalls::*list) {
        if (m_calls != nullptr) {
            (m_calls->*list).push_back(at);
            m_calls->waits = m_calls->waits || wait.value() > 0;
        }
        return wait;
    }

    SlotTiming slotTiming(std::size_t index, Cycles start) {
        const Slot& slot = m_pipeline.schedule.timeSlots[index];
        const SlotExchange& exchange = m_pattern.kindOf(index).exchange;
        SlotTiming timing;
        timing.start = start;
        if (slot.infeedMicroBatch && m_pipeline.infeedBytes.value() > 0) {
            timing.hostWait =
                asked(m_isUnhindered ? Cycles(0) : m_infeed.take(m_clock + start), start, &HostCalls::takes);
            timing.hostIn = m_infeed.copyCycles();
        }
        const bool feedsOut = slot.outfeedMicroBatch && !m_pipeline.execution.accumulateOutfeed &&
                              m_pipeline.outfeedBytes.value() > 0;
        timing.compute = m_slowest[index].compute;
        timing.slowest = m_slowest[index].stage;
        const bool isHidden = m_pipeline.overlapsHostIo;
        // Data crosses between the I/O tiles and the others before the slot's work.
        timing.computeStart = start + (isHidden ? tileCopyCycles(slot) : timing.hostWait + timing.hostIn);
        if (isHidden && feedsOut)
            timing.hostOut = outfeedCycles(start + timing.hostWait + timing.hostIn);
        if (isHidden)
            timing.hostTail =
                std::max(Cycles(0), timing.hostWait + timing.hostIn + timing.hostOut - timing.compute);
        timing.sync = exchange.duration.value() > 0 ? m_sync : Cycles(0);
        timing.exchange = exchange.duration;
        timing.exchangeStart = timing.computeEnd() + timing.hostTail + timing.sync;
        if (!isHidden && feedsOut)
            timing.hostOut = outfeedCycles(timing.hostOutStart());
        timing.end = timing.hostOutStart() + (isHidden ? Cycles(0) : timing.hostOut);
        return timing;
    }

    /// Waiting for space in the host's buffer, then moving the results out.
    Cycles outfeedCycles(Cycles now) {
        const Cycles wait = m_isUnhindered ? Cycles(0) : m_outfeed.put(m_clock + now);
        return asked(wait, now, &HostCalls::puts) + m_outfeed.copyCycles();
    }

    /// What the other IPUs of a slot wait for.
    struct SlowestWork {
        Cycles compute;
        core::StageId stage;
    };

    /// Items of one IPU are together and run one after the other.
    [[nodiscard]] SlowestWork slowestOf(const Slot& slot) const {
        SlowestWork slowest;
        Cycles sum;
        Cycles longest;
        core::StageId longestStage;
        const auto work = m_pipeline.schedule.work(slot);
        for (std::size_t item = 0; item < work.size(); ++item) {
            const bool isFirst = item == 0 || work[item].ipu != work[item - 1].ipu;
            const Cycles cycles =
                m_work[static_cast<std::size_t>(work[item].phase)][work[item].stage.index()];
            sum = isFirst ? cycles : sum + cycles;
            if (isFirst || cycles > longest) {
                longest = cycles;
                longestStage = work[item].stage;
            }
            if (sum > slowest.compute || !slowest.stage.isValid())
                slowest = {sum, longestStage};
        }
        return slowest;
    }

    [[nodiscard]] Cycles tileCopyCycles(const Slot& slot) const {
        std::int64_t bytes = slot.infeedMicroBatch ? m_pipeline.infeedBytes.value() : 0;
        bytes += slot.outfeedMicroBatch ? m_pipeline.outfeedBytes.value() : 0;
        const double perCycle = static_cast<double>(m_pipeline.ioTiles) * m_target.exchangeBytesPerCycle;
        return bytes == 0 ? Cycles(0)
                          : Cycles(static_cast<std::int64_t>(static_cast<double>(bytes) / perCycle) +
                                   m_target.internalSyncCycles);
    }

    const CompiledPipeline& m_pipeline;
    const SlotPattern& m_pattern;
    const IpuTarget& m_target;
    HostShares m_host;
    InfeedQueue m_infeed;
    OutfeedQueue m_outfeed;
    Cycles m_sync;
    /// Cycles by phase and stage.
    std::array<std::vector<Cycles>, core::phaseCount> m_work;
    /// Of each slot; empty where IPUs do not meet at the ends of slots.
    std::vector<SlowestWork> m_slowest;
    /// Start of the update on the host's clock.
    Cycles m_clock;
    /// Not null: what is asked of the host is told there, and of slots and items nothing.
    HostCalls* m_calls = nullptr;
    /// Queues answer at once.
    bool m_isUnhindered = false;
};

/// The shortest time between two calls, of updates of `length` one after the other.
std::optional<Cycles> shortestPause(const std::vector<Cycles>& calls, Cycles length) {
    PauseClock clock;
    for (const Cycles call : calls)
        clock.ask(call);
    return clock.pause(length);
}

} // namespace

UpdateTiming simulateUpdate(const CompiledPipeline& pipeline, const SlotPattern& pattern) {
    return UpdateSimulator(pipeline, pattern).run();
}

UpdateLength updateLength(const CompiledPipeline& pipeline, const SlotPattern& pattern,
                          const HostShares& host) {
    return UpdateSimulator(pipeline, pattern, host).length();
}

bool hostKeepsUp(const CompiledPipeline& pipeline, const UpdateLength& update) {
    InfeedQueue infeed(pipeline);
    OutfeedQueue outfeed(pipeline);
    return !update.calls.waits && keepUp(infeed, outfeed, update.calls, Cycles(0)) &&
           keepUp(infeed, outfeed, update.calls, update.total);
}

std::optional<UpdateSums> updateSums(const CompiledPipeline& pipeline, const SlotPattern& pattern) {
    if (pipeline.schedule.isAsynchronous)
        return std::nullopt;
    UpdateSums sums;
    sums.slotsOfKind.resize(pattern.kinds.size());
    for (const std::uint32_t kind : pattern.kindOfSlot)
        ++sums.slotsOfKind[kind];
    SlotPattern apart = pattern;
    for (SlotKind& kind : apart.kinds)
        kind.exchange.duration = Cycles(0);
    const UpdateLength slots = UpdateSimulator(pipeline, apart).unhinderedSlots();
    sums.timeSlots = slots.total;
    sums.pauses = {shortestPause(slots.calls.takes, slots.total),
                   shortestPause(slots.calls.puts, slots.total)};
    return sums;
}

bool hostKeepsUp(const CompiledPipeline& pipeline, const HostPauses& pauses) {
    const auto feed = InfeedQueue(pipeline).sufficientPause();
    return (!pauses.betweenTakes || (feed && *pauses.betweenTakes >= *feed)) &&
           (!pauses.betweenPuts || *pauses.betweenPuts >= OutfeedQueue(pipeline).sufficientPause());
}

Cycles unhinderedLength(const CompiledPipeline& pipeline, const SlotPattern& pattern,
                        const UpdateSums& sums) {
    const Cycles sync = globalSync(pipeline.system.target, pipeline.system.ipusPerReplica);
    Cycles slots = sums.timeSlots;
    for (std::size_t kind = 0; kind < pattern.kinds.size(); ++kind)
        if (const Cycles exchange = pattern.kinds[kind].exchange.duration; exchange > Cycles(0))
            slots += (exchange + sync * 2) * sums.slotsOfKind[kind];
    return updatePhase(pipeline, slots, pattern.updateExchange.duration, sync, {}).end;
}

Cycles unhinderedLength(const CompiledPipeline& pipeline, const SlotPattern& pattern,
                        const UnhinderedItems& items) {
    const Cycles sync = globalSync(pipeline.system.target, pipeline.system.ipusPerReplica);
    return updatePhase(pipeline, items.end, pattern.updateExchange.duration, sync, {}).end;
}

} // namespace simulator
