#include "simulator/compiler/code_blocks.h"

#include "simulator/compiler/unshared_code.h"
#include "simulator/cost/codelet.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

namespace simulator {

namespace {

using core::MemoryCategory;

/// An endpoint of a transfer needs at most nine words of exchange code on a tile (Poplar's exchange).
constexpr std::int64_t endpointCodeBytes = 36;
/// Header of the packets that a tile sends over the links for one transfer (assumed: one per endpoint).
constexpr std::int64_t messageHeaderBytes = 16;

class CodeWriter {
public:
    CodeWriter(IpuMemoryPlan& plan, const CompiledPipeline& pipeline, const CompileOptions& options,
               TileAllocator& compute)
        : m_plan(plan)
        , m_pipeline(pipeline)
        , m_options(options)
        , m_compute(compute) {}

    void addOperation(core::OperationId id, core::StageId stage) {
        const OperationPlan& plan = m_pipeline.plans[id.index()];
        OperationCode code{plan.exchangeCodePerTile.value(), plan.vertexStatePerTile.value(),
                           plan.controlCodePerTile.value()};
        if (!m_options.outlines)
            code = unsharedCode(m_pipeline.staged.graph, id, code);
        add(MemoryCategory::VertexState, code.state, plan.tilesUsed, id, stage);
        add(MemoryCategory::ExchangeCode, code.exchange, plan.tilesUsed, id, stage);
        add(MemoryCategory::ControlCode, code.control, m_compute.tiles(), id, stage);
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

    /// A load from or store to a remote buffer is a transfer of its own; accesses of one program to
    /// merged buffers share their code where size and type agree.
    void addRemoteBuffers() {
        const StagedGraph& staged = m_pipeline.staged;
        std::set<std::tuple<std::size_t, std::int64_t, core::DataType, Placement>> known;
        for (std::size_t stage = 0; stage < m_pipeline.stages.size(); ++stage) {
            if (staged.ipus[stage] != m_plan.ipu)
                continue;
            const StagePrograms& programs = m_pipeline.stages[stage];
            const std::array all{&programs.forward, &programs.backward, &programs.recompute,
                                 &programs.weightUpdate};
            for (std::size_t program = 0; program < all.size(); ++program)
                for (const Step& step : all[program]->steps) {
                    if (step.kind != core::StepKind::StreamCopy || !step.tensor.isValid())
                        continue;
                    const Tensor& tensor = staged.graph.tensor(step.tensor);
                    const bool isNew = known
                                           .insert({program, step.bytes.value(), tensor.type,
                                                    staged.placements[step.tensor.index()]})
                                           .second;
                    if (isNew || !m_options.mergesRemoteBuffers)
                        add(MemoryCategory::ExchangeCode, endpointCodeBytes, m_compute.tiles(), {},
                            core::StageId(stage));
                }
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
    const CompileOptions& m_options;
    TileAllocator& m_compute;
    std::map<std::string_view, Codelet> m_codelets;
};

} // namespace

void addCodeBlocks(IpuMemoryPlan& plan, const CompiledPipeline& pipeline, const IpuProgramOrder& order,
                   const CompileOptions& options, TileAllocator& compute) {
    CodeWriter writer(plan, pipeline, options, compute);
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
    writer.addRemoteBuffers();
    writer.addPrograms(hasHostIo);
}

} // namespace simulator
