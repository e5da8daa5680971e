#include "simulator/compiler/ordering/computation.h"

#include <algorithm>
#include <unordered_map>

namespace simulator {

namespace {

class ComputationBuilder {
public:
    ComputationBuilder(const StagedGraph& staged, const TensorUses& uses,
                       std::vector<core::OperationId> operations)
        : m_graph(staged.graph)
        , m_uses(uses) {
        m_result.operations = std::move(operations);
        m_nodes.reserve(m_result.size());
        for (std::uint32_t node = 0; node < m_result.size(); ++node)
            m_nodes.emplace(m_result.operations[node].index(), node);
    }

    Computation build() {
        for (std::uint32_t node = 0; node < m_result.size(); ++node) {
            const Operation& operation = m_graph.operation(m_result.operations[node]);
            addOperands(operation, node);
            addReads(operation);
            addDefinitions(operation);
        }
        m_result.users = transposed(m_result.operands);
        return std::move(m_result);
    }

private:
    void addOperands(const Operation& operation, std::uint32_t node) {
        std::vector<std::uint32_t>& operands = m_result.operands.values;
        const auto begin = static_cast<std::ptrdiff_t>(operands.size());
        for (const core::TensorId input : operation.inputs)
            if (const core::OperationId producer = m_uses.producer(input); producer.isValid())
                if (const auto found = m_nodes.find(producer.index()); found != m_nodes.end())
                    operands.push_back(found->second);
        orderRewrites(operation, node);
        std::sort(operands.begin() + begin, operands.end());
        operands.erase(std::unique(operands.begin() + begin, operands.end()), operands.end());
        m_result.operands.close();
    }

    /// A variable is read before it is rewritten, and read again after.
    void orderRewrites(const Operation& operation, std::uint32_t node) {
        std::vector<std::uint32_t>& operands = m_result.operands.values;
        for (const core::TensorId input : operation.inputs) {
            if (isTransient(m_graph.tensor(input).role))
                continue;
            Variable& variable = m_variables[input.index()];
            if (variable.writer >= 0)
                operands.push_back(static_cast<std::uint32_t>(variable.writer));
            variable.readers.push_back(node);
        }
        for (const core::TensorId output : operation.outputs) {
            if (isTransient(m_graph.tensor(output).role))
                continue;
            Variable& variable = m_variables[output.index()];
            for (const std::uint32_t reader : variable.readers)
                if (reader != node)
                    operands.push_back(reader);
            variable = {node, {}};
        }
    }

    void addReads(const Operation& operation) {
        std::vector<std::uint32_t>& reads = m_result.reads.values;
        const auto begin = static_cast<std::ptrdiff_t>(reads.size());
        for (const core::TensorId input : operation.inputs) {
            const core::TensorId storage = m_uses.storage(input);
            if (isTransient(m_graph.tensor(storage).role))
                reads.push_back(bufferOf(storage));
        }
        std::sort(reads.begin() + begin, reads.end());
        reads.erase(std::unique(reads.begin() + begin, reads.end()), reads.end());
        m_result.reads.close();
    }

    void addDefinitions(const Operation& operation) {
        for (const core::TensorId output : operation.outputs)
            if (m_uses.storage(output) == output && isTransient(m_graph.tensor(output).role))
                m_result.defines.values.push_back(bufferOf(output));
        m_result.defines.close();
        // A view read elsewhere keeps the buffer it looks at alive.
        for (const core::TensorId output : operation.outputs)
            if (isTransient(m_graph.tensor(output).role) && isReadElsewhere(output))
                m_result.leaves[bufferOf(m_uses.storage(output))] = true;
    }

    std::uint32_t bufferOf(core::TensorId storage) {
        const auto [found, isNew] =
            m_buffers.emplace(storage.index(), static_cast<std::uint32_t>(m_result.bufferBytes.size()));
        if (isNew) {
            m_result.bufferBytes.push_back(m_graph.tensor(storage).bytes());
            m_result.leaves.push_back(false);
        }
        return found->second;
    }

    [[nodiscard]] bool isReadElsewhere(core::TensorId tensor) const {
        return std::ranges::any_of(m_uses.readers(tensor), [this](core::OperationId reader) {
            return !m_nodes.contains(reader.index());
        });
    }

    [[nodiscard]] static IndexLists transposed(const IndexLists& lists) {
        std::vector<std::vector<std::uint32_t>> sources(lists.size());
        for (std::uint32_t from = 0; from < lists.size(); ++from)
            for (const std::uint32_t to : lists[from])
                sources[to].push_back(from);
        IndexLists result;
        for (const auto& list : sources) {
            result.values.insert(result.values.end(), list.begin(), list.end());
            result.close();
        }
        return result;
    }

    struct Variable {
        std::int64_t writer = -1;
        std::vector<std::uint32_t> readers;
    };

    const TrainingGraph& m_graph;
    const TensorUses& m_uses;
    Computation m_result;
    std::unordered_map<std::size_t, std::uint32_t> m_nodes;
    std::unordered_map<std::size_t, std::uint32_t> m_buffers;
    std::unordered_map<std::size_t, Variable> m_variables;
};

} // namespace

Computation makeComputation(const StagedGraph& staged, const TensorUses& uses,
                            std::vector<core::OperationId> operations) {
    return ComputationBuilder(staged, uses, std::move(operations)).build();
}

std::int64_t peakLiveness(const Computation& computation, const NodeOrder& order) {
    std::vector<bool> isLive = computation.leaves;
    std::int64_t live = 0;
    for (std::size_t buffer = 0; buffer < isLive.size(); ++buffer)
        live += isLive[buffer] ? computation.bufferBytes[buffer] : 0;
    std::int64_t peak = live;
    for (auto node = order.rbegin(); node != order.rend(); ++node) {
        std::int64_t step = live;
        for (const std::uint32_t buffer : computation.defines[*node])
            if (!isLive[buffer])
                step += computation.bufferBytes[buffer];
        for (const std::uint32_t buffer : computation.reads[*node])
            if (!isLive[buffer]) {
                isLive[buffer] = true;
                live += computation.bufferBytes[buffer];
                step += computation.bufferBytes[buffer];
            }
        peak = std::max(peak, step);
        for (const std::uint32_t buffer : computation.defines[*node])
            if (isLive[buffer]) {
                isLive[buffer] = false;
                live -= computation.bufferBytes[buffer];
            }
    }
    return peak;
}

} // namespace simulator
