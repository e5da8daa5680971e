#include "simulator/compiler/staging/place_variables.h"

#include "core/base/quantity.h"

#include <algorithm>

namespace simulator {

namespace {

/// Accumulators smaller than this are never offloaded, whatever the option for other tensors says.
constexpr std::int64_t minimumAccumulatorBytes = 128;

/// None means: where remote memory exists and a batch-serialised pipeline needs the space.
bool serializedDefault(core::OptionalSwitch option, const OffloadOptions& options) {
    return option.value_or(options.batchSerialized && options.remoteMemory);
}

class VariablePlacer {
public:
    VariablePlacer(const StagedGraph& staged, const OffloadOptions& options)
        : m_graph(staged.graph)
        , m_options(options)
        , m_placements(staged.graph.tensors.size(), Placement::OnChip) {}

    std::vector<Placement> place() {
        placeWeights();
        if (m_graph.training)
            for (const ParameterSlots& slots : m_graph.parameters)
                placeSlots(slots);
        return std::move(m_placements);
    }

private:
    void placeWeights() {
        const core::OptionalSwitch shard = m_options.shardedWeights;
        const bool isOffloaded = serializedDefault(m_options.weights ? m_options.weights : shard, m_options);
        const bool isSharded = serializedDefault(shard, m_options);
        if (!isOffloaded)
            return;
        for (const Tensor& tensor : m_graph.tensors)
            if (tensor.role == TensorRole::Parameter || tensor.role == TensorRole::State)
                move(tensor.id, isSharded, m_options.minimumBytes);
    }

    void placeSlots(const ParameterSlots& slots) {
        if (m_options.updateVariables.value_or(m_options.remoteMemory)) {
            const bool isSharded = m_options.shardedUpdateVariables.value_or(true);
            for (const core::TensorId slot : slots.optimizerSlots)
                move(slot, isSharded, m_options.minimumBytes);
        }
        if (slots.accumulator.isValid() && serializedDefault(m_options.accumulators, m_options))
            move(slots.accumulator, false, std::max(minimumAccumulatorBytes, m_options.minimumBytes));
    }

    void move(core::TensorId id, bool isSharded, std::int64_t minimum) {
        const bool split = isSharded && m_options.replicas > 1;
        if (m_graph.tensor(id).bytes() >= minimum * (split ? m_options.replicas : 1))
            m_placements[id.index()] = split ? Placement::RemoteSharded : Placement::Remote;
    }

    const TrainingGraph& m_graph;
    const OffloadOptions& m_options;
    std::vector<Placement> m_placements;
};

} // namespace

std::vector<Placement> placeVariables(const StagedGraph& staged, const OffloadOptions& options) {
    std::vector<Placement> placements(staged.graph.tensors.size(), Placement::OnChip);
    if (options.remoteMemory && options.pipelined)
        placements = VariablePlacer(staged, options).place();
    for (const Operation& operation : staged.graph.operations)
        for (const core::TensorId table : hostTables(operation))
            placements[table.index()] = Placement::Host;
    return placements;
}

std::int64_t shardedBytes(const Tensor& tensor, Placement placement, std::int64_t replicas) {
    if (placement != Placement::RemoteSharded)
        return tensor.bytes();
    return core::ceilDivide(tensor.elements(), replicas) * core::elementBytes(tensor.type);
}

} // namespace simulator
