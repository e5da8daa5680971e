#include "core/plan/schedule/slot_layout.h"

#include <algorithm>

namespace core {

namespace {

/// A row of the slot table: work that some slots give to an IPU. It handles in slot t the micro-batch that
/// entered the pipeline `delay` slots before.
struct Row {
    IpuId ipu;
    Phase phase = Phase::Forward;
    StageId stage;
    std::int64_t delay = 0;
};

/// Rows by IPU, on an IPU in execution order: stage programs by descending position, so that a backward stage
/// reads what its forward stage left in the previous slot; then recomputation.
std::vector<Row> executionRows(const PipelineShape& shape) {
    const auto stages = static_cast<std::int64_t>(shape.stages);
    std::vector<Row> rows;
    for (std::int64_t position = static_cast<std::int64_t>(shape.positions()) - 1; position >= 0;
         --position) {
        const bool backward = position >= stages;
        const auto stage = static_cast<std::size_t>(backward ? 2 * stages - 1 - position : position);
        rows.push_back(
            {shape.ipuOf(stage), backward ? Phase::Backward : Phase::Forward, StageId(stage), position});
    }
    for (std::int64_t stage = 0; shape.training && stage + 1 < stages; ++stage) {
        const auto index = static_cast<std::size_t>(stage);
        if (shape.recomputes(index))
            rows.push_back({shape.ipuOf(index), Phase::Recompute, StageId(index), 2 * stages - 2 - stage});
    }
    std::ranges::stable_sort(rows, {}, &Row::ipu);
    return rows;
}

/// entering[t]: the micro-batch that enters the pipeline in slot t; −1 where none does.
std::vector<std::int32_t> enteringMicroBatches(const PipelineShape& shape,
                                               const std::vector<std::int64_t>& startOffsets,
                                               std::size_t slots) {
    std::vector<std::int32_t> entering(slots, -1);
    const auto overlap = static_cast<std::int64_t>(startOffsets.size());
    const auto positions = static_cast<std::int64_t>(shape.positions());
    for (std::int64_t microBatch = 0; microBatch < shape.microBatches; ++microBatch) {
        const std::int64_t slot =
            microBatch / overlap * positions + startOffsets[static_cast<std::size_t>(microBatch % overlap)];
        entering[static_cast<std::size_t>(slot)] = static_cast<std::int32_t>(microBatch);
    }
    return entering;
}

SlotPhase rotationPhase(std::int64_t slot, std::int64_t ramp, std::int64_t slots) {
    if (slot < ramp)
        return SlotPhase::RampUp;
    return slot < slots - ramp ? SlotPhase::Main : SlotPhase::RampDown;
}

/// Whether two slots run the same programs.
bool runSamePrograms(const PipelineSchedule& schedule, std::size_t a, std::size_t b) {
    const auto same = [](const WorkItem& x, const WorkItem& y) {
        return x.phase == y.phase && x.stage == y.stage;
    };
    return std::ranges::equal(schedule.work(schedule.timeSlots[a]), schedule.work(schedule.timeSlots[b]),
                              same);
}

/// The shortest cycle by which all slots of [first, end) repeat; their number where none does.
std::size_t shortestCycle(const PipelineSchedule& schedule, std::size_t first, std::size_t end) {
    const std::size_t longest = 4 * schedule.shape.positions();
    // Whether two slots are the same is asked for many cycles, and what they hold does not change.
    std::vector<std::uint64_t> marks;
    marks.reserve(end - first);
    for (std::size_t slot = first; slot < end; ++slot)
        marks.push_back(schedule.programMark(schedule.timeSlots[slot]));
    for (std::size_t cycle = 1; cycle <= longest && cycle < end - first; ++cycle) {
        bool repeats = (end - first) % cycle == 0;
        for (std::size_t slot = 0; repeats && slot + cycle < marks.size(); ++slot)
            repeats = marks[slot] == marks[slot + cycle];
        for (std::size_t slot = first; repeats && slot + cycle < end; ++slot)
            repeats = runSamePrograms(schedule, slot, slot + cycle);
        if (repeats)
            return cycle;
    }
    return std::max<std::size_t>(end - first, 1);
}

/// Puts the work of several lists into slots.
class ListLayout {
public:
    ListLayout(const PipelineShape& shape, const WorkLists& lists)
        : m_shape(shape)
        , m_lists(lists)
        , m_next(lists.size(), 0)
        , m_forward(shape.stages * static_cast<std::size_t>(shape.microBatches), -1)
        , m_backward(m_forward) {}

    PipelineSchedule layOut() {
        m_schedule.shape = m_shape;
        std::size_t wanted = 0;
        for (const std::vector<WorkItem>& list : m_lists)
            wanted += list.size();
        m_schedule.items.reserve(wanted);
        while (m_schedule.items.size() < wanted && addSlot())
            ++m_slot;
        describeSlots(m_schedule);
        return std::move(m_schedule);
    }

private:
    /// The next piece of each list that can start; false where none can.
    bool addSlot() {
        const std::size_t first = m_schedule.items.size();
        for (std::size_t ipu = 0; ipu < m_lists.size(); ++ipu)
            if (m_next[ipu] < m_lists[ipu].size() && isReady(m_lists[ipu][m_next[ipu]]))
                m_schedule.items.push_back(m_lists[ipu][m_next[ipu]++]);
        // Only now: values cross at the end of the slot.
        for (std::size_t item = first; item < m_schedule.items.size(); ++item)
            end(m_schedule.items[item]);
        const std::size_t count = m_schedule.items.size() - first;
        if (count > 0)
            m_schedule.timeSlots.push_back({SlotPhase::Main,
                                            static_cast<std::uint32_t>(first),
                                            static_cast<std::uint32_t>(count),
                                            {},
                                            {}});
        return count > 0;
    }

    [[nodiscard]] bool isReady(const WorkItem& item) const {
        const std::size_t at = index(item);
        const std::size_t stage = item.stage.index();
        if (item.phase == Phase::Forward)
            return stage == 0 || m_forward[at - 1] >= 0;
        return item.phase != Phase::Backward || stage + 1 == m_shape.stages || m_backward[at + 1] >= 0;
    }
    void end(const WorkItem& item) {
        if (item.phase == Phase::Forward)
            m_forward[index(item)] = m_slot;
        else if (item.phase == Phase::Backward)
            m_backward[index(item)] = m_slot;
    }
    [[nodiscard]] std::size_t index(const WorkItem& item) const {
        return static_cast<std::size_t>(item.microBatch) * m_shape.stages + item.stage.index();
    }

    const PipelineShape& m_shape;
    const WorkLists& m_lists;
    std::vector<std::size_t> m_next;
    /// Slots in which passes ran; −1 before.
    std::vector<std::int32_t> m_forward;
    std::vector<std::int32_t> m_backward;
    std::int32_t m_slot = 0;
    PipelineSchedule m_schedule;
};

} // namespace

PipelineSchedule layOutRotations(const PipelineShape& shape, const std::vector<std::int64_t>& startOffsets,
                                 std::size_t cycle, bool ioTiles) {
    PipelineSchedule schedule;
    schedule.shape = shape;
    schedule.overlap = static_cast<std::int64_t>(startOffsets.size());
    schedule.cycle = cycle;
    schedule.rampsCopyAll = true;
    schedule.overlapsHostIo = ioTiles;

    const auto positions = static_cast<std::int64_t>(shape.positions());
    const std::int64_t delay = ioTiles ? 1 : 0;
    const std::int64_t ramp = positions + 2 * delay;
    const std::int64_t slots = positions * (shape.microBatches / schedule.overlap + 1) + 2 * delay;
    const std::vector<Row> rows = executionRows(shape);
    const std::vector<std::int32_t> entering =
        enteringMicroBatches(shape, startOffsets, static_cast<std::size_t>(slots));
    const auto microBatchAt = [&](std::int64_t slot) -> std::int32_t {
        return slot < 0 ? -1 : entering[static_cast<std::size_t>(slot)];
    };
    const auto feed = [&](std::int64_t slot) {
        const std::int32_t microBatch = microBatchAt(slot);
        return microBatch < 0 ? std::nullopt : std::optional(microBatch);
    };

    schedule.timeSlots.reserve(static_cast<std::size_t>(slots));
    schedule.items.reserve(rows.size() * static_cast<std::size_t>(shape.microBatches));
    for (std::int64_t slot = 0; slot < slots; ++slot) {
        Slot current{
            rotationPhase(slot, ramp, slots), static_cast<std::uint32_t>(schedule.items.size()), 0, {}, {}};
        for (const Row& row : rows)
            if (const std::int32_t microBatch = microBatchAt(slot - delay - row.delay); microBatch >= 0)
                schedule.items.push_back({row.phase, row.stage, microBatch, row.ipu});
        current.itemCount = static_cast<std::uint32_t>(schedule.items.size()) - current.firstItem;
        current.infeedMicroBatch = feed(slot);
        current.outfeedMicroBatch = feed(slot - 2 * delay - static_cast<std::int64_t>(shape.stages) + 1);
        schedule.timeSlots.push_back(current);
    }
    return schedule;
}

PipelineSchedule layOutLists(const PipelineShape& shape, const WorkLists& lists) {
    return ListLayout(shape, lists).layOut();
}

void describeSlots(PipelineSchedule& schedule) {
    const PipelineShape& shape = schedule.shape;
    std::vector<std::size_t> first(shape.ipuCount(), SIZE_MAX);
    std::vector<std::size_t> last(shape.ipuCount(), 0);
    std::vector<std::int64_t> left(static_cast<std::size_t>(shape.microBatches), 0);
    for (const WorkItem& item : schedule.items)
        if (item.microBatch >= 0 && item.microBatch < shape.microBatches)
            ++left[static_cast<std::size_t>(item.microBatch)];
    std::vector<bool> isIn(left.size(), false);
    std::int64_t inFlight = 0;
    for (std::size_t index = 0; index < schedule.timeSlots.size(); ++index) {
        Slot& slot = schedule.timeSlots[index];
        std::int64_t leaving = 0;
        for (const WorkItem& item : schedule.work(slot)) {
            if (item.microBatch < 0 || item.microBatch >= shape.microBatches ||
                item.ipu.index() >= first.size())
                continue;
            const auto microBatch = static_cast<std::size_t>(item.microBatch);
            first[item.ipu.index()] = std::min(first[item.ipu.index()], index);
            last[item.ipu.index()] = index;
            inFlight += isIn[microBatch] ? 0 : 1;
            isIn[microBatch] = true;
            leaving += --left[microBatch] == 0 ? 1 : 0;
            if (item.phase == Phase::Forward && item.stage.index() == 0)
                slot.infeedMicroBatch = item.microBatch;
            if (item.phase == Phase::Forward && item.stage.index() + 1 == shape.stages)
                slot.outfeedMicroBatch = item.microBatch;
        }
        schedule.overlap = std::max(schedule.overlap, inFlight);
        inFlight -= leaving;
    }
    std::size_t up = 0;
    std::size_t down = schedule.timeSlots.size();
    for (std::size_t ipu = 0; ipu < first.size(); ++ipu)
        if (first[ipu] != SIZE_MAX) {
            up = std::max(up, first[ipu]);
            down = std::min(down, last[ipu] + 1);
        }
    // One micro-batch at a time: nothing fills.
    if (schedule.overlap <= 1)
        up = 0, down = schedule.timeSlots.size();
    down = std::max(up, down);
    for (std::size_t index = 0; index < schedule.timeSlots.size(); ++index)
        schedule.timeSlots[index].phase = index < up      ? SlotPhase::RampUp
                                          : index >= down ? SlotPhase::RampDown
                                                          : SlotPhase::Main;
    schedule.cycle = shortestCycle(schedule, up, down);
}

void addWork(WorkLists& lists, const PipelineShape& shape, Phase phase, std::size_t stage,
             std::int64_t microBatch) {
    const IpuId ipu = shape.ipuOf(stage);
    std::vector<WorkItem>& list = lists[ipu.index()];
    const auto number = static_cast<std::int32_t>(microBatch);
    if (phase == Phase::Backward && shape.recomputes(stage))
        list.push_back({Phase::Recompute, StageId(stage), number, ipu});
    list.push_back({phase, StageId(stage), number, ipu});
}

void addTurns(WorkLists& lists, const PipelineShape& shape, std::size_t stage, const TurnOrder& order) {
    const std::int64_t count = shape.microBatches;
    const std::int64_t warmUp = shape.training ? std::min(order.warmUp, count) : count;
    std::int64_t weightGradients = 0;
    const auto backward = [&](std::int64_t microBatch) {
        addWork(lists, shape, Phase::Backward, stage, microBatch);
        if (order.delay && microBatch >= *order.delay)
            addWork(lists, shape, Phase::WeightGradient, stage, weightGradients++);
    };
    for (std::int64_t microBatch = 0; microBatch < warmUp; ++microBatch)
        addWork(lists, shape, Phase::Forward, stage, microBatch);
    if (!shape.training)
        return;
    for (std::int64_t microBatch = warmUp; microBatch < count; ++microBatch) {
        addWork(lists, shape, Phase::Forward, stage, microBatch);
        backward(microBatch - warmUp);
    }
    for (std::int64_t microBatch = count - warmUp; microBatch < count; ++microBatch)
        backward(microBatch);
    while (order.delay && weightGradients < count)
        addWork(lists, shape, Phase::WeightGradient, stage, weightGradients++);
}

} // namespace core
