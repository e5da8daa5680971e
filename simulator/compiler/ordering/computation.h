#pragma once

#include "simulator/compiler/staging/tensor_uses.h"
#include "simulator/graph/staged_graph.h"

#include <cstdint>
#include <span>
#include <vector>

namespace simulator {

/// Lists of small integers in one vector: list i is [first[i], first[i + 1]).
struct IndexLists {
    std::vector<std::uint32_t> first{0};
    std::vector<std::uint32_t> values;

    [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t list) const {
        return std::span(values).subspan(first[list], first[list + 1] - first[list]);
    }
    void close() { first.push_back(static_cast<std::uint32_t>(values.size())); }
    [[nodiscard]] std::size_t size() const { return first.size() - 1; }
};

/// The operations of one stage program as an ordering algorithm sees them: nodes in the order of the graph,
/// what each depends on, and the buffers that are live because of it. Weights, accumulators and constants are
/// always live, so they are no buffers here.
struct Computation {
    std::vector<core::OperationId> operations;
    /// Nodes that must run before a node: its operands' producers, and for an operation that rewrites a
    /// variable those that read it before.
    IndexLists operands;
    IndexLists users;
    /// Buffers a node reads, and buffers it writes for the first time.
    IndexLists reads;
    IndexLists defines;
    std::vector<std::int64_t> bufferBytes;
    /// Read outside of this computation: live to its end.
    std::vector<bool> leaves;

    [[nodiscard]] std::size_t size() const { return operations.size(); }
};

/// `operations` are those of one stage and phase, in the order of the graph.
[[nodiscard]] Computation makeComputation(const StagedGraph& staged, const TensorUses& uses,
                                          std::vector<core::OperationId> operations);

/// Positions in a computation, each once, operands before users.
using NodeOrder = std::vector<std::uint32_t>;

/// Largest sum of live buffers over the steps of an order, walking backwards from what leaves.
[[nodiscard]] std::int64_t peakLiveness(const Computation& computation, const NodeOrder& order);

} // namespace simulator
