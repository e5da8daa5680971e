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
        timing.update = updateTiming(now);
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
            timing.hostWait = asked(m_infeed.take(m_clock + start), start, &HostCalls::takes);
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
        return asked(m_outfeed.put(m_clock + now), now, &HostCalls::puts) + m_outfeed.copyCycles();
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

    UpdatePhaseTiming updateTiming(Cycles start) const {
        UpdatePhaseTiming timing;
        timing.start = start;
        timing.allReduce.resize(m_pipeline.ipuCount());
        timing.compute.resize(m_pipeline.ipuCount());
        Cycles longestReduce;
        if (m_pipeline.schedule.weightUpdateAfterSlot) {
            timing.allReduce = m_pipeline.allReduce;
            for (const Cycles cycles : timing.allReduce)
                longestReduce = std::max(longestReduce, cycles);
            timing.exchange = m_pattern.updateExchange.duration;
            // IPUs only meet before the update where something crosses.
            if (longestReduce + timing.exchange > Cycles(0))
                timing.sync = m_sync;
            for (std::size_t stage = 0; stage < m_pipeline.stages.size(); ++stage)
                timing.compute[m_pipeline.ipus[stage].index()] +=
                    m_pipeline.stages[stage].weightUpdate.total();
        }
        timing.computeStart = start + timing.sync + longestReduce + timing.exchange;
        Cycles longest;
        for (std::size_t stage = 0; stage < m_pipeline.stages.size(); ++stage) {
            const Cycles cycles = timing.compute[m_pipeline.ipus[stage].index()];
            if (cycles > longest || !timing.slowest.isValid()) {
                longest = cycles;
                timing.slowest = core::StageId(stage);
            }
        }
        timing.computeEnd = timing.computeStart + longest;
        if (m_pipeline.execution.accumulateOutfeed)
            timing.hostOut = shareOf(hostCopyCycles(m_target, m_pipeline.updateOutfeedBytes), m_host.outfeed);
        timing.end = timing.computeEnd + timing.hostOut;
        return timing;
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
};

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

} // namespace simulator
