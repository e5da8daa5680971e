#include "simulator/engine/clock/step_trials.h"

#include "core/profile/queries/program_queries.h"
#include "simulator/engine/clock/update_timing.h"

#include <algorithm>

namespace simulator {

using core::Cycles;
using core::SpanKind;
using What = core::PathPart::What;

namespace {

/// The programs of a stage, by phase.
constexpr std::array<std::pair<Phase, StageProgram StagePrograms::*>, core::phaseCount> programMembers{
    {{Phase::Forward, &StagePrograms::forward},
     {Phase::Backward, &StagePrograms::backward},
     {Phase::Recompute, &StagePrograms::recompute},
     {Phase::WeightUpdate, &StagePrograms::weightUpdate},
     {Phase::WeightGradient, &StagePrograms::weightGradient}}};

} // namespace

/// What of an update is faster.
struct StepTrials::Change {
    std::vector<StageSaving> programs;
    bool exchange = false;
    bool allReduce = false;
    bool sync = false;
    bool infeed = false;
    bool outfeed = false;
};

bool StepTrials::Saving::isNone() const {
    return compute + exchange + sync + remote + hosted == Cycles(0);
}

StepTrials::Saving& StepTrials::Saving::operator+=(const Saving& other) {
    compute += other.compute;
    exchange += other.exchange;
    sync += other.sync;
    remote += other.remote;
    hosted += other.hosted;
    return *this;
}

StepTrials::StepTrials(const CompiledPipeline& pipeline, const LayerName& layerName, double less)
    : m_less(less)
    , m_pipeline(pipeline)
    , m_pattern(slotPattern(m_pipeline))
    , m_step(updateLength(m_pipeline, m_pattern).total)
    , m_work(pipeline.stages.size())
    , m_streams(pipeline.stages.size()) {
    addSavings(pipeline, layerName);
}

void StepTrials::addSavings(const CompiledPipeline& pipeline, const LayerName& layerName) {
    const auto nameOf = [&](core::OperationId id) {
        if (!id.isValid())
            return std::string(core::localCopiesName);
        const Operation& operation = pipeline.graph.operation(id);
        std::string layer = layerName(operation.origin);
        return layer.empty() ? operation.name.str() : layer;
    };
    for (std::size_t stage = 0; stage < pipeline.stages.size(); ++stage)
        for (const auto& [phase, member] : programMembers) {
            const StageProgram& program = pipeline.stages[stage].*member;
            for (std::size_t index = 0; index < program.steps.size(); ++index) {
                const Step& step = program.steps[index];
                const bool isLooped = index >= program.loopBegin && index < program.loopEnd;
                const Cycles saved = (step.duration - shareOf(step.duration, 1 - m_less)) *
                                     (isLooped ? program.iterations : 1);
                const auto at = static_cast<std::size_t>(phase);
                if (step.kind == core::StepKind::StreamCopy) {
                    const bool isRemote = isOfRemoteMemory(pipeline.graph, step);
                    (isRemote ? m_streams[stage][at].remote : m_streams[stage][at].hosted) += saved;
                    continue;
                }
                Saving saving;
                (step.kind == core::StepKind::OnTileExecute ? saving.compute
                 : step.kind == core::StepKind::Sync        ? saving.sync
                                                            : saving.exchange) = saved;
                m_work[stage][at] += saving;
                m_layers[{core::StageId(stage), nameOf(step.operation)}][at] += saving;
            }
        }
}

/// Copies, collectives, syncs and the host.
bool StepTrials::addKind(SpanKind kind, Change& change) const {
    switch (kind) {
    case SpanKind::InterIpuCopy:
        return change.exchange = true;
    case SpanKind::AllReduce:
        return change.allReduce = true;
    case SpanKind::Sync:
        return change.sync = true;
    case SpanKind::Infeed:
        return change.infeed = true;
    case SpanKind::Outfeed:
        return change.outfeed = true;
    default:
        break;
    }
    const std::optional<core::ProgramPhase> phase = core::programPhaseOf(kind);
    if (!phase)
        return false;
    const auto at = static_cast<std::size_t>(*phase);
    for (std::size_t stage = 0; stage < m_work.size(); ++stage)
        change.programs[stage][at] += m_work[stage][at];
    return true;
}

std::optional<StepTrials::Change> StepTrials::changeOf(const core::PathPart& part) const {
    Change change;
    change.programs.resize(m_work.size());
    switch (part.what) {
    case What::Spans:
        if (!addKind(part.kind, change))
            return std::nullopt;
        break;
    case What::Streams:
        for (std::size_t stage = 0; stage < m_streams.size(); ++stage)
            for (std::size_t phase = 0; phase < core::phaseCount; ++phase) {
                if (part.stage.isValid() && part.stage != core::StageId(stage))
                    continue;
                const Saving& streams = m_streams[stage][phase];
                change.programs[stage][phase] += part.cause == core::IdleCause::Offload
                                                     ? Saving{{}, {}, {}, streams.remote, {}}
                                                     : Saving{{}, {}, {}, {}, streams.hosted};
            }
        break;
    case What::Stage:
        if (!part.stage.isValid() || part.stage.index() >= m_work.size())
            return std::nullopt;
        for (std::size_t phase = 0; phase < core::phaseCount; ++phase) {
            change.programs[part.stage.index()][phase] += m_work[part.stage.index()][phase];
            change.programs[part.stage.index()][phase] += m_streams[part.stage.index()][phase];
        }
        break;
    case What::Layer: {
        const auto layer = m_layers.find({part.stage, part.layer});
        if (layer == m_layers.end())
            return std::nullopt;
        change.programs[part.stage.index()] = layer->second;
        break;
    }
    case What::BetweenStages:
        change.exchange = change.allReduce = change.sync = change.infeed = change.outfeed = true;
        break;
    case What::Wait:
    case What::Rest:
        return std::nullopt;
    }
    return change;
}

void StepTrials::apply(const std::vector<StageSaving>& savings, std::int64_t sign) {
    for (std::size_t stage = 0; stage < savings.size(); ++stage)
        for (const auto& [phase, member] : programMembers) {
            const Saving& saving = savings[stage][static_cast<std::size_t>(phase)];
            if (saving.isNone())
                continue;
            StageProgram& program = m_pipeline.stages[stage].*member;
            program.compute += saving.compute * sign;
            program.exchange += (saving.exchange + saving.remote + saving.hosted) * sign;
            program.sync += saving.sync * sign;
            program.streamed += (saving.remote + saving.hosted) * sign;
            program.remote += saving.remote * sign;
        }
}

Cycles StepTrials::simulate(const Change& change) {
    const double share = 1 - m_less;
    const IpuTarget target = m_pipeline.system.target;
    const std::vector<Cycles> allReduce = m_pipeline.allReduce;
    apply(change.programs, -1);
    if (change.allReduce)
        for (Cycles& cycles : m_pipeline.allReduce)
            cycles = shareOf(cycles, share);
    if (change.sync) {
        IpuTarget& faster = m_pipeline.system.target;
        faster.globalSyncCycles = shareOf(Cycles(target.globalSyncCycles), share).value();
        faster.internalSyncCycles = shareOf(Cycles(target.internalSyncCycles), share).value();
        faster.syncSecondsPerHop *= share;
    }
    SlotPattern pattern;
    if (change.exchange) {
        pattern = m_pattern;
        for (SlotKind& kind : pattern.kinds)
            kind.exchange.duration = shareOf(kind.exchange.duration, share);
        for (auto& ofDirection : pattern.programCopies)
            for (std::vector<ProgramCopy>& copies : ofDirection)
                for (ProgramCopy& copy : copies)
                    copy.duration = shareOf(copy.duration, share);
        pattern.updateExchange.duration = shareOf(pattern.updateExchange.duration, share);
    }
    const Cycles step = updateLength(m_pipeline, change.exchange ? pattern : m_pattern,
                                     {change.infeed ? share : 1, change.outfeed ? share : 1})
                            .total;
    apply(change.programs, 1);
    m_pipeline.system.target = target;
    m_pipeline.allReduce = allReduce;
    return step;
}

std::optional<Cycles> StepTrials::stepWith(const core::PathPart& part) {
    const std::optional<Change> change = changeOf(part);
    return change ? std::optional(simulate(*change)) : std::nullopt;
}

} // namespace simulator
