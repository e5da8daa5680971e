#include "simulator/engine/clock/timeline.h"

#include "core/profile/records/time_records.h"
#include "simulator/engine/clock/infeed_queue.h"
#include "simulator/engine/clock/program_pieces.h"

#include <algorithm>
#include <array>

namespace simulator {

namespace {

using core::Bytes;
using core::Cycles;
using core::LaneKind;
using core::SpanKind;

/// The lanes of an IPU, in the order of their numbers.
std::vector<LaneKind> laneKindsOf(const CompiledPipeline& pipeline) {
    std::vector<LaneKind> kinds{LaneKind::Compute, LaneKind::Exchange, LaneKind::Sync, LaneKind::Host};
    const bool streams = std::ranges::any_of(pipeline.stages, [&](const StagePrograms& stage) {
        for (const StageProgram* program :
             {&stage.forward, &stage.backward, &stage.recompute, &stage.weightGradient, &stage.weightUpdate})
            if (program->remote.value() > 0)
                return true;
        return false;
    });
    if (streams)
        kinds.push_back(LaneKind::RemoteMemory);
    return kinds;
}

/// Collects spans lane by lane and hands them over in portions.
class SpanRecorder {
public:
    SpanRecorder(const CompiledPipeline& pipeline, const SimulatedUpdate& update, bool withPrograms,
                 core::ProfileSink& sink)
        : m_pipeline(pipeline)
        , m_update(update)
        , m_withPrograms(withPrograms)
        , m_sink(sink)
        , m_laneKinds(laneKindsOf(pipeline)) {}

    void record() {
        for (std::size_t ipu = 0; ipu < m_pipeline.ipuCount(); ++ipu) {
            m_ipu = core::IpuId(ipu);
            for (const LaneSegment& segment : m_update.lanes[ipu])
                addSegment(segment);
            for (std::size_t slot = 0; slot < m_update.timing.timeSlots.size(); ++slot)
                addSlot(slot);
            addItems();
            addUpdate();
        }
        flush();
    }

private:
    static constexpr std::size_t portion = 4096;

    void add(core::SpanRecord span) {
        if (span.duration.value() == 0)
            return;
        m_spans.push_back(span);
        if (m_spans.size() == portion)
            flush();
    }
    void flush() {
        m_sink.spans(m_spans);
        m_spans.clear();
    }

    [[nodiscard]] core::SpanRecord span(LaneKind lane, SpanKind kind, Cycles start, Cycles duration,
                                        std::int64_t slot) const {
        core::SpanRecord record;
        record.lane = laneOf(lane);
        record.kind = kind;
        record.start = start;
        record.duration = duration;
        record.slot = slot;
        return record;
    }

    [[nodiscard]] core::LaneId laneOf(LaneKind kind) const {
        const auto place = std::ranges::find(m_laneKinds, kind) - m_laneKinds.begin();
        return core::LaneId(m_ipu.index() * m_laneKinds.size() + static_cast<std::size_t>(place));
    }

    void addSegment(const LaneSegment& segment) {
        core::SpanRecord record =
            span(LaneKind::Compute, segment.work ? core::spanKindOf(*segment.work) : SpanKind::Idle,
                 segment.start, segment.duration, segment.slot);
        record.stage = segment.stage;
        record.microBatch = segment.work ? segment.microBatch : -1;
        record.cause = segment.cause;
        record.blame = segment.blame;
        record.part = segment.part;
        record.offset = segment.offset;
        add(record);
        if (segment.program && segment.offset.value() == 0)
            addProgramSteps(segment);
    }

    /// Streaming memory and what goes between replicas always; the exchanges between operations where they
    /// are wanted. `segment` is where the program begins.
    void addProgramSteps(const LaneSegment& segment) {
        const StagePrograms& programs = m_pipeline.stages[segment.stage.index()];
        const StageProgram& program = programs.of(*segment.program);
        Cycles now = segment.start;
        const auto run = [&](std::size_t from, std::size_t to, bool onlyStreams) {
            for (std::size_t index = from; index < to; ++index) {
                addStep(segment, program.steps[index], now, onlyStreams);
                now += program.steps[index].duration;
            }
        };
        run(0, program.loopBegin, false);
        // Of a loop, the exchanges of its first turn are shown.
        for (std::int64_t turn = 0; turn < program.iterations; ++turn)
            run(program.loopBegin, program.loopEnd, turn > 0);
        run(program.loopEnd, program.steps.size(), false);
    }

    void addStep(const LaneSegment& of, const Step& step, Cycles start, bool onlyStreams) {
        const bool isStream = step.kind == core::StepKind::StreamCopy;
        const bool isShared = step.kind == core::StepKind::GlobalExchange;
        const bool isWanted = isShared || (m_withPrograms && step.kind == core::StepKind::DoExchange);
        if (!isStream && (onlyStreams || !isWanted))
            return;
        const SpanKind kind = movementKind(m_pipeline, step);
        core::SpanRecord record =
            span(kind == SpanKind::RemoteMemory ? LaneKind::RemoteMemory : LaneKind::Exchange, kind, start,
                 step.duration, of.slot);
        record.stage = of.stage;
        record.microBatch = of.microBatch;
        record.bytes = step.bytes;
        add(record);
    }

    void addSlot(std::size_t index) {
        const SlotTiming& slot = m_update.timing.timeSlots[index];
        const SlotExchange& exchange = m_update.pattern.kindOf(index).exchange;
        const auto at = static_cast<std::int64_t>(index);
        add(span(LaneKind::Sync, SpanKind::Sync, slot.exchangeStart - slot.sync, slot.sync, at));
        add(span(LaneKind::Sync, SpanKind::Sync, slot.exchangeStart + slot.exchange, slot.sync, at));
        if (exchange.sent[m_ipu.index()].value() + exchange.received[m_ipu.index()].value() > 0) {
            core::SpanRecord record =
                span(LaneKind::Exchange, SpanKind::InterIpuCopy, slot.exchangeStart, slot.exchange, at);
            record.bytes = exchange.sent[m_ipu.index()];
            record.stage = exchange.slowest;
            add(record);
        }
        addHost(index, slot);
    }

    void addHost(std::size_t index, const SlotTiming& slot) {
        const Slot& work = m_pipeline.schedule.timeSlots[index];
        const auto at = static_cast<std::int64_t>(index);
        Cycles now = slot.start;
        if (work.infeedMicroBatch && m_ipu == m_pipeline.ipus.front()) {
            core::SpanRecord record =
                span(LaneKind::Host, SpanKind::Infeed, now, slot.hostWait + slot.hostIn, at);
            record.microBatch = *work.infeedMicroBatch;
            record.stage = core::StageId(0);
            record.bytes = m_pipeline.infeedBytes;
            add(record);
        }
        now += slot.hostWait + slot.hostIn;
        if (!work.outfeedMicroBatch || m_ipu != m_pipeline.ipus.back())
            return;
        core::SpanRecord record =
            span(LaneKind::Host, SpanKind::Outfeed, m_pipeline.overlapsHostIo ? now : slot.hostOutStart(),
                 slot.hostOut, at);
        record.microBatch = *work.outfeedMicroBatch;
        record.stage = core::StageId(m_pipeline.stageCount - 1);
        record.bytes = m_pipeline.outfeedBytes;
        add(record);
    }

    /// What an asynchronous schedule sends from this IPU, and the host I/O of its items.
    void addItems() {
        for (const CopyTiming& copy : m_update.timing.copies)
            if (copy.sender == m_ipu) {
                add(span(LaneKind::Sync, SpanKind::Sync, copy.start, copy.sync, copy.slot));
                add(span(LaneKind::Sync, SpanKind::Sync, copy.end() - copy.sync, copy.sync, copy.slot));
                core::SpanRecord record = span(LaneKind::Exchange, SpanKind::InterIpuCopy,
                                               copy.exchangeStart(), copy.exchange, copy.slot);
                record.bytes = copy.bytes;
                record.stage = copy.from;
                record.microBatch = copy.microBatch;
                add(record);
            }
        const PipelineSchedule& schedule = m_pipeline.schedule;
        for (std::size_t slot = 0, at = 0;
             slot < schedule.timeSlots.size() && at < m_update.timing.items.size(); ++slot)
            for (const WorkItem& item : schedule.work(schedule.timeSlots[slot])) {
                const ItemTiming& timing = m_update.timing.items[at++];
                if (item.ipu != m_ipu)
                    continue;
                addItemHost(item, SpanKind::Infeed, timing.ready(), timing.hostIn, slot);
                addItemHost(item, SpanKind::Outfeed, timing.end, timing.hostOut, slot);
            }
    }

    void addItemHost(const WorkItem& item, SpanKind kind, Cycles start, Cycles duration, std::size_t slot) {
        core::SpanRecord record =
            span(LaneKind::Host, kind, start, duration, static_cast<std::int64_t>(slot));
        record.microBatch = item.microBatch;
        record.stage = item.stage;
        record.bytes = kind == SpanKind::Infeed ? m_pipeline.infeedBytes : m_pipeline.outfeedBytes;
        add(record);
    }

    void addUpdate() {
        const UpdatePhaseTiming& update = m_update.timing.update;
        add(span(LaneKind::Sync, SpanKind::Sync, update.start, update.sync, -1));
        core::SpanRecord reduce = span(LaneKind::Exchange, SpanKind::AllReduce, update.start + update.sync,
                                       update.allReduce[m_ipu.index()], -1);
        if (!m_pipeline.allReduceBytes.empty())
            reduce.bytes = m_pipeline.allReduceBytes[m_ipu.index()];
        add(reduce);
        core::SpanRecord copy = span(LaneKind::Exchange, SpanKind::InterIpuCopy,
                                     update.computeStart - update.exchange, update.exchange, -1);
        copy.bytes = m_update.pattern.updateExchange.sent[m_ipu.index()];
        add(copy);
        if (m_ipu == m_pipeline.ipus.back()) {
            core::SpanRecord outfeed =
                span(LaneKind::Host, SpanKind::Outfeed, update.computeEnd, update.hostOut, -1);
            outfeed.bytes = m_pipeline.updateOutfeedBytes;
            outfeed.stage = core::StageId(m_pipeline.stageCount - 1);
            add(outfeed);
        }
    }

    const CompiledPipeline& m_pipeline;
    const SimulatedUpdate& m_update;
    bool m_withPrograms;
    core::ProfileSink& m_sink;
    std::vector<LaneKind> m_laneKinds;
    core::IpuId m_ipu;
    std::vector<core::SpanRecord> m_spans;
};

} // namespace

SimulatedUpdate simulate(const CompiledPipeline& pipeline) {
    SimulatedUpdate update;
    update.pattern = slotPattern(pipeline);
    update.timing = simulateUpdate(pipeline, update.pattern);
    for (std::size_t ipu = 0; ipu < pipeline.ipuCount(); ++ipu) {
        update.lanes.push_back(computeLane(pipeline, update.pattern, update.timing, core::IpuId(ipu)));
        update.sums.push_back(sumsOf(update.lanes.back()));
    }
    return update;
}

void recordLanes(const CompiledPipeline& pipeline, core::ProfileSink& sink) {
    std::vector<core::LaneRecord> lanes;
    const std::vector<LaneKind> kinds = laneKindsOf(pipeline);
    for (std::size_t ipu = 0; ipu < pipeline.ipuCount(); ++ipu)
        for (const LaneKind kind : kinds)
            lanes.push_back({core::LaneId(lanes.size()), kind, core::IpuId(ipu)});
    sink.lanes(lanes);
}

void recordSpans(const CompiledPipeline& pipeline, const SimulatedUpdate& update, bool withPrograms,
                 core::ProfileSink& sink) {
    SpanRecorder(pipeline, update, withPrograms, sink).record();
}

} // namespace simulator
