#include "simulator/compiler/memory/code_blocks.h"

#include "simulator/compiler/memory/unshared_code.h"
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

/// A call of a function on every tile: arguments to their registers, there and back (assumed).
constexpr std::int64_t callCodeBytes = 24;

class CodeWriter {
public:
    CodeWriter(IpuMemoryPlan& plan, const LoweredPipeline& pipeline, const CompileOptions& options,
               TileAllocator& compute)
        : m_plan(plan)
        , m_pipeline(pipeline)
        , m_options(options)
        , m_compute(compute) {
        for (const OutlinedCall& call : pipeline.graph.outlinedCalls)
            m_functions.emplace(call.call, call.function);
    }

    void addOperation(core::OperationId id, core::StageId stage) {
        const OperationPlan& plan = m_pipeline.plans[id.index()];
        const bool isShared = sharesFunctionCode(id);
        OperationCode code{plan.exchangeCodePerTile.value(), plan.vertexStatePerTile.value(),
                           plan.controlCodePerTile.value()};
        if (isShared)
            code = {};
        else if (!m_options.outlines)
            code = unsharedCode(m_pipeline.graph, id, plan);
        add(MemoryCategory::VertexState, code.state, plan.tilesUsed, id, stage);
        add(MemoryCategory::ExchangeCode, code.exchange, plan.tilesUsed, id, stage);
        add(MemoryCategory::ControlCode, code.control, m_compute.tiles(), id, stage);
        for (const std::string& name : plan.codelets) {
            Codelet& codelet = m_codelets[name];
            if (plan.tilesUsed > codelet.tiles)
                codelet = {plan.tilesUsed, id, stage};
        }
    }

    /// What a call of an outlined function takes beside the function: jumping there and back.
    void addFunctionCalls(core::StageId stage) {
        const KeptGraph& staged = m_pipeline;
        std::set<std::pair<core::InvocationId, Phase>> called;
        for (const Operation& operation : staged.graph.operations)
            if (m_functions.contains(operation.origin) && staged.stageOf(operation.id) == stage &&
                operation.phase != Phase::WeightUpdate)
                called.insert({operation.origin, operation.phase});
        add(MemoryCategory::ControlCode, callCodeBytes * static_cast<std::int64_t>(called.size()),
            m_compute.tiles(), {}, stage);
    }

    void addCodelets() {
        for (const auto& [name, codelet] : m_codelets)
            add(MemoryCategory::VertexCode, codeletBytes(name), codelet.tiles, codelet.operation,
                codelet.stage);
    }

    void addTransfers() {
        for (const StageTransfer& transfer : m_pipeline.transfers) {
            if (transfer.path != TransferPath::InterIpuCopy)
                continue;
            if (m_pipeline.ipus[transfer.from.index()] == m_plan.ipu)
                addEndpoint(transfer.from, true);
            if (m_pipeline.ipus[transfer.to.index()] == m_plan.ipu)
                addEndpoint(transfer.to, false);
        }
    }

    /// A load from or store to a remote buffer is a transfer of its own; accesses of one program to
    /// merged buffers share their code where size and type agree.
    void addRemoteBuffers() {
        const KeptGraph& staged = m_pipeline;
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

    /// An operation of an outlined function, and how often its code is on this IPU.
    struct FunctionCode {
        Phase phase = Phase::Forward;
        const OperationAttributes* attributes = nullptr;
        std::vector<std::pair<Extents, core::DataType>> tensors;
        std::int64_t written = 0;
        /// How often each call has come to it.
        std::map<core::InvocationId, std::int64_t> used;
    };

    /// Whether an earlier call of the same function has written the code of such an operation. Arguments are
    /// copied by the caller.
    bool sharesFunctionCode(core::OperationId id) {
        const TrainingGraph& graph = m_pipeline.graph;
        const Operation& operation = graph.operation(id);
        const auto function = m_functions.find(operation.origin);
        if (function == m_functions.end() || operation.phase == Phase::WeightUpdate ||
            std::holds_alternative<Copy>(operation.attributes))
            return false;
        FunctionCode wanted{operation.phase, &operation.attributes, {}, 0, {}};
        for (const auto* tensors : {&operation.inputs, &operation.outputs})
            for (const core::TensorId tensor : *tensors)
                wanted.tensors.emplace_back(graph.tensor(tensor).extents, graph.tensor(tensor).type);
        std::vector<FunctionCode>& known = m_functionCode[function->second];
        const auto same = [&](const FunctionCode& code) {
            return code.phase == wanted.phase && code.tensors == wanted.tensors &&
                   *code.attributes == *wanted.attributes;
        };
        auto code = std::ranges::find_if(known, same);
        if (code == known.end())
            code = known.insert(known.end(), std::move(wanted));
        if (++code->used[operation.origin] <= code->written)
            return true;
        ++code->written;
        return false;
    }

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
    const LoweredPipeline& m_pipeline;
    const CompileOptions& m_options;
    TileAllocator& m_compute;
    std::map<std::string_view, Codelet> m_codelets;
    /// The function of every call of one.
    std::map<core::InvocationId, std::string> m_functions;
    std::map<std::string, std::vector<FunctionCode>> m_functionCode;
};

} // namespace

void addCodeBlocks(IpuMemoryPlan& plan, const LoweredPipeline& pipeline, const IpuProgramOrder& order,
                   const CompileOptions& options, TileAllocator& compute) {
    CodeWriter writer(plan, pipeline, options, compute);
    bool hasHostIo = false;
    std::set<core::StageId> stages;
    for (const ProgramSegment& segment : order.segments) {
        hasHostIo =
            hasHostIo || segment.stage.index() == 0 || segment.stage.index() + 1 == pipeline.stageCount;
        if (segment.phase == Phase::Recompute)
            continue;
        if (stages.insert(segment.stage).second)
            writer.addFunctionCalls(segment.stage);
        for (const core::OperationId id : segment.operations)
            writer.addOperation(id, segment.stage);
    }
    writer.addCodelets();
    writer.addTransfers();
    writer.addRemoteBuffers();
    writer.addPrograms(hasHostIo);
}

} // namespace simulator
