#include "simulator/engine/clock/slot_pattern.h"

#include "simulator/engine/clock/program_pieces.h"
#include "simulator/target/link_topology.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <ranges>

namespace simulator {

namespace {

using core::Bytes;
using core::Cycles;

/// Adds up the copies of one slot: pairs of IPUs exchange side by side, what one IPU sends to another goes
/// one after the other.
class ExchangeSum {
public:
    explicit ExchangeSum(const CompiledPipeline& pipeline)
        : m_pipeline(pipeline) {
        m_result.sent.resize(pipeline.ipuCount());
        m_result.received.resize(pipeline.ipuCount());
    }

    void add(const StageTransfer& transfer) {
        if (transfer.path != TransferPath::InterIpuCopy)
            return;
        const std::size_t from = m_pipeline.ipus[transfer.from.index()].index();
        const std::size_t to = m_pipeline.ipus[transfer.to.index()].index();
        startExchange(transfer.bytes);
        Pair& pair = m_exchanges.back()[{from, to}];
        pair.bytes += transfer.bytes;
        pair.stage = transfer.from;
        m_result.sent[from] += Bytes(transfer.bytes);
        m_result.received[to] += Bytes(transfer.bytes);
    }

    SlotExchange finish() {
        Cycles longest;
        for (const Exchange& exchange : m_exchanges) {
            Cycles duration;
            for (const auto& [ipus, pair] : exchange) {
                const Cycles cycles = ipuCopyCycles(m_pipeline.system, static_cast<std::int64_t>(ipus.first),
                                                    static_cast<std::int64_t>(ipus.second), pair.bytes);
                duration = std::max(duration, cycles);
                if (cycles > longest) {
                    longest = cycles;
                    m_result.slowest = pair.stage;
                }
            }
            m_result.duration += duration;
        }
        // The slot has the syncs around one exchange; each further one has its own.
        if (m_exchanges.size() > 1)
            m_result.duration += globalSync(m_pipeline.system.target, m_pipeline.system.ipusPerReplica) * 2 *
                                 (static_cast<std::int64_t>(m_exchanges.size()) - 1);
        return std::move(m_result);
    }

private:
    /// In a pipeline all copies of a slot are one exchange; those of a sharded model wait for one another
    /// only as far as the buffer goes.
    void startExchange(std::int64_t bytes) {
        const bool isFull = !m_pipeline.isPipelined && m_waiting + bytes > m_pipeline.interIpuCopyBytes;
        if (m_exchanges.empty() || isFull) {
            m_exchanges.emplace_back();
            m_waiting = 0;
        }
        m_waiting += bytes;
    }

    struct Pair {
        std::int64_t bytes = 0;
        core::StageId stage;
    };

    const CompiledPipeline& m_pipeline;
    using Exchange = std::map<std::pair<std::size_t, std::size_t>, Pair>;
    /// Those of one exchange run side by side, the exchanges one after the other.
    std::vector<Exchange> m_exchanges;
    std::int64_t m_waiting = 0;
    SlotExchange m_result;
};

using Program = SlotProgram;
/// Of one slot, each once.
using Programs = std::vector<Program>;

class PatternBuilder {
public:
    explicit PatternBuilder(const CompiledPipeline& pipeline)
        : m_pipeline(pipeline)
        , m_schedule(pipeline.schedule) {
        m_outgoing.resize(2 * pipeline.stageCount);
        for (const StageTransfer& transfer : pipeline.transfers)
            if (transfer.phase == Phase::WeightUpdate)
                m_update.push_back(&transfer);
            else
                m_outgoing[indexOf(transfer.from, transfer.phase)].push_back(&transfer);
    }

    SlotPattern build() {
        // IPUs of an asynchronous schedule meet at no slot's end.
        if (!m_schedule.isAsynchronous && m_schedule.rampsCopyAll)
            buildCycle();
        else if (!m_schedule.isAsynchronous)
            buildSlots();
        setCopies(m_pattern);
        return std::move(m_pattern);
    }

    /// What depends on where the IPUs are.
    void setCopies(SlotPattern& pattern) const {
        ExchangeSum update(m_pipeline);
        for (const StageTransfer* transfer : m_update)
            update.add(*transfer);
        pattern.updateExchange = update.finish();
        for (SlotKind& kind : pattern.kinds)
            kind.exchange = exchangeOf(kind.programs);
        if (m_schedule.isAsynchronous)
            pattern.programCopies = programCopies();
    }

private:
    static std::size_t indexOf(core::StageId stage, Phase phase) {
        return 2 * stage.index() + (phase == Phase::Forward ? 0 : 1);
    }
    /// Whether copies to other stages follow a program.
    static bool sends(Phase phase) { return phase == Phase::Forward || phase == Phase::Backward; }

    /// Slots that do not repeat: one kind for all that hold the same.
    void buildSlots() {
        std::map<Programs, std::uint32_t> kinds;
        // Most slots hold one program, and there are many slots.
        constexpr std::uint32_t unknown = UINT32_MAX;
        std::vector<std::uint32_t> kindOfProgram(core::phaseCount * m_pipeline.stageCount, unknown);
        m_pattern.kindOfSlot.reserve(m_schedule.timeSlots.size());
        Programs programs;
        for (const Slot& slot : m_schedule.timeSlots) {
            programs.clear();
            for (const WorkItem& item : m_schedule.work(slot))
                programs.push_back({item.phase, item.stage});
            std::uint32_t several = unknown;
            std::uint32_t& known =
                programs.size() == 1 ? kindOfProgram[programNumber(programs.front())] : several;
            if (known == unknown) {
                const auto [kind, isNew] =
                    kinds.emplace(programs, static_cast<std::uint32_t>(m_pattern.kinds.size()));
                if (isNew)
                    m_pattern.kinds.push_back(makeKind(programs));
                known = kind->second;
            }
            m_pattern.kindOfSlot.push_back(known);
        }
    }

    [[nodiscard]] std::size_t programNumber(const Program& program) const {
        return static_cast<std::size_t>(program.phase) * m_pipeline.stageCount + program.stage.index();
    }

    /// What each program sends to each stage on another IPU, in one piece.
    [[nodiscard]] std::array<std::vector<std::vector<ProgramCopy>>, 2> programCopies() const {
        std::array<std::vector<std::vector<ProgramCopy>>, 2> result;
        for (auto& ofDirection : result)
            ofDirection.resize(m_pipeline.stageCount);
        for (std::size_t stage = 0; stage < m_pipeline.stageCount; ++stage)
            for (const Phase phase : {Phase::Forward, Phase::Backward}) {
                std::vector<ProgramCopy>& copies = result[phase == Phase::Forward ? 0 : 1][stage];
                for (const StageTransfer* transfer : m_outgoing[indexOf(core::StageId(stage), phase)])
                    if (transfer->path == TransferPath::InterIpuCopy)
                        addTo(copies, *transfer);
                for (ProgramCopy& copy : copies)
                    copy.duration = ipuCopyCycles(
                        m_pipeline.system, static_cast<std::int64_t>(m_pipeline.ipus[stage].index()),
                        static_cast<std::int64_t>(m_pipeline.ipus[copy.to.index()].index()),
                        copy.bytes.value());
            }
        return result;
    }

    static void addTo(std::vector<ProgramCopy>& copies, const StageTransfer& transfer) {
        auto copy = std::ranges::find(copies, transfer.to, &ProgramCopy::to);
        if (copy == copies.end())
            copy = copies.insert(copies.end(), {transfer.to, {}, {}, transfer.fifoDepth});
        copy->bytes += core::Bytes(transfer.bytes);
        copy->depth = std::min(copy->depth, transfer.fifoDepth);
    }

    /// What the slots a cycle apart run between them; the shortest cycle that says all.
    void buildCycle() {
        const std::vector<SlotClass> classes = slotClasses();
        const std::size_t period = shortestPeriod(classes);
        for (std::size_t kind = 0; kind < period; ++kind)
            m_pattern.kinds.push_back(
                makeKind(inOrderOfEntry(classes[kind], static_cast<std::int64_t>(kind))));
        m_pattern.kindOfSlot.resize(m_schedule.timeSlots.size());
        for (std::size_t slot = 0; slot < m_pattern.kindOfSlot.size(); ++slot)
            m_pattern.kindOfSlot[slot] = static_cast<std::uint32_t>(slot % period);
    }

    /// The slot in which every micro-batch is fed in.
    [[nodiscard]] std::vector<std::int64_t> enteringSlots() const {
        std::vector<std::int64_t> entering(static_cast<std::size_t>(m_schedule.shape.microBatches));
        for (std::size_t slot = 0; slot < m_schedule.timeSlots.size(); ++slot)
            if (const auto microBatch = m_schedule.timeSlots[slot].infeedMicroBatch)
                entering[static_cast<std::size_t>(*microBatch)] = static_cast<std::int64_t>(slot);
        return entering;
    }

    /// The programs of slots a cycle apart, each with its delay behind the entry of its micro-batch.
    using SlotClass = std::map<Program, std::int64_t>;
    [[nodiscard]] std::vector<SlotClass> slotClasses() const {
        const std::vector<std::int64_t> entering = enteringSlots();
        std::vector<SlotClass> classes(m_schedule.cycle);
        // Items are many and programs few: only the first item of a program goes into the map.
        const std::size_t programs = core::phaseCount * m_pipeline.stageCount;
        std::vector<bool> isKnown(classes.size() * programs);
        for (std::size_t slot = 0; slot < m_schedule.timeSlots.size(); ++slot) {
            const std::size_t ofClass = slot % classes.size();
            for (const WorkItem& item : m_schedule.work(m_schedule.timeSlots[slot])) {
                const std::size_t program = programNumber({item.phase, item.stage});
                if (isKnown[ofClass * programs + program])
                    continue;
                isKnown[ofClass * programs + program] = true;
                classes[ofClass].try_emplace({item.phase, item.stage},
                                             static_cast<std::int64_t>(slot) -
                                                 entering[static_cast<std::size_t>(item.microBatch)]);
            }
        }
        return classes;
    }

    static std::size_t shortestPeriod(const std::vector<SlotClass>& classes) {
        const auto same = [&](std::size_t a, std::size_t b) {
            return std::ranges::equal(std::views::keys(classes[a]), std::views::keys(classes[b]));
        };
        for (std::size_t period = 1; period < classes.size(); ++period) {
            bool repeats = classes.size() % period == 0;
            for (std::size_t slot = 0; repeats && slot + period < classes.size(); ++slot)
                repeats = same(slot, slot + period);
            if (repeats)
                return period;
        }
        return classes.size();
    }

    /// The micro-batch that entered first, counted around the cycle of positions, comes first.
    [[nodiscard]] Programs inOrderOfEntry(const SlotClass& programs, std::int64_t slot) const {
        const auto positions = static_cast<std::int64_t>(m_schedule.shape.positions());
        const auto entry = [&](const Program& program) {
            return ((slot - programs.at(program)) % positions + positions) % positions;
        };
        Programs ordered;
        for (const auto& [program, delay] : programs)
            ordered.push_back(program);
        std::ranges::stable_sort(ordered, {}, entry);
        return ordered;
    }

    [[nodiscard]] SlotKind makeKind(const Programs& programs) const {
        SlotKind kind;
        kind.programs = programs;
        kind.fullWork.resize(m_pipeline.ipuCount());
        for (const auto& [phase, stage] : programs)
            kind.fullWork[m_pipeline.ipus[stage.index()].index()] += workCycles(m_pipeline, phase, stage);
        return kind;
    }

    [[nodiscard]] SlotExchange exchangeOf(const Programs& programs) const {
        ExchangeSum exchange(m_pipeline);
        for (const auto& [phase, stage] : programs)
            if (sends(phase))
                for (const StageTransfer* transfer : m_outgoing[indexOf(stage, phase)])
                    exchange.add(*transfer);
        return exchange.finish();
    }

    const CompiledPipeline& m_pipeline;
    const PipelineSchedule& m_schedule;
    std::vector<std::vector<const StageTransfer*>> m_outgoing;
    std::vector<const StageTransfer*> m_update;
    SlotPattern m_pattern;
};

} // namespace

Cycles workCycles(const CompiledPipeline& pipeline, Phase phase, core::StageId stage) {
    return pipeline.stages[stage.index()].of(phase).total();
}

Cycles computeCycles(const CompiledPipeline& pipeline, Phase phase, core::StageId stage) {
    const StageProgram& program = pipeline.stages[stage.index()].of(phase);
    return program.total() - program.streamed;
}

SlotPattern slotPattern(const CompiledPipeline& pipeline) {
    SlotPattern pattern = PatternBuilder(pipeline).build();
    for (std::size_t phase = 0; phase < core::phaseCount; ++phase)
        for (std::size_t stage = 0; stage < pipeline.stages.size(); ++stage)
            pattern.remote[phase].push_back(pipeline.stages[stage].of(static_cast<Phase>(phase)).remote);
    return pattern;
}

void placeAnew(SlotPattern& pattern, const CompiledPipeline& pipeline) {
    PatternBuilder(pipeline).setCopies(pattern);
}

} // namespace simulator
