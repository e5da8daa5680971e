#include "simulator/engine/replica/training_stage.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace simulator {
namespace {

using core::OperationId;
using core::TensorId;
using TensorSet = std::set<TensorId>;

core::Diagnostic broken(std::string message) {
    return core::makeError(core::Trouble::Internal, "internal/pipeline", {}, std::move(message),
                           {"report this with the project"});
}

/// What a list of operations computes, stored tensors left out.
TensorSet computedBy(const TrainingGraph& graph, const std::vector<OperationId>& operations) {
    TensorSet computed;
    for (const OperationId id : operations)
        for (const TensorId output : graph.operation(id).outputs)
            if (isTransient(graph.tensor(output).role))
                computed.insert(output);
    return computed;
}

/// What the host or the weight update reads after a micro-batch.
TensorSet results(const TrainingProgram& program) {
    const TrainingGraph& graph = program.graph();
    TensorSet wanted;
    const auto want = [&](TensorId id) {
        if (id.isValid() && isTransient(graph.tensor(id).role))
            wanted.insert(id);
    };
    want(graph.loss);
    for (const TrainingGraph::NamedTensor& metric : graph.metrics)
        want(metric.tensor);
    if (!graph.training)
        std::ranges::for_each(graph.predictions, want);
    for (const OperationId id : program.weightUpdate)
        std::ranges::for_each(graph.operation(id).inputs, want);
    return wanted;
}

} // namespace

/// Works out the addresses of a stage: first what each program has to keep, then where each finds what it
/// reads.
class StageBinder {
public:
    StageBinder(const TrainingProgram& program, const TensorUses& uses, const TensorStore& store,
                std::size_t stage)
        : m_program(program)
        , m_staged(*program.staged)
        , m_graph(program.graph())
        , m_uses(uses)
        , m_store(store)
        , m_operations(program.stages[stage])
        , m_computedForward(computedBy(m_graph, m_operations.forward))
        , m_computedRecompute(computedBy(m_graph, m_operations.recompute))
        , m_computedBackward(computedBy(m_graph, m_operations.backward))
        , m_computedWeightGradient(computedBy(m_graph, m_operations.weightGradient)) {
        m_result.m_stage = stage;
        m_result.m_isMerged = m_operations.isMerged;
    }

    core::Result<TrainingStage> bind() {
        addArrivals();
        findKept();
        if (auto result = bindForward(); !result)
            return core::failure(result.error());
        addStashes();
        if (auto result = bindRecompute(); !result)
            return core::failure(result.error());
        if (auto result = bindBackward(); !result)
            return core::failure(result.error());
        if (auto result = addGradientStashes(); !result)
            return core::failure(result.error());
        if (auto result = bindWeightGradient(); !result)
            return core::failure(result.error());
        if (auto result = addSendings(); !result)
            return core::failure(result.error());
        return std::move(m_result);
    }

private:
    /// As many more entries as the stage loops before anybody takes one.
    [[nodiscard]] std::int64_t depthOf(std::int64_t depth) const {
        return m_program.batchSerialization > 1 ? m_program.batchSerialization : depth;
    }
    [[nodiscard]] std::size_t bytesOf(TensorId id) const {
        return static_cast<std::size_t>(m_graph.tensor(id).bytes());
    }

    void addArrivals() {
        for (const StageTransfer& transfer : m_staged.transfers) {
            if (transfer.to.index() != m_result.m_stage || transfer.phase == Phase::WeightUpdate)
                continue;
            auto& fifos =
                transfer.phase == Phase::Forward ? m_result.m_forwardArrivals : m_result.m_backwardArrivals;
            fifos.try_emplace(transfer.tensor, bytesOf(transfer.tensor), depthOf(transfer.fifoDepth));
        }
    }

    void keep(TensorId id) {
        if (m_computedForward.contains(id))
            m_keptForward.insert(id);
        if (m_computedRecompute.contains(id))
            m_keptRecompute.insert(id);
        if (m_computedBackward.contains(id))
            m_keptBackward.insert(id);
        if (m_computedWeightGradient.contains(id))
            m_keptWeightGradient.insert(id);
    }

    void findKept() {
        std::ranges::for_each(results(m_program), [this](TensorId id) { keep(id); });
        for (const StageTransfer& transfer : m_staged.transfers)
            if (transfer.from.index() == m_result.m_stage)
                keep(transfer.tensor);
        for (const Stash& stash : m_staged.stashes)
            if (stash.stage.index() == m_result.m_stage && m_computedForward.contains(stash.tensor))
                m_keptForward.insert(stash.tensor);
        for (const auto* operations : {&m_operations.backward, &m_operations.weightGradient})
            for (const OperationId id : *operations)
                for (const TensorId input : m_graph.operation(id).inputs)
                    if (const TensorId root = m_uses.storage(input); m_computedRecompute.contains(root))
                        m_keptRecompute.insert(root);
        for (const Stash& stash : m_staged.gradientStashes)
            if (stash.stage.index() == m_result.m_stage && m_computedBackward.contains(stash.tensor))
                m_keptBackward.insert(stash.tensor);
    }

    /// A stored tensor, or one that the host writes and this stage reads.
    [[nodiscard]] std::byte* storedAddress(TensorId id) const {
        const TensorRole role = m_graph.tensor(id).role;
        const bool isHere = isStored(role) && (!isHostFed(role) || m_result.m_stage == 0);
        return isHere ? m_store.address(id) : nullptr;
    }

    [[nodiscard]] std::byte* arrived(const TrainingStage::Fifos& fifos, TensorId id) const {
        if (const auto exact = fifos.find(id); exact != fifos.end())
            return exact->second.output();
        for (const auto& [tensor, fifo] : fifos)
            if (m_uses.storage(tensor) == m_uses.storage(id))
                return fifo.output();
        return nullptr;
    }

    [[nodiscard]] std::byte* stashed(TensorId id) const {
        const TensorId root = m_uses.storage(id);
        for (const TrainingStage::StashFifo& stash : m_result.m_stashes)
            if (stash.tensor == root)
                return stash.fifo.output();
        const auto direct = m_directStashes.find(root);
        return direct == m_directStashes.end() ? nullptr : direct->second;
    }

    /// Where the forward program finds a value it does not compute.
    [[nodiscard]] std::byte* forwardOperand(TensorId id) const {
        if (std::byte* stored = storedAddress(m_uses.storage(id)))
            return stored;
        return arrived(m_result.m_forwardArrivals, id);
    }

    /// Where the recompute and backward programs find one. Inputs of the model at stage 0 are in a stash: the
    /// host has written later ones since.
    [[nodiscard]] std::byte* backwardOperand(TensorId id) const {
        const TensorId root = m_uses.storage(id);
        if (std::byte* kept = stashed(id))
            return kept;
        if (m_result.m_recompute && m_keptRecompute.contains(root))
            return m_result.m_recompute->address(root);
        if (m_operations.isMerged)
            if (std::byte* value = forwardOperand(id))
                return value;
        if (!isHostFed(m_graph.tensor(root).role))
            if (std::byte* stored = storedAddress(root))
                return stored;
        return arrived(m_result.m_backwardArrivals, id);
    }

    /// Where the weight gradients find a value: as the backward program left it for them.
    [[nodiscard]] std::byte* weightGradientOperand(TensorId id) const {
        const TensorId root = m_uses.storage(id);
        for (const TrainingStage::StashFifo& stash : m_result.m_gradientStashes)
            if (stash.tensor == root)
                return stash.fifo.output();
        return isHostFed(m_graph.tensor(root).role) ? nullptr : storedAddress(root);
    }

    using Lookup = std::byte* (StageBinder::*)(TensorId) const;

    core::Result<std::optional<OperationSequence>> sequence(const std::vector<OperationId>& operations,
                                                            const TensorSet& computed, const TensorSet& kept,
                                                            Lookup lookup) const {
        if (operations.empty())
            return std::optional<OperationSequence>();
        SequenceRequest request{&m_graph,       operations,         {}, {kept.begin(), kept.end()}, true,
                                m_program.half, m_program.libraries};
        for (const OperationId id : operations) {
            const Operation& operation = m_graph.operation(id);
            for (const auto* tensors : {&operation.inputs, &operation.outputs})
                for (const TensorId tensor : *tensors) {
                    if (computed.contains(tensor) || request.outside.contains(tensor))
                        continue;
                    std::byte* address = (this->*lookup)(tensor);
                    if (address == nullptr)
                        return core::failure(broken(fmt::format("nothing brings \"{}\" to \"{}\" on stage {}",
                                                                m_graph.tensor(tensor).name, operation.name,
                                                                m_result.m_stage)));
                    request.outside[tensor] = address;
                }
        }
        auto made = OperationSequence::make(std::move(request));
        if (!made)
            return core::failure(made.error());
        return std::optional<OperationSequence>(std::move(*made));
    }

    core::Result<void> bindForward() {
        auto made =
            sequence(m_operations.forward, m_computedForward, m_keptForward, &StageBinder::forwardOperand);
        if (!made)
            return core::failure(made.error());
        m_result.m_forward = std::move(*made);
        return {};
    }

    core::Result<void> bindRecompute() {
        auto made = sequence(m_operations.recompute, m_computedRecompute, m_keptRecompute,
                             &StageBinder::backwardOperand);
        if (!made)
            return core::failure(made.error());
        m_result.m_recompute = std::move(*made);
        return {};
    }

    core::Result<void> bindBackward() {
        auto made = sequence(m_operations.backward, m_computedBackward, m_keptBackward,
                             &StageBinder::backwardOperand);
        if (!made)
            return core::failure(made.error());
        m_result.m_backward = std::move(*made);
        return {};
    }

    /// FIFOs of what the backward pass reads. A value without depth stays where the forward program left it,
    /// unless it came from elsewhere and is overwritten before the backward pass.
    void addStashes() {
        for (const Stash& stash : m_staged.stashes) {
            if (stash.stage.index() != m_result.m_stage || m_operations.isMerged)
                continue;
            const bool isOwn = m_computedForward.contains(stash.tensor);
            std::byte* source =
                isOwn ? m_result.m_forward->address(stash.tensor) : forwardOperand(stash.tensor);
            if (isOwn && depthOf(stash.depth) == 0)
                m_directStashes[stash.tensor] = source;
            else
                m_result.m_stashes.push_back(
                    {stash.tensor, source, MicroBatchFifo(bytesOf(stash.tensor), depthOf(stash.depth))});
        }
    }

    core::Result<void> bindWeightGradient() {
        auto made = sequence(m_operations.weightGradient, m_computedWeightGradient, m_keptWeightGradient,
                             &StageBinder::weightGradientOperand);
        if (!made)
            return core::failure(made.error());
        m_result.m_weightGradient = std::move(*made);
        return {};
    }

    /// FIFOs from the backward pass to the weight gradients; one without depth is a copy.
    core::Result<void> addGradientStashes() {
        for (const Stash& stash : m_staged.gradientStashes) {
            if (stash.stage.index() != m_result.m_stage)
                continue;
            const std::byte* source = m_computedBackward.contains(stash.tensor)
                                          ? m_result.m_backward->address(stash.tensor)
                                          : backwardOperand(stash.tensor);
            if (source == nullptr)
                return core::failure(
                    broken(fmt::format("nothing keeps \"{}\" for the weight gradients of stage {}",
                                       m_graph.tensor(stash.tensor).name, m_result.m_stage)));
            m_result.m_gradientStashes.push_back(
                {stash.tensor, source, MicroBatchFifo(bytesOf(stash.tensor), depthOf(stash.depth))});
        }
        return {};
    }

    core::Result<void> addSendings() {
        for (const StageTransfer& transfer : m_staged.transfers) {
            if (transfer.from.index() != m_result.m_stage || transfer.phase == Phase::WeightUpdate)
                continue;
            const std::byte* source = m_result.address(transfer.tensor);
            if (source == nullptr)
                source = transfer.phase == Phase::Forward
                             ? forwardOperand(transfer.tensor)
                             : arrived(m_result.m_backwardArrivals, transfer.tensor);
            if (source == nullptr)
                return core::failure(broken(fmt::format("stage {} has no \"{}\" to send", m_result.m_stage,
                                                        m_graph.tensor(transfer.tensor).name)));
            m_result.m_sendings.push_back({transfer.tensor, transfer.to.index(), transfer.phase, source});
        }
        return {};
    }

    const TrainingProgram& m_program;
    const KeptGraph& m_staged;
    const TrainingGraph& m_graph;
    const TensorUses& m_uses;
    const TensorStore& m_store;
    const TrainingProgram::StageOperations& m_operations;
    TensorSet m_computedForward;
    TensorSet m_computedRecompute;
    TensorSet m_computedBackward;
    TensorSet m_computedWeightGradient;
    TensorSet m_keptForward;
    TensorSet m_keptRecompute;
    TensorSet m_keptBackward;
    TensorSet m_keptWeightGradient;
    std::map<TensorId, std::byte*> m_directStashes;
    TrainingStage m_result;
};

core::Result<TrainingStage> TrainingStage::make(const TrainingProgram& program, const TensorUses& uses,
                                                const TensorStore& store, std::size_t stage) {
    return StageBinder(program, uses, store, stage).bind();
}

bool TrainingStage::fetch(Fifos& fifos, std::int64_t microBatch) {
    return std::ranges::all_of(fifos, [&](auto& entry) { return entry.second.fetch(microBatch); });
}

bool TrainingStage::fetch(std::list<StashFifo>& stashes, std::int64_t microBatch) {
    return std::ranges::all_of(stashes, [&](StashFifo& stash) { return stash.fifo.fetch(microBatch); });
}

core::Result<void> TrainingStage::run(Phase phase, std::int64_t microBatch, const StepState& state,
                                      ThreadPool& pool) {
    bool isThere = true;
    if (phase == Phase::Forward || m_isMerged)
        isThere = fetch(m_forwardArrivals, microBatch);
    if (phase == Phase::Backward || phase == Phase::Recompute)
        isThere = isThere && fetch(m_stashes, microBatch);
    if (phase == Phase::WeightGradient)
        isThere = fetch(m_gradientStashes, microBatch);
    if (phase == Phase::Backward)
        isThere = isThere && fetch(m_backwardArrivals, microBatch);
    if (!isThere)
        return core::failure(broken(
            fmt::format("micro-batch {} is not what the FIFOs of stage {} hold", microBatch, m_stage)));
    const std::optional<OperationSequence>& sequence = phase == Phase::Forward          ? m_forward
                                                       : phase == Phase::Backward       ? m_backward
                                                       : phase == Phase::WeightGradient ? m_weightGradient
                                                                                        : m_recompute;
    if (sequence)
        sequence->run(state, pool);
    return {};
}

void TrainingStage::stash(std::int64_t microBatch) {
    for (StashFifo& stash : m_stashes)
        stash.fifo.push(microBatch, stash.source);
}

void TrainingStage::holdForWeightGradients(std::int64_t microBatch) {
    for (StashFifo& stash : m_gradientStashes)
        stash.fifo.push(microBatch, stash.source);
}

void TrainingStage::send(Phase phase, std::int64_t microBatch, std::vector<TrainingStage>& stages) const {
    for (const Sending& sending : m_sendings) {
        if (sending.phase != phase)
            continue;
        TrainingStage& to = stages[sending.to];
        auto& arrivals = phase == Phase::Forward ? to.m_forwardArrivals : to.m_backwardArrivals;
        arrivals.at(sending.tensor).push(microBatch, sending.source);
    }
}

void TrainingStage::clear() {
    for (auto* arrivals : {&m_forwardArrivals, &m_backwardArrivals})
        for (auto& [tensor, fifo] : *arrivals)
            fifo.clear();
    for (auto* stashes : {&m_stashes, &m_gradientStashes})
        for (StashFifo& stash : *stashes)
            stash.fifo.clear();
}

std::byte* TrainingStage::address(TensorId id) const {
    // Forward before backward: a backward program that recomputes computes some tensors again.
    for (const auto* sequence : {&m_forward, &m_backward, &m_weightGradient})
        if (*sequence)
            if (std::byte* found = (*sequence)->address(id))
                return found;
    return nullptr;
}

std::size_t TrainingStage::threadScratch() const {
    std::size_t bytes = 0;
    for (const auto* sequence : {&m_forward, &m_recompute, &m_backward, &m_weightGradient})
        if (*sequence)
            bytes = std::max(bytes, (*sequence)->threadScratch());
    return bytes;
}

std::size_t TrainingStage::memoryBytes() const {
    std::size_t bytes = 0;
    for (const auto* sequence : {&m_forward, &m_recompute, &m_backward, &m_weightGradient})
        if (*sequence)
            bytes += (*sequence)->arenaBytes();
    for (const auto* arrivals : {&m_forwardArrivals, &m_backwardArrivals})
        for (const auto& [tensor, fifo] : *arrivals)
            bytes += fifo.bytes();
    for (const auto* stashes : {&m_stashes, &m_gradientStashes})
        for (const StashFifo& stash : *stashes)
            bytes += stash.fifo.bytes();
    return bytes;
}

} // namespace simulator
