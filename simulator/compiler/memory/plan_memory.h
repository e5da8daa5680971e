#pragma once

#include "simulator/compiler/memory/memory_steps.h"
#include "simulator/compiler/planning/compile_options.h"
#include "simulator/compiler/staging/tensor_uses.h"

namespace simulator {

/// Lays out the memory of every IPU of a replica and measures it. What does not fit becomes a finding that
/// says by how much, on which tile, and what holds it ("memory/out-of-memory", "memory/code-does-not-fit").
///
/// Always live: weights and constants (in the layout that the plan of their first reader wants), optimizer
/// slots and accumulators on the chip, host buffers, code of every kind, stack. Not always live: FIFOs,
/// activations, buffers for what comes from streaming memory, temporaries of plans.
[[nodiscard]] MemoryPlan planMemory(const LoweredPipeline& pipeline, const TensorUses& uses,
                                    const CompileOptions& options);

} // namespace simulator
