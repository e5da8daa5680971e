#pragma once

#include "simulator/compiler/planning/compile_options.h"
#include "simulator/compiler/staging/tensor_uses.h"
#include "simulator/memory/memory_plan.h"
#include "simulator/program/lowered_pipeline.h"

namespace simulator {

/// What is always live on every IPU: variables, constants and host buffers.
class ResidentBlocks {
public:
    ResidentBlocks(const LoweredPipeline& pipeline, const TensorUses& uses, const CompileOptions& options);

    /// `compute` gives out the tiles that compute, `hostIo` those that hold host buffers.
    void addTo(IpuMemoryPlan& plan, TileAllocator& compute, TileAllocator& hostIo) const;

private:
    struct Resident {
        core::TensorId tensor;
        core::StageId stage;
        core::MemoryCategory category = core::MemoryCategory::Weights;
        /// Tiles of the plan of its first matrix reader; 0: spread over all.
        std::int64_t tiles = 0;
    };

    void addVariables(const TensorUses& uses);
    void addVariable(const Tensor& tensor, const TensorUses& uses);
    void addSlots();
    void addHostBuffers();
    void add(core::TensorId tensor, core::StageId stage, core::MemoryCategory category, std::int64_t tiles);
    [[nodiscard]] std::int64_t layoutTiles(core::OperationId reader) const;

    const LoweredPipeline& m_pipeline;
    std::int64_t m_hostCopies;
    /// Further copies of what comes from the host: the one buffer that a merged copy arrives in.
    std::int64_t m_mergeBuffers;
    /// By IPU.
    std::vector<std::vector<Resident>> m_residents;
    std::vector<core::StageId> m_stageOfVariable;
};

} // namespace simulator
