#pragma once

#include "core/base/result.h"
#include "simulator/numerics/aligned_memory.h"
#include "simulator/numerics/bindings/bound_operation.h"
#include "simulator/numerics/sequence/fuse_operations.h"
#include "simulator/numerics/thread_pool.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace simulator {

/// Tensors of a sequence that its owner keeps elsewhere: their addresses.
using TensorAddresses = std::map<core::TensorId, std::byte*>;

/// What a sequence is made from.
struct SequenceRequest {
    const TrainingGraph* graph = nullptr;
    std::vector<core::OperationId> operations;
    /// Addresses of tensors that live outside the sequence's own memory: weights, inputs, what other
    /// sequences left.
    TensorAddresses outside;
    /// Tensors the sequence computes that must stay readable after it has run.
    std::vector<core::TensorId> kept;
    /// Products are computed together with their bias, activation or accumulation.
    bool fuses = true;
    HalfRounding half = {};
    /// Where user operations are called; null: in processes of this sequence's own.
    std::shared_ptr<UserLibraryHost> libraries = {};
};

/// A list of operations tied to memory of their own: intermediate tensors share an arena by their lifetimes,
/// views share their storage, element-wise operations write over inputs that nobody needs again. Runs without
/// allocating.
class OperationSequence {
public:
    /// Refuses operations without a kernel.
    [[nodiscard]] static core::Result<OperationSequence> make(SequenceRequest request);

    /// Runs all operations in order, each on all threads of the pool.
    void run(const StepState& state, ThreadPool& pool) const;
    /// Runs one bound operation (a fused group).
    void runOne(std::size_t index, const StepState& state, ThreadPool& pool) const;
    [[nodiscard]] std::size_t size() const { return m_bound.size(); }
    [[nodiscard]] const FusedOperation& group(std::size_t index) const { return m_groups[index]; }

    /// Where a kept tensor, or one from outside, is.
    [[nodiscard]] std::byte* address(core::TensorId id) const;
    /// Memory of the intermediate tensors and the operations' scratch.
    [[nodiscard]] std::size_t arenaBytes() const { return m_arena.size(); }
    [[nodiscard]] std::size_t threadScratch() const { return m_threadScratch; }

private:
    OperationSequence() = default;

    AlignedMemory m_arena;
    std::vector<FusedOperation> m_groups;
    std::vector<BoundOperation> m_bound;
    TensorAddresses m_addresses;
    std::size_t m_threadScratch = 0;
};

} // namespace simulator
