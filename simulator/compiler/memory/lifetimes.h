#pragma once

#include "simulator/compiler/memory/memory_steps.h"
#include "simulator/compiler/staging/tensor_uses.h"
#include "simulator/memory/memory_plan.h"

#include <vector>

namespace simulator {

/// Something of a tensor's size that is alive for part of a program.
struct Lifetime {
    core::TensorId tensor;
    core::StageId stage;
    BlockKind kind = BlockKind::Tensor;
    core::MemoryCategory category = core::MemoryCategory::Activations;
    LiveInterval interval;
    /// Entries of a FIFO; 1 otherwise.
    std::int64_t copies = 1;
};

/// What lives on an IPU besides variables, code and temporaries, from its program order:
/// - a value from the operation that makes it to its last reader; to the end of the slot where it leaves for
///   another stage; around the end of the slot where its backward pass follows in the next;
/// - an arriving copy from the end of the slot before to its last reader;
/// - a FIFO for the whole slot (not during the update), and what it pops;
/// - a recomputed value from its recomputation to its last backward reader;
/// - stage inputs twice where forward and recomputation share their code.
///
/// Batch serialisation: what one program leaves for another is kept once per micro-batch of the loop
/// (`serializedEntries`; 1 where those buffers are in streaming memory).
///
/// An element-wise operation writes over an operand that it is the last to read: fused chains hold one
/// buffer, an input's where they begin with one that nothing else reads.
[[nodiscard]] std::vector<Lifetime> lifetimes(const KeptGraph& staged, const TensorUses& uses,
                                              const IpuProgramOrder& order,
                                              std::int64_t serializedEntries = 1);

/// Element by element: the result may take the place of an operand of its size.
[[nodiscard]] bool isElementwise(const OperationAttributes& attributes);

} // namespace simulator
