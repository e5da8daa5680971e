#include "tests/tools/oracle/graph_run.h"

namespace oracles {

using core::TensorId;

TensorId GraphRun::feed(std::string_view name, const Values& values, simulator::TensorRole role) {
    const TensorId id = m_build.tensor(name, values.form, role);
    m_fed[id] = values.data;
    return id;
}

core::Result<void> GraphRun::run(const std::vector<TensorId>& results, const simulator::StepState& state) {
    m_store = std::make_unique<simulator::TensorStore>(*m_graph);
    for (const auto& [id, values] : m_fed)
        m_store->write(id, values);
    simulator::SequenceRequest request{m_graph.get(), {}, m_store->addresses(), {}, true, {}, m_libraries};
    for (const simulator::Operation& operation : m_graph->operations)
        request.operations.push_back(operation.id);
    for (const TensorId id : results) {
        if (!simulator::isStored(m_graph->tensor(id).role))
            request.kept.push_back(id);
    }
    auto sequence = simulator::OperationSequence::make(std::move(request));
    if (!sequence)
        return core::failure(sequence.error());
    m_sequence = std::make_unique<simulator::OperationSequence>(std::move(*sequence));
    m_pool.reserveScratch(m_sequence->threadScratch());
    rerun(state);
    return {};
}

void GraphRun::rerun(const simulator::StepState& state) {
    m_sequence->run(state, m_pool);
}

std::vector<float> GraphRun::read(TensorId id) const {
    return simulator::readElements(m_graph->tensor(id), m_sequence->address(id));
}

} // namespace oracles
