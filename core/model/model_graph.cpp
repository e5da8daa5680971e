#include "core/model/model_graph.h"

#include <algorithm>
#include <unordered_map>

namespace core {

bool Layer::operator==(const Layer& other) const {
    const bool sameModel = model == other.model || (model && other.model && *model == *other.model);
    return sameModel && id == other.id && name == other.name && className == other.className &&
           config == other.config && extra == other.extra && trainable == other.trainable &&
           isImplicit == other.isImplicit;
}

bool Layer::isNestedModel() const {
    return model != nullptr && className != "TimeDistributed";
}

std::optional<LayerId> ModelGraph::findLayer(std::string_view wanted) const {
    const auto found =
        std::find_if(layers.begin(), layers.end(), [&](const Layer& layer) { return layer.name == wanted; });
    return found == layers.end() ? std::nullopt : std::optional(found->id);
}

bool isTrainable(const ModelGraph& graph) {
    const auto config = graph.extra.find("config");
    if (config == graph.extra.end() || !config->is_object())
        return true;
    const auto trainable = config->find("trainable");
    return trainable == config->end() || *trainable != false;
}

std::string_view toString(ModelKind kind) {
    return kind == ModelKind::Sequential ? "Sequential" : "Functional";
}

namespace {

/// Depth-first from the outputs; a call comes after the calls it needs.
std::vector<InvocationId> operandsFirst(const ModelGraph& graph) {
    std::vector<InvocationId> finished;
    std::vector<bool> isVisited(graph.invocations.size(), false);
    std::vector<bool> isUsed(graph.invocations.size(), false);
    std::vector<std::pair<InvocationId, std::size_t>> open;
    const auto visit = [&](InvocationId root) {
        if (isVisited[root.index()])
            return;
        isVisited[root.index()] = true;
        open.emplace_back(root, 0);
        while (!open.empty()) {
            auto& [id, next] = open.back();
            const std::vector<TensorRef>& inputs = graph.invocation(id).inputs;
            if (next == inputs.size()) {
                finished.push_back(id);
                open.pop_back();
                continue;
            }
            const InvocationId operand = inputs[next++].invocation;
            if (!isVisited[operand.index()]) {
                isVisited[operand.index()] = true;
                open.emplace_back(operand, 0);
            }
        }
    };
    for (const TensorRef& output : graph.outputs)
        visit(output.invocation);
    for (const LayerInvocation& invocation : graph.invocations) {
        for (const TensorRef& input : invocation.inputs)
            isUsed[input.invocation.index()] = true;
    }
    for (const LayerInvocation& invocation : graph.invocations) {
        if (!isUsed[invocation.id.index()])
            visit(invocation.id);
    }
    for (const LayerInvocation& invocation : graph.invocations)
        visit(invocation.id); // only in a graph with a cycle
    return finished;
}

} // namespace

std::vector<InvocationId> postOrder(const ModelGraph& graph) {
    const std::vector<InvocationId> operands = operandsFirst(graph);
    std::vector<std::int64_t> depths(graph.invocations.size(), -1);
    std::vector<std::int64_t> layerDepths(graph.layers.size(), 0);
    // Calls in the order in which a depth was first noted for them.
    std::vector<InvocationId> noted;
    const auto raise = [&](InvocationId id, std::int64_t depth) {
        if (depths[id.index()] < 0)
            noted.push_back(id);
        depths[id.index()] = std::max(depths[id.index()], depth);
    };
    for (auto it = operands.rbegin(); it != operands.rend(); ++it) {
        const LayerInvocation& invocation = graph.invocation(*it);
        raise(*it, 0);
        // A layer that was met at a greater depth takes its other calls there.
        std::int64_t& layerDepth = layerDepths[invocation.layer.index()];
        raise(*it, layerDepth);
        layerDepth = depths[it->index()];
        for (const TensorRef& input : invocation.inputs)
            raise(input.invocation, layerDepth + 1);
    }
    std::stable_sort(noted.begin(), noted.end(),
                     [&](InvocationId a, InvocationId b) { return depths[a.index()] > depths[b.index()]; });
    return noted;
}

std::vector<InvocationId> assignableInvocations(const ModelGraph& graph) {
    std::vector<InvocationId> order = postOrder(graph);
    std::erase_if(order, [&](InvocationId id) { return graph.layer(id).className == "InputLayer"; });
    return order;
}

} // namespace core
