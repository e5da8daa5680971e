// Losses that stages and model functions compute of tensors.
#include "core/interchange/python/apis/calls/loss_graph.h"

#include "core/interchange/python/apis/calls/function_model.h"
#include "core/interchange/python/apis/calls/loss_function.h"
#include "core/interchange/python/draft/layers.h"
#include "core/interchange/python/draft/sample_shapes.h"
#include "core/interchange/python/draft/tensor_shape.h"
#include "core/model/graph/layer_catalogue.h"
#include "core/model/layer_definition.h"

#include <algorithm>
#include <array>
#include <map>
#include <ranges>
#include <set>

namespace core {

namespace {

/// A call of a layer: [layer, call].
using GraphNode = std::pair<std::int64_t, std::int64_t>;

GraphNode nodeOf(const PythonTensor& tensor) {
    return {tensor.layer, tensor.call};
}

/// Functions without weights, of which losses are made.
bool isFunctionLayer(const PythonLayer& layer) {
    constexpr std::array<std::string_view, 4> ofLosses{"LossValue", "Activation", "Softmax", "ReLU"};
    if (std::ranges::find(ofLosses, layer.className) != ofLosses.end())
        return true;
    const LayerDefinition* definition = findLayerDefinition(layer.className);
    return definition != nullptr && (definition->category == LayerCategory::Operation ||
                                     definition->category == LayerCategory::Merging ||
                                     definition->category == LayerCategory::Reshaping);
}

/// Layers that are losses themselves, of labels that are inputs of the model.
bool isLossLayer(const PythonLayer& layer) {
    constexpr std::array<std::string_view, 3> known{"CTCLoss", "NceLoss", "SampledSoftmaxLoss"};
    return std::ranges::find(known, layer.className) != known.end();
}

/// What leads to a loss, and the part of it that is the loss of labels and predictions.
class LossGraph {
public:
    LossGraph(const PythonApiCall& call, const PythonTensor& loss, const PythonValues& elements)
        : m_call(call)
        , m_builder(call.builder)
        , m_loss(loss) {
        collect(nodeOf(loss));
        for (const PythonTensor& tensor : tensorsOfElements(elements))
            if (m_position.contains(nodeOf(tensor)))
                m_elements.push_back(tensor);
    }

    PythonLoss read(PythonPlace place) {
        m_place = place;
        markWeights();
        const bool isOfLayer = findLossLayer();
        if (!isOfLayer)
            findLabels();
        const Json shape = withoutBatch(tensorShape(m_builder, m_predictions));
        const PythonValue made = lossOfLabels(
            m_call, {shape, labelShape()}, [&](const PythonTensor& labels, const PythonTensor& predictions) {
                return copied(labels, predictions);
            });
        PythonLoss loss{made.as<PythonConfigured>()->json, m_predictions};
        if (!isOfLayer)
            loss.label = m_labels;
        return loss;
    }

private:
    [[noreturn]] void refuse(const char* message) const {
        m_builder.refuse(
            m_place, "python/unsupported", message,
            {"compute it of the labels and of one prediction, behind the last layer with weights",
             "use a loss of keras.losses or tf.nn, and reduce_mean() or reduce_sum() of it"});
    }

    [[nodiscard]] const PythonLayer& layerOf(const GraphNode& node) const {
        return m_builder.facts.draft.layers[static_cast<std::size_t>(node.first)];
    }
    [[nodiscard]] const std::vector<PythonTensor>& operandsOf(const GraphNode& node) const {
        return layerOf(node).calls[static_cast<std::size_t>(node.second)].tensors;
    }

    /// Operands before what is computed of them.
    void collect(const GraphNode& last) {
        std::vector<std::pair<GraphNode, bool>> open{{last, false}};
        std::set<GraphNode> seen;
        while (!open.empty()) {
            const auto [node, isDone] = open.back();
            open.pop_back();
            if (isDone) {
                m_position.emplace(node, m_nodes.size());
                m_nodes.push_back(node);
                continue;
            }
            if (!seen.insert(node).second)
                continue;
            open.emplace_back(node, true);
            for (const PythonTensor& operand : operandsOf(node))
                open.emplace_back(nodeOf(operand), false);
        }
    }

    /// What weights lead to, and what leads to weights.
    void markWeights() {
        for (const GraphNode& node : m_nodes) {
            const PythonLayer& layer = layerOf(node);
            const bool isWeighted = layer.className != "InputLayer" && !isFunctionLayer(layer);
            const bool isBehind = std::ranges::any_of(
                operandsOf(node), [&](const auto& operand) { return m_behind.contains(nodeOf(operand)); });
            if (isWeighted || isBehind)
                m_behind.insert(node);
            if (isWeighted)
                m_before.insert(node);
        }
        for (const GraphNode& node : m_nodes | std::views::reverse)
            if (m_before.contains(node))
                for (const PythonTensor& operand : operandsOf(node))
                    m_before.insert(nodeOf(operand));
        if (m_behind.empty())
            refuse("this loss depends on no layer with weights");
    }

    /// A layer that is a loss is the prediction, and what is computed of it the loss.
    bool findLossLayer() {
        const auto last = std::ranges::find_if(
            m_nodes | std::views::reverse, [&](const GraphNode& node) { return isLossLayer(layerOf(node)); });
        if (last == m_nodes.rend())
            return false;
        m_labels = {-1, -1, 0};
        m_predictions = {last->first, last->second, 0};
        std::set<GraphNode> reached{*last};
        for (const GraphNode& node : m_nodes)
            if (std::ranges::any_of(operandsOf(node),
                                    [&](const auto& operand) { return reached.contains(nodeOf(operand)); })) {
                reached.insert(node);
                m_cut.insert(node);
            }
        if (m_cut.empty()) // the program trains on one value for each sample
            return true;
        if (frontierOf().size() != 1)
            refuse("this loss depends on more than one layer that is a loss");
        return true;
    }

    /// Labels lead to no weights. Where all samples do, as in autoencoders, those that are met again behind
    /// the last weights are labels as well.
    void findLabels() {
        std::vector<PythonTensor> labels;
        for (const PythonTensor& element : m_elements)
            if (!m_before.contains(nodeOf(element)))
                labels.push_back(element);
        if (labels.empty())
            for (const PythonTensor& element : m_elements)
                if (isMetAgain(element))
                    labels.push_back(element);
        if (labels.size() != 1)
            refuse(labels.empty() ? "this loss depends on no labels"
                                  : "this loss depends on several parts of the samples, of which a project "
                                    "knows one as labels");
        m_labels = labels.front();
        cut();
    }

    /// Whether it leads behind the last weights on a way without any.
    [[nodiscard]] bool isMetAgain(const PythonTensor& element) const {
        std::set<GraphNode> reached{nodeOf(element)};
        for (const GraphNode& node : m_nodes) {
            const bool isNext = std::ranges::any_of(
                operandsOf(node), [&](const auto& operand) { return reached.contains(nodeOf(operand)); });
            const bool isFree = !m_before.contains(node) || !m_behind.contains(node);
            if (!isNext || !isFree || !isFunctionLayer(layerOf(node)))
                continue;
            if (m_behind.contains(node) && !m_before.contains(node))
                return true;
            reached.insert(node);
        }
        return false;
    }

    /// The loss is what the labels lead to behind the last weights, and as much more as makes the rest one
    /// prediction.
    void cut() {
        std::set<GraphNode> ofLabels{nodeOf(m_labels)};
        for (const GraphNode& node : m_nodes) {
            const bool isNext = std::ranges::any_of(
                operandsOf(node), [&](const auto& operand) { return ofLabels.contains(nodeOf(operand)); });
            const bool isLast =
                m_behind.contains(node) ? !m_before.contains(node) : isFunctionLayer(layerOf(node));
            if (isNext && isLast)
                ofLabels.insert(node);
        }
        m_cut = std::move(ofLabels);
        m_cut.insert(nodeOf(m_loss));
        for (;;) {
            const std::set<std::pair<GraphNode, std::int64_t>> frontier = frontierOf();
            if (frontier.size() == 1) {
                const auto& [node, output] = *frontier.begin();
                m_predictions = {node.first, node.second, output};
                return;
            }
            // The latest function among them is computed of the others, or of what they are computed of.
            const GraphNode* latest = nullptr;
            for (const auto& entry : frontier)
                if (isFunctionLayer(layerOf(entry.first)) && !m_before.contains(entry.first) &&
                    (latest == nullptr || m_position.at(*latest) < m_position.at(entry.first)))
                    latest = &entry.first;
            if (latest == nullptr)
                refuse("this loss depends on several predictions");
            m_cut.insert(*latest);
        }
    }

    [[nodiscard]] std::set<std::pair<GraphNode, std::int64_t>> frontierOf() const {
        std::set<std::pair<GraphNode, std::int64_t>> frontier;
        for (const GraphNode& node : m_cut)
            if (node != nodeOf(m_labels))
                for (const PythonTensor& operand : operandsOf(node))
                    if (!m_cut.contains(nodeOf(operand)))
                        frontier.emplace(nodeOf(operand), operand.output);
        return frontier;
    }

    /// As the labels come to the program; null where they are not known, or come as the loss.
    [[nodiscard]] Json labelShape() const {
        return m_labels.layer < 0 ? Json() : withoutBatch(tensorShape(m_builder, m_labels));
    }

    PythonValue copied(const PythonTensor& labels, const PythonTensor& predictions) {
        std::map<GraphNode, std::int64_t> copies;
        const auto copyOf = [&](const PythonTensor& tensor) -> PythonTensor {
            if (tensor == m_predictions)
                return predictions;
            if (nodeOf(tensor) == nodeOf(m_labels))
                return labels;
            return {copies.at(nodeOf(tensor)), 0, tensor.output};
        };
        for (const GraphNode& node : m_nodes) {
            if (!m_cut.contains(node) || node == nodeOf(m_labels))
                continue;
            PythonLayer layer = layerOf(node);
            PythonCall one = layer.calls[static_cast<std::size_t>(node.second)];
            for (PythonTensor& operand : one.tensors)
                operand = copyOf(operand);
            one.stage.reset();
            one.shard.reset();
            one.group = 0;
            layer.calls = {std::move(one)};
            layer.name =
                m_builder.freshName(layer.name.substr(0, layer.name.find_last_not_of("_0123456789") + 1));
            layer.config["name"] = layer.name;
            copies.emplace(node, m_builder.addLayer(std::move(layer)).layer);
        }
        return copyOf(m_loss);
    }

    const PythonApiCall& m_call;
    PythonProgramBuilder& m_builder;
    PythonTensor m_loss;
    PythonPlace m_place;
    std::vector<GraphNode> m_nodes;
    std::map<GraphNode, std::size_t> m_position;
    std::vector<PythonTensor> m_elements;
    std::set<GraphNode> m_behind;
    std::set<GraphNode> m_before;
    std::set<GraphNode> m_cut;
    PythonTensor m_labels;
    PythonTensor m_predictions;
};

} // namespace

PythonLoss lossOfStep(const PythonApiCall& call, const PythonTrainingStep& step,
                      const PythonValues& elements) {
    const PythonPlace place{step.line, step.column, step.file};
    const auto* loss = step.loss->as<PythonLoss>();
    const auto* tensor = step.loss->as<PythonTensor>();
    if (loss == nullptr && tensor == nullptr)
        call.builder.refuse(place, "python/unsupported", "this loss is not among those that are read",
                            {"use a loss of keras.losses or tf.nn, and reduce_mean() or reduce_sum() of it"});
    const auto isInput = [&](const PythonTensor& label) {
        return call.builder.layer(label.layer).className == "InputLayer";
    };
    if (loss != nullptr && (loss->model >= 0 || isInput(loss->label)))
        return *loss;
    const PythonTensor computed = tensor != nullptr ? *tensor : tensorOfLoss(call.builder, *loss, place);
    return LossGraph(call, computed, elements).read(place);
}

} // namespace core
