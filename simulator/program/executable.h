#pragma once

#include "core/profile/records/program_records.h"
#include "core/project/validated_project.h"
#include "simulator/memory/memory_plan.h"
#include "simulator/program/lowered_pipeline.h"

namespace simulator {

/// A compiled model, whatever project it came from: all that the engine, the numerics and the estimate need,
/// laid out in memory. Immutable in use.
struct CompiledPipeline : LoweredPipeline {
    MemoryPlan memory;

    [[nodiscard]] std::size_t ipuCount() const { return memory.ipus.size(); }
};

/// A compiled project; made by `compile()`.
struct Executable : CompiledPipeline {
    core::ValidatedProject project;
};

} // namespace simulator
