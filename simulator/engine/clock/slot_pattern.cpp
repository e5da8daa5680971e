#include "simulator/engine/clock/slot_pattern.h"

#include "simulator/target/link_topology.h"

#include <algorithm>
#include <map>

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
                const Cycles cycles = pairCycles(ipus.first, ipus.second, pair.bytes);
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

    [[nodiscard]] Cycles pairCycles(std::size_t from, std::size_t to, std::int64_t bytes) const {
        const IpuSystem& system = m_pipeline.system;
        const Route route =
            routeInReplica(system, static_cast<std::int64_t>(from), static_cast<std::int64_t>(to));
        const double seconds = static_cast<double>(bytes) / route.bytesPerSecond +
                               static_cast<double>(route.hops) * system.target.syncSecondsPerHop;
        return system.target.cyclesIn(seconds);
    }

    const CompiledPipeline& m_pipeline;
    using Exchange = std::map<std::pair<std::size_t, std::size_t>, Pair>;
    /// Those of one exchange run side by side, the exchanges one after the other.
    std::vector<Exchange> m_exchanges;
    std::int64_t m_waiting = 0;
    SlotExchange m_result;
};

/// A position of the pipeline: a stage's forward or backward pass.
struct Position {
    core::StageId stage;
    Phase phase = Phase::Forward;
};

class PatternBuilder {
public:
    explicit PatternBuilder(const CompiledPipeline& pipeline)
        : m_pipeline(pipeline)
        , m_shape(pipeline.schedule.shape) {
        m_outgoing.resize(2 * pipeline.stageCount);
        for (const StageTransfer& transfer : pipeline.transfers)
            if (transfer.phase == Phase::WeightUpdate)
                m_update.push_back(&transfer);
            else
                m_outgoing[slotOf({transfer.from, transfer.phase})].push_back(&transfer);
    }

    SlotPattern build() {
        ExchangeSum update(m_pipeline);
        for (const StageTransfer* transfer : m_update)
            update.add(*transfer);
        m_pattern.updateExchange = update.finish();
        if (m_pipeline.schedule.kind == core::ScheduleKind::Sequential)
            buildSteps();
        else
            buildCycle();
        return std::move(m_pattern);
    }

private:
    static std::size_t slotOf(Position position) {
        return 2 * position.stage.index() + (position.phase == Phase::Forward ? 0 : 1);
    }

    /// One kind per stage step; the merged forward step of the last stage has nothing to send.
    void buildSteps() {
        std::map<std::vector<std::size_t>, std::uint32_t> kinds;
        for (const Slot& slot : m_pipeline.schedule.timeSlots) {
            std::vector<Position> positions;
            std::vector<std::size_t> key;
            for (const WorkItem& item : m_pipeline.schedule.work(slot)) {
                positions.push_back(
                    {item.stage, item.kind == WorkKind::Forward ? Phase::Forward : Phase::Backward});
                key.push_back(slotOf(positions.back()));
            }
            const auto [known, isNew] =
                kinds.emplace(key, static_cast<std::uint32_t>(m_pattern.kinds.size()));
            if (isNew)
                m_pattern.kinds.push_back(makeKind(positions, {}));
            m_pattern.kindOfSlot.push_back(known->second);
        }
    }

    /// In slot t work those positions p for which some micro-batch in flight entered p slots before; that
    /// repeats with the period of the start offsets.
    void buildCycle() {
        const auto cycle = static_cast<std::int64_t>(m_shape.positions());
        const std::int64_t delay = m_pipeline.overlapsHostIo ? 1 : 0;
        const std::int64_t period = periodOfOffsets(cycle);
        for (std::int64_t slot = 0; slot < period; ++slot) {
            std::vector<Position> positions;
            std::vector<core::StageId> recomputes;
            for (const std::int64_t offset : m_pipeline.schedule.startOffsets) {
                const std::int64_t position = ((slot - delay - offset) % cycle + cycle) % cycle;
                positions.push_back(positionAt(position));
                // A stage recomputes in the slot before its backward pass.
                const Position next = positionAt((position + 1) % cycle);
                if (m_shape.recompute && next.phase == Phase::Backward &&
                    next.stage.index() + 1 < m_shape.stages)
                    recomputes.push_back(next.stage);
            }
            m_pattern.kinds.push_back(makeKind(positions, recomputes));
        }
        for (std::size_t slot = 0; slot < m_pipeline.schedule.timeSlots.size(); ++slot)
            m_pattern.kindOfSlot.push_back(static_cast<std::uint32_t>(slot % m_pattern.kinds.size()));
    }

    /// The smallest shift that leaves the start offsets as they are: 1 for Grouped, 2 for Interleaved
    /// training.
    [[nodiscard]] std::int64_t periodOfOffsets(std::int64_t cycle) const {
        std::vector<bool> isOffset(static_cast<std::size_t>(cycle), false);
        for (const std::int64_t offset : m_pipeline.schedule.startOffsets)
            isOffset[static_cast<std::size_t>(offset)] = true;
        for (std::int64_t shift = 1; shift < cycle; ++shift)
            if (cycle % shift == 0 &&
                std::ranges::all_of(m_pipeline.schedule.startOffsets, [&](std::int64_t offset) {
                    return isOffset[static_cast<std::size_t>((offset + shift) % cycle)];
                }))
                return shift;
        return cycle;
    }

    [[nodiscard]] Position positionAt(std::int64_t position) const {
        const auto index = static_cast<std::size_t>(position);
        if (index < m_shape.stages)
            return {core::StageId(index), Phase::Forward};
        return {core::StageId(2 * m_shape.stages - 1 - index), Phase::Backward};
    }

    [[nodiscard]] SlotKind makeKind(const std::vector<Position>& positions,
                                    const std::vector<core::StageId>& recomputes) const {
        ExchangeSum exchange(m_pipeline);
        SlotKind kind;
        kind.fullWork.resize(m_pipeline.ipuCount());
        const auto work = [&](WorkKind of, core::StageId stage) {
            kind.fullWork[m_pipeline.ipus[stage.index()].index()] += workCycles(m_pipeline, of, stage);
        };
        for (const Position& position : positions) {
            work(position.phase == Phase::Forward ? WorkKind::Forward : WorkKind::Backward, position.stage);
            for (const StageTransfer* transfer : m_outgoing[slotOf(position)])
                exchange.add(*transfer);
        }
        for (const core::StageId stage : recomputes)
            work(WorkKind::Recompute, stage);
        kind.exchange = exchange.finish();
        return kind;
    }

    const CompiledPipeline& m_pipeline;
    const PipelineShape& m_shape;
    std::vector<std::vector<const StageTransfer*>> m_outgoing;
    std::vector<const StageTransfer*> m_update;
    SlotPattern m_pattern;
};

} // namespace

Cycles workCycles(const CompiledPipeline& pipeline, WorkKind kind, core::StageId stage) {
    const StagePrograms& programs = pipeline.stages[stage.index()];
    switch (kind) {
    case WorkKind::Forward:
        return programs.forward.total();
    case WorkKind::Backward:
        return programs.backward.total();
    case WorkKind::Recompute:
        return programs.recompute.total();
    }
    return {};
}

SlotPattern slotPattern(const CompiledPipeline& pipeline) {
    return PatternBuilder(pipeline).build();
}

} // namespace simulator
