#include "simulator/planner/bounds/layer_bounds.h"

#include "simulator/compiler/staging/assign_stages.h"
#include "simulator/compiler/staging/tensor_uses.h"
#include "simulator/cost/codelet.h"
#include "simulator/graph/host_visit.h"
#include "simulator/memory/tile_mapping.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string_view>

namespace simulator {

namespace {

constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

class ChainBounder {
public:
    explicit ChainBounder(const PartitionSource& source)
        : m_source(source)
        , m_graph(source.graph)
        , m_uses(source.graph)
        , m_position(positionsOf(source))
        , m_needed(source.graph.operations.size(), never) {
        m_bounds.layers.resize(source.layers);
    }

    ChainBounds bound() {
        findNeeds();
        findBackwardReaders();
        for (const Operation& operation : m_graph.operations)
            addOperation(operation);
        for (const Tensor& tensor : m_graph.tensors)
            addTensor(tensor);
        for (const ParameterSlots& slots : m_graph.parameters)
            addSlots(slots);
        const IpuTarget& target = m_source.system.target;
        m_bounds.programBytes =
            m_source.computeTiles * (target.stackBytesPerTile + target.controlCodeBytesPerTile);
        m_bounds.live = liveBounds(m_source, m_uses, m_position);
        return std::move(m_bounds);
    }

private:
    /// As if every layer were a stage: a stage is a run of layers, so operations go where these do.
    static std::vector<std::size_t> positionsOf(const PartitionSource& source) {
        StageMap map{std::max<std::size_t>(1, source.layers), {}, {}};
        for (const auto& layer : source.layerOf)
            map.ofInvocation.emplace_back(layer.value_or(0));
        for (std::size_t layer = 0; layer < map.count; ++layer)
            map.ipus.emplace_back(layer);
        std::vector<std::size_t> positions;
        for (const core::StageId stage : assignStages(source.graph, map).stageOfOperation)
            positions.push_back(stage.index());
        return positions;
    }

    [[nodiscard]] bool isView(const Operation& operation) const {
        return std::ranges::any_of(operation.outputs,
                                   [&](core::TensorId output) { return m_uses.storage(output) != output; });
    }

    /// How far a stage must reach for the backward pass in it to read what each forward operation makes: a
    /// reader on a later stage finds it among that stage's inputs.
    void findNeeds() {
        for (auto operation = m_graph.operations.rbegin(); operation != m_graph.operations.rend();
             ++operation) {
            if (operation->phase != Phase::Forward)
                continue;
            std::size_t& needed = m_needed[operation->id.index()];
            for (const core::TensorId output : operation->outputs)
                for (const core::OperationId reader : m_uses.readers(output))
                    needed = std::min(needed, neededBy(reader));
            if (needed != never)
                needed = std::max(needed, m_position[operation->id.index()]);
        }
    }

    [[nodiscard]] std::size_t neededBy(core::OperationId reader) const {
        const Phase phase = m_graph.operation(reader).phase;
        if (phase == Phase::Backward)
            return m_position[reader.index()];
        if (phase != Phase::Forward || m_needed[reader.index()] == never)
            return never;
        return std::max(m_position[reader.index()], m_needed[reader.index()]);
    }

    /// Marked values are kept instead, and so is what comes from the host, and statistics of a batch, which
    /// replicas may share.
    [[nodiscard]] static bool mayBeKept(const Operation& operation) {
        const auto* normalization = std::get_if<Normalization>(&operation.attributes);
        return isHostAccess(operation.attributes) ||
               (normalization != nullptr && normalization->kind == NormalizationKind::Batch);
    }

    void addOperation(const Operation& operation) {
        LayerBound& layer = m_bounds.layers[m_position[operation.id.index()]];
        const std::int64_t cycles = m_source.plans[operation.id.index()].total().value();
        if (std::holds_alternative<RecomputationCheckpoint>(operation.attributes))
            m_hasCheckpoints = true;
        const OperationPlan& plan = m_source.plans[operation.id.index()];
        if (operation.phase == Phase::Forward || operation.phase == Phase::Backward)
            layer.temporaryBytes =
                std::max(layer.temporaryBytes, plan.temporaryPerTile.value() * plan.tilesUsed);
        addCode(operation, plan, layer);
        switch (operation.phase) {
        case Phase::Forward:
            layer.forwardCycles += cycles;
            if (const std::size_t until = m_needed[operation.id.index()];
                until != never && !isView(operation) && !mayBeKept(operation))
                layer.needs.push_back({until, cycles, 0});
            return;
        case Phase::Backward:
            layer.backwardCycles += cycles;
            return;
        case Phase::WeightUpdate:
            layer.updateCycles += cycles;
            return;
        default:
            return;
        }
    }

    /// Calls of an outlined function may share all but the code of vertices.
    void addCode(const Operation& operation, const OperationPlan& plan, LayerBound& layer) {
        const std::int64_t tiles = std::min(plan.tilesUsed, m_source.computeTiles);
        const bool isOutlined = std::ranges::any_of(
            m_graph.outlinedCalls, [&](const OutlinedCall& call) { return call.call == operation.origin; });
        const auto padded = [](core::Bytes bytes) {
            return core::roundUp(bytes.value(), allocationGrainBytes);
        };
        if (!isOutlined)
            layer.codeBytes += (padded(plan.vertexStatePerTile) + padded(plan.exchangeCodePerTile)) * tiles +
                               padded(plan.controlCodePerTile) * m_source.computeTiles;
        for (const std::string& name : plan.codelets) {
            const auto [known, isNew] = m_codelets.emplace(name, m_bounds.codeletBytes.size());
            if (isNew)
                m_bounds.codeletBytes.push_back(codeletBytes(name));
            layer.codelets.push_back({known->second, tiles});
        }
    }

    void addTensor(const Tensor& tensor) {
        addCrossing(tensor);
        switch (tensor.role) {
        case TensorRole::Parameter:
            shareWeights(tensor);
            addVariable(tensor, &LayerBound::variableBytes);
            return;
        case TensorRole::State:
            addVariable(tensor, &LayerBound::variableBytes);
            return;
        case TensorRole::Constant:
            addVariable(tensor, &LayerBound::codeBytes);
            return;
        case TensorRole::Accumulator:
            m_bounds.gradientBytes += tensor.bytes();
            return;
        case TensorRole::Input:
        case TensorRole::Target:
            m_bounds.hostBytes += tensor.bytes();
            return;
        case TensorRole::Activation:
            addActivation(tensor);
            return;
        default:
            return;
        }
    }

    void addVariable(const Tensor& tensor, std::int64_t LayerBound::*bytes) {
        const auto readers = m_uses.readers(tensor.id);
        const bool isOnHost = std::ranges::any_of(readers, [&](core::OperationId reader) {
            const auto tables = hostTables(m_graph.operation(reader));
            return std::ranges::find(tables, tensor.id) != tables.end();
        });
        if (!readers.empty() && !isOnHost)
            m_bounds.layers[m_position[readers.front().index()]].*bytes += tensor.bytes();
    }

    /// With the first reader of their parameter.
    void addSlots(const ParameterSlots& slots) {
        const auto readers = m_uses.readers(slots.parameter);
        if (readers.empty())
            return;
        LayerBound& layer = m_bounds.layers[m_position[readers.front().index()]];
        if (slots.accumulator.isValid())
            layer.variableBytes += m_graph.tensor(slots.accumulator).bytes();
        for (const core::TensorId slot : slots.optimizerSlots)
            layer.slotBytes.push_back(m_graph.tensor(slot).bytes());
        layer.optimizerBytes =
            std::accumulate(layer.slotBytes.begin(), layer.slotBytes.end(), std::int64_t{0});
    }

    /// As `insertTransfers` follows a value.
    void addCrossing(const Tensor& tensor) {
        const core::OperationId producer = m_uses.producer(tensor.id);
        if (!producer.isValid() && !isHostFed(tensor.role))
            return;
        const Phase phase = producer.isValid() ? m_graph.operation(producer).phase : Phase::Forward;
        if (phase == Phase::WeightUpdate)
            return;
        CrossingValue value{producer.isValid() ? m_position[producer.index()] : 0,
                            {},
                            tensor.bytes(),
                            phase == Phase::Forward,
                            m_uses.storage(tensor.id).index()};
        for (const core::OperationId reader : m_uses.readers(tensor.id))
            if (m_graph.operation(reader).phase != Phase::WeightUpdate)
                if (const std::size_t layer = m_position[reader.index()];
                    value.isForward ? layer > value.home : layer < value.home)
                    value.readers.push_back(layer);
        std::ranges::sort(value.readers);
        if (!value.readers.empty())
            m_bounds.crossing.push_back(std::move(value));
    }

    void shareWeights(const Tensor& tensor) {
        std::set<std::size_t> users;
        for (const core::OperationId reader : m_uses.readers(tensor.id))
            if (m_graph.operation(reader).phase == Phase::Forward)
                users.insert(m_position[reader.index()]);
        for (const std::size_t user : users)
            if (const std::pair pair{*users.begin(), user}; user != pair.first)
                if (std::ranges::find(m_bounds.sharedWeights, pair) == m_bounds.sharedWeights.end())
                    m_bounds.sharedWeights.push_back(pair);
    }

    /// Where backward operations read the memory of each tensor, themselves or through a view of it.
    void findBackwardReaders() {
        m_backwardReaders.resize(m_graph.tensors.size());
        for (const Tensor& tensor : m_graph.tensors)
            for (const core::OperationId reader : m_uses.readers(tensor.id))
                if (m_graph.operation(reader).phase == Phase::Backward)
                    m_backwardReaders[m_uses.storage(tensor.id).index()].push_back(
                        m_position[reader.index()]);
    }

    void addActivation(const Tensor& tensor) {
        const core::OperationId producer = m_uses.producer(tensor.id);
        if (!producer.isValid() || m_graph.operation(producer).phase != Phase::Forward ||
            m_uses.storage(tensor.id) != tensor.id)
            return;
        const std::size_t home = m_position[producer.index()];
        ArrivingValue arriving{home, tensor.bytes(), {}};
        for (const core::OperationId reader : m_uses.readers(tensor.id)) {
            const std::size_t position = m_position[reader.index()];
            if (const std::size_t until = neededBy(reader); until != never && position > home)
                arriving.readers.emplace_back(position, until);
        }
        if (!arriving.readers.empty())
            m_bounds.arriving.push_back(std::move(arriving));
        const std::vector<std::size_t>& readers = m_backwardReaders[tensor.id.index()];
        if (readers.empty())
            return;
        m_bounds.layers[home].needs.push_back({std::max(home, std::ranges::min(readers)), 0, tensor.bytes()});
        ArrivingValue kept{home, tensor.bytes(), {}};
        for (const std::size_t position : readers)
            if (position > home)
                kept.readers.emplace_back(position, position);
        if (!kept.readers.empty())
            m_bounds.arrivingKept.push_back(std::move(kept));
    }

    const PartitionSource& m_source;
    const TrainingGraph& m_graph;
    TensorUses m_uses;
    std::vector<std::size_t> m_position;
    std::vector<std::size_t> m_needed;
    /// By tensor: layers.
    std::vector<std::vector<std::size_t>> m_backwardReaders;
    bool m_hasCheckpoints = false;
    std::map<std::string_view, std::size_t> m_codelets;
    ChainBounds m_bounds;

public:
    [[nodiscard]] bool hasCheckpoints() const { return m_hasCheckpoints; }
};

} // namespace

ChainBounds chainBounds(const PartitionSource& source) {
    ChainBounder bounder(source);
    ChainBounds bounds = bounder.bound();
    // What a checkpoint keeps depends on the mode of recomputation.
    if (bounder.hasCheckpoints())
        for (LayerBound& layer : bounds.layers)
            for (LateNeed& need : layer.needs)
                need.recomputeCycles = 0;
    if (bounder.hasCheckpoints())
        bounds.arriving.clear();
    return bounds;
}

} // namespace simulator
