#include "simulator/engine/records/program_tree.h"

#include "simulator/compiler/planning/step_names.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace simulator {

namespace {

using core::Cycles;
using core::ProgramStepId;
using core::StepKind;

constexpr std::array<std::string_view, core::phaseCount> programNames{"forward", "backward", "recompute",
                                                                      "weight update", "weight gradient"};

std::string programName(core::StageId stage, Phase phase) {
    return fmt::format("stage {} {}", stage.index(), programNames[static_cast<std::size_t>(phase)]);
}

class TreeWriter {
public:
    explicit TreeWriter(const CompiledPipeline& pipeline)
        : m_pipeline(pipeline)
        , m_schedule(pipeline.schedule) {}

    std::vector<core::ProgramStepRecord> write() {
        const ProgramStepId execution = add({}, StepKind::Sequence, "execution");
        const ProgramStepId updates =
            add(execution, StepKind::Repeat, m_schedule.shape.training ? "weight updates" : "pipelines",
                m_pipeline.execution.updatesPerExecution);
        const ProgramStepId body = add(updates, StepKind::Sequence, "pipeline");
        writeSlots(body);
        writeUpdate(body);
        const ProgramStepId programs = add({}, StepKind::Sequence, "stage programs");
        for (const StagePrograms& stage : m_pipeline.stages)
            for (const StageProgram* program : {&stage.forward, &stage.recompute, &stage.backward,
                                                &stage.weightGradient, &stage.weightUpdate})
                writeProgram(programs, *program);
        return std::move(m_records);
    }

private:
    ProgramStepId add(ProgramStepId parent, StepKind kind, core::SharedText label, std::int64_t count = 1) {
        core::ProgramStepRecord record;
        record.id = ProgramStepId(m_records.size());
        record.parent = parent;
        record.kind = kind;
        record.label = std::move(label);
        record.count = count;
        m_records.push_back(std::move(record));
        return m_records.back().id;
    }

    // --- slots --------------------------------------------------------------------------------------------

    void writeSlots(ProgramStepId body) {
        for (std::size_t first = 0; first < m_schedule.timeSlots.size();) {
            const SlotPhase phase = m_schedule.timeSlots[first].phase;
            std::size_t end = first;
            while (end < m_schedule.timeSlots.size() && m_schedule.timeSlots[end].phase == phase)
                ++end;
            writePhase(body, phase, first, end);
            first = end;
        }
    }

    /// Ramps are unrolled; the main phase repeats its cycle of slots.
    void writePhase(ProgramStepId body, SlotPhase phase, std::size_t first, std::size_t end) {
        const std::size_t cycle = phase == SlotPhase::Main ? m_schedule.cycle : end - first;
        const std::size_t times = (end - first) / std::max<std::size_t>(cycle, 1);
        constexpr std::array<std::string_view, 3> names{"ramp-up", "main", "ramp-down"};
        const std::string name(names[static_cast<std::size_t>(phase)]);
        ProgramStepId parent = times > 1 ? add(body, StepKind::Repeat, name, static_cast<std::int64_t>(times))
                                         : add(body, StepKind::Sequence, name);
        for (std::size_t slot = first; slot < first + (times > 1 ? cycle : end - first); ++slot)
            writeSlot(parent, slot, phase != SlotPhase::Main);
    }

    void writeSlot(ProgramStepId parent, std::size_t index, bool isRamp) {
        const Slot& slot = m_schedule.timeSlots[index];
        const ProgramStepId step =
            add(parent, StepKind::Sequence, isRamp ? fmt::format("slot {}", index) : std::string("slot"));
        if (slot.infeedMicroBatch)
            m_records[add(step, StepKind::StreamCopy, "infeed").index()].bytes = m_pipeline.infeedBytes;
        for (const WorkItem& item : m_schedule.work(slot)) {
            const Phase phase = item.phase;
            core::ProgramStepRecord& call =
                m_records[add(step, StepKind::Call, programName(item.stage, phase)).index()];
            call.stage = item.stage;
            call.phase = phase;
            call.duration = programOf(item.stage, phase).total();
        }
        writeCopies(step);
        if (slot.outfeedMicroBatch && !m_pipeline.execution.accumulateOutfeed)
            m_records[add(step, StepKind::StreamCopy, "outfeed").index()].bytes = m_pipeline.outfeedBytes;
    }

    void writeCopies(ProgramStepId slot) {
        const bool crosses = std::ranges::any_of(m_pipeline.transfers, [](const StageTransfer& transfer) {
            return transfer.path == TransferPath::InterIpuCopy && transfer.phase != Phase::WeightUpdate;
        });
        if (!crosses)
            return;
        if (m_schedule.isAsynchronous) {
            add(slot, StepKind::GlobalExchange, "copies from IPU to IPU beside the programs");
            return;
        }
        add(slot, StepKind::Sync, "sync of all IPUs");
        add(slot, StepKind::GlobalExchange, "copies between IPUs");
        add(slot, StepKind::Sync, "sync of all IPUs");
    }

    void writeUpdate(ProgramStepId body) {
        if (!m_schedule.weightUpdateAfterSlot)
            return;
        const ProgramStepId update = add(body, StepKind::Sequence, "weight update");
        for (const UpdateCollective& collective : m_pipeline.collectives) {
            core::ProgramStepRecord& reduce =
                m_records[add(update, StepKind::GlobalExchange, collectiveName(collective)).index()];
            reduce.stage = firstStageOn(collective.ipu);
            reduce.duration = collective.total();
            reduce.bytes = collective.bytes;
        }
        for (std::size_t stage = 0; stage < m_pipeline.stages.size(); ++stage) {
            const core::StageId id(stage);
            core::ProgramStepRecord& call =
                m_records[add(update, StepKind::Call, programName(id, Phase::WeightUpdate)).index()];
            call.stage = id;
            call.phase = core::ProgramPhase::WeightUpdate;
            call.duration = programOf(id, Phase::WeightUpdate).total();
        }
    }

    /// What an IPU does beside its programs is told by a stage of it, as they are.
    [[nodiscard]] core::StageId firstStageOn(core::IpuId ipu) const {
        const auto place = std::ranges::find(m_pipeline.ipus, ipu);
        return core::StageId(static_cast<std::size_t>(place - m_pipeline.ipus.begin()));
    }

    [[nodiscard]] std::string collectiveName(const UpdateCollective& collective) const {
        const std::string what = collective.gradients.size() == 1
                                     ? m_pipeline.graph.tensor(collective.gradients.front()).name.str()
                                     : fmt::format("{} gradients", collective.gradients.size());
        return fmt::format("all-reduce of {} on IPU {}", what, collective.ipu.index());
    }

    // --- stage programs -----------------------------------------------------------------------------------

    [[nodiscard]] const StageProgram& programOf(core::StageId stage, Phase phase) const {
        return m_pipeline.stages[stage.index()].of(phase);
    }

    void writeProgram(ProgramStepId parent, const StageProgram& program) {
        if (program.steps.empty())
            return;
        const ProgramStepId root = add(parent, StepKind::Sequence, programName(program.stage, program.phase));
        m_records[root.index()].stage = program.stage;
        m_records[root.index()].phase = program.phase;
        m_records[root.index()].duration = program.total();
        Cycles now;
        ProgramStepId loop = root;
        for (std::uint32_t index = 0; index < program.steps.size(); ++index) {
            const Step& step = program.steps[index];
            if (program.iterations > 1 && index == program.loopBegin)
                loop = add(root, StepKind::Repeat, "micro-batches of the batch", program.iterations);
            if (index == program.loopEnd)
                loop = root;
            const std::int64_t turns = turnsOf(step);
            // What does not divide into the turns comes before them.
            const Cycles turn(step.duration.value() / turns);
            const Cycles before = step.duration - turn * turns;
            ProgramStepId parentOfTurn = loop;
            if (turns > 1 && before > Cycles(0))
                writeLeaf(loop, program, step, now, before);
            if (turns > 1)
                parentOfTurn = add(loop, StepKind::Repeat, loopName(step, turns), turns);
            writeLeaf(parentOfTurn, program, step, now + before, turn);
            now += step.duration;
        }
    }

    void writeLeaf(ProgramStepId parent, const StageProgram& program, const Step& step, Cycles start,
                   Cycles duration) {
        core::ProgramStepRecord& record =
            m_records[add(parent, step.kind, stepName(step, m_pipeline.graph)).index()];
        record.stage = program.stage;
        record.phase = program.phase;
        record.operation = step.operation;
        record.start = start;
        record.duration = duration;
        record.bytes = step.bytes;
    }

    // --- loops inside an operation ------------------------------------------------------------------------

    [[nodiscard]] const Recurrent* recurrentOf(const Step& step) const {
        if (step.kind != StepKind::OnTileExecute || !step.operation.isValid())
            return nullptr;
        const OperationAttributes& attributes = m_pipeline.graph.operation(step.operation).attributes;
        if (const auto* gradient = std::get_if<RecurrentGradient>(&attributes))
            return &gradient->forward;
        return std::get_if<Recurrent>(&attributes);
    }
    /// A recurrent operation runs its cell once per time step.
    [[nodiscard]] std::int64_t turnsOf(const Step& step) const {
        if (recurrentOf(step) == nullptr)
            return 1;
        const KeptGraph& staged = m_pipeline;
        const Extents& extents =
            staged.graph.tensor(staged.graph.operation(step.operation).inputs.front()).extents;
        return extents.size() > 1 ? std::max<std::int64_t>(extents[1], 1) : 1;
    }
    /// Over sequences of different lengths it stops when the longest is done; the time is that of the
    /// maximum.
    [[nodiscard]] std::string loopName(const Step& step, std::int64_t turns) const {
        return recurrentOf(step)->sequenceLengths
                   ? fmt::format("while a sequence lasts, at most {} time steps", turns)
                   : std::string("time steps");
    }

    const CompiledPipeline& m_pipeline;
    const PipelineSchedule& m_schedule;
    std::vector<core::ProgramStepRecord> m_records;
};

} // namespace

void recordProgram(const CompiledPipeline& pipeline, core::ProfileSink& sink) {
    sink.programSteps(TreeWriter(pipeline).write());
}

} // namespace simulator
