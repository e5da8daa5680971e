#pragma once

#include "simulator/program/executable.h"

#include <array>
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

/// A program of a slot.
struct SlotProgram {
    Phase phase = Phase::Forward;
    core::StageId stage;

    auto operator<=>(const SlotProgram&) const = default;
};

/// What the programs of a slot are. Where the ramps of a schedule run the copies of full slots, so that
/// Poplar can run the IPUs side by side, a kind is a full slot: all that slots a cycle apart ever run.
/// In the serial schedule a kind is what a slot holds, and only that is copied.
struct SlotKind {
    /// Each once, in the order in which they run.
    std::vector<SlotProgram> programs;
    SlotExchange exchange;
    /// Work of each IPU in such a slot when the pipeline is full.
    std::vector<core::Cycles> fullWork;
};

/// What a program hands to a stage on another IPU after each run.
struct ProgramCopy {
    core::StageId to;
    core::Bytes bytes;
    core::Cycles duration;
    /// Micro-batches that may wait at the receiver beside the one it reads.
    std::int64_t depth = 0;
};

/// What the schedule of one pipeline moves between IPUs: the slots by kind where IPUs meet at their ends, the
/// copies of each program where they do not.
struct SlotPattern {
    std::vector<SlotKind> kinds;
    /// Kind of every slot.
    std::vector<std::uint32_t> kindOfSlot;
    /// Of the forward programs, then of the backward ones, by stage.
    std::array<std::vector<std::vector<ProgramCopy>>, 2> programCopies;
    /// Once per update: values that one stage's update sends to another's.
    SlotExchange updateExchange;
    /// Of each program: its remote memory, by phase and stage.
    std::array<std::vector<core::Cycles>, core::phaseCount> remote;

    [[nodiscard]] const SlotKind& kindOf(std::size_t slot) const { return kinds[kindOfSlot[slot]]; }
    [[nodiscard]] core::Cycles remoteOf(Phase phase, core::StageId stage) const {
        return remote[static_cast<std::size_t>(phase)][stage.index()];
    }
    [[nodiscard]] const std::vector<ProgramCopy>& copiesOf(Phase phase, core::StageId stage) const {
        return programCopies[phase == Phase::Forward ? 0 : 1][stage.index()];
    }
};

[[nodiscard]] SlotPattern slotPattern(const CompiledPipeline& pipeline);

/// `pattern`, which is of a pipeline with the same programs and slots, with the copies as they take on the
/// IPUs and links of this one.
void placeAnew(SlotPattern& pattern, const CompiledPipeline& pipeline);

/// Cycles of a piece of work.
[[nodiscard]] core::Cycles workCycles(const CompiledPipeline& pipeline, Phase phase, core::StageId stage);
/// Of these, the cycles in which the IPU waits neither for remote memory nor for the host's tables.
[[nodiscard]] core::Cycles computeCycles(const CompiledPipeline& pipeline, Phase phase, core::StageId stage);

} // namespace simulator
