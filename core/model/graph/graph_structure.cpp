#include "core/model/graph/graph_structure.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <string>
#include <string_view>
#include <unordered_set>

namespace core {

namespace {

/// Outputs of one call beyond this are surely a fault.
constexpr std::uint32_t mostOutputs = 4096;

class StructureCheck {
public:
    StructureCheck(std::string_view file, Diagnostics& findings)
        : m_file(file)
        , m_findings(findings) {}

    void check(const ModelGraph& graph, const std::string& prefix, int depth) {
        m_prefix = prefix;
        if (depth > deepestNesting) {
            add("model/depth", "", fmt::format("models are nested deeper than {} levels", deepestNesting),
                "put the layers of the innermost models into the model around them");
            return;
        }
        const std::size_t before = m_findings.size();
        checkLayers(graph);
        checkInvocations(graph);
        checkEnds(graph);
        if (m_findings.size() == before && hasCycle(graph))
            add("model/cycle", cyclicLayer(graph), "its input depends on its own output",
                "connect one of its inputs to a layer before it");
        if (m_findings.size() == before && graph.kind == ModelKind::Sequential && !isChain(graph))
            add("model/not-sequential", "", "a Sequential model must be one chain of layers",
                "make it a functional model, or connect every layer to the one before it");
        for (const Layer& layer : graph.layers) {
            if (layer.model)
                check(*layer.model, prefix + layer.name + "/", depth + 1);
        }
        m_prefix = prefix;
    }

private:
    void add(std::string code, const std::string& layer, std::string message, std::string hint) {
        m_findings.push_back(makeError(Trouble::Input, std::move(code), {m_file, m_prefix + layer},
                                       std::move(message), {std::move(hint)}));
    }

    void checkLayers(const ModelGraph& graph) {
        std::unordered_set<std::string_view> names;
        names.reserve(graph.layers.size());
        for (std::size_t i = 0; i < graph.layers.size(); ++i) {
            const Layer& layer = graph.layers[i];
            if (layer.id != LayerId(i))
                add("model/identity", layer.name, "its id is not its position",
                    "number the layers from 0 in their order");
            if (layer.name.empty())
                add("model/empty-name", "", fmt::format("layer {} has no name", i), "give it a name");
            if (!names.insert(layer.name).second)
                add("model/duplicate-name", layer.name, "another layer has the same name",
                    "rename one of them");
        }
    }

    /// Whether a reference names an existing output.
    static bool exists(const ModelGraph& graph, TensorRef ref) {
        if (ref.invocation.index() >= graph.invocations.size())
            return false;
        const LayerId layer = graph.invocation(ref.invocation).layer;
        if (layer.index() >= graph.layers.size())
            return false;
        const Layer& producer = graph.layer(layer);
        const std::size_t outputs = producer.className == "InputLayer" ? 1
                                    : producer.isNestedModel()         ? producer.model->outputs.size()
                                                                       : mostOutputs;
        return ref.output < outputs;
    }

    void checkInvocations(const ModelGraph& graph) {
        std::vector<std::uint32_t> calls(graph.layers.size(), 0);
        for (std::size_t i = 0; i < graph.invocations.size(); ++i) {
            const LayerInvocation& invocation = graph.invocations[i];
            if (invocation.id != InvocationId(i) || invocation.layer.index() >= graph.layers.size()) {
                add("model/identity", "", fmt::format("call {} has a wrong id or layer", i),
                    "number the calls from 0 in their order, each of a layer of this model");
                continue;
            }
            const Layer& layer = graph.layer(invocation.layer);
            if (invocation.call != calls[invocation.layer.index()]++)
                add("model/identity", layer.name, "its calls are not counted from 0",
                    "number the calls of a layer 0, 1, 2 in their order");
            for (const TensorRef& input : invocation.inputs) {
                if (!exists(graph, input))
                    add("model/identity", layer.name, "its input refers to an output that does not exist",
                        "connect it to an output of a layer of this model; outputs count from 0");
            }
            // Fewer inputs are a drawing that is not finished; inference says so.
            if (layer.isNestedModel() && invocation.inputs.size() > layer.model->inputs.size())
                add("model/input", layer.name,
                    fmt::format("is a model with {} inputs and is called with {}", layer.model->inputs.size(),
                                invocation.inputs.size()),
                    "connect as many tensors as the model has inputs");
        }
    }

    void checkEnds(const ModelGraph& graph) {
        for (const TensorRef& input : graph.inputs) {
            if (!exists(graph, input))
                add("model/input", "", "an input of the model does not exist",
                    "name an InputLayer of this model");
            else if (graph.layer(input.invocation).className != "InputLayer" ||
                     !graph.invocation(input.invocation).inputs.empty())
                add("model/input", graph.layer(input.invocation).name,
                    "is named as an input of the model and is no unconnected InputLayer",
                    "name an InputLayer that nothing is connected to");
        }
        for (const TensorRef& output : graph.outputs) {
            if (!exists(graph, output))
                add("model/output", "", "an output of the model does not exist",
                    "name an output of a layer of this model; outputs count from 0");
        }
    }

    /// Calls left when those without open inputs are taken away again and again.
    static std::vector<std::size_t> openInputs(const ModelGraph& graph) {
        std::vector<std::size_t> open(graph.invocations.size(), 0);
        // Those that read call i are users[ends[i - 1]] up to users[ends[i]].
        std::vector<std::size_t> ends(graph.invocations.size() + 1, 0);
        std::vector<std::size_t> ready;
        for (const LayerInvocation& invocation : graph.invocations) {
            open[invocation.id.index()] = invocation.inputs.size();
            for (const TensorRef& input : invocation.inputs)
                ++ends[input.invocation.index() + 1];
            if (invocation.inputs.empty())
                ready.push_back(invocation.id.index());
        }
        std::partial_sum(ends.begin(), ends.end(), ends.begin());
        std::vector<std::size_t> users(ends.back());
        for (const LayerInvocation& invocation : graph.invocations) {
            for (const TensorRef& input : invocation.inputs)
                users[ends[input.invocation.index()]++] = invocation.id.index();
        }
        while (!ready.empty()) {
            const std::size_t done = ready.back();
            ready.pop_back();
            for (std::size_t i = done == 0 ? 0 : ends[done - 1]; i < ends[done]; ++i) {
                if (--open[users[i]] == 0)
                    ready.push_back(users[i]);
            }
        }
        return open;
    }

    static bool hasCycle(const ModelGraph& graph) {
        const std::vector<std::size_t> open = openInputs(graph);
        return std::any_of(open.begin(), open.end(), [](std::size_t count) { return count > 0; });
    }

    static std::string cyclicLayer(const ModelGraph& graph) {
        const std::vector<std::size_t> open = openInputs(graph);
        const auto first =
            std::find_if(open.begin(), open.end(), [](std::size_t count) { return count > 0; });
        return graph.layer(InvocationId(static_cast<std::size_t>(first - open.begin()))).name;
    }

    std::string m_file;
    std::string m_prefix;
    Diagnostics& m_findings;
};

} // namespace

bool isChain(const ModelGraph& graph) {
    if (graph.invocations.empty() || graph.inputs.size() != 1 || graph.outputs.size() != 1)
        return false;
    for (std::size_t i = 0; i < graph.invocations.size(); ++i) {
        const LayerInvocation& invocation = graph.invocations[i];
        if (invocation.layer != LayerId(i) || invocation.call != 0)
            return false;
        if (i > 0 && invocation.inputs != std::vector{TensorRef{InvocationId(i - 1), 0}})
            return false;
    }
    return graph.inputs.front() == TensorRef{InvocationId(0), 0} &&
           graph.outputs.front() == TensorRef{InvocationId(graph.invocations.size() - 1), 0};
}

Diagnostics checkStructure(const ModelGraph& graph, std::string_view file) {
    Diagnostics findings;
    StructureCheck(file, findings).check(graph, "", 0);
    return findings;
}

} // namespace core
