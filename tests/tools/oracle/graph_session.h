#pragma once

#include "core/base/result.h"
#include "simulator/graph/training_graph.h"
#include "simulator/numerics/sequence/operation_sequence.h"
#include "simulator/numerics/sequence/tensor_store.h"

#include <memory>

namespace simulator {

struct GraphSessionOptions {
    /// Products are computed together with their bias, activation or accumulation. Off to look at every
    /// tensor.
    bool fuses = true;
    HalfRounding half = {};
};

/// One replica of an unpipelined training graph with all its memory: forward and backward pass of a
/// micro-batch at a time, then the weight update.
class GraphSession {
public:
    /// Keeps the graph. Weights are zero until written; slots, states and constants have their initial
    /// values.
    [[nodiscard]] static core::Result<GraphSession> make(std::shared_ptr<const TrainingGraph> graph,
                                                         const GraphSessionOptions& options = {});

    [[nodiscard]] const TrainingGraph& graph() const { return *m_graph; }
    [[nodiscard]] TensorStore& store() { return *m_store; }
    [[nodiscard]] const TensorStore& store() const { return *m_store; }

    /// Forward and, for training, backward pass and accumulation, of what inputs and targets hold.
    void runMicroBatch(const StepState& state, ThreadPool& pool) const { m_microBatch->run(state, pool); }
    void runUpdate(const StepState& state, ThreadPool& pool) const;

    /// Where the loss, a metric, a prediction or a gradient is after a micro-batch; null for a gradient that
    /// is computed together with its update.
    [[nodiscard]] std::byte* address(core::TensorId id) const { return m_microBatch->address(id); }
    [[nodiscard]] float scalar(core::TensorId id) const;

    /// Forward and backward operations by themselves.
    [[nodiscard]] const OperationSequence& microBatch() const { return *m_microBatch; }
    [[nodiscard]] std::size_t threadScratch() const;
    /// Weights, slots, inputs and the arenas.
    [[nodiscard]] std::size_t memoryBytes() const;

private:
    GraphSession() = default;

    std::shared_ptr<const TrainingGraph> m_graph;
    std::unique_ptr<TensorStore> m_store;
    std::unique_ptr<OperationSequence> m_microBatch;
    std::unique_ptr<OperationSequence> m_update;
};

} // namespace simulator
