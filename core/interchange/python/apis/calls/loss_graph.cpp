// Losses that stages and model functions compute of tensors.
#include "core/interchange/python/apis/calls/loss_graph.h"

#include "core/interchange/python/apis/calls/loss_function.h"
#include "core/interchange/python/apis/calls/model_elements.h"
#include "core/interchange/python/draft/losses.h"
#include "core/interchange/python/draft/sample_shapes.h"
#include "core/interchange/python/draft/tensor_functions.h"
#include "core/interchange/python/draft/tensor_shape.h"
#include "core/model/graph/layer_catalogue.h"
#include "core/model/layer_definition.h"
#include "core/model/layers/function_shapes.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
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
    LossGraph(const PythonApiCall& call, const PythonTensor& loss, const PythonValues& elements,
              PythonPlace place)
        : m_call(call)
        , m_builder(call.builder)
        , m_loss(loss)
        , m_place(place) {
        collect(nodeOf(loss));
        for (const PythonTensor& tensor : tensorsOfElements(elements))
            if (m_position.contains(nodeOf(tensor)))
                m_elements.push_back(tensor);
        markWeights();
    }

    [[nodiscard]] bool hasWeights() const { return !m_behind.empty(); }
    /// Of a term of a loss: one without is added by the model itself.
    [[nodiscard]] bool hasLabels() const {
        return !labels().empty() || std::ranges::any_of(m_nodes, [&](const GraphNode& node) {
            return isLossLayer(layerOf(node));
        });
    }
    [[nodiscard]] const PythonTensor& tensor() const { return m_loss; }

    /// The loss of labels and of one prediction; nothing: it is none, and `refuse()` says why.
    std::optional<PythonLoss> read() {
        if (auto known = lossOfLibrary())
            return known;
        const bool isOfLayer = findLossLayer();
        if (m_cause != nullptr || (!isOfLayer && !findLabels()))
            return std::nullopt;
        return lossOfCut(isOfLayer);
    }
    /// The loss of one prediction alone, the first that leads to it without others; labels count nothing.
    std::optional<PythonLoss> readWithoutLabels() {
        for (const GraphNode& node : m_nodes)
            if (m_behind.contains(node) && cutAt(node))
                return lossOfCut(true);
        return std::nullopt;
    }

    /// Whether a layer is on the way to both.
    [[nodiscard]] bool meets(const LossGraph& other) const {
        return std::ranges::any_of(m_nodes, [&](const GraphNode& node) {
            return layerOf(node).className != "InputLayer" && other.m_position.contains(node);
        });
    }
    /// Whether it takes a part of the samples that the others do not.
    [[nodiscard]] bool hasElementsBeside(const std::vector<std::unique_ptr<LossGraph>>& others) const {
        return std::ranges::any_of(m_elements, [&](const PythonTensor& element) {
            return std::ranges::none_of(
                others, [&](const auto& other) { return other->m_before.contains(nodeOf(element)); });
        });
    }

    [[noreturn]] void refuse() const {
        m_builder.refuse(
            m_place, "python/unsupported", m_cause,
            {"compute it of the labels and of one prediction, behind the last layer with weights",
             "use a loss of keras.losses or tf.nn, and reduce_mean() or reduce_sum() of it"});
    }

private:
    PythonLoss lossOfCut(bool isOfLayer) {
        const Json shape = withoutBatch(tensorShape(m_builder, m_predictions));
        const PythonValue made =
            lossOfLabels(m_call, {shape, labelShape(), labelCount()},
                         [&](const PythonTensor& labels, const PythonTensor& predictions) {
                             return copied(labels, predictions);
                         });
        PythonLoss loss{made.as<PythonConfigured>()->json, m_predictions};
        if (!isOfLayer)
            loss.label = m_labels;
        return loss;
    }

    /// A loss of Keras of labels that are an input, or its mean.
    [[nodiscard]] std::optional<PythonLoss> lossOfLibrary() const {
        GraphNode node = nodeOf(m_loss);
        const Json& keywords = layerOf(node).calls[static_cast<std::size_t>(node.second)].keywords;
        const std::string function = layerOf(node).config.value("function", std::string());
        if (plainFunctionName(function) == "reduce_mean" && keywords.empty())
            node = nodeOf(operandsOf(node).front());
        if (layerOf(node).className != "LossValue")
            return std::nullopt;
        const PythonTensor& label = operandsOf(node).front();
        if (layerOf(nodeOf(label)).className != "InputLayer" || operandsOf(node).size() != 2)
            return std::nullopt;
        PythonLoss loss{layerOf(node).config["loss"], operandsOf(node).back()};
        loss.label = label;
        loss.isReduced = true;
        return loss;
    }

    /// Remembers why it is not read.
    bool fail(const char* cause) {
        m_cause = cause;
        return false;
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
            fail("this loss depends on no layer with weights");
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
            fail("this loss depends on more than one layer that is a loss");
        return true;
    }

    /// Labels lead to no weights. Where all samples do, as in autoencoders, those that are met again behind
    /// the last weights are labels as well.
    [[nodiscard]] std::vector<PythonTensor> labels() const {
        std::vector<PythonTensor> labels;
        for (const PythonTensor& element : m_elements)
            if (!m_before.contains(nodeOf(element)))
                labels.push_back(element);
        if (labels.empty())
            for (const PythonTensor& element : m_elements)
                if (isMetAgain(element))
                    labels.push_back(element);
        return labels;
    }

    bool findLabels() {
        const std::vector<PythonTensor> found = labels();
        if (found.size() != 1)
            return fail(found.empty() ? "this loss depends on no labels"
                                      : "this loss depends on several parts of the samples, of which a "
                                        "project knows one as labels");
        m_labels = found.front();
        return cut();
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
    bool cut() {
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
                return true;
            }
            // The latest function among them is computed of the others, or of what they are computed of.
            const GraphNode* latest = nullptr;
            for (const auto& entry : frontier)
                if (isFunctionLayer(layerOf(entry.first)) && !m_before.contains(entry.first) &&
                    (latest == nullptr || m_position.at(*latest) < m_position.at(entry.first)))
                    latest = &entry.first;
            if (latest == nullptr)
                return fail("this loss depends on several predictions");
            m_cut.insert(*latest);
        }
    }

    /// Cuts behind a call, where nothing but functions leads from there to the loss, and nothing else does.
    bool cutAt(const GraphNode& node) {
        m_labels = {-1, -1, 0};
        m_cut.clear();
        std::vector<GraphNode> open{nodeOf(m_loss)};
        while (!open.empty()) {
            const GraphNode next = open.back();
            open.pop_back();
            if (next == node || m_cut.contains(next))
                continue;
            if (!m_behind.contains(next) || !isFunctionLayer(layerOf(next)))
                return false;
            m_cut.insert(next);
            for (const PythonTensor& operand : operandsOf(next))
                open.push_back(nodeOf(operand));
        }
        const auto frontier = frontierOf();
        if (frontier.size() != 1)
            return false;
        m_predictions = {node.first, node.second, frontier.begin()->second};
        return true;
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

    /// Predictions may come with time before samples, where labels are turned in the loss.
    [[nodiscard]] std::optional<std::int64_t> labelCount() const {
        return m_labels.layer < 0 ? std::nullopt
                                  : labelCountBeside(tensorShape(m_builder, m_labels),
                                                     tensorShape(m_builder, m_predictions));
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
            std::vector<PythonTensor> operands = operandsOf(node);
            std::ranges::transform(operands, operands.begin(), copyOf);
            const PythonTensor copy = calledOn(m_builder, {node.first, node.second, 0}, std::move(operands));
            PythonCall& one = m_builder.layer(copy.layer).calls.front();
            one.stage.reset();
            one.shard.reset();
            one.group = 0;
            copies.emplace(node, copy.layer);
        }
        return copyOf(m_loss);
    }

    const PythonApiCall& m_call;
    PythonProgramBuilder& m_builder;
    PythonTensor m_loss;
    PythonPlace m_place;
    const char* m_cause = nullptr;
    std::vector<GraphNode> m_nodes;
    std::map<GraphNode, std::size_t> m_position;
    std::vector<PythonTensor> m_elements;
    std::set<GraphNode> m_behind;
    std::set<GraphNode> m_before;
    std::set<GraphNode> m_cut;
    PythonTensor m_labels;
    PythonTensor m_predictions;
};

/// A loss that is a sum: one of each prediction that its terms with labels are of; terms without any are
/// what the model adds to its loss itself.
class LossTerms {
public:
    LossTerms(const PythonApiCall& call, const PythonValues& elements, PythonPlace place)
        : m_call(call)
        , m_elements(elements)
        , m_place(place) {}

    std::vector<PythonLoss> read(const LossGraph& whole, const std::vector<PythonTensor>& terms) {
        std::vector<LossGraph> alone;
        for (const PythonTensor& term : terms) {
            LossGraph graph = graphOf(term);
            if (!graph.hasWeights()) // it changes no gradient
                continue;
            if (graph.hasLabels())
                addTo(std::move(graph));
            else
                alone.push_back(std::move(graph));
        }
        for (LossGraph& graph : alone)
            addAlone(graph);
        if (m_losses.empty())
            whole.refuse();
        return std::move(m_losses);
    }

private:
    LossGraph graphOf(const PythonTensor& tensor) { return {m_call, tensor, m_elements, m_place}; }

    /// Terms of one prediction are one loss.
    void addTo(LossGraph graph) {
        std::optional<PythonLoss> loss = graph.read();
        if (!loss)
            graph.refuse();
        for (std::size_t i = 0; i < m_losses.size(); ++i) {
            if (m_losses[i].prediction != loss->prediction)
                continue;
            PythonArguments sum{{m_graphs[i]->tensor()}, {{"y", graph.tensor()}}, m_place};
            LossGraph both = graphOf(*callOnTensors(m_call.builder, "math.add", sum).as<PythonTensor>());
            std::optional<PythonLoss> joined = both.read();
            if (!joined)
                both.refuse();
            m_graphs[i] = std::make_unique<LossGraph>(std::move(both));
            m_losses[i] = std::move(*joined);
            return;
        }
        m_losses.push_back(std::move(*loss));
        m_graphs.push_back(std::make_unique<LossGraph>(std::move(graph)));
    }

    void addAlone(LossGraph& graph) {
        const bool isOfOthers =
            std::ranges::any_of(m_graphs, [&](const auto& other) { return graph.meets(*other); }) &&
            !graph.hasElementsBeside(m_graphs);
        if (isOfOthers) {
            addLossOf(m_call.builder, graph.tensor(), m_place);
            return;
        }
        std::optional<PythonLoss> loss = graph.readWithoutLabels();
        if (!loss)
            m_call.builder.refuse(m_place, "python/unsupported",
                                  "a term of this loss is of samples or layers that lead to no prediction "
                                  "with labels, and of several of them at once",
                                  {"compute each term of the loss of one prediction"});
        m_losses.push_back(std::move(*loss));
        m_graphs.push_back(std::make_unique<LossGraph>(std::move(graph)));
    }

    const PythonApiCall& m_call;
    const PythonValues& m_elements;
    PythonPlace m_place;
    std::vector<PythonLoss> m_losses;
    std::vector<std::unique_ptr<LossGraph>> m_graphs;
};

/// A loss that was added up over the replicas, perhaps times a number.
void refuseLossOfReplicas(PythonProgramBuilder& builder, PythonTensor at) {
    while (true) {
        const PythonLayer& layer = builder.layer(at.layer);
        if (layer.className.starts_with("CrossReplica"))
            builder.refuse(layer.place, "python/unsupported",
                           "this loss is computed over the replicas, and a project has the loss of each",
                           {"minimize the loss of a replica; CrossReplicaOptimizer takes the mean of the "
                            "gradients of all",
                            "hand what all replicas make of it to an outfeed"});
        const auto call = static_cast<std::size_t>(at.call);
        if (layer.className != "TFOpLambda" || call >= layer.calls.size() ||
            layer.calls[call].tensors.size() != 1)
            return;
        at = PythonTensor(layer.calls[call].tensors.front());
    }
}

} // namespace

std::vector<PythonLoss> lossesOfStep(const PythonApiCall& call, const PythonTrainingStep& step,
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
        return {*loss};
    const PythonTensor computed = tensor != nullptr ? *tensor : tensorOfLoss(call.builder, *loss, place);
    refuseLossOfReplicas(call.builder, computed);
    LossGraph whole(call, computed, elements, place);
    if (const auto one = whole.hasWeights() ? whole.read() : std::nullopt)
        return {*one};
    const auto isOne = [&](const PythonTensor& part) {
        LossGraph graph(call, part, elements, place);
        return !graph.hasWeights() || !graph.hasLabels() || graph.read();
    };
    const std::vector<PythonTensor> terms =
        whole.hasWeights() ? summandsOf(call.builder, computed, isOne) : std::vector<PythonTensor>();
    if (terms.size() > 1)
        return LossTerms(call, elements, place).read(whole, terms);
    if (!whole.hasWeights() || whole.hasLabels())
        whole.refuse();
    const auto alone = whole.readWithoutLabels();
    if (!alone)
        whole.refuse();
    return {*alone};
}

} // namespace core
