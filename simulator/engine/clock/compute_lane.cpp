#include "simulator/engine/clock/compute_lane.h"

#include "simulator/engine/clock/program_pieces.h"

#include <algorithm>
#include <array>
#include <map>

namespace simulator {

namespace {

using core::Cycles;
using core::IdleCause;

class LaneWriter {
public:
    LaneWriter(const CompiledPipeline& pipeline, const SlotPattern& pattern, const UpdateTiming& timing,
               core::IpuId ipu)
        : m_pipeline(pipeline)
        , m_schedule(pipeline.schedule)
        , m_pattern(pattern)
        , m_timing(timing)
        , m_ipu(ipu)
        , m_isSerial(!pipeline.schedule.hasRamps())
        , m_lastStage(pipeline.stageCount - 1) {
        findOwnStages();
    }

    std::vector<LaneSegment> write() {
        if (m_schedule.isAsynchronous)
            writeItems();
        else
            for (std::size_t slot = 0; slot < m_schedule.timeSlots.size(); ++slot)
                writeSlot(slot);
        writeUpdate();
        return std::move(m_lane);
    }

private:
    void findOwnStages() {
        for (std::size_t stage = 0; stage < m_pipeline.stageCount; ++stage)
            if (m_pipeline.ipus[stage] == m_ipu && !m_ownStage.isValid())
                m_ownStage = core::StageId(stage);
        for (std::size_t slot = 0; slot < m_schedule.timeSlots.size(); ++slot)
            if (hasWork(slot)) {
                m_firstSlot = std::min(m_firstSlot, slot);
                m_endSlot = slot + 1;
            }
    }

    [[nodiscard]] bool hasWork(std::size_t slot) const {
        return std::ranges::any_of(m_schedule.work(m_schedule.timeSlots[slot], m_ipu),
                                   [this](const WorkItem& item) { return workOf(item).value() > 0; });
    }
    [[nodiscard]] Cycles workOf(const WorkItem& item) const {
        return workCycles(m_pipeline, item.phase, item.stage);
    }

    // --- segments -----------------------------------------------------------------------------------------

    /// A run of a stage's program: its work, and the gaps in which it only moves data.
    void work(Phase phase, core::StageId stage, std::int32_t microBatch, std::int64_t slot) {
        std::int32_t part = 0;
        for (const ProgramPiece& piece : piecesOf(phase, stage)) {
            LaneSegment segment;
            segment.start = m_now;
            segment.duration = piece.duration;
            segment.stage = stage;
            segment.microBatch = microBatch;
            segment.slot = static_cast<std::int32_t>(slot);
            segment.program = phase;
            segment.offset = piece.offset;
            if (piece.wait) {
                segment.cause = *piece.wait;
                segment.blame = stage;
            } else {
                segment.work = phase;
                segment.part = part++;
            }
            m_lane.push_back(segment);
            m_now += piece.duration;
        }
    }

    const std::vector<ProgramPiece>& piecesOf(Phase phase, core::StageId stage) {
        const auto [found, isNew] = m_pieces.try_emplace({phase, stage});
        if (isNew)
            found->second = programPieces(m_pipeline, m_pipeline.stages[stage.index()].of(phase));
        return found->second;
    }

    /// Idles until `end`; a gap that goes on for the same reason stays one.
    void idle(Cycles end, IdleCause cause, core::StageId blame, std::int64_t slot) {
        const Cycles duration = end - m_now;
        if (duration.value() <= 0)
            return;
        if (!m_lane.empty() && !m_lane.back().work && !m_lane.back().program &&
            m_lane.back().cause == cause && m_lane.back().blame == blame) {
            m_lane.back().duration += duration;
        } else {
            LaneSegment segment;
            segment.start = m_now;
            segment.duration = duration;
            segment.slot = static_cast<std::int32_t>(slot);
            segment.cause = cause;
            segment.blame = blame;
            m_lane.push_back(segment);
        }
        m_now = end;
    }

    /// Waits until `end` for a slower IPU: imbalance, and offload as far as the other streams more remote
    /// memory.
    void idleForSlower(Cycles end, Cycles moreRemote, core::StageId slowest, std::int64_t slot) {
        const Cycles offload = std::clamp(moreRemote, Cycles(0), std::max(Cycles(0), end - m_now));
        idle(end - offload, IdleCause::Imbalance, slowest, slot);
        idle(end, IdleCause::Offload, slowest, slot);
    }

    /// Remote memory of one IPU's items in a slot.
    [[nodiscard]] Cycles remoteIn(const Slot& slot, core::IpuId ipu) const {
        Cycles sum;
        for (const WorkItem& item : m_schedule.work(slot, ipu))
            sum += m_pattern.remoteOf(item.phase, item.stage);
        return sum;
    }
    /// Remote memory of the updates of one IPU's stages.
    [[nodiscard]] Cycles updateRemote(core::IpuId ipu) const {
        Cycles sum;
        for (std::size_t stage = 0; stage < m_pipeline.stageCount; ++stage)
            if (m_pipeline.ipus[stage] == ipu)
                sum += m_pattern.remoteOf(Phase::WeightUpdate, core::StageId(stage));
        return sum;
    }
    [[nodiscard]] core::IpuId ipuOf(core::StageId stage) const { return m_pipeline.ipus[stage.index()]; }

    // --- slots --------------------------------------------------------------------------------------------

    void writeSlot(std::size_t index) {
        const SlotTiming& slot = m_timing.timeSlots[index];
        const auto at = static_cast<std::int64_t>(index);
        if (!m_isSerial && index < m_firstSlot)
            return idle(slot.end, m_ownStage.isValid() ? IdleCause::WarmUp : IdleCause::Imbalance,
                        stageBefore(), at);
        if (!m_isSerial && index >= m_endSlot)
            return idle(slot.end, IdleCause::Drain, lastWorkingStage(), at);
        idle(slot.computeStart, IdleCause::Host, core::StageId(0), at);
        for (const WorkItem& item : m_schedule.work(m_schedule.timeSlots[index], m_ipu))
            work(item.phase, item.stage, item.microBatch, at);
        waitForSlowest(index, slot);
        idle(slot.computeEnd() + slot.hostTail, IdleCause::Host, core::StageId(0), at);
        idle(slot.hostOutStart(), IdleCause::Transfer, m_pattern.kindOf(index).exchange.slowest, at);
        idle(slot.end, IdleCause::Host, core::StageId(m_lastStage), at);
    }

    void waitForSlowest(std::size_t index, const SlotTiming& slot) {
        const auto at = static_cast<std::int64_t>(index);
        if (m_isSerial) {
            const bool isAlone = m_now > slot.computeStart;
            return idle(slot.computeEnd(), isAlone ? IdleCause::Imbalance : IdleCause::Serial, slot.slowest,
                        at);
        }
        const SlotPhase phase = m_schedule.timeSlots[index].phase;
        const Cycles done = m_now - slot.computeStart;
        const Cycles missing = std::max(Cycles(0), m_pattern.kindOf(index).fullWork[m_ipu.index()] - done);
        if (phase != SlotPhase::Main)
            idle(std::min(slot.computeEnd(), m_now + missing),
                 phase == SlotPhase::RampUp ? IdleCause::WarmUp : IdleCause::Drain, slot.slowest, at);
        const Slot& work = m_schedule.timeSlots[index];
        idleForSlower(slot.computeEnd(), remoteIn(work, ipuOf(slot.slowest)) - remoteIn(work, m_ipu),
                      slot.slowest, at);
    }

    // --- items of an asynchronous schedule
    // ------------------------------------------------------------------

    void writeItems() {
        for (std::size_t slot = 0, at = 0; slot < m_schedule.timeSlots.size(); ++slot)
            for (const WorkItem& item : m_schedule.work(m_schedule.timeSlots[slot])) {
                const ItemTiming& timing = m_timing.items[at++];
                if (item.ipu == m_ipu)
                    writeItem(item, timing, slot);
            }
        const Cycles end = m_timing.update.start;
        if (m_lastSlot)
            idle(end, IdleCause::Drain, lastWorkingStage(), static_cast<std::int64_t>(*m_lastSlot));
        else
            idle(end, IdleCause::Imbalance, stageBefore(), -1);
    }

    void writeItem(const WorkItem& item, const ItemTiming& timing, std::size_t slot) {
        const auto at = static_cast<std::int64_t>(slot);
        const auto blamed = [this](core::StageId stage) { return stage.isValid() ? stage : stageBefore(); };
        const Cycles ready = timing.ready();
        if (!m_lastSlot) {
            idle(ready, IdleCause::WarmUp, blamed(timing.maker), at);
        } else {
            // Where the table has a slot without work for this IPU, the schedule itself makes it wait; so it
            // does wherever no other IPU has more to do.
            const bool isOfSchedule = slot > *m_lastSlot + 1 || isSlowestIpu();
            const IdleCause cause = !isOfSchedule   ? IdleCause::Imbalance
                                    : m_hasGoneBack ? IdleCause::Drain
                                                    : IdleCause::WarmUp;
            idle(std::min(timing.made, ready), cause, blamed(timing.maker), at);
            idle(std::min(timing.arrived, ready), IdleCause::Transfer, blamed(timing.maker), at);
            idle(ready, IdleCause::Transfer, blamed(timing.reader), at);
        }
        idle(timing.start, IdleCause::Host, core::StageId(0), at);
        work(item.phase, item.stage, item.microBatch, at);
        idle(timing.end + timing.hostOut, IdleCause::Host, core::StageId(m_lastStage), at);
        m_hasGoneBack = m_hasGoneBack || item.phase == Phase::Backward;
        m_lastSlot = slot;
    }

    /// No IPU has more to do for a micro-batch.
    [[nodiscard]] bool isSlowestIpu() {
        if (!m_isSlowest) {
            std::vector<Cycles> work(m_pipeline.ipuCount());
            for (std::size_t stage = 0; stage < m_pipeline.stageCount; ++stage)
                for (const Phase phase :
                     {Phase::Forward, Phase::Recompute, Phase::Backward, Phase::WeightGradient})
                    work[m_pipeline.ipus[stage].index()] +=
                        workCycles(m_pipeline, phase, core::StageId(stage));
            m_isSlowest = work[m_ipu.index()] == *std::ranges::max_element(work);
        }
        return *m_isSlowest;
    }

    /// The stage whose output this IPU's first stage waits for.
    [[nodiscard]] core::StageId stageBefore() const {
        if (!m_ownStage.isValid())
            return m_timing.update.slowest;
        return core::StageId(m_ownStage.index() == 0 ? 0 : m_ownStage.index() - 1);
    }
    /// Training ends with the backward pass of stage 0, inference with the last stage.
    [[nodiscard]] core::StageId lastWorkingStage() const {
        return core::StageId(m_schedule.shape.training ? 0 : m_lastStage);
    }

    void writeUpdate() {
        const UpdatePhaseTiming& update = m_timing.update;
        const core::StageId own = m_ownStage.isValid() ? m_ownStage : update.slowest;
        const Cycles reduced = update.computeStart - update.exchange;
        const bool reduces =
            std::ranges::any_of(update.allReduce, [](Cycles cycles) { return cycles.value() > 0; });
        idle(reduced, reduces ? IdleCause::AllReduce : IdleCause::Transfer, own, -1);
        idle(update.computeStart, IdleCause::Transfer, m_pattern.updateExchange.slowest, -1);
        if (m_schedule.weightUpdateAfterSlot)
            for (std::size_t stage = 0; stage < m_pipeline.stageCount; ++stage)
                if (m_pipeline.ipus[stage] == m_ipu)
                    work(Phase::WeightUpdate, core::StageId(stage), -1, -1);
        idleForSlower(update.computeEnd, updateRemote(ipuOf(update.slowest)) - updateRemote(m_ipu),
                      update.slowest, -1);
        idle(update.end, IdleCause::Host, core::StageId(m_lastStage), -1);
    }

    const CompiledPipeline& m_pipeline;
    const PipelineSchedule& m_schedule;
    const SlotPattern& m_pattern;
    const UpdateTiming& m_timing;
    core::IpuId m_ipu;
    bool m_isSerial;
    std::size_t m_lastStage;
    /// The first stage on this IPU; invalid where it has none.
    core::StageId m_ownStage;
    std::size_t m_firstSlot = SIZE_MAX;
    std::size_t m_endSlot = 0;
    /// Of an asynchronous schedule: the last slot with work on this IPU, and whether a backward pass was
    /// there.
    std::optional<std::size_t> m_lastSlot;
    std::optional<bool> m_isSlowest;
    bool m_hasGoneBack = false;
    Cycles m_now;
    std::map<std::pair<Phase, core::StageId>, std::vector<ProgramPiece>> m_pieces;
    std::vector<LaneSegment> m_lane;
};

} // namespace

std::vector<LaneSegment> computeLane(const CompiledPipeline& pipeline, const SlotPattern& pattern,
                                     const UpdateTiming& timing, core::IpuId ipu) {
    return LaneWriter(pipeline, pattern, timing, ipu).write();
}

Cycles LaneSums::idleTotal() const {
    Cycles sum;
    for (const Cycles cycles : idle)
        sum += cycles;
    return sum;
}

LaneSums sumsOf(const std::vector<LaneSegment>& lane) {
    LaneSums sums;
    sums.idle.resize(core::idleCauseCount);
    for (const LaneSegment& segment : lane)
        (segment.work ? sums.busy : sums.idle[static_cast<std::size_t>(segment.cause)]) += segment.duration;
    return sums;
}

} // namespace simulator
