#pragma once

#include "simulator/graph/training_graph.h"

#include <cstdint>
#include <span>
#include <vector>

namespace simulator {

/// Computed anew for each micro-batch (or update) by one operation.
[[nodiscard]] bool isTransient(TensorRole role);
/// Streamed from the host for each micro-batch.
[[nodiscard]] bool isHostFed(TensorRole role);

/// Who writes and who reads each tensor of a graph, and which tensors are views of another.
class TensorUses {
public:
    explicit TensorUses(const TrainingGraph& graph);

    /// Invalid where no operation computes the tensor (weights, host-fed tensors, constants).
    [[nodiscard]] core::OperationId producer(core::TensorId tensor) const {
        return m_producers[tensor.index()];
    }
    /// In the order of the graph; an operation that reads a tensor twice is listed twice.
    [[nodiscard]] std::span<const core::OperationId> readers(core::TensorId tensor) const {
        return std::span(m_readers).subspan(m_firstReader[tensor.index()], m_firstReader[tensor.index() + 1] -
                                                                               m_firstReader[tensor.index()]);
    }
    /// The tensor whose memory this one is a view of: a reshaped tensor, a recomputation checkpoint and a
    /// gradient summed over the replicas are their operand. Itself where it is no view.
    [[nodiscard]] core::TensorId storage(core::TensorId tensor) const { return m_storage[tensor.index()]; }

private:
    std::vector<core::OperationId> m_producers;
    std::vector<std::uint32_t> m_firstReader;
    std::vector<core::OperationId> m_readers;
    std::vector<core::TensorId> m_storage;
};

} // namespace simulator
