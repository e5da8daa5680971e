#pragma once

#include "simulator/program/executable.h"

#include <vector>

namespace simulator {

/// What the copies between IPUs do at the end of a slot.
struct SlotExchange {
    /// 0: nothing crosses, and no sync is needed.
    core::Cycles duration;
    /// The stage whose copy takes longest.
    core::StageId slowest;
    /// Bytes each IPU sends and receives.
    std::vector<core::Bytes> sent;
    std::vector<core::Bytes> received;
};

/// What the programs of a slot are. Where the ramps of a schedule run the copies of full slots, so that
/// Poplar can run the IPUs side by side, a kind is a full slot: all that slots a cycle apart ever run.
/// Elsewhere a kind is what a slot holds, and only that is copied.
struct SlotKind {
    SlotExchange exchange;
    /// Work of each IPU when the pipeline is full: in such a slot, or in the fullest of all slots.
    std::vector<core::Cycles> fullWork;
};

/// The slots of one pipeline by kind.
struct SlotPattern {
    std::vector<SlotKind> kinds;
    /// Kind of every slot.
    std::vector<std::uint32_t> kindOfSlot;
    /// Once per update: values that one stage's update sends to another's.
    SlotExchange updateExchange;

    [[nodiscard]] const SlotKind& kindOf(std::size_t slot) const { return kinds[kindOfSlot[slot]]; }
};

[[nodiscard]] SlotPattern slotPattern(const CompiledPipeline& pipeline);

/// Cycles of a piece of work.
[[nodiscard]] core::Cycles workCycles(const CompiledPipeline& pipeline, Phase phase, core::StageId stage);

} // namespace simulator
