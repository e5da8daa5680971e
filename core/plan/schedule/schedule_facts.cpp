#include "core/plan/schedule/schedule_facts.h"

#include <algorithm>
#include <array>

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
    const std::vector<std::int32_t>& other = of(phase, to);
    return std::ranges::any_of(of(phase, from),
                               [&](std::int32_t slot) { return std::ranges::binary_search(other, slot); });
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

} // namespace core
