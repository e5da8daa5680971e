#include "simulator/compiler/memory/resident_blocks.h"

#include <algorithm>

namespace simulator {

using core::MemoryCategory;

ResidentBlocks::ResidentBlocks(const LoweredPipeline& pipeline, const TensorUses& uses,
                               const CompileOptions& options)
    : m_pipeline(pipeline)
    // Overlapped host I/O fills one buffer while the other is read.
    , m_hostCopies((pipeline.overlapsHostIo ? 2 : 1) * pipeline.batchSerialization)
    , m_mergeBuffers(options.mergesInfeedCopies && std::ranges::count_if(pipeline.graph.tensors,
                                                                         [](const Tensor& tensor) {
                                                                             return isHostFed(tensor.role);
                                                                         }) > 1
                         ? pipeline.batchSerialization
                         : 0)
    , m_residents(static_cast<std::size_t>(pipeline.system.ipusPerReplica))
    , m_stageOfVariable(pipeline.graph.tensors.size()) {
    addVariables(uses);
    addSlots();
    addHostBuffers();
}

void ResidentBlocks::addVariables(const TensorUses& uses) {
    for (const Tensor& tensor : m_pipeline.graph.tensors)
        if (tensor.role == TensorRole::Parameter || tensor.role == TensorRole::State ||
            tensor.role == TensorRole::Constant)
            addVariable(tensor, uses);
}

/// Once on every IPU that uses it; constants are cloned rather than copied between IPUs.
void ResidentBlocks::addVariable(const Tensor& tensor, const TensorUses& uses) {
    const KeptGraph& staged = m_pipeline;
    std::vector<core::IpuId> homes;
    for (const core::OperationId reader : uses.readers(tensor.id)) {
        const core::StageId stage = staged.stageOf(reader);
        const core::IpuId ipu = staged.ipus[stage.index()];
        if (std::ranges::find(homes, ipu) != homes.end())
            continue;
        homes.push_back(ipu);
        if (!m_stageOfVariable[tensor.id.index()].isValid())
            m_stageOfVariable[tensor.id.index()] = stage;
        add(tensor.id, stage,
            tensor.role == TensorRole::Constant ? MemoryCategory::Constants : MemoryCategory::Weights,
            layoutTiles(reader));
    }
}

std::int64_t ResidentBlocks::layoutTiles(core::OperationId reader) const {
    const OperationAttributes& attributes = m_pipeline.graph.operation(reader).attributes;
    const bool hasLayout =
        std::holds_alternative<MatMul>(attributes) || std::holds_alternative<Convolution>(attributes);
    return hasLayout ? m_pipeline.plans[reader.index()].tilesUsed : 0;
}

void ResidentBlocks::addSlots() {
    if (!m_pipeline.graph.training)
        return;
    for (const ParameterSlots& slots : m_pipeline.graph.parameters) {
        const core::StageId stage = m_stageOfVariable[slots.parameter.index()];
        if (!stage.isValid())
            continue;
        if (slots.accumulator.isValid())
            add(slots.accumulator, stage, MemoryCategory::Accumulators, 0);
        for (const core::TensorId slot : slots.optimizerSlots)
            add(slot, stage, MemoryCategory::OptimizerState, 0);
    }
}

void ResidentBlocks::addHostBuffers() {
    const TrainingGraph& graph = m_pipeline.graph;
    const core::StageId first(0);
    const core::StageId last(m_pipeline.stageCount - 1);
    for (const Tensor& tensor : graph.tensors)
        if (isHostFed(tensor.role))
            add(tensor.id, first, MemoryCategory::HostIo, 0);
    // The host takes results from where they are, unless it does so while the next ones are made.
    for (const core::TensorId value : m_pipeline.outfeeds)
        if (m_pipeline.overlapsHostIo && !isHostFed(graph.tensor(value).role))
            add(value, last, MemoryCategory::HostIo, 0);
}

void ResidentBlocks::add(core::TensorId tensor, core::StageId stage, MemoryCategory category,
                         std::int64_t tiles) {
    if (m_pipeline.placements[tensor.index()] == Placement::OnChip)
        m_residents[m_pipeline.ipus[stage.index()].index()].push_back({tensor, stage, category, tiles});
}

void ResidentBlocks::addTo(IpuMemoryPlan& plan, TileAllocator& compute, TileAllocator& hostIo) const {
    for (const Resident& resident : m_residents[plan.ipu.index()]) {
        const Tensor& tensor = m_pipeline.graph.tensor(resident.tensor);
        const std::int64_t bytes = tensor.bytes();
        MemoryBlock block{resident.category, BlockKind::Tensor, resident.tensor, {}, resident.stage, {}, {}};
        if (resident.category == MemoryCategory::HostIo)
            block.mapping =
                repeated(hostIo.spread(bytes), m_hostCopies + (isHostFed(tensor.role) ? m_mergeBuffers : 0));
        else
            block.mapping =
                resident.tiles > 0 ? compute.spreadOver(bytes, resident.tiles) : compute.spread(bytes);
        plan.blocks.push_back(block);
    }
}

} // namespace simulator
