#include "simulator/compiler/planning/combine_operations.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace simulator {

namespace {

using core::OperationId;

/// What operations must have in common to become one: program, distance from the program's start (operations
/// of one distance do not depend on each other), the operand that they share and where it is, and what
/// else must agree.
using Key =
    std::tuple<core::StageId, Phase, std::size_t, core::TensorId, std::size_t, std::vector<std::int64_t>>;

/// The tensor that each tensor is another shape of; itself where it is not a reshaped one.
std::vector<core::TensorId> withoutReshapes(const TrainingGraph& graph) {
    std::vector<core::TensorId> sources;
    for (const Tensor& tensor : graph.tensors)
        sources.push_back(tensor.id);
    for (const Operation& operation : graph.operations)
        if (std::holds_alternative<Reshape>(operation.attributes))
            sources[operation.outputs.front().index()] = sources[operation.inputs.front().index()];
    return sources;
}

class Combiner {
public:
    Combiner(std::vector<OperationPlan>& plans, const StagedGraph& staged, const CombinedPlanner& planner)
        : m_plans(plans)
        , m_staged(staged)
        , m_graph(staged.graph)
        , m_planner(planner)
        , m_depths(depthsInProgram(staged))
        , m_sources(withoutReshapes(staged.graph))
        , m_isCombined(m_plans.size(), false) {}

    /// Products [M, K] × [K, N]: a shared left operand lets them grow in N, a shared right one in M.
    void combineMatMuls() {
        for (const std::size_t shared : {std::size_t(0), std::size_t(1)}) {
            std::map<Key, std::vector<OperationId>> groups;
            for (const Operation& operation : m_graph.operations)
                if (const auto* product = std::get_if<MatMul>(&operation.attributes))
                    addMatMul(groups, operation, *product, shared);
            for (const auto& [key, members] : groups)
                if (members.size() > 1)
                    combineGroup(members, 1 - shared);
        }
    }

    void combineLookups() {
        std::map<Key, std::vector<OperationId>> groups;
        for (const Operation& operation : m_graph.operations) {
            const auto* lookup = std::get_if<Gather>(&operation.attributes);
            if (lookup && lookup->axis == 0 && lookup->serialization == 1)
                groups[keyOf(operation, 0, {})].push_back(operation.id);
        }
        for (const auto& [key, members] : groups)
            if (members.size() > 1)
                combineLookupGroup(members);
    }

private:
    [[nodiscard]] const Tensor& tensor(const Operation& operation, std::size_t input) const {
        return m_graph.tensor(operation.inputs[input]);
    }
    /// Layers reshape what they share each for itself, so the shared operand is known by its source and
    /// shape.
    [[nodiscard]] Key keyOf(const Operation& operation, std::size_t shared,
                            std::vector<std::int64_t> agrees) const {
        const Extents& extents = tensor(operation, shared).extents;
        agrees.insert(agrees.end(), extents.begin(), extents.end());
        return {m_staged.stageOf(operation.id),
                operation.phase,
                m_depths[operation.id.index()],
                m_sources[operation.inputs[shared].index()],
                shared,
                std::move(agrees)};
    }

    void addMatMul(std::map<Key, std::vector<OperationId>>& groups, const Operation& operation,
                   const MatMul& product, std::size_t shared) const {
        const Extents& left = tensor(operation, 0).extents;
        const Extents& right = tensor(operation, 1).extents;
        const bool isPlain = left.size() >= 2 && right.size() == 2 && product.serialization == 1 &&
                             (left.size() == 2 || !product.transposeLeft);
        if (!isPlain || m_isCombined[operation.id.index()])
            return;
        std::vector<std::int64_t> agrees{product.transposeLeft, product.transposeRight,
                                         static_cast<std::int64_t>(tensor(operation, 1 - shared).type)};
        // What grows does so along its first axis; the others must be as long.
        if (shared == 1 && left.size() > 2)
            agrees.insert(agrees.end(), left.begin() + 1, left.end());
        groups[keyOf(operation, shared, std::move(agrees))].push_back(operation.id);
    }

    /// Operand `grows` is as long as those of all members together, on its axis that the product keeps.
    void combineGroup(const std::vector<OperationId>& members, std::size_t grows) {
        Operation combined = m_graph.operation(members.front());
        const auto& product = std::get<MatMul>(combined.attributes);
        const std::size_t axis =
            grows == 0 ? (product.transposeLeft ? 1 : 0) : (product.transposeRight ? 0 : 1);
        std::vector<Tensor> tensors = operandsOf(combined);
        const std::size_t result = tensors.size() - 1;
        for (std::size_t member = 1; member < members.size(); ++member) {
            const Operation& other = m_graph.operation(members[member]);
            const std::int64_t more = tensor(other, grows).extents[axis];
            tensors[grows].extents[axis] += more;
            (grows == 0 ? tensors[result].extents.front() : tensors[result].extents.back()) += more;
        }
        give(combined, tensors, members);
    }

    void combineLookupGroup(const std::vector<OperationId>& members) {
        Operation combined = m_graph.operation(members.front());
        std::vector<Tensor> tensors = operandsOf(combined);
        std::int64_t lookups = 0;
        for (const OperationId member : members)
            lookups += tensor(m_graph.operation(member), 1).elements();
        Extents extents{lookups};
        const Extents& table = tensors.front().extents;
        extents.insert(extents.end(), table.begin() + 1, table.end());
        tensors[1].extents = {lookups};
        tensors.back().extents = std::move(extents);
        give(combined, tensors, members);
    }

    /// Copies of the operation's tensors, which it then names by their place among the copies.
    std::vector<Tensor> operandsOf(Operation& combined) const {
        std::vector<Tensor> tensors;
        const auto take = [&](core::TensorId& id) {
            tensors.push_back(m_graph.tensor(id));
            id = core::TensorId(tensors.size() - 1);
            tensors.back().id = id;
        };
        for (core::TensorId& input : combined.inputs)
            take(input);
        for (core::TensorId& output : combined.outputs)
            take(output);
        return tensors;
    }

    void give(const Operation& combined, const std::vector<Tensor>& tensors,
              const std::vector<OperationId>& members) {
        OperationPlan whole = m_planner(combined, tensors, members.front());
        for (const OperationId member : members) {
            m_isCombined[member.index()] = true;
            OperationPlan& plan = m_plans[member.index()];
            const core::Flops flops = plan.flops;
            const std::int64_t tiles = plan.tilesUsed;
            plan = {};
            plan.flops = flops;
            plan.tilesUsed = tiles;
            plan.supersteps = 0;
        }
        OperationPlan& first = m_plans[members.front().index()];
        whole.flops = first.flops;
        whole.split.emplace_back("combined", static_cast<std::int64_t>(members.size()));
        first = std::move(whole);
    }

    std::vector<OperationPlan>& m_plans;
    const StagedGraph& m_staged;
    const TrainingGraph& m_graph;
    const CombinedPlanner& m_planner;
    std::vector<std::size_t> m_depths;
    std::vector<core::TensorId> m_sources;
    std::vector<bool> m_isCombined;
};

} // namespace

std::vector<std::size_t> depthsInProgram(const StagedGraph& staged) {
    const TrainingGraph& graph = staged.graph;
    std::vector<std::size_t> depths(graph.operations.size(), 0);
    std::vector<OperationId> producers(graph.tensors.size());
    for (const Operation& operation : graph.operations) {
        for (const core::TensorId input : operation.inputs) {
            const OperationId producer = producers[input.index()];
            if (producer.isValid() && graph.operation(producer).phase == operation.phase &&
                staged.stageOf(producer) == staged.stageOf(operation.id))
                depths[operation.id.index()] =
                    std::max(depths[operation.id.index()], depths[producer.index()] + 1);
        }
        for (const core::TensorId output : operation.outputs)
            producers[output.index()] = operation.id;
    }
    return depths;
}

void combineOperations(std::vector<OperationPlan>& plans, const StagedGraph& staged,
                       const CombineOptions& options, const CombinedPlanner& planner) {
    if (!options.matMuls && !options.embeddingLookups)
        return;
    Combiner combiner(plans, staged, planner);
    if (options.matMuls)
        combiner.combineMatMuls();
    if (options.embeddingLookups)
        combiner.combineLookups();
}

} // namespace simulator
