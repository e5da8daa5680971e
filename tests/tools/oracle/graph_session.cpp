#include "tests/tools/oracle/graph_session.h"

#include "simulator/numerics/kernel_choice.h"
#include "simulator/numerics/kernels/kernel_table.h"

#include <algorithm>
#include <cstring>
#include <set>

namespace simulator {
namespace {

using core::TensorId;

/// What the host or the weight update reads after a micro-batch.
std::vector<TensorId> keptTensors(const TrainingGraph& graph,
                                  const std::vector<core::OperationId>& microBatch,
                                  const std::vector<core::OperationId>& update) {
    std::set<TensorId> computed;
    for (const core::OperationId id : microBatch) {
        const Operation& operation = graph.operation(id);
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
    for (const core::OperationId id : update)
        std::ranges::for_each(graph.operation(id).inputs, keep);
    return {kept.begin(), kept.end()};
}

} // namespace

core::Result<GraphSession> GraphSession::make(std::shared_ptr<const TrainingGraph> graph,
                                              const GraphSessionOptions& options) {
    GraphSession session;
    session.m_graph = std::move(graph);
    session.m_store = std::make_unique<TensorStore>(*session.m_graph);
    const std::vector<core::OperationId> deferred =
        options.fuses ? deferrableGradients(*session.m_graph) : std::vector<core::OperationId>();
    std::vector<core::OperationId> first;
    std::vector<core::OperationId> second;
    for (const Operation& operation : session.m_graph->operations) {
        const bool isLater =
            operation.phase == Phase::WeightUpdate || std::ranges::binary_search(deferred, operation.id);
        (isLater ? second : first).push_back(operation.id);
    }
    const std::vector<TensorId> kept = keptTensors(*session.m_graph, first, second);
    SequenceRequest microBatch{session.m_graph.get(), first,       session.m_store->addresses(), kept,
                               options.fuses,         options.half};
    auto passes = OperationSequence::make(std::move(microBatch));
    if (!passes)
        return core::failure(passes.error());
    session.m_microBatch = std::make_unique<OperationSequence>(std::move(*passes));
    SequenceRequest update{session.m_graph.get(), second,      session.m_store->addresses(), {},
                           options.fuses,         options.half};
    for (const TensorId id : kept)
        update.outside[id] = session.m_microBatch->address(id);
    auto last = OperationSequence::make(std::move(update));
    if (!last)
        return core::failure(last.error());
    session.m_update = std::make_unique<OperationSequence>(std::move(*last));
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
