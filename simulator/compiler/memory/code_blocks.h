#pragma once

#include "simulator/compiler/memory/memory_steps.h"
#include "simulator/compiler/planning/compile_options.h"

namespace simulator {

/// Adds the code of an IPU's programs: codelets once per tile whatever uses them; vertex state, exchange code
/// and control code of every operation on the tiles it uses (a recomputation program shares the code of the
/// forward program; one inside the backward program has its own); exchange code of the copies between IPUs
/// and of the accesses to remote buffers; stack, control code and host exchange code that every program has.
void addCodeBlocks(IpuMemoryPlan& plan, const LoweredPipeline& pipeline, const IpuProgramOrder& order,
                   const CompileOptions& options, TileAllocator& compute);

} // namespace simulator
