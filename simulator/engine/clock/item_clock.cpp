#include "simulator/engine/clock/item_clock.h"

#include "simulator/target/link_topology.h"

#include <algorithm>
#include <array>

namespace simulator {

namespace {

using core::Cycles;

class ItemClock {
public:
    ItemClock(const CompiledPipeline& pipeline, const SlotPattern& pattern, InfeedQueue& infeed,
              OutfeedQueue& outfeed, Cycles clock, HostCalls* calls)
        : m_calls(calls)
        , m_pipeline(pipeline)
        , m_schedule(pipeline.schedule)
        , m_pattern(pattern)
        , m_infeed(infeed)
        , m_outfeed(outfeed)
        , m_clock(clock)
        , m_sync(globalSync(pipeline.system.target, pipeline.system.ipusPerReplica))
        , m_now(pipeline.ipuCount())
        , m_sending(pipeline.ipuCount())
        , m_host(pipeline.ipuCount()) {
        const std::size_t cells =
            pipeline.stageCount * static_cast<std::size_t>(m_schedule.shape.microBatches);
        for (std::size_t direction = 0; direction < m_ends.size(); ++direction) {
            m_ends[direction].resize(cells);
            m_arrivals[direction].resize(cells);
            m_left[direction].resize(pipeline.stageCount);
        }
    }

    ItemTimings run() {
        if (m_calls == nullptr)
            m_result.items.reserve(m_schedule.items.size());
        for (std::size_t slot = 0; slot < m_schedule.timeSlots.size(); ++slot) {
            const auto work = m_schedule.work(m_schedule.timeSlots[slot]);
            // Nothing waits for work of its own slot, but space is made in the slot that takes it again.
            for (const WorkItem& item : work)
                addItem(item);
            for (const WorkItem& item : work)
                if (handsOn(item.phase))
                    send(item, slot);
        }
        m_result.end = std::max(*std::ranges::max_element(m_now), *std::ranges::max_element(m_sending));
        m_result.exposedHost = *std::ranges::max_element(m_host);
        return std::move(m_result);
    }

private:
    /// When the operands of a stage for a micro-batch came, and from where.
    struct Arrival {
        Cycles made;
        Cycles time;
        core::StageId from;
    };
    /// When a program's last results left, and where to.
    struct Departure {
        Cycles time;
        core::StageId to;
    };

    /// Forward passes hand on to later stages, backward passes to earlier ones; nothing else does.
    static bool handsOn(Phase phase) { return phase == Phase::Forward || phase == Phase::Backward; }
    static std::size_t directionOf(Phase phase) { return phase == Phase::Forward ? 0 : 1; }
    [[nodiscard]] std::size_t cell(std::size_t stage, std::int64_t microBatch) const {
        return static_cast<std::size_t>(microBatch) * m_pipeline.stageCount + stage;
    }
    [[nodiscard]] std::size_t lastStage() const { return m_pipeline.stageCount - 1; }

    void addItem(const WorkItem& item) {
        const std::size_t ipu = item.ipu.index();
        ItemTiming timing;
        if (handsOn(item.phase))
            findOperands(item, timing);
        Cycles ready = std::max({m_now[ipu], timing.made, timing.arrived, timing.left});
        if (item.phase == Phase::Forward && item.stage.index() == 0 && m_pipeline.infeedBytes.value() > 0)
            timing.hostIn =
                asked(m_infeed.take(m_clock + ready), ready, &HostCalls::takes) + m_infeed.copyCycles();
        timing.start = ready + timing.hostIn;
        timing.end = timing.start + workCycles(m_pipeline, item.phase, item.stage);
        if (item.phase == Phase::Forward && item.stage.index() == lastStage() &&
            !m_pipeline.execution.accumulateOutfeed && m_pipeline.outfeedBytes.value() > 0)
            timing.hostOut = asked(m_outfeed.put(m_clock + timing.end), timing.end, &HostCalls::puts) +
                             m_outfeed.copyCycles();
        m_now[ipu] = timing.end + timing.hostOut;
        m_host[ipu] += timing.hostIn + timing.hostOut;
        if (handsOn(item.phase))
            m_ends[directionOf(item.phase)][cell(item.stage.index(), item.microBatch)] = timing.end;
        if (m_calls == nullptr)
            m_result.items.push_back(timing);
    }

    /// What a queue answered when it was asked `at` cycles after the start of the update.
    Cycles asked(Cycles wait, Cycles at, std::vector<Cycles> HostCalls::*list) {
        if (m_calls != nullptr) {
            (m_calls->*list).push_back(at);
            m_calls->waits = m_calls->waits || wait.value() > 0;
        }
        return wait;
    }

    void findOperands(const WorkItem& item, ItemTiming& timing) const {
        const std::size_t direction = directionOf(item.phase);
        const std::size_t stage = item.stage.index();
        const bool isFirst = stage == (direction == 0 ? 0 : lastStage());
        if (!isFirst) {
            const std::size_t before = direction == 0 ? stage - 1 : stage + 1;
            timing.maker = core::StageId(before);
            timing.made = timing.arrived = m_ends[direction][cell(before, item.microBatch)];
        }
        const Arrival& arrival = m_arrivals[direction][cell(stage, item.microBatch)];
        if (arrival.from.isValid() && arrival.time > timing.arrived) {
            timing.maker = arrival.from;
            timing.made = arrival.made;
            timing.arrived = arrival.time;
        }
        const Departure& departure = m_left[direction][stage];
        timing.left = departure.time;
        timing.reader = departure.to;
    }

    void send(const WorkItem& item, std::size_t slot) {
        const std::size_t direction = directionOf(item.phase);
        const Cycles made = m_ends[direction][cell(item.stage.index(), item.microBatch)];
        Cycles& sending = m_sending[item.ipu.index()];
        for (const ProgramCopy& copy : m_pattern.copiesOf(item.phase, item.stage)) {
            const std::int64_t read = item.microBatch - 1 - copy.depth;
            const Cycles freed = read < 0 ? Cycles(0) : m_ends[direction][cell(copy.to.index(), read)];
            const CopyTiming timing{item.ipu,
                                    item.stage,
                                    copy.to,
                                    item.microBatch,
                                    static_cast<std::int32_t>(slot),
                                    std::max({made, sending, freed}),
                                    m_sync,
                                    copy.duration,
                                    copy.bytes};
            sending = timing.end();
            Arrival& arrival = m_arrivals[direction][cell(copy.to.index(), item.microBatch)];
            if (timing.end() > arrival.time)
                arrival = {made, timing.end(), item.stage};
            Departure& departure = m_left[direction][item.stage.index()];
            if (timing.end() > departure.time)
                departure = {timing.end(), copy.to};
            if (m_calls == nullptr)
                m_result.copies.push_back(timing);
        }
    }

    HostCalls* m_calls;
    const CompiledPipeline& m_pipeline;
    const PipelineSchedule& m_schedule;
    const SlotPattern& m_pattern;
    InfeedQueue& m_infeed;
    OutfeedQueue& m_outfeed;
    Cycles m_clock;
    Cycles m_sync;
    /// By IPU: the end of its work so far, of its copies, and its host time.
    std::vector<Cycles> m_now;
    std::vector<Cycles> m_sending;
    std::vector<Cycles> m_host;
    /// Forward, then backward; by stage and micro-batch.
    std::array<std::vector<Cycles>, 2> m_ends;
    std::array<std::vector<Arrival>, 2> m_arrivals;
    /// Forward, then backward; by stage.
    std::array<std::vector<Departure>, 2> m_left;
    ItemTimings m_result;
};

} // namespace

ItemTimings runItems(const CompiledPipeline& pipeline, const SlotPattern& pattern, InfeedQueue& infeed,
                     OutfeedQueue& outfeed, Cycles clock, HostCalls* calls) {
    return ItemClock(pipeline, pattern, infeed, outfeed, clock, calls).run();
}

} // namespace simulator
