#pragma once

#include "core/plan/schedule/schedule_definition.h"

#include <cstdint>
#include <vector>

namespace core {

// What follows from the items of a table. The items of one phase of a stage are in the order of
// micro-batches (`checkSchedule`).

/// FIFO depth of what a forward stage keeps for its backward pass: the most micro-batches that its forward
/// program starts between the forward and the backward pass of one. Zero in inference.
[[nodiscard]] std::vector<std::int64_t> fifoDepths(const PipelineSchedule& schedule);
/// The same from the backward pass to the weight gradients that run apart from it; zero where none do.
[[nodiscard]] std::vector<std::int64_t> weightGradientDepths(const PipelineSchedule& schedule);

/// The slots of every stage's work, by phase.
class WorkSlots {
public:
    explicit WorkSlots(const PipelineSchedule& schedule);

    /// By micro-batch; empty where the table has no such work.
    [[nodiscard]] const std::vector<std::int32_t>& of(Phase phase, std::size_t stage) const {
        return m_slots[static_cast<std::size_t>(phase)][stage];
    }
    /// Micro-batches that wait, at most, between the program of one stage that sends in a slot's exchange and
    /// that of another that reads.
    [[nodiscard]] std::int64_t queueDepth(Phase phase, std::size_t from, std::size_t to) const;
    /// Whether programs of both stages run in one slot.
    [[nodiscard]] bool shareSlot(Phase phase, std::size_t from, std::size_t to) const;

private:
    std::vector<std::vector<std::vector<std::int32_t>>> m_slots;
};

/// Slots that do the same over and over: each cycle is the one before with every micro-batch `shift` later.
struct SlotRepeat {
    std::size_t first = 0;
    /// Slots of a cycle, and cycles.
    std::size_t cycle = 1;
    std::size_t count = 0;
    std::int64_t shift = 1;

    [[nodiscard]] std::size_t end() const { return first + cycle * count; }
};
/// In order, apart from one another; where few cycles follow one another there is none.
[[nodiscard]] std::vector<SlotRepeat> slotRepeats(const PipelineSchedule& schedule);

/// Makespan and bubble of a table whose stages all take the same, where an IPU starts its next piece of work
/// as soon as its operands are there and communication is free: how the literature draws schedules. A stage
/// that shares its IPU takes as much less, so that an IPU has the same work in all. Without items of their
/// own, weight gradients are part of the backward pass; recomputation takes as long as the forward pass.
struct IdealTimes {
    double makespan = 0;
    /// Idle time of the IPU that idles longest between its first and its last work.
    double bubble = 0;
};
[[nodiscard]] IdealTimes idealTimes(const PipelineSchedule& schedule, const StageTimes& times);

} // namespace core
