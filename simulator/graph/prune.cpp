#include "simulator/graph/prune.h"

#include <algorithm>

namespace simulator {
namespace {

using core::TensorId;

bool isKept(TensorRole role) {
    return role == TensorRole::Parameter || role == TensorRole::State || role == TensorRole::Accumulator ||
           role == TensorRole::OptimizerSlot;
}

/// Which operations lead to something needed.
std::vector<bool> neededOperations(const TrainingGraph& graph, bool keepsPredictions) {
    std::vector<bool> isNeeded(graph.tensors.size(), false);
    const auto need = [&](TensorId id) {
        if (id.isValid())
            isNeeded[id.index()] = true;
    };
    need(graph.loss);
    for (const TrainingGraph::NamedTensor& metric : graph.metrics)
        need(metric.tensor);
    if (!graph.loss.isValid() || keepsPredictions)
        std::ranges::for_each(graph.predictions, need);
    std::vector<bool> operations(graph.operations.size(), false);
    for (std::size_t i = graph.operations.size(); i-- > 0;) {
        const Operation& operation = graph.operations[i];
        operations[i] = std::ranges::any_of(operation.outputs, [&](TensorId id) {
            return isNeeded[id.index()] || isKept(graph.tensor(id).role);
        });
        if (operations[i])
            std::ranges::for_each(operation.inputs, need);
    }
    return operations;
}

/// Old tensor ids to new ones; invalid for those that go.
std::vector<TensorId> renumberTensors(TrainingGraph& graph, bool keepsPredictions) {
    std::vector<bool> isUsed(graph.tensors.size(), false);
    const auto use = [&](TensorId id) { isUsed[id.index()] = true; };
    for (const Operation& operation : graph.operations) {
        std::ranges::for_each(operation.inputs, use);
        std::ranges::for_each(operation.outputs, use);
    }
    std::ranges::for_each(graph.inputs, use);
    std::ranges::for_each(graph.targets, use);
    for (const LayerWeight& weight : graph.weights)
        use(weight.tensor);
    if (!graph.loss.isValid() || keepsPredictions)
        std::ranges::for_each(graph.predictions, use);
    std::vector<TensorId> renumbered(graph.tensors.size());
    std::vector<Tensor> kept;
    for (Tensor& tensor : graph.tensors) {
        if (!isUsed[tensor.id.index()])
            continue;
        const TensorId id(kept.size());
        renumbered[tensor.id.index()] = id;
        tensor.id = id;
        kept.push_back(std::move(tensor));
    }
    graph.tensors = std::move(kept);
    return renumbered;
}

void applyNumbers(TrainingGraph& graph, const std::vector<TensorId>& renumbered) {
    const auto map = [&](TensorId& id) { id = id.isValid() ? renumbered[id.index()] : id; };
    const auto mapAll = [&](std::vector<TensorId>& ids) {
        std::ranges::for_each(ids, map);
        std::erase_if(ids, [](TensorId id) { return !id.isValid(); });
    };
    for (Operation& operation : graph.operations) {
        std::ranges::for_each(operation.inputs, map);
        std::ranges::for_each(operation.outputs, map);
    }
    for (ParameterSlots& slots : graph.parameters) {
        map(slots.parameter);
        mapAll(slots.gradients);
        map(slots.accumulator);
        mapAll(slots.optimizerSlots);
    }
    for (LayerWeight& weight : graph.weights)
        map(weight.tensor);
    for (InitialValue& value : graph.initialValues)
        map(value.tensor);
    std::erase_if(graph.initialValues, [](const InitialValue& value) { return !value.tensor.isValid(); });
    mapAll(graph.inputs);
    mapAll(graph.targets);
    mapAll(graph.predictions);
    map(graph.loss);
    for (TrainingGraph::NamedTensor& metric : graph.metrics)
        map(metric.tensor);
}

} // namespace

void prune(TrainingGraph& graph, bool keepsPredictions) {
    const std::vector<bool> isNeeded = neededOperations(graph, keepsPredictions);
    std::vector<Operation> kept;
    for (std::size_t i = 0; i < graph.operations.size(); ++i) {
        if (!isNeeded[i])
            continue;
        kept.push_back(std::move(graph.operations[i]));
        kept.back().id = core::OperationId(kept.size() - 1);
    }
    graph.operations = std::move(kept);
    applyNumbers(graph, renumberTensors(graph, keepsPredictions));
}

void accumulateEarly(TrainingGraph& graph) {
    std::vector<Operation> ordered;
    std::vector<std::vector<Operation>> behind(graph.operations.size());
    std::vector<std::size_t> producer(graph.tensors.size(), graph.operations.size());
    for (const Operation& operation : graph.operations) {
        for (const TensorId id : operation.outputs)
            producer[id.index()] = std::min(producer[id.index()], operation.id.index());
    }
    std::vector<bool> isMoved(graph.operations.size(), false);
    for (const Operation& operation : graph.operations) {
        if (!std::holds_alternative<AccumulateGradient>(operation.attributes))
            continue;
        const std::size_t maker = producer[operation.inputs.front().index()];
        if (maker < operation.id.index()) {
            behind[maker].push_back(operation);
            isMoved[operation.id.index()] = true;
        }
    }
    for (std::size_t i = 0; i < graph.operations.size(); ++i) {
        if (!isMoved[i])
            ordered.push_back(std::move(graph.operations[i]));
        for (Operation& accumulation : behind[i])
            ordered.push_back(std::move(accumulation));
    }
    for (std::size_t i = 0; i < ordered.size(); ++i)
        ordered[i].id = core::OperationId(i);
    graph.operations = std::move(ordered);
}

} // namespace simulator
