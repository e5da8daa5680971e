#include "simulator/engine/clock/item_clock.h"

#include "simulator/target/link_topology.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>

namespace simulator {

namespace {

using core::Cycles;

/// What is known of the programs of one direction and stage, by micro-batch. Of cycles that were left out
/// nothing is: their first micro-batches have the places of those after them.
struct ProgramRow {
    /// When the operands of a micro-batch came, and from where.
    struct Arrival {
        Cycles made;
        Cycles time;
        core::StageId from;
    };
    /// When the last results left, and where to.
    struct Departure {
        Cycles time;
        core::StageId to;
    };

    std::vector<Cycles> ends;
    std::vector<Arrival> arrivals;
    Departure left;
    std::int64_t leftOut = 0;

    /// The micro-batch that runs next.
    [[nodiscard]] std::int64_t next() const { return static_cast<std::int64_t>(ends.size()) + leftOut; }
    [[nodiscard]] Cycles endOf(std::int64_t microBatch) const {
        const auto place = static_cast<std::size_t>(microBatch - leftOut);
        return place < ends.size() ? ends[place] : Cycles(0);
    }
    [[nodiscard]] Arrival arrivalOf(std::int64_t microBatch) const {
        const auto place = static_cast<std::size_t>(microBatch - leftOut);
        return place < arrivals.size() ? arrivals[place] : Arrival();
    }
    Arrival& arrivalAt(std::int64_t microBatch) {
        const auto place = static_cast<std::size_t>(microBatch - leftOut);
        if (arrivals.size() <= place)
            arrivals.resize(place + 1);
        return arrivals[place];
    }
    void shift(std::int64_t microBatches, Cycles time) {
        leftOut += microBatches;
        for (Cycles& end : ends)
            end += time;
        for (Arrival& arrival : arrivals)
            if (arrival.from.isValid())
                arrival.time += time;
        if (left.to.isValid())
            left.time += time;
    }
};

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
        for (std::vector<ProgramRow>& direction : m_rows)
            direction.resize(pipeline.stageCount);
        for (std::size_t phase = 0; phase < core::phaseCount; ++phase)
            for (std::size_t stage = 0; stage < pipeline.stageCount; ++stage)
                m_work[phase].push_back(
                    workCycles(pipeline, static_cast<Phase>(phase), core::StageId(stage)));
    }

    ItemTimings run() {
        const auto microBatches = static_cast<std::size_t>(m_schedule.shape.microBatches);
        for (std::vector<ProgramRow>& direction : m_rows)
            for (ProgramRow& row : direction)
                row.ends.reserve(microBatches);
        if (m_calls == nullptr)
            m_result.items.reserve(m_schedule.items.size());
        m_tells = m_calls == nullptr;
        runSlots(0, m_schedule.timeSlots.size());
        m_result.end = end();
        m_result.exposedHost = *std::ranges::max_element(m_host);
        return std::move(m_result);
    }

    UnhinderedItems runUnhindered(std::span<const core::SlotRepeat> repeats) {
        m_isUnhindered = true;
        if (!repeats.empty())
            findReaders();
        std::size_t slot = 0;
        for (const core::SlotRepeat& repeat : repeats) {
            runSlots(slot, repeat.first);
            runRepeat(repeat);
            slot = repeat.end();
        }
        runSlots(slot, m_schedule.timeSlots.size());
        return {end(), {m_takes.pause(end()), m_puts.pause(end())}, m_skipped};
    }

private:
    /// Forward passes hand on to later stages, backward passes to earlier ones; nothing else does.
    static bool handsOn(Phase phase) { return phase == Phase::Forward || phase == Phase::Backward; }
    static std::size_t directionOf(Phase phase) { return phase == Phase::Forward ? 0 : 1; }
    static Phase phaseOf(std::size_t direction) { return direction == 0 ? Phase::Forward : Phase::Backward; }
    [[nodiscard]] std::size_t lastStage() const { return m_pipeline.stageCount - 1; }
    [[nodiscard]] ProgramRow& rowOf(const WorkItem& item) {
        return m_rows[directionOf(item.phase)][item.stage.index()];
    }
    /// The stage whose results are a stage's operands; nothing for the first of a direction.
    [[nodiscard]] std::optional<std::size_t> stageBefore(std::size_t direction, std::size_t stage) const {
        if (stage == (direction == 0 ? 0 : lastStage()))
            return std::nullopt;
        return direction == 0 ? stage - 1 : stage + 1;
    }
    [[nodiscard]] Cycles end() const {
        return std::max(*std::ranges::max_element(m_now), *std::ranges::max_element(m_sending));
    }

    void runSlots(std::size_t first, std::size_t end) {
        for (std::size_t slot = first; slot < end; ++slot) {
            const auto work = m_schedule.work(m_schedule.timeSlots[slot]);
            // Nothing waits for work of its own slot, but space is made in the slot that takes it again.
            for (const WorkItem& item : work)
                addItem(item);
            for (const WorkItem& item : work)
                if (handsOn(item.phase))
                    send(item, slot);
        }
    }

    void addItem(const WorkItem& item) {
        const std::size_t ipu = item.ipu.index();
        ItemTiming timing;
        if (handsOn(item.phase))
            findOperands(item, timing);
        Cycles ready = std::max({m_now[ipu], timing.made, timing.arrived, timing.left});
        if (item.phase == Phase::Forward && item.stage.index() == 0 && m_pipeline.infeedBytes.value() > 0)
            timing.hostIn = taken(ready) + m_infeed.copyCycles();
        timing.start = ready + timing.hostIn;
        timing.end = timing.start + m_work[static_cast<std::size_t>(item.phase)][item.stage.index()];
        if (item.phase == Phase::Forward && item.stage.index() == lastStage() &&
            !m_pipeline.execution.accumulateOutfeed && m_pipeline.outfeedBytes.value() > 0)
            timing.hostOut = put(timing.end) + m_outfeed.copyCycles();
        m_now[ipu] = timing.end + timing.hostOut;
        m_host[ipu] += timing.hostIn + timing.hostOut;
        if (handsOn(item.phase))
            rowOf(item).ends.push_back(timing.end);
        if (m_tells)
            m_result.items.push_back(timing);
    }

    Cycles taken(Cycles at) {
        if (m_isUnhindered) {
            m_takes.ask(at);
            return {};
        }
        return asked(m_infeed.take(m_clock + at), at, &HostCalls::takes);
    }
    Cycles put(Cycles at) {
        if (m_isUnhindered) {
            m_puts.ask(at);
            return {};
        }
        return asked(m_outfeed.put(m_clock + at), at, &HostCalls::puts);
    }

    /// What a queue answered when it was asked `at` cycles after the start of the update.
    Cycles asked(Cycles wait, Cycles at, std::vector<Cycles> HostCalls::*list) {
        if (m_calls != nullptr) {
            (m_calls->*list).push_back(at);
            m_calls->waits = m_calls->waits || wait.value() > 0;
        }
        return wait;
    }

    void findOperands(const WorkItem& item, ItemTiming& timing) {
        const std::size_t direction = directionOf(item.phase);
        if (const auto before = stageBefore(direction, item.stage.index())) {
            timing.maker = core::StageId(*before);
            timing.made = timing.arrived = m_rows[direction][*before].endOf(item.microBatch);
        }
        const ProgramRow& row = rowOf(item);
        const ProgramRow::Arrival arrival = row.arrivalOf(item.microBatch);
        if (arrival.from.isValid() && arrival.time > timing.arrived) {
            timing.maker = arrival.from;
            timing.made = arrival.made;
            timing.arrived = arrival.time;
        }
        timing.left = row.left.time;
        timing.reader = row.left.to;
    }

    void send(const WorkItem& item, std::size_t slot) {
        const std::size_t direction = directionOf(item.phase);
        ProgramRow& row = rowOf(item);
        const Cycles made = row.endOf(item.microBatch);
        Cycles& sending = m_sending[item.ipu.index()];
        for (const ProgramCopy& copy : m_pattern.copiesOf(item.phase, item.stage)) {
            ProgramRow& receiver = m_rows[direction][copy.to.index()];
            const std::int64_t read = item.microBatch - 1 - copy.depth;
            const Cycles freed = read < 0 ? Cycles(0) : receiver.endOf(read);
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
            ProgramRow::Arrival& arrival = receiver.arrivalAt(item.microBatch);
            if (timing.end() > arrival.time)
                arrival = {made, timing.end(), item.stage};
            if (timing.end() > row.left.time)
                row.left = {timing.end(), copy.to};
            if (m_tells)
                m_result.copies.push_back(timing);
        }
    }

    // --- slots that repeat -------------------------------------------------------------------------------

    /// What the slots of a cycle change.
    struct Changes {
        /// By direction and stage.
        std::array<std::vector<bool>, 2> rows;
        /// By IPU.
        std::vector<bool> now;
        std::vector<bool> sending;
        bool takes = false;
        bool puts = false;
    };
    /// Everything of it that later work can see, at the end of a cycle.
    struct View {
        /// How many times of each row there are.
        std::vector<std::int64_t> counts;
        std::vector<Cycles> times;
    };
    /// Rows with more to see are not looked at.
    static constexpr std::int64_t mostSeen = 256;
    /// Cycles after which the same may come again.
    static constexpr std::size_t mostViews = 6;
    static constexpr Cycles never{-1};

    [[nodiscard]] Changes changesIn(const core::SlotRepeat& repeat) const {
        Changes changes;
        for (std::vector<bool>& rows : changes.rows)
            rows.resize(m_pipeline.stageCount);
        changes.now.resize(m_now.size());
        changes.sending.resize(m_now.size());
        for (std::size_t slot = repeat.first; slot < repeat.first + repeat.cycle; ++slot)
            for (const WorkItem& item : m_schedule.work(m_schedule.timeSlots[slot])) {
                changes.now[item.ipu.index()] = true;
                if (!handsOn(item.phase))
                    continue;
                const std::size_t stage = item.stage.index();
                changes.rows[directionOf(item.phase)][stage] = true;
                if (!m_pattern.copiesOf(item.phase, item.stage).empty())
                    changes.sending[item.ipu.index()] = true;
                changes.takes = changes.takes || (item.phase == Phase::Forward && stage == 0);
                changes.puts = changes.puts || (item.phase == Phase::Forward && stage == lastStage());
            }
        return changes;
    }

    /// Whether nothing that changes meets a row that does not.
    [[nodiscard]] bool areClosed(const Changes& changes) const {
        for (std::size_t direction = 0; direction < m_rows.size(); ++direction)
            for (std::size_t stage = 0; stage < m_pipeline.stageCount; ++stage) {
                const bool doesChange = changes.rows[direction][stage];
                const auto before = stageBefore(direction, stage);
                if (before && changes.rows[direction][*before] != doesChange)
                    return false;
                for (const ProgramCopy& copy : m_pattern.copiesOf(phaseOf(direction), core::StageId(stage)))
                    if (changes.rows[direction][copy.to.index()] != doesChange)
                        return false;
            }
        return true;
    }

    /// From here to the end of the repeat, whether space at the receiver always or never is what a copy waits
    /// for.
    [[nodiscard]] bool areDepthsReached(const Changes& changes, std::int64_t microBatches) const {
        for (std::size_t direction = 0; direction < m_rows.size(); ++direction)
            for (std::size_t stage = 0; stage < m_pipeline.stageCount; ++stage)
                if (changes.rows[direction][stage])
                    for (const ProgramCopy& copy :
                         m_pattern.copiesOf(phaseOf(direction), core::StageId(stage))) {
                        const std::int64_t read = m_rows[direction][stage].next() - 1 - copy.depth;
                        if (read < 0 && read + microBatches > 0)
                            return false;
                    }
        return true;
    }

    /// Who asks for the ends of a row, and how many micro-batches behind its own next one.
    struct Reader {
        std::size_t stage = 0;
        std::int64_t behind = 0;
    };

    void findReaders() {
        for (std::size_t direction = 0; direction < m_rows.size(); ++direction) {
            m_readers[direction].assign(m_pipeline.stageCount, {});
            for (std::size_t stage = 0; stage < m_pipeline.stageCount; ++stage) {
                if (const auto before = stageBefore(direction, stage))
                    m_readers[direction][*before].push_back({stage, 0});
                for (const ProgramCopy& copy : m_pattern.copiesOf(phaseOf(direction), core::StageId(stage)))
                    m_readers[direction][copy.to.index()].push_back({stage, 1 + copy.depth});
            }
        }
    }

    /// The first micro-batch of a row whose end somebody still asks for.
    [[nodiscard]] std::int64_t firstSeen(std::size_t direction, std::size_t stage) const {
        std::int64_t first = m_rows[direction][stage].next();
        for (const Reader& reader : m_readers[direction][stage])
            first = std::min(first, m_rows[direction][reader.stage].next() - reader.behind);
        return std::max(first, std::int64_t(0));
    }

    /// Nothing where there is too much to see.
    [[nodiscard]] std::optional<View> viewOf(const Changes& changes) const {
        View view;
        constexpr std::size_t usually = 160;
        view.times.reserve(usually);
        for (std::size_t ipu = 0; ipu < m_now.size(); ++ipu) {
            if (changes.now[ipu])
                view.times.push_back(m_now[ipu]);
            if (changes.sending[ipu])
                view.times.push_back(m_sending[ipu]);
        }
        for (std::size_t direction = 0; direction < m_rows.size(); ++direction)
            for (std::size_t stage = 0; stage < m_pipeline.stageCount; ++stage) {
                if (!changes.rows[direction][stage])
                    continue;
                const ProgramRow& row = m_rows[direction][stage];
                const std::int64_t first = firstSeen(direction, stage);
                const std::int64_t next = row.next();
                const std::int64_t arrived =
                    std::max(next, static_cast<std::int64_t>(row.arrivals.size()) + row.leftOut);
                if (first < row.leftOut || arrived - first > mostSeen)
                    return std::nullopt;
                view.counts.push_back(next - first);
                view.counts.push_back(arrived - next);
                view.times.push_back(row.left.to.isValid() ? row.left.time : never);
                for (std::int64_t microBatch = first; microBatch < next; ++microBatch)
                    view.times.push_back(row.endOf(microBatch));
                for (std::int64_t microBatch = next; microBatch < arrived; ++microBatch) {
                    const ProgramRow::Arrival arrival = row.arrivalOf(microBatch);
                    view.times.push_back(arrival.from.isValid() ? arrival.time : never);
                }
            }
        return view;
    }

    /// How much later all of `now` is than `before`, where it is the same for all.
    static std::optional<Cycles> laterBy(const View& before, const View& now) {
        if (before.counts != now.counts || before.times.size() != now.times.size() || now.times.empty())
            return std::nullopt;
        const Cycles later = now.times.front() - before.times.front();
        for (std::size_t i = 0; i < now.times.size(); ++i)
            if (now.times[i] == never || before.times[i] == never ? now.times[i] != before.times[i]
                                                                  : now.times[i] - before.times[i] != later)
                return std::nullopt;
        return later;
    }

    void runRepeat(const core::SlotRepeat& repeat) {
        const Changes changes = changesIn(repeat);
        if (!areClosed(changes))
            return runSlots(repeat.first, repeat.end());
        std::deque<View> views;
        bool isSettled = false;
        for (std::size_t done = 0; done < repeat.count;) {
            runSlots(repeat.first + done * repeat.cycle, repeat.first + (done + 1) * repeat.cycle);
            ++done;
            const std::size_t left = repeat.count - done;
            if (isSettled || left == 0 ||
                !areDepthsReached(changes, static_cast<std::int64_t>(left) * repeat.shift))
                continue;
            std::optional<View> view = viewOf(changes);
            if (!view)
                continue;
            for (std::size_t lag = 1; lag <= views.size() && lag <= left && !isSettled; ++lag)
                if (const auto later = laterBy(views[views.size() - lag], *view)) {
                    const std::size_t times = left / lag;
                    leaveOut(changes, static_cast<std::int64_t>(times * lag) * repeat.shift,
                             *later * static_cast<std::int64_t>(times));
                    m_skipped += times * lag * repeat.cycle;
                    done += times * lag;
                    isSettled = true;
                }
            views.push_back(std::move(*view));
            if (views.size() > mostViews)
                views.pop_front();
        }
    }

    void leaveOut(const Changes& changes, std::int64_t microBatches, Cycles time) {
        for (std::size_t direction = 0; direction < m_rows.size(); ++direction)
            for (std::size_t stage = 0; stage < m_pipeline.stageCount; ++stage)
                if (changes.rows[direction][stage])
                    m_rows[direction][stage].shift(microBatches, time);
        for (std::size_t ipu = 0; ipu < m_now.size(); ++ipu) {
            if (changes.now[ipu])
                m_now[ipu] += time;
            if (changes.sending[ipu])
                m_sending[ipu] += time;
        }
        if (changes.takes)
            m_takes.latest += time;
        if (changes.puts)
            m_puts.latest += time;
    }

    HostCalls* m_calls;
    const CompiledPipeline& m_pipeline;
    const PipelineSchedule& m_schedule;
    const SlotPattern& m_pattern;
    InfeedQueue& m_infeed;
    OutfeedQueue& m_outfeed;
    Cycles m_clock;
    Cycles m_sync;
    /// Cycles by phase and stage.
    std::array<std::vector<Cycles>, core::phaseCount> m_work;
    /// By IPU: the end of its work so far, of its copies, and its host time.
    std::vector<Cycles> m_now;
    std::vector<Cycles> m_sending;
    std::vector<Cycles> m_host;
    /// Forward, then backward; by stage.
    std::array<std::vector<ProgramRow>, 2> m_rows;
    std::array<std::vector<std::vector<Reader>>, 2> m_readers;
    /// Items and copies are told.
    bool m_tells = false;
    /// Queues answer at once.
    bool m_isUnhindered = false;
    PauseClock m_takes;
    PauseClock m_puts;
    std::size_t m_skipped = 0;
    ItemTimings m_result;
};

} // namespace

ItemTimings runItems(const CompiledPipeline& pipeline, const SlotPattern& pattern, InfeedQueue& infeed,
                     OutfeedQueue& outfeed, Cycles clock, HostCalls* calls) {
    return ItemClock(pipeline, pattern, infeed, outfeed, clock, calls).run();
}

UnhinderedItems unhinderedItems(const CompiledPipeline& pipeline, const SlotPattern& pattern,
                                std::span<const core::SlotRepeat> repeats) {
    InfeedQueue infeed(pipeline);
    OutfeedQueue outfeed(pipeline);
    return ItemClock(pipeline, pattern, infeed, outfeed, Cycles(0), nullptr).runUnhindered(repeats);
}

} // namespace simulator
