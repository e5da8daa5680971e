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
              OutfeedQueue& outfeed, Cycles clock)
        : m_pipeline(pipeline)
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
        m_result.items.reserve(m_schedule.items.size());
        for (std::size_t slot = 0; slot < m_schedule.timeSlots.size(); ++slot) {
            const auto work = m_schedule.work(m_schedule.timeSlots[slot]);
            const std::size_t first = m_result.items.size();
            // Nothing waits for work of its own slot, but space is made in the slot that takes it again.
            for (const WorkItem& item : work)
                addItem(item);
            for (std::size_t index = 0; index < work.size(); ++index)
                send(work[index], m_result.items[first + index].end, slot);
        }
        m_result.end = *std::ranges::max_element(m_now);
        for (const CopyTiming& copy : m_result.copies)
            m_result.end = std::max(m_result.end, copy.end());
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
            timing.hostIn = m_infeed.take(m_clock + ready) + m_infeed.copyCycles();
        timing.start = ready + timing.hostIn;
        timing.end = timing.start + workCycles(m_pipeline, item.phase, item.stage);
        if (item.phase == Phase::Forward && item.stage.index() == lastStage() &&
            !m_pipeline.execution.accumulateOutfeed && m_pipeline.outfeedBytes.value() > 0)
            timing.hostOut = m_outfeed.put(m_clock + timing.end) + m_outfeed.copyCycles();
        m_now[ipu] = timing.end + timing.hostOut;
        m_host[ipu] += timing.hostIn + timing.hostOut;
        if (handsOn(item.phase))
            m_ends[directionOf(item.phase)][cell(item.stage.index(), item.microBatch)] = timing.end;
        m_result.items.push_back(timing);
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

    void send(const WorkItem& item, Cycles made, std::size_t slot) {
        if (!handsOn(item.phase))
            return;
        const std::size_t direction = directionOf(item.phase);
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
            m_result.copies.push_back(timing);
        }
    }

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
                     OutfeedQueue& outfeed, Cycles clock) {
    return ItemClock(pipeline, pattern, infeed, outfeed, clock).run();
}

} // namespace simulator
