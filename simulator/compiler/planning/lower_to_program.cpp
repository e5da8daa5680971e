#include "simulator/compiler/planning/lower_to_program.h"

#include "simulator/compiler/planning/data_movement.h"
#include "simulator/compiler/planning/plan_operations.h"
#include "simulator/compiler/staging/place_variables.h"
#include "simulator/cost/communication.h"
#include "simulator/graph/replica_collective.h"

#include <algorithm>

namespace simulator {

namespace {

using core::Bytes;
using core::Cycles;
using core::StepKind;

/// Writes the steps of one program.
class ProgramWriter {
public:
    ProgramWriter(const CompiledPipeline& pipeline, core::StageId stage, Phase phase)
        : m_pipeline(pipeline) {
        m_program.stage = stage;
        m_program.phase = phase;
    }

    void run(const std::vector<core::OperationId>& order) {
        m_program.order.insert(m_program.order.end(), order.begin(), order.end());
        for (const core::OperationId id : order) {
            const OperationPlan& plan = m_pipeline.plans[id.index()];
            const Shared shared = sharedBy(id);
            add({isHostAccess(id) ? StepKind::StreamCopy : StepKind::DoExchange,
                 id,
                 {},
                 plan.exchange - shared.cycles,
                 plan.exchangeBytes});
            add({StepKind::GlobalExchange, id, {}, shared.cycles, shared.bytes});
            add({StepKind::Sync, id, {}, plan.sync, {}});
            add({StepKind::OnTileExecute, id, {}, plan.compute, {}});
        }
    }
    /// A copy on the tiles.
    void copy(core::TensorId tensor, Bytes bytes) {
        add({StepKind::OnTileExecute, {}, tensor, localCopyCycles(m_pipeline.system.target, bytes), bytes});
    }
    /// A load from or store to streaming memory.
    void stream(core::TensorId tensor, Bytes bytes) {
        add({StepKind::StreamCopy,
             {},
             tensor,
             streamingMemoryCycles(m_pipeline.system.target, bytes.value()),
             bytes});
    }
    /// A variable that is not on the chip comes; a sharded one is gathered from all replicas.
    void load(core::TensorId variable) {
        const Placement placement = m_pipeline.staged.placements[variable.index()];
        const Bytes bytes(m_pipeline.staged.graph.tensor(variable).bytes());
        if (placement == Placement::RemoteSharded)
            add({StepKind::StreamCopy,
                 {},
                 variable,
                 shardedFetchCycles(m_pipeline.system, bytes.value()),
                 bytes});
        else if (placement == Placement::Remote)
            stream(variable, bytes);
    }
    /// It goes back; of a sharded one, this replica's slice.
    void store(core::TensorId variable) {
        const Placement placement = m_pipeline.staged.placements[variable.index()];
        if (isFetched(placement))
            stream(variable, Bytes(shardedBytes(m_pipeline.staged.graph.tensor(variable), placement,
                                                m_pipeline.system.localReplicas())));
    }

    /// What stands between runs as often as the batch is serialised.
    void beginLoop() { m_program.loopBegin = static_cast<std::uint32_t>(m_program.steps.size()); }
    void endLoop() {
        m_program.loopEnd = static_cast<std::uint32_t>(m_program.steps.size());
        m_program.iterations = m_pipeline.batchSerialization;
        for (std::uint32_t step = m_program.loopBegin; step < m_program.loopEnd; ++step)
            sumOf(m_program.steps[step].kind) += m_program.steps[step].duration * (m_program.iterations - 1);
    }

    [[nodiscard]] StageProgram finish() { return std::move(m_program); }

private:
    /// Rows of a host embedding come or go.
    [[nodiscard]] bool isHostAccess(core::OperationId id) const {
        const OperationAttributes& attributes = m_pipeline.staged.graph.operation(id).attributes;
        return std::holds_alternative<HostLookup>(attributes) ||
               std::holds_alternative<HostUpdate>(attributes);
    }

    /// The part of an operation's exchange that goes between replicas.
    struct Shared {
        Cycles cycles;
        Bytes bytes;
    };
    [[nodiscard]] Shared sharedBy(core::OperationId id) const {
        const Operation& operation = m_pipeline.staged.graph.operation(id);
        const auto exchanged = replicaCollective(m_pipeline.staged.graph, operation);
        if (!exchanged)
            return {};
        // Nothing of a collective is inside the chip, and some wait for others.
        if (std::holds_alternative<Collective>(operation.attributes))
            return {m_pipeline.plans[id.index()].exchange, Bytes(exchanged->bytes)};
        const CollectiveCost cost = replicaCost(*exchanged, m_pipeline.system);
        return {cost.withinMachine + cost.acrossMachines, Bytes(exchanged->bytes)};
    }

    Cycles& sumOf(StepKind kind) {
        return kind == StepKind::OnTileExecute ? m_program.compute
               : kind == StepKind::Sync        ? m_program.sync
                                               : m_program.exchange;
    }
    void add(Step step) {
        if (step.duration.value() == 0)
            return;
        sumOf(step.kind) += step.duration;
        m_program.steps.push_back(step);
    }

    const CompiledPipeline& m_pipeline;
    StageProgram m_program;
};

class StageLowering {
public:
    StageLowering(const CompiledPipeline& pipeline, const StageOrders& orders, std::size_t stage)
        : m_pipeline(pipeline)
        , m_staged(pipeline.staged)
        , m_orders(orders)
        , m_stage(stage)
        , m_isMerged(pipeline.schedule.lastForwardMerged && stage + 1 == pipeline.staged.stageCount) {}

    StagePrograms lower() const { return {forward(), backward(), recompute(), weightUpdate()}; }

private:
    [[nodiscard]] ProgramWriter writer(Phase phase) const {
        return {m_pipeline, core::StageId(m_stage), phase};
    }

    [[nodiscard]] StageProgram forward() const {
        ProgramWriter program = writer(Phase::Forward);
        if (m_isMerged)
            return program.finish();
        loadWeights(program, m_orders.forward);
        program.beginLoop();
        writeForward(program);
        program.endLoop();
        return program.finish();
    }

    void writeForward(ProgramWriter& program) const {
        fetchSerialized(program, Phase::Forward);
        program.run(m_orders.forward);
        copyToNeighbours(program, Phase::Forward);
        forEachFifo([&](const Stash& stash) { move(program, stash); });
        storeSerialized(program, Phase::Forward);
    }

    /// A batch-serialised stage finds what other programs made in buffers that may be in streaming memory.
    void fetchSerialized(ProgramWriter& program, Phase phase) const {
        if (!m_pipeline.offloadsSerializedBuffers)
            return;
        for (const StageTransfer& transfer : m_staged.transfers)
            if (transfer.to.index() == m_stage && transfer.phase == phase)
                program.stream(transfer.tensor, Bytes(transfer.bytes));
        for (const Stash& stash : m_staged.stashes)
            if (stash.stage.index() == m_stage && phase == Phase::Backward && !m_isMerged)
                program.stream(stash.tensor, Bytes(stash.bytesPerEntry));
    }
    void storeSerialized(ProgramWriter& program, Phase phase) const {
        if (!m_pipeline.offloadsSerializedBuffers)
            return;
        for (const StageTransfer& transfer : m_staged.transfers)
            if (transfer.from.index() == m_stage && transfer.phase == phase)
                program.stream(transfer.tensor, Bytes(transfer.bytes));
        for (const Stash& stash : m_staged.stashes)
            if (stash.stage.index() == m_stage && phase == Phase::Forward && !m_isMerged)
                program.stream(stash.tensor, Bytes(stash.bytesPerEntry));
    }

    [[nodiscard]] StageProgram recompute() const {
        ProgramWriter program = writer(Phase::Recompute);
        if (m_staged.recomputeInsideBackward || m_orders.recompute.empty())
            return program.finish();
        forEachFifo([&](const Stash& stash) { move(program, stash); });
        loadWeights(program, m_orders.recompute);
        program.run(m_orders.recompute);
        return program.finish();
    }

    [[nodiscard]] StageProgram backward() const {
        ProgramWriter program = writer(Phase::Backward);
        if (m_isMerged)
            loadWeights(program, m_orders.forward);
        loadWeights(program, m_orders.backward);
        const std::vector<core::TensorId> accumulators =
            rewritten(m_orders.backward, TensorRole::Accumulator);
        for (const core::TensorId accumulator : accumulators)
            program.load(accumulator);
        program.beginLoop();
        if (m_isMerged)
            writeForward(program);
        if (m_staged.recomputeInsideBackward || m_orders.recompute.empty())
            forEachFifo([&](const Stash& stash) { move(program, stash); });
        fetchSerialized(program, Phase::Backward);
        program.run(m_orders.backward);
        copyToNeighbours(program, Phase::Backward);
        storeSerialized(program, Phase::Backward);
        program.endLoop();
        for (const core::TensorId accumulator : accumulators)
            program.store(accumulator);
        return program.finish();
    }

    [[nodiscard]] StageProgram weightUpdate() const {
        ProgramWriter program = writer(Phase::WeightUpdate);
        // Everything the update touches comes in; what it rewrites goes back.
        for (const core::TensorId variable : touched(m_orders.weightUpdate))
            program.load(variable);
        program.run(m_orders.weightUpdate);
        for (const TensorRole role : {TensorRole::Parameter, TensorRole::State, TensorRole::OptimizerSlot})
            for (const core::TensorId variable : rewritten(m_orders.weightUpdate, role))
                program.store(variable);
        return program.finish();
    }

    /// One push or pop of an entry.
    static void move(ProgramWriter& program, const Stash& stash) {
        if (stash.offloaded)
            program.stream(stash.tensor, Bytes(stash.bytesPerEntry));
        else
            program.copy(stash.tensor, Bytes(stash.bytesPerEntry));
    }

    template <class Visit>
    void forEachFifo(Visit visit) const {
        for (const Stash& stash : m_staged.stashes)
            if (stash.stage.index() == m_stage && stash.depth > 0)
                visit(stash);
    }

    void copyToNeighbours(ProgramWriter& program, Phase phase) const {
        for (const StageTransfer& transfer : m_staged.transfers) {
            if (transfer.from.index() != m_stage || transfer.phase != phase)
                continue;
            // A shortcut's FIFO pushes and pops.
            if (transfer.path == TransferPath::LocalFifo)
                program.copy(transfer.tensor, Bytes(transfer.bytes));
            if (transfer.path == TransferPath::LocalFifo || transfer.path == TransferPath::IntraIpuCopy)
                program.copy(transfer.tensor, Bytes(transfer.bytes));
        }
    }

    void loadWeights(ProgramWriter& program, const std::vector<core::OperationId>& order) const {
        for (const core::TensorId variable : touched(order)) {
            const TensorRole role = m_staged.graph.tensor(variable).role;
            if (role == TensorRole::Parameter || role == TensorRole::State)
                program.load(variable);
        }
    }

    /// Variables that operations read, each once, and what they rewrite of one role.
    [[nodiscard]] std::vector<core::TensorId> touched(const std::vector<core::OperationId>& order) const {
        return collect(
            order, [](const Operation& operation) -> const auto& { return operation.inputs; },
            [](const Tensor&) { return true; });
    }
    [[nodiscard]] std::vector<core::TensorId> rewritten(const std::vector<core::OperationId>& order,
                                                        TensorRole role) const {
        return collect(
            order, [](const Operation& operation) -> const auto& { return operation.outputs; },
            [role](const Tensor& tensor) { return tensor.role == role; });
    }
    template <class Tensors, class Accept>
    [[nodiscard]] std::vector<core::TensorId> collect(const std::vector<core::OperationId>& order,
                                                      Tensors tensorsOf, Accept accept) const {
        std::vector<core::TensorId> result;
        for (const core::OperationId id : order)
            for (const core::TensorId tensor : tensorsOf(m_staged.graph.operation(id)))
                if (isFetched(m_staged.placements[tensor.index()]) && accept(m_staged.graph.tensor(tensor)))
                    result.push_back(tensor);
        std::ranges::sort(result);
        const auto repeats = std::ranges::unique(result);
        result.erase(repeats.begin(), repeats.end());
        return result;
    }

    const CompiledPipeline& m_pipeline;
    const StagedGraph& m_staged;
    const StageOrders& m_orders;
    std::size_t m_stage;
    bool m_isMerged;
};

} // namespace

std::vector<StagePrograms> lowerToProgram(const CompiledPipeline& pipeline,
                                          const std::vector<StageOrders>& orders) {
    std::vector<StagePrograms> programs;
    programs.reserve(orders.size());
    for (std::size_t stage = 0; stage < orders.size(); ++stage)
        programs.push_back(StageLowering(pipeline, orders[stage], stage).lower());
    return programs;
}

} // namespace simulator
