#pragma once

#include "simulator/graph/training_graph.h"
#include "simulator/numerics/aligned_memory.h"
#include "simulator/numerics/sequence/operation_sequence.h"

#include <span>
#include <vector>

namespace simulator {

/// Memory of the tensors that outlive a micro-batch: weights, states, accumulators, optimizer slots and
/// constants, and of those the host writes: inputs and targets. One per replica.
class TensorStore {
public:
    explicit TensorStore(const TrainingGraph& graph);

    [[nodiscard]] const TensorAddresses& addresses() const { return m_addresses; }
    [[nodiscard]] std::byte* address(core::TensorId id) const { return m_addresses.at(id); }
    /// Bytes of weights, states and optimizer slots.
    [[nodiscard]] std::size_t bytes() const { return m_memory.size(); }

    /// Sets every tensor with an initial value back to it.
    void reset();
    /// Values of a tensor of any element type, row-major.
    void write(core::TensorId id, std::span<const float> values);
    [[nodiscard]] std::vector<float> read(core::TensorId id) const;

private:
    const TrainingGraph* m_graph;
    AlignedMemory m_memory;
    TensorAddresses m_addresses;
};

/// Elements of `tensor` at `data` as floats.
[[nodiscard]] std::vector<float> readElements(const Tensor& tensor, const std::byte* data);
/// Floats into the element type of `tensor`; a single value fills it.
void writeElements(const Tensor& tensor, std::byte* data, std::span<const float> values);
/// True for tensors that outlive a micro-batch or that the host writes.
[[nodiscard]] bool isStored(TensorRole role);

} // namespace simulator
