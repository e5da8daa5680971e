#include "simulator/numerics/sequence/fuse_operations.h"

#include "simulator/catalogue/optimizer_formulas.h"

#include <algorithm>
#include <map>
#include <set>

namespace simulator {
namespace {

using core::DataType;
using core::OperationId;
using core::TensorId;

/// Products whose kernels can end with a bias and a relu.
bool takesEnd(const TrainingGraph& graph, const Operation& operation) {
    if (std::holds_alternative<MatMul>(operation.attributes))
        return true;
    const auto* convolution = std::get_if<Convolution>(&operation.attributes);
    if (convolution == nullptr || convolution->pass != ConvolutionPass::Forward)
        return false;
    // One channel per group has a kernel of its own.
    const Extents& kernel = graph.tensor(operation.inputs[1]).extents;
    return convolution->groups == 1 || kernel[kernel.size() - 2] > 1;
}

/// Products whose kernels can add to what is there.
bool takesAccumulation(const TrainingGraph& graph, const Operation& operation) {
    if (std::holds_alternative<MatMul>(operation.attributes))
        return graph.tensor(operation.outputs[0]).extents.size() == 2;
    const auto* convolution = std::get_if<Convolution>(&operation.attributes);
    if (convolution == nullptr || convolution->pass != ConvolutionPass::WeightGradient)
        return false;
    const Extents& kernel = graph.tensor(operation.outputs[0]).extents;
    return convolution->groups == 1 || kernel[kernel.size() - 2] > 1;
}

/// Products whose kernel can hand its rows to a weight update.
bool isPlainProduct(const TrainingGraph& graph, const Operation& operation) {
    return std::holds_alternative<MatMul>(operation.attributes) &&
           std::ranges::all_of(operation.inputs, [&](TensorId id) {
               return graph.tensor(id).extents.size() == 2 && graph.tensor(id).type == DataType::Float32;
           });
}

/// Whether an operation updates a weight element by element with this gradient.
bool updatesWith(const TrainingGraph& graph, const Operation& operation, TensorId gradient) {
    const auto* update = std::get_if<OptimizerUpdate>(&operation.attributes);
    // A trust ratio wants the length of the whole step first.
    return update != nullptr && !optimizerFormula(update->className).scalesByTrustRatio &&
           operation.inputs.front() == gradient && graph.tensor(gradient).type == DataType::Float32 &&
           std::ranges::all_of(operation.outputs,
                               [&](TensorId id) { return graph.tensor(id).type == DataType::Float32; });
}

bool isPlainRelu(const Operation& operation) {
    const auto* unary = std::get_if<Unary>(&operation.attributes);
    return unary != nullptr && unary->function == UnaryFunction::Relu && unary->alpha == 0 &&
           unary->beta == 0;
}

class Fuser {
public:
    Fuser(const TrainingGraph& graph, std::span<const OperationId> operations,
          const std::function<bool(TensorId)>& isNeededOutside)
        : m_graph(graph)
        , m_operations(operations)
        , m_isNeededOutside(isNeededOutside) {
        for (std::size_t i = 0; i < operations.size(); ++i) {
            for (const TensorId input : graph.operation(operations[i]).inputs)
                m_readers[input].push_back(i);
        }
    }

    std::vector<FusedOperation> run() {
        // Groups by the place of their last member.
        std::map<std::size_t, FusedOperation> groups;
        std::vector<bool> isTaken(m_operations.size(), false);
        for (std::size_t i = 0; i < m_operations.size(); ++i) {
            if (isTaken[i])
                continue;
            std::size_t last = i;
            FusedOperation group = start(i);
            extend(group, last, isTaken);
            groups.emplace(last, std::move(group));
        }
        std::vector<FusedOperation> result;
        result.reserve(groups.size());
        for (auto& [place, group] : groups)
            result.push_back(std::move(group));
        return result;
    }

private:
    FusedOperation start(std::size_t place) const {
        const Operation& operation = m_graph.operation(m_operations[place]);
        const TensorId output = operation.outputs.empty() ? TensorId{} : operation.outputs.front();
        FusedOperation group;
        group.main = operation.id;
        group.output = output;
        group.members = {operation.id};
        return group;
    }

    /// The only operation that reads a tensor; nothing when others do, or someone outside.
    const std::size_t* onlyReader(TensorId id) const {
        const auto it = m_readers.find(id);
        const bool isAlone = it != m_readers.end() && it->second.size() == 1 && !m_isNeededOutside(id);
        return isAlone ? &it->second.front() : nullptr;
    }

    void extend(FusedOperation& group, std::size_t& last, std::vector<bool>& isTaken) const {
        const Operation& main = m_graph.operation(group.main);
        if (!group.output.isValid() || m_graph.tensor(group.output).type != DataType::Float32)
            return;
        const auto join = [&](std::size_t place) {
            const Operation& next = m_graph.operation(m_operations[place]);
            group.members.push_back(next.id);
            group.output = next.outputs.front();
            isTaken[place] = true;
            last = place;
        };
        if (takesAccumulation(m_graph, main)) {
            if (const std::size_t* reader = onlyReader(group.output);
                reader && addsUp(*reader, group.output)) {
                group.accumulate = true;
                join(*reader);
                return;
            }
        }
        if (isPlainProduct(m_graph, main)) {
            const std::size_t* reader = onlyReader(group.output);
            if (reader && updatesWith(m_graph, m_graph.operation(m_operations[*reader]), group.output)) {
                group.update = m_operations[*reader];
                join(*reader);
                return;
            }
        }
        if (!takesEnd(m_graph, main))
            return;
        if (const std::size_t* reader = onlyReader(group.output)) {
            if (const TensorId bias = biasOf(*reader, group.output); bias.isValid()) {
                group.bias = bias;
                join(*reader);
            }
        }
        if (const std::size_t* reader = onlyReader(group.output);
            reader && scalesChannels(*reader, group.output)) {
            group.normalization = m_operations[*reader];
            join(*reader);
        }
        // Two products may lead to one addition: the first takes it, at the place of the addition, where the
        // other one is there too.
        if (const std::size_t* reader = onlyReader(group.output); reader && !isTaken[*reader]) {
            if (const TensorId addend = addendOf(*reader, group.output); addend.isValid()) {
                group.addend = addend;
                join(*reader);
            }
        }
        if (const std::size_t* reader = onlyReader(group.output);
            reader && isPlainRelu(m_graph.operation(m_operations[*reader]))) {
            group.relu = true;
            join(*reader);
        }
    }

    bool addsUp(std::size_t place, TensorId gradient) const {
        const Operation& operation = m_graph.operation(m_operations[place]);
        const auto* accumulate = std::get_if<AccumulateGradient>(&operation.attributes);
        return accumulate != nullptr && accumulate->reduction == Accumulation::Sum &&
               accumulate->scalesAccumulator && operation.inputs.front() == gradient &&
               m_graph.tensor(operation.outputs.front()).type == DataType::Float32;
    }

    /// Whether an operation normalises every channel of `product` by numbers that do not depend on it.
    bool scalesChannels(std::size_t place, TensorId product) const {
        const Operation& operation = m_graph.operation(m_operations[place]);
        const auto* normalization = std::get_if<Normalization>(&operation.attributes);
        return normalization != nullptr && normalization->kind == NormalizationKind::Batch &&
               normalization->useMovingStatistics && operation.inputs.front() == product &&
               std::ranges::all_of(
                   operation.inputs,
                   [&](TensorId id) { return m_graph.tensor(id).type == DataType::Float32; }) &&
               std::none_of(operation.outputs.begin() + 1, operation.outputs.end(),
                            [&](TensorId id) { return m_readers.contains(id) || m_isNeededOutside(id); });
    }

    /// The row that an addition puts on every row of `product`; invalid when it does something else.
    TensorId biasOf(std::size_t place, TensorId product) const {
        const Operation& operation = m_graph.operation(m_operations[place]);
        const auto* binary = std::get_if<Binary>(&operation.attributes);
        if (binary == nullptr || binary->function != BinaryFunction::Add || operation.inputs[0] != product ||
            operation.inputs[1] == product)
            return {};
        const Tensor& bias = m_graph.tensor(operation.inputs[1]);
        const Tensor& out = m_graph.tensor(product);
        const bool isRow =
            bias.extents.size() == 1 && !out.extents.empty() && bias.extents[0] == out.extents.back();
        return isRow && bias.type == DataType::Float32 ? bias.id : TensorId{};
    }

    /// What an addition adds to `product` element by element; invalid when it does something else.
    TensorId addendOf(std::size_t place, TensorId product) const {
        const Operation& operation = m_graph.operation(m_operations[place]);
        const auto* binary = std::get_if<Binary>(&operation.attributes);
        if (binary == nullptr || binary->function != BinaryFunction::Add ||
            operation.inputs[0] == operation.inputs[1])
            return {};
        const TensorId other = operation.inputs[operation.inputs[0] == product ? 1 : 0];
        const auto isLike = [&](TensorId id) {
            return m_graph.tensor(id).extents == m_graph.tensor(product).extents &&
                   m_graph.tensor(id).type == DataType::Float32;
        };
        return isLike(other) && isLike(operation.outputs.front()) ? other : TensorId{};
    }

    const TrainingGraph& m_graph;
    std::span<const OperationId> m_operations;
    const std::function<bool(TensorId)>& m_isNeededOutside;
    std::map<TensorId, std::vector<std::size_t>> m_readers;
};

} // namespace

std::vector<FusedOperation> fuseOperations(const TrainingGraph& graph,
                                           std::span<const OperationId> operations,
                                           const std::function<bool(TensorId)>& isNeededOutside) {
    return Fuser(graph, operations, isNeededOutside).run();
}

std::vector<OperationId> deferrableGradients(const TrainingGraph& graph) {
    std::vector<std::int64_t> readers(graph.tensors.size(), 0);
    for (const Operation& operation : graph.operations)
        for (const TensorId input : operation.inputs)
            ++readers[input.index()];
    std::set<TensorId> gradients;
    for (const Operation& operation : graph.operations)
        if (!operation.inputs.empty() && updatesWith(graph, operation, operation.inputs.front()) &&
            readers[operation.inputs.front().index()] == 1)
            gradients.insert(operation.inputs.front());
    std::vector<OperationId> products;
    for (const Operation& operation : graph.operations) {
        if (!isPlainProduct(graph, operation) || !gradients.contains(operation.outputs.front()))
            continue;
        std::int64_t operands = 0;
        for (const TensorId input : operation.inputs)
            operands += graph.tensor(input).bytes();
        if (graph.tensor(operation.outputs.front()).bytes() > operands)
            products.push_back(operation.id);
    }
    return products;
}

} // namespace simulator
