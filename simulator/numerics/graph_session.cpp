#include "simulator/numerics/graph_session.h"

#include "simulator/numerics/kernel_choice.h"
#include "simulator/numerics/kernels/kernel_table.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace simulator {
namespace {

using core::TensorId;

/// What the host or the weight update reads after a micro-batch.
std::vector<TensorId> keptTensors(const TrainingGraph& graph) {
    std::set<TensorId> computed;
    for (const Operation& operation : graph.operations) {
        if (operation.phase != Phase::WeightUpdate)
            computed.insert(operation.outputs.begin(), operation.outputs.end());
    }
    std::set<TensorId> kept;
    const auto keep = [&](TensorId id) {
        if (id.isValid() && computed.contains(id) && !isStored(graph.tensor(id).role))
            kept.insert(id);
    };
    keep(graph.loss);
    for (const TrainingGraph::NamedTensor& metric : graph.metrics)
        keep(metric.tensor);
    if (!graph.training)
        std::ranges::for_each(graph.predictions, keep);
    for (const Operation& operation : graph.operations) {
        if (operation.phase == Phase::WeightUpdate)
            std::ranges::for_each(operation.inputs, keep);
    }
    return {kept.begin(), kept.end()};
}

std::vector<core::OperationId> operationsOf(const TrainingGraph& graph, bool isUpdate) {
    std::vector<core::OperationId> ids;
    for (const Operation& operation : graph.operations) {
        if ((operation.phase == Phase::WeightUpdate) == isUpdate)
            ids.push_back(operation.id);
    }
    return ids;
}

} // namespace

core::Result<GraphSession> GraphSession::make(std::shared_ptr<const TrainingGraph> graph,
                                              const GraphSessionOptions& options) {
    GraphSession session;
    session.m_graph = std::move(graph);
    session.m_store = std::make_unique<TensorStore>(*session.m_graph);
    SequenceRequest microBatch{session.m_graph.get(),
                               operationsOf(*session.m_graph, false),
                               session.m_store->addresses(),
                               keptTensors(*session.m_graph),
                               options.fuses,
                               options.half};
    auto first = OperationSequence::make(std::move(microBatch));
    if (!first)
        return core::failure(first.error());
    session.m_microBatch = std::make_unique<OperationSequence>(std::move(*first));
    SequenceRequest update{session.m_graph.get(),
                           operationsOf(*session.m_graph, true),
                           session.m_store->addresses(),
                           {},
                           options.fuses,
                           options.half};
    for (const TensorId id : keptTensors(*session.m_graph))
        update.outside[id] = session.m_microBatch->address(id);
    auto second = OperationSequence::make(std::move(update));
    if (!second)
        return core::failure(second.error());
    session.m_update = std::make_unique<OperationSequence>(std::move(*second));
    return session;
}

void GraphSession::runUpdate(const StepState& state, ThreadPool& pool) const {
    m_update->run(state, pool);
}

float GraphSession::scalar(TensorId id) const {
    float value = 0;
    // Null where the types are the same.
    const auto convert = kernels().movement.convert(m_graph->tensor(id).type, core::DataType::Float32);
    if (convert == nullptr)
        std::memcpy(&value, address(id), sizeof(value));
    else
        convert(address(id), &value, 0, 1);
    return value;
}

std::size_t GraphSession::threadScratch() const {
    return std::max(m_microBatch->threadScratch(), m_update->threadScratch());
}

std::size_t GraphSession::memoryBytes() const {
    return m_store->bytes() + m_microBatch->arenaBytes() + m_update->arenaBytes();
}

} // namespace simulator
