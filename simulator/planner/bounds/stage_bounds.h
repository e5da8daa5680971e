#pragma once

#include "simulator/planner/bounds/chain_table.h"
#include "simulator/planner/bounds/copy_bound.h"
#include "simulator/planner/bounds/slot_bound.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace simulator {

/// What a search over cuts is about: one choice of everything but the cuts.
struct SplitProblem {
    const ChainTable* chain = nullptr;
    std::size_t stages = 1;
    bool recompute = false;
    /// It does so in a program of its own instead of inside the backward pass.
    bool recomputesApart = false;
    /// The first and the last stage share an IPU.
    bool wraps = false;
    /// What counts towards the memory of a stage.
    bool countsVariables = true;
    bool countsOptimizer = true;
    bool countsStash = true;
    bool countsActivations = true;
    /// What comes from the stage before is there while the backward pass of another micro-batch runs.
    bool landsEarly = false;
    std::vector<std::int64_t> fifoDepths;
    /// Of each byte that a FIFO keeps, on its way in and again on its way out.
    double queueCyclesPerByte = 0;
    /// Of each value, likewise.
    std::int64_t queueCallCycles = 0;
    /// Bytes of an IPU.
    std::int64_t memoryLimit = 0;
    /// Of every layer the stage it stays on; empty: every layer goes where it is best.
    std::vector<std::optional<std::size_t>> locks = {};
    /// Of every layer: in how many cycles of an update the optimizer's variables come from streaming memory
    /// and go back; empty: they are on the chip.
    std::vector<std::int64_t> streamedCycles = {};
    /// Cycles of an update that are the same wherever the cuts are.
    std::int64_t fixedCycles = 0;
    /// Machine of the plan where its copies between stages count.
    std::optional<IpuSystem> system = std::nullopt;
    /// Values skip the stages between two on one IPU.
    bool shortensPassThrough = false;
};

/// Bytes of a stage on its IPU: what adds up with another stage there, and what both share.
struct StageBytes {
    std::int64_t own = 0;
    std::int64_t code = 0;
    std::int64_t live = 0;
    /// Of `live`: what waits from the forward program to the backward program of the next slot, while the
    /// programs of another stage run.
    std::int64_t waiting = 0;
};
[[nodiscard]] std::int64_t totalBytes(const StageBytes& bytes);
/// Of the first and the last stage on one IPU.
[[nodiscard]] std::int64_t totalBytes(const StageBytes& first, const StageBytes& last);

/// The least that a stage of a split takes, by its place in the pipeline and its layers. Where the first and
/// the last stage share an IPU, each counts with the smallest part that the other one may have.
class StageBounds {
public:
    StageBounds(SplitProblem problem, SlotBound slotBound);

    [[nodiscard]] const SplitProblem& problem() const { return m_problem; }
    [[nodiscard]] const SlotBound& slotBound() const { return m_slots; }
    [[nodiscard]] const CopyBound& copies() const { return m_copies; }
    [[nodiscard]] std::size_t count() const { return m_problem.stages; }
    [[nodiscard]] std::size_t layers() const { return m_problem.chain->layers(); }

    /// Whether another stage is on its IPU.
    [[nodiscard]] bool isWrapped(std::size_t stage) const;
    [[nodiscard]] StageWork workOf(std::size_t stage, std::size_t first, std::size_t end) const;
    /// The weight update takes at least as long as on the slowest IPU wherever the cuts are.
    [[nodiscard]] std::int64_t leastUpdate() const;
    /// Cycles of a full slot.
    [[nodiscard]] std::int64_t leastWork(std::size_t stage, const StageWork& work) const;
    /// Of the smallest first stage that a wrapped IPU can have; else 0.
    [[nodiscard]] std::int64_t firstWork() const { return m_firstWork; }
    [[nodiscard]] StageBytes partBytes(std::size_t stage, std::size_t first, std::size_t end) const;
    /// `limits`: bytes of every stage's IPU.
    [[nodiscard]] bool fits(std::size_t stage, std::size_t first, std::size_t end,
                            std::span<const std::int64_t> limits) const;
    /// Bytes that the IPU of a stage has at least with its stages of a split.
    [[nodiscard]] std::int64_t ipuBytes(std::span<const std::size_t> ends, std::size_t stage) const;
    /// Where a stage may end.
    [[nodiscard]] std::size_t firstEnd(std::size_t stage, std::size_t first) const;
    [[nodiscard]] std::size_t lastEnd(std::size_t stage) const;
    [[nodiscard]] std::int64_t copyLength(std::size_t stage, std::size_t end) const;
    [[nodiscard]] double share(std::size_t stage, const StageWork& work, std::size_t end) const;

private:
    [[nodiscard]] bool recomputes(std::size_t stage) const;
    [[nodiscard]] bool waitsWithoutQueue(std::size_t stage) const;
    [[nodiscard]] WaitingValues queued(std::size_t stage, std::size_t first, std::size_t end) const;
    [[nodiscard]] CopyBound copyBound() const;
    void applyLocks();

    [[nodiscard]] std::int64_t updateCycles(std::size_t first, std::size_t end) const;

    SplitProblem m_problem;
    SlotBound m_slots;
    CopyBound m_copies;
    /// Where the locks of later layers end a stage at the latest; and by stage and layer the next layer from
    /// there on that is locked to another stage. Empty without locks.
    std::vector<std::size_t> m_lockedEnds;
    std::vector<std::size_t> m_foreign;
    /// Sums of `streamedCycles` of the layers before.
    std::vector<std::int64_t> m_streamed;
    StageBytes m_firstBytes;
    StageBytes m_lastBytes;
    std::int64_t m_firstWork = 0;
    std::int64_t m_lastWork = 0;
};

} // namespace simulator
