#include "simulator/compiler/staging/assign_stages.h"

#include <algorithm>

namespace simulator {

namespace {

using core::StageId;

bool isGradientSum(const Operation& operation) {
    const auto* binary = std::get_if<Binary>(&operation.attributes);
    return operation.phase == Phase::Backward && binary && binary->function == BinaryFunction::Add;
}

bool isEvaluation(const OperationAttributes& attributes) {
    return std::holds_alternative<Loss>(attributes) || std::holds_alternative<LossGradient>(attributes) ||
           std::holds_alternative<Metric>(attributes);
}

class StageAssigner {
public:
    StageAssigner(const TrainingGraph& graph, const StageMap& map)
        : m_graph(graph)
        , m_map(map)
        , m_last(map.count - 1)
        , m_stageOfTensor(graph.tensors.size())
        , m_variableOf(graph.tensors.size()) {
        for (const ParameterSlots& slots : graph.parameters) {
            if (slots.accumulator.isValid())
                m_variableOf[slots.accumulator.index()] = slots.parameter;
            for (const core::TensorId slot : slots.optimizerSlots)
                m_variableOf[slot.index()] = slots.parameter;
        }
    }

    std::vector<StageId> stages() {
        std::vector<StageId> result;
        result.reserve(m_graph.operations.size());
        for (const Operation& operation : m_graph.operations) {
            const StageId stage = stageOf(operation);
            result.push_back(stage);
            for (const core::TensorId output : operation.outputs)
                m_stageOfTensor[output.index()] = lower(m_stageOfTensor[output.index()], stage);
            for (const core::TensorId input : operation.inputs)
                if (isVariable(m_graph.tensor(input).role))
                    m_stageOfTensor[input.index()] = lower(m_stageOfTensor[input.index()], stage);
        }
        return result;
    }

private:
    static bool isVariable(TensorRole role) {
        return role == TensorRole::Parameter || role == TensorRole::State;
    }
    static StageId lower(StageId known, StageId stage) {
        return known.isValid() ? std::min(known, stage) : stage;
    }

    StageId stageOf(const Operation& operation) const {
        if (m_last.index() == 0)
            return m_last;
        switch (operation.phase) {
        case Phase::Forward:
        case Phase::Recompute:
            return forwardStage(operation);
        case Phase::Backward:
        case Phase::WeightGradient:
            return backwardStage(operation);
        case Phase::WeightUpdate:
            return updateStage(operation);
        }
        return m_last;
    }

    StageId forwardStage(const Operation& operation) const {
        if (isEvaluation(operation.attributes))
            return m_last;
        if (operation.origin.isValid())
            return m_map.ofInvocation[operation.origin.index()];
        StageId stage(0);
        for (const core::TensorId input : operation.inputs) {
            if (m_graph.tensor(input).role == TensorRole::Target)
                return m_last;
            if (m_stageOfTensor[input.index()].isValid())
                stage = std::max(stage, m_stageOfTensor[input.index()]);
        }
        return stage;
    }

    StageId backwardStage(const Operation& operation) const {
        const bool isAccumulation = std::holds_alternative<AccumulateGradient>(operation.attributes);
        if (isEvaluation(operation.attributes))
            return m_last;
        if (operation.origin.isValid() && !isAccumulation && !isGradientSum(operation))
            return m_map.ofInvocation[operation.origin.index()];
        if (const StageId stage = lowestProducer(operation); stage.isValid())
            return stage;
        return operation.origin.isValid() ? m_map.ofInvocation[operation.origin.index()] : m_last;
    }

    StageId updateStage(const Operation& operation) const {
        for (const core::TensorId input : operation.inputs) {
            const core::TensorId owner = m_variableOf[input.index()];
            const core::TensorId variable =
                owner.isValid() ? owner : (isVariable(m_graph.tensor(input).role) ? input : core::TensorId());
            if (variable.isValid() && m_stageOfTensor[variable.index()].isValid())
                return m_stageOfTensor[variable.index()];
        }
        const StageId stage = lowestProducer(operation);
        return stage.isValid() ? stage : StageId(0);
    }

    /// The stage where the last of the computed operands arrives on its way back.
    StageId lowestProducer(const Operation& operation) const {
        StageId stage;
        for (const core::TensorId input : operation.inputs) {
            const TensorRole role = m_graph.tensor(input).role;
            if ((role == TensorRole::Gradient || role == TensorRole::Activation) &&
                m_stageOfTensor[input.index()].isValid())
                stage = lower(stage, m_stageOfTensor[input.index()]);
        }
        return stage;
    }

    const TrainingGraph& m_graph;
    const StageMap& m_map;
    StageId m_last;
    /// Where a computed tensor is made, and where a variable is first used.
    std::vector<StageId> m_stageOfTensor;
    /// The variable that an accumulator or optimizer slot belongs to.
    std::vector<core::TensorId> m_variableOf;
};

} // namespace

StagedGraph assignStages(TrainingGraph graph, const StageMap& map) {
    StagedGraph staged;
    staged.stageCount = map.count;
    staged.ipus = map.ipus;
    staged.stageOfOperation = StageAssigner(graph, map).stages();
    staged.graph = std::move(graph);
    return staged;
}

} // namespace simulator
