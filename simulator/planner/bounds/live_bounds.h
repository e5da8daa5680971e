#pragma once

#include "simulator/compiler/staging/tensor_uses.h"
#include "simulator/planner/partition_problem.h"

#include <cstdint>
#include <span>
#include <vector>

namespace simulator {

/// The least bytes that are live on an IPU while the operations of a layer run: their temporaries, operands
/// and results, and every value that is there before and that a later operation of the stage reads. Found by
/// reachability in the graph, so it holds for every order of the operations. By layer of the operation, then
/// by first layer of the stage (up to that of the operation); bytes of tensors without padding.
struct LiveBounds {
    /// While backward operations run, once the forward pass (or its recomputation) of the micro-batch is
    /// over.
    std::vector<std::vector<std::int64_t>> backward;
    /// While forward operations run in a stage that keeps what its backward pass reads.
    std::vector<std::vector<std::int64_t>> forward;
};

/// `position`: layer of every operation. `source.graph` is in an order in which each input is written before
/// it is read.
[[nodiscard]] LiveBounds liveBounds(const PartitionSource& source, const TensorUses& uses,
                                    std::span<const std::size_t> position);

} // namespace simulator
