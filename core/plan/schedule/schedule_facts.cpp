#include "core/plan/schedule/schedule_facts.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace core {

namespace {

/// The most entries that `writer` adds between adding one and `reader` taking it.
std::vector<std::int64_t> depths(const PipelineSchedule& schedule, Phase writer, Phase reader) {
    std::vector<std::int64_t> depth(schedule.shape.stages, 0);
    std::vector<std::int64_t> written(schedule.shape.stages, 0);
    for (const WorkItem& item : schedule.items) {
        const std::size_t stage = item.stage.index();
        if (item.phase == writer)
            ++written[stage];
        else if (item.phase == reader)
            depth[stage] = std::max(depth[stage], written[stage] - 1 - item.microBatch);
    }
    return depth;
}

double secondsOf(const StageTimes& times, Phase phase, bool isSplit) {
    switch (phase) {
    case Phase::Forward:
    case Phase::Recompute:
        return times.forward;
    case Phase::Backward:
        return times.inputGradient + (isSplit ? 0 : times.weightGradient);
    case Phase::WeightGradient:
        return times.weightGradient;
    case Phase::WeightUpdate:
        break;
    }
    return 0;
}

} // namespace

std::vector<std::int64_t> fifoDepths(const PipelineSchedule& schedule) {
    return depths(schedule, Phase::Forward, Phase::Backward);
}

std::vector<std::int64_t> weightGradientDepths(const PipelineSchedule& schedule) {
    return depths(schedule, Phase::Backward, Phase::WeightGradient);
}

WorkSlots::WorkSlots(const PipelineSchedule& schedule)
    : m_slots(phaseCount, std::vector<std::vector<std::int32_t>>(schedule.shape.stages)) {
    for (std::size_t slot = 0; slot < schedule.timeSlots.size(); ++slot)
        for (const WorkItem& item : schedule.work(schedule.timeSlots[slot]))
            m_slots[static_cast<std::size_t>(item.phase)][item.stage.index()].push_back(
                static_cast<std::int32_t>(slot));
}

std::int64_t WorkSlots::queueDepth(Phase phase, std::size_t from, std::size_t to) const {
    const std::vector<std::int32_t>& sent = of(phase, from);
    const std::vector<std::int32_t>& read = of(phase, to);
    std::int64_t depth = 0;
    std::size_t arrived = 0;
    for (std::size_t microBatch = 0; microBatch < read.size(); ++microBatch) {
        while (arrived < sent.size() && sent[arrived] < read[microBatch])
            ++arrived;
        depth =
            std::max(depth, static_cast<std::int64_t>(arrived) - 1 - static_cast<std::int64_t>(microBatch));
    }
    return depth;
}

bool WorkSlots::shareSlot(Phase phase, std::size_t from, std::size_t to) const {
    // Both are in order.
    const std::vector<std::int32_t>& one = of(phase, from);
    const std::vector<std::int32_t>& other = of(phase, to);
    auto next = other.begin();
    return std::ranges::any_of(one, [&](std::int32_t slot) {
        while (next != other.end() && *next < slot)
            ++next;
        return next != other.end() && *next == slot;
    });
}

IdealTimes idealTimes(const PipelineSchedule& schedule, const StageTimes& times) {
    const std::size_t stages = schedule.shape.stages;
    const bool isSplit = schedule.splitsBackward();
    std::vector<double> share(schedule.shape.ipuCount(), 0);
    for (std::size_t stage = 0; stage < stages; ++stage)
        share[schedule.shape.ipuOf(stage).index()] += 1;
    std::vector<double> now(share.size(), 0);
    std::vector<double> first(share.size(), -1);
    std::vector<double> busy(share.size(), 0);
    const auto microBatches = static_cast<std::size_t>(schedule.shape.microBatches);
    // When the forward and the backward pass of each stage on each micro-batch end. Items are slot by slot,
    // so what one depends on has been seen before it.
    std::array<std::vector<double>, 2> ends{std::vector<double>(stages * microBatches, 0),
                                            std::vector<double>(stages * microBatches, 0)};
    for (const WorkItem& item : schedule.items) {
        const std::size_t stage = item.stage.index();
        const std::size_t ipu = item.ipu.index();
        const auto at = static_cast<std::size_t>(item.microBatch) * stages + stage;
        double start = now[ipu];
        if (item.phase == Phase::Forward && stage > 0)
            start = std::max(start, ends[0][at - 1]);
        if (item.phase == Phase::Backward && stage + 1 < stages)
            start = std::max(start, ends[1][at + 1]);
        const double duration = secondsOf(times, item.phase, isSplit) / share[ipu];
        if (first[ipu] < 0)
            first[ipu] = start;
        now[ipu] = start + duration;
        busy[ipu] += duration;
        if (item.phase == Phase::Forward || item.phase == Phase::Backward)
            ends[item.phase == Phase::Forward ? 0 : 1][at] = now[ipu];
    }
    IdealTimes ideal;
    for (std::size_t ipu = 0; ipu < now.size(); ++ipu) {
        ideal.makespan = std::max(ideal.makespan, now[ipu]);
        if (first[ipu] >= 0)
            ideal.bubble = std::max(ideal.bubble, now[ipu] - first[ipu] - busy[ipu]);
    }
    return ideal;
}

namespace {

/// Finds stretches of slots that repeat.
class RepeatFinder {
public:
    explicit RepeatFinder(const PipelineSchedule& schedule)
        : m_schedule(schedule) {
        m_marks.reserve(schedule.timeSlots.size());
        for (const Slot& slot : schedule.timeSlots)
            m_marks.push_back(schedule.programMark(slot));
    }

    std::vector<SlotRepeat> find() const {
        std::vector<SlotRepeat> repeats;
        for (std::size_t slot = 0; slot < m_marks.size();) {
            const std::optional<SlotRepeat> repeat = repeatAt(slot);
            if (repeat)
                repeats.push_back(*repeat);
            slot = repeat ? repeat->end() : slot + 1;
        }
        return repeats;
    }

private:
    /// Fewer are not worth a look.
    static constexpr std::size_t fewestCycles = 6;

    [[nodiscard]] std::optional<SlotRepeat> repeatAt(std::size_t first) const {
        const auto work = workOf(first);
        if (work.empty())
            return std::nullopt;
        const std::size_t longest =
            std::min(4 * m_schedule.shape.positions(), (m_marks.size() - first) / fewestCycles);
        for (std::size_t cycle = 1; cycle <= longest; ++cycle) {
            if (m_marks[first] != m_marks[first + cycle])
                continue;
            const std::int64_t shift = workOf(first + cycle).front().microBatch - work.front().microBatch;
            std::size_t end = first + cycle;
            while (shift > 0 && end < m_marks.size() && isShifted(end - cycle, end, shift))
                ++end;
            if (const std::size_t count = (end - first) / cycle; count >= fewestCycles)
                return SlotRepeat{first, cycle, count, shift};
        }
        return std::nullopt;
    }

    [[nodiscard]] bool isShifted(std::size_t before, std::size_t slot, std::int64_t shift) const {
        return m_marks[before] == m_marks[slot] &&
               std::ranges::equal(
                   workOf(before), workOf(slot), [shift](const WorkItem& one, const WorkItem& other) {
                       return one.phase == other.phase && one.stage == other.stage && one.ipu == other.ipu &&
                              one.microBatch + shift == other.microBatch;
                   });
    }

    [[nodiscard]] std::span<const WorkItem> workOf(std::size_t slot) const {
        return m_schedule.work(m_schedule.timeSlots[slot]);
    }

    const PipelineSchedule& m_schedule;
    /// Slots of the same programs have the same.
    std::vector<std::uint64_t> m_marks;
};

} // namespace

std::vector<SlotRepeat> slotRepeats(const PipelineSchedule& schedule) {
    return RepeatFinder(schedule).find();
}

} // namespace core
