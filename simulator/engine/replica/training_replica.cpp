#include "simulator/engine/replica/training_replica.h"

#include "simulator/compiler/compile_graph.h"

#include <algorithm>

namespace simulator {

using core::TensorId;

core::Result<TrainingReplica> TrainingReplica::make(std::shared_ptr<const TrainingProgram> program) {
    TrainingReplica replica;
    replica.m_program = std::move(program);
    replica.m_store = std::make_unique<TensorStore>(replica.graph());
    const TensorUses uses(replica.graph());
    for (std::size_t stage = 0; stage < replica.m_program->stages.size(); ++stage) {
        auto made = TrainingStage::make(*replica.m_program, uses, *replica.m_store, stage);
        if (!made)
            return core::failure(made.error());
        replica.m_stages.push_back(std::move(*made));
    }
    if (auto result = replica.bindUpdate(); !result)
        return core::failure(result.error());
    for (const ParameterSlots& slots : replica.graph().parameters)
        if (!slots.gradients.empty())
            replica.m_gradients.push_back(slots.accumulator.isValid() ? slots.accumulator
                                                                      : slots.gradients.front());
    replica.watchGradients();
    return replica;
}

void TrainingReplica::watchGradients() {
    m_watched = m_gradients;
    for (const core::OperationId id : m_program->deferred) {
        const Operation& product = graph().operation(id);
        std::erase(m_watched, product.outputs.front());
        for (const TensorId input : product.inputs)
            if (isTransient(graph().tensor(input).role))
                m_watched.push_back(input);
    }
}

core::Result<void> TrainingReplica::bindUpdate() {
    if (m_program->weightUpdate.empty())
        return {};
    SequenceRequest request{&graph(), m_program->weightUpdate, m_store->addresses(), {},
                            true,     m_program->half};
    for (const core::OperationId id : m_program->weightUpdate)
        for (const TensorId input : graph().operation(id).inputs)
            if (std::byte* found = address(input))
                request.outside[input] = found;
    auto made = OperationSequence::make(std::move(request));
    if (!made)
        return core::failure(made.error());
    m_update = std::make_unique<OperationSequence>(std::move(*made));
    return {};
}

core::Result<void> TrainingReplica::runMicroBatches(const Listener& listener, ThreadPool& pool) {
    if (m_program->libraries)
        m_program->libraries->obey(listener.stop);
    for (TrainingStage& stage : m_stages)
        stage.clear();
    for (const Slot& slot : m_program->schedule().timeSlots)
        if (auto result = runSlot(slot, listener, pool); !result)
            return result;
    return {};
}

core::Result<void> TrainingReplica::runSlot(const Slot& slot, const Listener& listener, ThreadPool& pool) {
    const std::span<const WorkItem> items = m_program->schedule().work(slot);
    // On each IPU in the order of the table; what other stages need leaves at the end of the slot.
    for (const WorkItem& item : items)
        if (auto result = runItem(item, listener, pool); !result)
            return result;
    // A value that is only passed on leaves before the next one arrives.
    std::vector<const WorkItem*> senders;
    for (const WorkItem& item : items)
        if (item.phase == Phase::Forward || item.phase == Phase::Backward)
            senders.push_back(&item);
    std::ranges::stable_sort(senders, {}, [](const WorkItem* item) {
        const auto stage = static_cast<std::int64_t>(item->stage.index());
        return item->phase == Phase::Forward ? -stage : stage;
    });
    if (m_program->batchSerialization == 1)
        for (const WorkItem* item : senders)
            m_stages[item->stage.index()].send(
                item->phase == Phase::Forward ? Phase::Forward : Phase::Backward, item->microBatch, m_stages);
    return {};
}

bool TrainingReplica::isResultOf(const WorkItem& item) const {
    const bool isLast = item.stage.index() + 1 == m_stages.size();
    return isLast && item.phase == (m_program->stages.back().isMerged ? Phase::Backward : Phase::Forward);
}

core::Result<void> TrainingReplica::runItem(const WorkItem& item, const Listener& listener,
                                            ThreadPool& pool) {
    TrainingStage& stage = m_stages[item.stage.index()];
    const bool isMerged = m_program->stages[item.stage.index()].isMerged;
    const bool isFirstWork =
        item.stage.index() == 0 && item.phase == (isMerged ? Phase::Backward : Phase::Forward);
    if (isMerged && item.phase == Phase::Forward)
        return {};
    const std::int64_t first = firstMicroBatch(item);
    for (std::int64_t microBatch = first; microBatch < first + m_program->batchSerialization; ++microBatch) {
        if (isFirstWork)
            if (auto result = listener.infeed(microBatch); !result)
                return result;
        if (auto result = stage.run(item.phase, microBatch, listener.state(microBatch), pool); !result)
            return result;
        if (auto result = userOperationsState(); !result)
            return result;
        if (item.phase == Phase::Forward && listener.computed)
            listener.computed(item.stage.index(), microBatch);
        if (item.phase == Phase::Forward)
            stage.stash(microBatch);
        if (item.phase == Phase::Backward)
            stage.holdForWeightGradients(microBatch);
        // A loop over a serialised batch fills its buffers as it goes.
        if (m_program->batchSerialization > 1 && item.phase != Phase::Recompute)
            stage.send(item.phase == Phase::Forward ? Phase::Forward : Phase::Backward, microBatch, m_stages);
        if (isResultOf(item))
            listener.outfeed(microBatch);
    }
    return {};
}

core::Result<void> TrainingReplica::userOperationsState() const {
    if (!m_program->libraries)
        return {};
    if (m_program->libraries->isStopped())
        return core::failure(interrupted());
    return m_program->libraries->state();
}

void TrainingReplica::runUpdate(const StepState& state, ThreadPool& pool) const {
    if (m_update)
        m_update->run(state, pool);
}

std::byte* TrainingReplica::address(TensorId id) const {
    if (isStored(graph().tensor(id).role))
        return m_store->address(id);
    for (const TrainingStage& stage : m_stages)
        if (std::byte* found = stage.address(id))
            return found;
    return nullptr;
}

float TrainingReplica::scalar(TensorId id) const {
    const std::vector<float> read = values(id);
    return read.empty() ? 0 : read.front();
}

std::vector<float> TrainingReplica::values(TensorId id) const {
    const std::byte* data = id.isValid() ? m_stages.back().address(id) : nullptr;
    return data == nullptr ? std::vector<float>() : readElements(graph().tensor(id), data);
}

std::size_t TrainingReplica::threadScratch() const {
    std::size_t bytes = m_update ? m_update->threadScratch() : 0;
    for (const TrainingStage& stage : m_stages)
        bytes = std::max(bytes, stage.threadScratch());
    return bytes;
}

std::size_t TrainingReplica::memoryBytes() const {
    std::size_t bytes = m_store->bytes() + (m_update ? m_update->arenaBytes() : 0);
    for (const TrainingStage& stage : m_stages)
        bytes += stage.memoryBytes();
    return bytes;
}

void allReduce(std::span<TrainingReplica> replicas) {
    if (replicas.size() < 2)
        return;
    const TrainingGraph& graph = replicas.front().graph();
    for (const TensorId id : replicas.front().gradients()) {
        const Tensor& tensor = graph.tensor(id);
        std::vector<float> sum = readElements(tensor, replicas.front().address(id));
        for (const TrainingReplica& replica : replicas.subspan(1)) {
            const std::vector<float> part = readElements(tensor, replica.address(id));
            std::ranges::transform(sum, part, sum.begin(), std::plus<>());
        }
        for (const TrainingReplica& replica : replicas)
            writeElements(tensor, replica.address(id), sum);
    }
}

} // namespace simulator
