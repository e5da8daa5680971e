#include "simulator/compiler/ordering/order_operations.h"

#include <algorithm>
#include <array>

namespace simulator {

namespace {

using core::OperationId;
using Operations = std::vector<OperationId>;

Operations ordered(const StagedGraph& staged, const TensorUses& uses, const OrderingOptions& options,
                   Operations operations) {
    const Computation computation = makeComputation(staged, uses, std::move(operations));
    Operations result;
    result.reserve(computation.size());
    for (const std::uint32_t node : orderComputation(computation, options))
        result.push_back(computation.operations[node]);
    return result;
}

/// Puts recomputed operations into a backward order, each as late as it may come.
class RecomputeWeaver {
public:
    RecomputeWeaver(const StagedGraph& staged, const TensorUses& uses, const Operations& recompute)
        : m_graph(staged.graph)
        , m_uses(uses)
        , m_recompute(recompute) {}

    Operations weave(const Operations& backward) {
        m_result.reserve(m_recompute.size() + backward.size());
        std::vector<bool> isWanted(m_graph.operations.size(), false);
        for (const OperationId id : m_recompute)
            isWanted[id.index()] = true;
        for (const OperationId id : backward) {
            bring(id, isWanted);
            m_result.push_back(id);
        }
        return std::move(m_result);
    }

private:
    /// Recomputes what `id` needs and nothing later, in forward order.
    void bring(OperationId id, std::vector<bool>& isWanted) {
        Operations needed;
        Operations open{id};
        while (!open.empty()) {
            const OperationId next = open.back();
            open.pop_back();
            for (const core::TensorId input : m_graph.operation(next).inputs) {
                const OperationId producer = m_uses.producer(m_uses.storage(input));
                if (!producer.isValid() || !isWanted[producer.index()])
                    continue;
                isWanted[producer.index()] = false;
                needed.push_back(producer);
                open.push_back(producer);
            }
        }
        if (needed.empty())
            return;
        std::ranges::sort(needed);
        for (const OperationId operation : m_recompute)
            if (std::ranges::binary_search(needed, operation))
                m_result.push_back(operation);
    }

    const TrainingGraph& m_graph;
    const TensorUses& m_uses;
    const Operations& m_recompute;
    Operations m_result;
};

} // namespace

std::vector<StageOrders> orderOperations(const KeptGraph& kept, const TensorUses& uses,
                                         const OrderingOptions& options) {
    std::vector<std::array<Operations, core::phaseCount>> programs(kept.stageCount);
    for (const Operation& operation : kept.graph.operations)
        programs[kept.stageOf(operation.id).index()][static_cast<std::size_t>(operation.phase)].push_back(
            operation.id);
    const auto order = [&](std::size_t stage, Phase phase) {
        return ordered(kept, uses, options, std::move(programs[stage][static_cast<std::size_t>(phase)]));
    };
    std::vector<StageOrders> orders(kept.stageCount);
    for (std::size_t stage = 0; stage < kept.stageCount; ++stage) {
        StageOrders& result = orders[stage];
        result.forward = order(stage, Phase::Forward);
        result.backward = order(stage, Phase::Backward);
        result.weightGradient = order(stage, Phase::WeightGradient);
        result.weightUpdate = order(stage, Phase::WeightUpdate);
        std::vector<bool> isRecomputed(kept.graph.operations.size(), false);
        for (const OperationId id : kept.recomputed[stage])
            isRecomputed[id.index()] = true;
        std::ranges::copy_if(result.forward, std::back_inserter(result.recompute),
                             [&](OperationId id) { return isRecomputed[id.index()]; });
        if (kept.recomputeInsideBackward)
            result.backward = RecomputeWeaver(kept, uses, result.recompute).weave(result.backward);
    }
    return orders;
}

} // namespace simulator
