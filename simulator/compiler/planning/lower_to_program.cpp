#include "simulator/compiler/planning/lower_to_program.h"

#include "simulator/compiler/planning/data_movement.h"
#include "simulator/compiler/planning/plan_operations.h"
#include "simulator/compiler/staging/place_variables.h"
#include "simulator/cost/communication.h"
#include "simulator/graph/host_visit.h"
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
    ProgramWriter(const OrderedGraph& ordered, const Deployment& deployment, core::StageId stage, Phase phase)
        : m_ordered(ordered)
        , m_deployment(deployment) {
        m_program.stage = stage;
        m_program.phase = phase;
    }

    void run(const std::vector<core::OperationId>& order) {
        m_program.order.insert(m_program.order.end(), order.begin(), order.end());
        for (const core::OperationId id : order) {
            const OperationPlan& plan = m_ordered.plans[id.index()];
            const Shared shared = sharedBy(id);
            add({isHostAccess(m_ordered.graph.operation(id).attributes) ? StepKind::StreamCopy
                                                                        : StepKind::DoExchange,
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
        add({StepKind::OnTileExecute, {}, tensor, localCopyCycles(m_deployment.system.target, bytes), bytes});
    }
    /// A load from or store to streaming memory.
    void stream(core::TensorId tensor, Bytes bytes) {
        add({StepKind::StreamCopy,
             {},
             tensor,
             streamingMemoryCycles(m_deployment.system.target, bytes.value()),
             bytes});
    }
    /// A variable that is not on the chip comes; a sharded one is gathered from all replicas.
    void load(core::TensorId variable) {
        const Placement placement = m_ordered.placements[variable.index()];
        const Bytes bytes(m_ordered.graph.tensor(variable).bytes());
        if (placement == Placement::RemoteSharded)
            add({StepKind::StreamCopy,
                 {},
                 variable,
                 shardedFetchCycles(m_deployment.system, bytes.value()),
                 bytes});
        else if (placement == Placement::Remote)
            stream(variable, bytes);
    }
    /// It goes back; of a sharded one, this replica's slice.
    void store(core::TensorId variable) {
        const Placement placement = m_ordered.placements[variable.index()];
        if (isFetched(placement))
            stream(variable, Bytes(shardedBytes(m_ordered.graph.tensor(variable), placement,
                                                m_deployment.system.localReplicas())));
    }

    /// What lies between runs as often as the batch is serialised.
    void beginLoop() { m_program.loopBegin = static_cast<std::uint32_t>(m_program.steps.size()); }
    void endLoop() {
        m_program.loopEnd = static_cast<std::uint32_t>(m_program.steps.size());
        m_program.iterations = m_deployment.batchSerialization;
        for (std::uint32_t step = m_program.loopBegin; step < m_program.loopEnd; ++step)
            count(m_program.steps[step], m_program.steps[step].duration * (m_program.iterations - 1));
    }

    [[nodiscard]] StageProgram finish() { return std::move(m_program); }

private:
    /// The part of an operation's exchange that goes between replicas.
    struct Shared {
        Cycles cycles;
        Bytes bytes;
    };
    [[nodiscard]] Shared sharedBy(core::OperationId id) const {
        const Operation& operation = m_ordered.graph.operation(id);
        const auto exchanged = replicaCollective(m_ordered.graph, operation);
        if (!exchanged)
            return {};
        // Nothing of a collective is inside the chip, and some wait for others.
        if (std::holds_alternative<Collective>(operation.attributes))
            return {m_ordered.plans[id.index()].exchange, Bytes(exchanged->bytes)};
        const CollectiveCost cost = replicaCost(*exchanged, m_deployment.system);
        return {cost.withinMachine + cost.acrossMachines, Bytes(exchanged->bytes)};
    }

    void count(const Step& step, Cycles cycles) {
        Cycles& sum = step.kind == StepKind::OnTileExecute ? m_program.compute
                      : step.kind == StepKind::Sync        ? m_program.sync
                                                           : m_program.exchange;
        sum += cycles;
        if (step.kind != StepKind::StreamCopy)
            return;
        m_program.streamed += cycles;
        if (isOfRemoteMemory(m_ordered.graph, step))
            m_program.remote += cycles;
    }
    void add(Step step) {
        if (step.duration.value() == 0)
            return;
        count(step, step.duration);
        m_program.steps.push_back(step);
    }

    const OrderedGraph& m_ordered;
    const Deployment& m_deployment;
    StageProgram m_program;
};

class StageLowering {
public:
    StageLowering(const OrderedGraph& ordered, const Deployment& deployment, std::size_t stage)
        : m_ordered(ordered)
        , m_deployment(deployment)
        , m_orders(ordered.orders[stage])
        , m_stage(stage)
        , m_isMerged(ordered.schedule.lastForwardMerged && stage + 1 == ordered.stageCount) {}

    StagePrograms lower() const {
        return {forward(), backward(), weightGradient(), recompute(), weightUpdate()};
    }

private:
    [[nodiscard]] ProgramWriter writer(Phase phase) const {
        return {m_ordered, m_deployment, core::StageId(m_stage), phase};
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
        takeArrivals(program, Phase::Forward);
        program.run(m_orders.forward);
        copyToNeighbours(program, Phase::Forward);
        forEachFifo([&](const Stash& stash) { move(program, stash); });
        storeSerialized(program, Phase::Forward);
    }

    /// A batch-serialised stage finds what other programs made in buffers that may be in streaming memory.
    void fetchSerialized(ProgramWriter& program, Phase phase) const {
        if (!m_deployment.offloadsSerializedBuffers)
            return;
        for (const StageTransfer& transfer : m_ordered.transfers)
            if (transfer.to.index() == m_stage && transfer.phase == phase)
                program.stream(transfer.tensor, Bytes(transfer.bytes));
        for (const Stash& stash : m_ordered.stashes)
            if (stash.stage.index() == m_stage && phase == Phase::Backward && !m_isMerged)
                program.stream(stash.tensor, Bytes(stash.bytesPerEntry));
    }
    void storeSerialized(ProgramWriter& program, Phase phase) const {
        if (!m_deployment.offloadsSerializedBuffers)
            return;
        for (const StageTransfer& transfer : m_ordered.transfers)
            if (transfer.from.index() == m_stage && transfer.phase == phase)
                program.stream(transfer.tensor, Bytes(transfer.bytes));
        for (const Stash& stash : m_ordered.stashes)
            if (stash.stage.index() == m_stage && phase == Phase::Forward && !m_isMerged)
                program.stream(stash.tensor, Bytes(stash.bytesPerEntry));
    }

    [[nodiscard]] StageProgram recompute() const {
        ProgramWriter program = writer(Phase::Recompute);
        if (m_ordered.recomputeInsideBackward || m_orders.recompute.empty())
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
        if (m_ordered.recomputeInsideBackward || m_orders.recompute.empty())
            forEachFifo([&](const Stash& stash) { move(program, stash); });
        fetchSerialized(program, Phase::Backward);
        takeArrivals(program, Phase::Backward);
        program.run(m_orders.backward);
        copyToNeighbours(program, Phase::Backward);
        storeSerialized(program, Phase::Backward);
        forEachGradientFifo([&](const Stash& stash) { move(program, stash); });
        program.endLoop();
        for (const core::TensorId accumulator : accumulators)
            program.store(accumulator);
        return program.finish();
    }

    [[nodiscard]] StageProgram weightGradient() const {
        ProgramWriter program = writer(Phase::WeightGradient);
        if (m_orders.weightGradient.empty())
            return program.finish();
        loadWeights(program, m_orders.weightGradient);
        const std::vector<core::TensorId> accumulators =
            rewritten(m_orders.weightGradient, TensorRole::Accumulator);
        for (const core::TensorId accumulator : accumulators)
            program.load(accumulator);
        forEachGradientFifo([&](const Stash& stash) { move(program, stash); });
        program.run(m_orders.weightGradient);
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
        for (const Stash& stash : m_ordered.stashes)
            if (stash.stage.index() == m_stage && stash.depth > 0)
                visit(stash);
    }

    template <class Visit>
    void forEachGradientFifo(Visit visit) const {
        for (const Stash& stash : m_ordered.gradientStashes)
            if (stash.stage.index() == m_stage && stash.depth > 0)
                visit(stash);
    }

    /// Copies from other IPUs that had to wait leave the buffer they arrived in.
    void takeArrivals(ProgramWriter& program, Phase phase) const {
        for (const StageTransfer& transfer : m_ordered.transfers)
            if (transfer.to.index() == m_stage && transfer.phase == phase &&
                transfer.path == TransferPath::InterIpuCopy && transfer.fifoDepth > 0)
                program.copy(transfer.tensor, Bytes(transfer.bytes));
    }

    void copyToNeighbours(ProgramWriter& program, Phase phase) const {
        for (const StageTransfer& transfer : m_ordered.transfers) {
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
            const TensorRole role = m_ordered.graph.tensor(variable).role;
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
            for (const core::TensorId tensor : tensorsOf(m_ordered.graph.operation(id)))
                if (isFetched(m_ordered.placements[tensor.index()]) && accept(m_ordered.graph.tensor(tensor)))
                    result.push_back(tensor);
        std::ranges::sort(result);
        const auto repeats = std::ranges::unique(result);
        result.erase(repeats.begin(), repeats.end());
        return result;
    }

    const OrderedGraph& m_ordered;
    const Deployment& m_deployment;
    const StageOrders& m_orders;
    std::size_t m_stage;
    bool m_isMerged;
};

} // namespace

std::vector<StagePrograms> lowerToProgram(const OrderedGraph& ordered, const Deployment& deployment) {
    std::vector<StagePrograms> programs;
    programs.reserve(ordered.stageCount);
    for (std::size_t stage = 0; stage < ordered.stageCount; ++stage)
        programs.push_back(StageLowering(ordered, deployment, stage).lower());
    return programs;
}

} // namespace simulator
