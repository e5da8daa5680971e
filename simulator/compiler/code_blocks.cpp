#include "simulator/compiler/code_blocks.h"

#include "simulator/cost/codelet.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace simulator {

namespace {

using core::MemoryCategory;

/// An endpoint of a transfer needs at most nine words of exchange code on a tile (Poplar's exchange).
constexpr std::int64_t endpointCodeBytes = 36;
/// Header of the packets that a tile sends over the links for one transfer (assumed: one per endpoint).
constexpr std::int64_t messageHeaderBytes = 16;

class CodeWriter {
public:
    CodeWriter(IpuMemoryPlan& plan, const CompiledPipeline& pipeline, TileAllocator& compute)
        : m_plan(plan)
        , m_pipeline(pipeline)
        , m_compute(compute) {}

    void addOperation(core::OperationId id, core::StageId stage) {
        const OperationPlan& plan = m_pipeline.plans[id.index()];
        add(MemoryCategory::VertexState, plan.vertexStatePerTile.value(), plan.tilesUsed, id, stage);
        add(MemoryCategory::ExchangeCode, plan.exchangeCodePerTile.value(), plan.tilesUsed, id, stage);
        add(MemoryCategory::ControlCode, plan.controlCodePerTile.value(), m_compute.tiles(), id, stage);
        for (const std::string& name : plan.codelets) {
            Codelet& codelet = m_codelets[name];
            if (plan.tilesUsed > codelet.tiles)
                codelet = {plan.tilesUsed, id, stage};
        }
    }

    void addCodelets() {
        for (const auto& [name, codelet] : m_codelets)
            add(MemoryCategory::VertexCode, codeletBytes(name), codelet.tiles, codelet.operation,
                codelet.stage);
    }

    void addTransfers() {
        for (const StageTransfer& transfer : m_pipeline.staged.transfers) {
            if (transfer.path != TransferPath::InterIpuCopy)
                continue;
            if (m_pipeline.staged.ipus[transfer.from.index()] == m_plan.ipu)
                addEndpoint(transfer.from, true);
            if (m_pipeline.staged.ipus[transfer.to.index()] == m_plan.ipu)
                addEndpoint(transfer.to, false);
        }
    }

    void addPrograms(bool hasHostIo) {
        const IpuTarget& target = m_pipeline.system.target;
        const std::int64_t tiles = m_compute.tiles();
        add(MemoryCategory::Stack, target.stackBytesPerTile, tiles, {}, {});
        add(MemoryCategory::ControlCode, target.controlCodeBytesPerTile, tiles, {}, {});
        if (hasHostIo)
            add(MemoryCategory::ExchangeCode, target.hostExchangeCodeBytesPerTile, tiles, {}, {});
    }

private:
    struct Codelet {
        std::int64_t tiles = 0;
        core::OperationId operation;
        core::StageId stage;
    };

    void addEndpoint(core::StageId stage, bool sends) {
        add(MemoryCategory::ExchangeCode, endpointCodeBytes, m_compute.tiles(), {}, stage);
        if (sends)
            add(MemoryCategory::MessageBuffers, messageHeaderBytes, m_compute.tiles(), {}, stage);
    }

    void add(MemoryCategory category, std::int64_t bytesPerTile, std::int64_t tiles, core::OperationId id,
             core::StageId stage) {
        if (bytesPerTile > 0 && tiles > 0)
            m_plan.blocks.push_back(
                {category, BlockKind::Code, {}, id, stage, m_compute.onEach(bytesPerTile, tiles), {}});
    }

    IpuMemoryPlan& m_plan;
    const CompiledPipeline& m_pipeline;
    TileAllocator& m_compute;
    std::map<std::string_view, Codelet> m_codelets;
};

} // namespace

void addCodeBlocks(IpuMemoryPlan& plan, const CompiledPipeline& pipeline, const IpuProgramOrder& order,
                   TileAllocator& compute) {
    CodeWriter writer(plan, pipeline, compute);
    bool hasHostIo = false;
    for (const ProgramSegment& segment : order.segments) {
        hasHostIo = hasHostIo || segment.stage.index() == 0 ||
                    segment.stage.index() + 1 == pipeline.staged.stageCount;
        if (segment.phase == Phase::Recompute)
            continue;
        for (const core::OperationId id : segment.operations)
            writer.addOperation(id, segment.stage);
    }
    writer.addCodelets();
    writer.addTransfers();
    writer.addPrograms(hasHostIo);
}

} // namespace simulator
