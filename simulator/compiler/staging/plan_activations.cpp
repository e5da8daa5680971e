#include "simulator/compiler/staging/plan_activations.h"

#include "simulator/graph/host_visit.h"
#include "simulator/graph/replica_collective.h"

#include <algorithm>
#include <set>

namespace simulator {

namespace {

using core::OperationId;
using core::TensorId;

/// Works out one stage after the other; the marks are per tensor and operation of the whole graph and are
/// taken back by number, so that a stage costs what it holds.
class ActivationPlanner {
public:
    ActivationPlanner(const StagedGraph& staged, const TensorUses& uses, const ActivationOptions& options)
        : m_staged(staged)
        , m_graph(staged.graph)
        , m_uses(uses)
        , m_options(options)
        , m_forward(staged.stageCount)
        , m_backward(staged.stageCount)
        , m_weightGradients(staged.stageCount)
        , m_kept(m_graph.tensors.size(), 0)
        , m_repeated(m_graph.operations.size(), false)
        , m_mayRepeat(m_graph.operations.size(), false) {
        for (const Operation& operation : m_graph.operations) {
            const std::size_t stage = staged.stageOf(operation.id).index();
            if (operation.phase == Phase::Forward)
                m_forward[stage].push_back(operation.id);
            else if (operation.phase != Phase::WeightUpdate)
                m_backward[stage].push_back(operation.id);
            if (operation.phase == Phase::WeightGradient)
                m_weightGradients[stage].push_back(operation.id);
        }
        m_plan.recomputed.resize(staged.stageCount);
    }

    ActivationPlan plan() {
        for (std::size_t stage = 0; stage < m_staged.stageCount; ++stage)
            planStage(stage);
        return std::move(m_plan);
    }

private:
    void planStage(std::size_t stage) {
        chooseRepeatable(stage);
        for (const OperationId id : m_backward[stage])
            for (const TensorId input : m_graph.operation(id).inputs)
                if (const TensorId value = m_uses.storage(input); isForwardValue(value))
                    provide(value, stage);
        for (const OperationId id : m_forward[stage])
            if (m_repeated[id.index()])
                m_plan.recomputed[stage].push_back(id);
        keepForWeightGradients(stage);
    }

    /// What the backward pass of the same micro-batch had before it or left behind.
    void keepForWeightGradients(std::size_t stage) {
        std::set<TensorId> kept;
        for (const OperationId id : m_weightGradients[stage])
            for (const TensorId input : m_graph.operation(id).inputs)
                if (const TensorId value = m_uses.storage(input);
                    outlivesBackward(value) && kept.insert(value).second) {
                    const std::int64_t depth = m_options.gradientDepths[stage];
                    m_plan.gradientStashes.push_back({value, core::StageId(stage), depth,
                                                      m_options.offloads(stage) && depth > 0,
                                                      m_graph.tensor(value).bytes()});
                }
    }

    /// Not what the weight gradients make themselves, nor what is still all the time.
    [[nodiscard]] bool outlivesBackward(TensorId value) const {
        const OperationId producer = m_uses.producer(value);
        return isForwardValue(value) ||
               (producer.isValid() && m_graph.operation(producer).phase == Phase::Backward &&
                isTransient(m_graph.tensor(value).role));
    }

    /// Marks the operations of a stage that may run again.
    void chooseRepeatable(std::size_t stage) {
        const bool isLast = stage + 1 == m_staged.stageCount;
        if (!m_options.recomputes(stage))
            return;
        if (isLast && !m_options.recomputesInsideBackward())
            return;
        for (const OperationId id : m_forward[stage])
            m_mayRepeat[id.index()] = !isHostAccess(m_graph.operation(id).attributes) &&
                                      (!isLast || leadsToFinalCheckpoint(id, stage));
    }

    [[nodiscard]] static bool isCheckpoint(const Operation& operation) {
        return std::holds_alternative<RecomputationCheckpoint>(operation.attributes);
    }

    /// Reachability backwards from the final checkpoints of a stage, made when first asked for.
    bool leadsToFinalCheckpoint(OperationId id, std::size_t stage) {
        if (m_finalStage != stage + 1) {
            m_finalStage = stage + 1;
            m_leads.assign(m_graph.operations.size(), false);
            std::vector<bool> reachesCheckpoint(m_graph.operations.size(), false);
            const std::vector<OperationId>& operations = m_forward[stage];
            for (auto it = operations.rbegin(); it != operations.rend(); ++it) {
                const Operation& operation = m_graph.operation(*it);
                const bool reaches = anyReader(operation, reachesCheckpoint);
                reachesCheckpoint[it->index()] = reaches || isCheckpoint(operation);
                m_leads[it->index()] = (isCheckpoint(operation) && !reaches) || anyReader(operation, m_leads);
            }
        }
        return m_leads[id.index()];
    }

    [[nodiscard]] bool anyReader(const Operation& operation, const std::vector<bool>& marks) const {
        return std::ranges::any_of(operation.outputs, [&](TensorId output) {
            return std::ranges::any_of(m_uses.readers(output),
                                       [&](OperationId reader) { return marks[reader.index()]; });
        });
    }

    [[nodiscard]] bool isForwardValue(TensorId value) const {
        if (isHostFed(m_graph.tensor(value).role))
            return true;
        const OperationId producer = m_uses.producer(value);
        return producer.isValid() && m_graph.operation(producer).phase == Phase::Forward;
    }

    /// Sees to it that the backward of `stage` finds the value.
    void provide(TensorId value, std::size_t stage) {
        std::vector<TensorId> wanted{value};
        while (!wanted.empty()) {
            const TensorId next = wanted.back();
            wanted.pop_back();
            const OperationId producer = m_uses.producer(next);
            if (!isRepeatable(producer, stage) || isCheckpointValue(next, stage)) {
                keep(next, stage);
                continue;
            }
            if (m_repeated[producer.index()])
                continue;
            m_repeated[producer.index()] = true;
            for (const TensorId input : m_graph.operation(producer).inputs)
                if (const TensorId operand = m_uses.storage(input); isForwardValue(operand))
                    wanted.push_back(operand);
        }
    }

    [[nodiscard]] bool isRepeatable(OperationId producer, std::size_t stage) const {
        return producer.isValid() && m_staged.stageOf(producer).index() == stage &&
               m_mayRepeat[producer.index()] && !isSharedOnce(producer);
    }

    /// Statistics of several replicas are all-reduced again where a program of its own recomputes, but not
    /// inside the backward program (the Python API's word on the option).
    [[nodiscard]] bool isSharedOnce(OperationId id) const {
        const Operation& operation = m_graph.operation(id);
        return m_options.recomputesInsideBackward() &&
               std::holds_alternative<Normalization>(operation.attributes) &&
               replicaCollective(m_graph, operation).has_value();
    }

    /// A checkpoint of this stage keeps the value it marks; one on a stage's input changes nothing.
    [[nodiscard]] bool isCheckpointValue(TensorId value, std::size_t stage) const {
        if (!m_options.recomputesInsideBackward())
            return false;
        return std::ranges::any_of(m_uses.readers(value), [&](OperationId reader) {
            return isCheckpoint(m_graph.operation(reader)) && m_staged.stageOf(reader).index() == stage;
        });
    }

    void keep(TensorId value, std::size_t stage) {
        if (m_kept[value.index()] == stage + 1)
            return;
        m_kept[value.index()] = stage + 1;
        const std::int64_t depth = m_options.fifoDepths[stage];
        m_plan.stashes.push_back({value, core::StageId(stage), depth, m_options.offloads(stage) && depth > 0,
                                  m_graph.tensor(value).bytes()});
    }

    const StagedGraph& m_staged;
    const TrainingGraph& m_graph;
    const TensorUses& m_uses;
    const ActivationOptions& m_options;
    std::vector<std::vector<OperationId>> m_forward;
    /// Weight gradients of their own included.
    std::vector<std::vector<OperationId>> m_backward;
    std::vector<std::vector<OperationId>> m_weightGradients;
    /// Stage + 1 that keeps a tensor already.
    std::vector<std::size_t> m_kept;
    std::vector<bool> m_repeated;
    std::vector<bool> m_mayRepeat;
    std::size_t m_finalStage = 0;
    std::vector<bool> m_leads;
    ActivationPlan m_plan;
};

} // namespace

ActivationPlan planActivations(const StagedGraph& staged, const TensorUses& uses,
                               const ActivationOptions& options) {
    if (!staged.graph.training) {
        ActivationPlan nothing;
        nothing.recomputed.resize(staged.stageCount);
        return nothing;
    }
    return ActivationPlanner(staged, uses, options).plan();
}

} // namespace simulator
