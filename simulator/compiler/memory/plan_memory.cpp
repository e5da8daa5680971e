#include "simulator/compiler/memory/plan_memory.h"

#include "simulator/compiler/memory/code_blocks.h"
#include "simulator/compiler/memory/lifetimes.h"
#include "simulator/compiler/memory/memory_findings.h"
#include "simulator/compiler/memory/resident_blocks.h"
#include "simulator/compiler/planning/plan_operations.h"

#include <algorithm>
#include <map>

namespace simulator {

namespace {

using core::MemoryCategory;

void addLifetimes(IpuMemoryPlan& plan, const LoweredPipeline& pipeline, const TensorUses& uses,
                  const IpuProgramOrder& order, TileAllocator& compute) {
    const std::int64_t serializedEntries =
        pipeline.offloadsSerializedBuffers ? 1 : pipeline.batchSerialization;
    for (const Lifetime& lifetime : lifetimes(pipeline, uses, order, serializedEntries)) {
        const std::int64_t bytes = pipeline.graph.tensor(lifetime.tensor).bytes();
        plan.blocks.push_back({lifetime.category,
                               lifetime.kind,
                               lifetime.tensor,
                               {},
                               lifetime.stage,
                               repeated(compute.spread(bytes), lifetime.copies),
                               lifetime.interval,
                               lifetime.copies});
    }
}

void addTemporaries(IpuMemoryPlan& plan, const LoweredPipeline& pipeline, const TileAllocator& compute) {
    for (std::uint32_t step = 0; step < plan.steps.size(); ++step) {
        const MemoryStep& at = plan.steps[step];
        const OperationPlan& operation = pipeline.plans[at.operation.index()];
        if (operation.temporaryPerTile.value() > 0)
            plan.blocks.push_back({MemoryCategory::Temporary,
                                   BlockKind::Temporary,
                                   {},
                                   at.operation,
                                   at.stage,
                                   compute.onEach(operation.temporaryPerTile.value(), operation.tilesUsed),
                                   {step, step}});
    }
}

/// An offloaded variable needs space from its first to its last reader in each program.
void addFetchBuffers(IpuMemoryPlan& plan, const LoweredPipeline& pipeline, const IpuProgramOrder& order,
                     TileAllocator& compute) {
    const KeptGraph& staged = pipeline;
    for (const ProgramSegment& segment : order.segments) {
        std::map<core::TensorId, LiveInterval> fetched;
        for (std::uint32_t step = segment.firstStep; step < segment.endStep(); ++step)
            for (const core::TensorId input :
                 staged.graph.operation(segment.operations[step - segment.firstStep]).inputs)
                if (isFetched(staged.placements[input.index()]))
                    fetched.try_emplace(input, LiveInterval{step, step}).first->second.last = step;
        for (const auto& [tensor, interval] : fetched)
            plan.blocks.push_back({MemoryCategory::Temporary,
                                   BlockKind::Fetched,
                                   tensor,
                                   {},
                                   segment.stage,
                                   compute.spread(staged.graph.tensor(tensor).bytes()),
                                   interval});
    }
}

IpuMemoryPlan planIpu(const LoweredPipeline& pipeline, const TensorUses& uses, const IpuProgramOrder& order,
                      const ResidentBlocks& residents, const CompileOptions& options) {
    const IpuTarget& target = pipeline.system.target;
    IpuMemoryPlan plan;
    plan.ipu = order.ipu;
    plan.tiles = target.tiles;
    plan.steps = order.steps;
    plan.slotEnd = order.slotEnd;
    const std::int64_t computing = computeTiles(target, options.ioTiles);
    const bool hasIoTiles = computing < target.tiles;
    TileAllocator compute(0, computing);
    TileAllocator hostIo(hasIoTiles ? computing : 0, hasIoTiles ? target.tiles - computing : computing);
    residents.addTo(plan, compute, hostIo);
    addCodeBlocks(plan, pipeline, order, options, compute);
    addLifetimes(plan, pipeline, uses, order, compute);
    addFetchBuffers(plan, pipeline, order, compute);
    addTemporaries(plan, pipeline, compute);
    plan.blocks.shrink_to_fit(); // of large models they are millions
    measure(plan, target.memoryPerTileBytes);
    return plan;
}

} // namespace

MemoryPlan planMemory(const LoweredPipeline& pipeline, const TensorUses& uses,
                      const CompileOptions& options) {
    const ResidentBlocks residents(pipeline, uses, options);
    MemoryPlan memory;
    for (const IpuProgramOrder& order : ipuProgramOrders(pipeline))
        memory.ipus.push_back(planIpu(pipeline, uses, order, residents, options));
    memory.findings = memoryFindings(memory.ipus, pipeline.graph, pipeline.system.target);
    return memory;
}

} // namespace simulator
