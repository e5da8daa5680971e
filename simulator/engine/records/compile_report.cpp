#include "simulator/engine/records/compile_report.h"

#include "simulator/compiler/memory/memory_findings.h"
#include "simulator/compiler/planning/step_names.h"
#include "simulator/memory/address_assignment.h"
#include "simulator/target/link_topology.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace simulator {

namespace {

std::string planText(const OperationPlan& plan) {
    std::string text;
    for (const auto& [name, value] : plan.split)
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
    return text;
}

std::string shapeText(const Tensor& tensor) {
    std::string text;
    for (const std::int64_t extent : tensor.extents) {
        if (!text.empty())
            text += "×";
        text += fmt::format_int(extent).c_str();
    }
    return text;
}

core::Bytes outputBytes(const Operation& operation, const TrainingGraph& graph) {
    core::Bytes bytes;
    for (const core::TensorId output : operation.outputs)
        bytes += core::Bytes(graph.tensor(output).bytes());
    return bytes;
}

/// The type of the first operand that is no whole number; what makes none from none is the widest.
core::DataType precisionOf(const Operation& operation, const TrainingGraph& graph) {
    for (const auto& tensors : {operation.inputs, operation.outputs})
        for (const core::TensorId tensor : tensors)
            if (const core::DataType type = graph.tensor(tensor).type; core::isFloating(type))
                return type;
    return core::DataType::Float32;
}

/// Always-live blocks first, one after the other; the rest by first fit behind them.
std::vector<std::int64_t> addressesOf(const IpuMemoryPlan& plan) {
    std::vector<AddressRequest> requests;
    std::int64_t base = 0;
    for (const MemoryBlock& block : plan.blocks)
        if (!block.alwaysLive())
            requests.push_back({block.interval, block.bytes()});
        else
            base += block.bytes();
    const std::vector<std::int64_t> assigned = assignAddresses(requests, plan.slotEnd);
    std::vector<std::int64_t> addresses;
    std::int64_t next = 0;
    std::size_t request = 0;
    for (const MemoryBlock& block : plan.blocks) {
        addresses.push_back(block.alwaysLive() ? next : base + assigned[request++]);
        if (block.alwaysLive())
            next += block.bytes();
    }
    return addresses;
}

class RangeWriter {
public:
    RangeWriter(const CompiledPipeline& pipeline, const LayerNames& layers)
        : m_graph(pipeline.graph)
        , m_layers(layers) {}

    std::vector<core::LiveRangeRecord> write(const IpuMemoryPlan& plan) {
        const std::vector<std::int64_t> addresses = addressesOf(plan);
        const std::int64_t lastStep = static_cast<std::int64_t>(plan.steps.size()) - 1;
        std::vector<core::LiveRangeRecord> records;
        records.reserve(plan.blocks.size());
        const auto add = [&](core::LiveRangeRecord record, std::int64_t first, std::int64_t last) {
            record.firstStep = first;
            record.lastStep = last;
            records.push_back(std::move(record));
        };
        for (std::size_t index = 0; index < plan.blocks.size(); ++index) {
            const MemoryBlock& block = plan.blocks[index];
            core::LiveRangeRecord record = describe(block, plan);
            record.address = core::Bytes(addresses[index]);
            if (block.alwaysLive()) {
                add(std::move(record), 0, lastStep);
            } else if (!block.interval.wraps()) {
                add(std::move(record), block.interval.first, block.interval.last);
            } else {
                add(record, 0, block.interval.last);
                add(std::move(record), block.interval.first, plan.slotEnd);
            }
        }
        return records;
    }

private:
    [[nodiscard]] core::LiveRangeRecord describe(const MemoryBlock& block, const IpuMemoryPlan& plan) {
        core::LiveRangeRecord record;
        record.ipu = plan.ipu;
        record.name = nameOf(block, m_graph);
        record.category = block.category;
        record.alwaysLive = block.alwaysLive();
        record.bytes = core::Bytes(block.bytes());
        record.stage = block.stage;
        const TileMapping& tiles = block.mapping;
        record.tiles = {tiles.firstTile % std::max<std::int64_t>(1, plan.tiles), tiles.tileCount,
                        core::Bytes(tiles.bytesPerTile), core::Bytes(tiles.lastTileBytes)};
        if (block.tensor.isValid()) {
            record.layer = m_layers(m_graph.tensor(block.tensor).origin);
            record.shape = shapeOf(m_graph.tensor(block.tensor));
        } else if (block.operation.isValid()) {
            record.layer = m_layers(m_graph.operation(block.operation).origin);
        }
        return record;
    }

    /// One text for all tensors of a shape.
    const core::SharedText& shapeOf(const Tensor& tensor) {
        const auto [place, isNew] = m_shapes.try_emplace(tensor.extents);
        if (isNew)
            place->second = shapeText(tensor);
        return place->second;
    }

    const TrainingGraph& m_graph;
    const LayerNames& m_layers;
    std::map<Extents, core::SharedText> m_shapes;
};

} // namespace

void recordOperations(const CompiledPipeline& pipeline, const LayerNames& layers, core::ProfileSink& sink) {
    const TrainingGraph& graph = pipeline.graph;
    const IpuTarget& target = pipeline.system.target;
    std::vector<core::OperationRecord> records;
    records.reserve(graph.operations.size());
    std::map<std::string_view, core::SharedText> words;
    const auto word = [&](std::string_view text) {
        const auto [place, isNew] = words.try_emplace(text);
        if (isNew)
            place->second = text;
        return place->second;
    };
    for (const Operation& operation : graph.operations) {
        const OperationPlan& plan = pipeline.plans[operation.id.index()];
        const core::DataType precision = precisionOf(operation, graph);
        records.push_back(
            {.id = operation.id,
             .name = operation.name,
             .kind = word(kindName(operation.attributes)),
             .layer = layers(operation.origin),
             .stage = pipeline.stageOf(operation.id),
             .phase = operation.phase,
             .compute = plan.compute,
             .exchange = plan.exchange,
             .sync = plan.sync,
             .flops = plan.flops,
             .tilesUsed = plan.tilesUsed,
             .exchangeBytes = plan.exchangeBytes,
             .temporaryPerTile = plan.temporaryPerTile,
             .outputBytes = outputBytes(operation, graph),
             .plan = planText(plan),
             .precision = word(core::toString(precision)),
             .peakPerCycle = target.peakPerTileCycle(core::elementBytes(precision)) * target.tiles});
    }
    sink.operations(records);
}

void recordTransfers(const CompiledPipeline& pipeline, core::ProfileSink& sink) {
    std::vector<core::TransferRecord> records;
    for (const StageTransfer& transfer : pipeline.transfers) {
        if (transfer.path != TransferPath::InterIpuCopy)
            continue;
        const auto ipuOf = [&](core::StageId stage) {
            return static_cast<std::int64_t>(pipeline.ipus[stage.index()].index());
        };
        records.push_back(
            {.tensor = pipeline.graph.tensor(transfer.tensor).name,
             .from = transfer.from,
             .to = transfer.to,
             .phase = transfer.phase,
             .bytes = core::Bytes(transfer.bytes),
             .hops = routeInReplica(pipeline.system, ipuOf(transfer.from), ipuOf(transfer.to)).hops,
             .passThrough = transfer.passThrough});
    }
    sink.transfers(records);
}

void recordLiveness(const CompiledPipeline& pipeline, core::ProfileSink& sink) {
    for (const IpuMemoryPlan& plan : pipeline.memory.ipus) {
        std::vector<core::LivenessStepRecord> records;
        records.reserve(plan.steps.size());
        for (std::size_t step = 0; step < plan.steps.size(); ++step)
            records.push_back({plan.ipu, static_cast<std::int64_t>(step), plan.steps[step].stage,
                               plan.steps[step].phase, plan.steps[step].operation,
                               core::Bytes(plan.live[step])});
        sink.livenessSteps(records);
    }
}

void recordMemory(const CompiledPipeline& pipeline, const LayerNames& layers, core::ProfileSink& sink) {
    RangeWriter writer(pipeline, layers);
    for (const IpuMemoryPlan& plan : pipeline.memory.ipus) {
        sink.liveRanges(writer.write(plan));
        sink.tileMemory(tileMemory(plan));
    }
}

} // namespace simulator
