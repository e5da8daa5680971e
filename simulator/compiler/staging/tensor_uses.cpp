#include "simulator/compiler/staging/tensor_uses.h"

#include <numeric>

namespace simulator {

bool isTransient(TensorRole role) {
    return role == TensorRole::Activation || role == TensorRole::Gradient || role == TensorRole::Metric;
}

bool isHostFed(TensorRole role) {
    return role == TensorRole::Input || role == TensorRole::Target;
}

namespace {

/// A sum over the replicas is made in place.
bool isView(const Operation& operation) {
    return std::holds_alternative<Reshape>(operation.attributes) ||
           std::holds_alternative<RecomputationCheckpoint>(operation.attributes) ||
           (operation.phase == Phase::WeightUpdate &&
            std::holds_alternative<Collective>(operation.attributes));
}

} // namespace

TensorUses::TensorUses(const TrainingGraph& graph)
    : m_producers(graph.tensors.size())
    , m_firstReader(graph.tensors.size() + 1, 0)
    , m_storage(graph.tensors.size()) {
    for (std::size_t index = 0; index < m_storage.size(); ++index)
        m_storage[index] = core::TensorId(index);
    for (const Operation& operation : graph.operations) {
        for (const core::TensorId input : operation.inputs)
            ++m_firstReader[input.index() + 1];
        for (const core::TensorId output : operation.outputs)
            if (isTransient(graph.tensor(output).role))
                m_producers[output.index()] = operation.id;
        if (isView(operation))
            m_storage[operation.outputs.front().index()] = storage(operation.inputs.front());
    }
    std::partial_sum(m_firstReader.begin(), m_firstReader.end(), m_firstReader.begin());
    m_readers.resize(m_firstReader.back());
    std::vector<std::uint32_t> next(m_firstReader.begin(), m_firstReader.end() - 1);
    for (const Operation& operation : graph.operations)
        for (const core::TensorId input : operation.inputs)
            m_readers[next[input.index()]++] = operation.id;
}

} // namespace simulator
