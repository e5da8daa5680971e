#pragma once

#include "core/base/result.h"
#include "simulator/graph/graph_builder.h"
#include "simulator/numerics/sequence/operation_sequence.h"
#include "simulator/numerics/sequence/tensor_store.h"
#include "tests/tools/oracle/oracle_case.h"

#include <map>
#include <memory>
#include <vector>

namespace oracles {

/// A graph built by hand and run once: fed tensors, results read back.
class GraphRun {
public:
    GraphRun()
        : m_graph(std::make_unique<simulator::TrainingGraph>())
        , m_build(*m_graph) {}

    [[nodiscard]] simulator::GraphBuilder& build() { return m_build; }
    /// A tensor that holds these values.
    core::TensorId feed(std::string_view name, const Values& values,
                        simulator::TensorRole role = simulator::TensorRole::Input);
    /// Values of a tensor that was added by other means.
    void feed(core::TensorId id, std::vector<float> values) { m_fed[id] = std::move(values); }
    /// Where its user operations are called.
    void callIn(std::shared_ptr<simulator::UserLibraryHost> libraries) { m_libraries = std::move(libraries); }
    /// Runs every operation; afterwards `read` answers these tensors.
    [[nodiscard]] core::Result<void> run(const std::vector<core::TensorId>& results,
                                         const simulator::StepState& state = {});
    [[nodiscard]] std::vector<float> read(core::TensorId id) const;
    /// Other values for a fed tensor, and everything computed again.
    void write(core::TensorId id, const std::vector<float>& values) { m_store->write(id, values); }
    void rerun(const simulator::StepState& state = {});

private:
    std::unique_ptr<simulator::TrainingGraph> m_graph;
    simulator::GraphBuilder m_build;
    std::map<core::TensorId, std::vector<float>> m_fed;
    std::shared_ptr<simulator::UserLibraryHost> m_libraries;
    std::unique_ptr<simulator::TensorStore> m_store;
    std::unique_ptr<simulator::OperationSequence> m_sequence;
    simulator::ThreadPool m_pool{1};
};

} // namespace oracles
