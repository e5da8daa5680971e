#include "core/project/choices/muted_layers.h"

#include "core/model/edit/graph_edit.h"
#include "core/model/graph/chain_input.h"
#include "core/model/graph/infer_shapes.h"
#include "core/model/graph/layer_catalogue.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace core {

namespace {

constexpr const char* stored = "muted";
constexpr const char* passing = "Activation";

tl::unexpected<Diagnostics> refuseMute(const char* code, const std::string& layer, std::string message,
                                       std::string hint) {
    return failure(makeError(Trouble::Input, code, {"", layer}, std::move(message), {std::move(hint)}));
}

/// Whether a layer gives what it reads.
bool isPassing(const Layer& layer) {
    const auto activation = layer.config.find("activation");
    return layer.className == passing && activation != layer.config.end() && *activation == "linear";
}

InferredModel shapesOf(const Project& project) {
    InferenceOptions options;
    options.batchSize = project.training.batchSize;
    options.opaqueLayers = project.opaqueLayers;
    options.precision = precisionFromName(project.training.precision).value_or(PrecisionPolicy{});
    return inferKnownShapes(project.model, options);
}

void keep(Project& project, const std::map<std::string, MutedLayer>& muted) {
    project.canvas.other.erase(stored);
    if (muted.empty())
        return;
    Json& object = project.canvas.other[stored];
    object = Json::object();
    for (const auto& [name, layer] : muted)
        object[name] = mutedToJson(layer);
}

/// Where the layers of a model are called and by whom they are read, found once for all of them.
class LayerCalls {
public:
    explicit LayerCalls(const ModelGraph& graph)
        : m_calls(graph.layers.size())
        , m_isReadLater(graph.layers.size()) {
        for (const Layer& layer : graph.layers)
            m_ids.emplace(layer.name, layer.id);
        const auto read = [&](const TensorRef& tensor) {
            if (tensor.output > 0)
                m_isReadLater[graph.invocation(tensor.invocation).layer.index()] = true;
        };
        for (std::size_t i = 0; i < graph.invocations.size(); ++i) {
            m_calls[graph.invocations[i].layer.index()].push_back(i);
            std::ranges::for_each(graph.invocations[i].inputs, read);
        }
        std::ranges::for_each(graph.outputs, read);
    }

    [[nodiscard]] std::optional<LayerId> find(const std::string& path) const {
        const auto found = m_ids.find(path);
        return found == m_ids.end() ? std::nullopt : std::optional(found->second);
    }
    /// Places in the list of calls.
    [[nodiscard]] const std::vector<std::size_t>& callsOf(LayerId layer) const {
        return m_calls[layer.index()];
    }
    /// Whether an output behind the first is read, or leaves the model.
    [[nodiscard]] bool isReadLater(LayerId layer) const { return m_isReadLater[layer.index()]; }

private:
    std::map<std::string, LayerId> m_ids;
    std::vector<std::vector<std::size_t>> m_calls;
    std::vector<bool> m_isReadLater;
};

Result<LayerId> layerToMute(const ModelGraph& graph, const LayerCalls& calls, const std::string& path) {
    if (path.find('/') != std::string::npos)
        return refuseMute("edit/bypass", path, "a layer inside of a nested model is not bypassed",
                          "bypass it in the model that it comes from");
    const std::optional<LayerId> id = calls.find(path);
    if (!id)
        return refuseMute("edit/bypass", path, fmt::format("there is no layer {}", path),
                          "choose a layer of the drawing");
    const Layer& layer = graph.layer(*id);
    if (layer.className == "InputLayer" || layer.isNestedModel())
        return refuseMute("edit/bypass", path,
                          fmt::format("{} is {}: there is nothing to pass on in its place", path,
                                      layer.isNestedModel() ? "a model of its own" : "an input"),
                          layer.isNestedModel() ? "unnest it and bypass its layers"
                                                : "delete it, or disconnect what reads it");
    if (calls.isReadLater(*id))
        return refuseMute("edit/bypass", path,
                          fmt::format("{} gives several tensors that are read: none stands for all", path),
                          "disconnect the others first");
    for (const std::size_t call : calls.callsOf(*id)) {
        const std::size_t inputs = graph.invocations[call].inputs.size();
        if (inputs != 1)
            return refuseMute(
                "edit/bypass", path,
                fmt::format("{} reads {} tensors: only a layer that reads one can pass it on", path, inputs),
                "delete it and reconnect by hand what should go on");
    }
    return *id;
}

/// What stands in the place of a layer. It is made in a model of this layer alone, and of the input that the
/// model does not list, so that thousands of layers do not copy their model thousands of times.
Result<Layer> passingLayer(const ModelGraph& graph, LayerId id) {
    ModelGraph alone;
    alone.kind = graph.kind;
    alone.dialect = graph.dialect;
    if (id.index() == 1 && graph.layers.front().isImplicit)
        alone.layers.push_back(graph.layers.front());
    const LayerId own(alone.layers.size());
    Layer before = graph.layer(id);
    before.id = own;
    alone.layers.push_back(std::move(before));
    auto replaced = replaceClass(alone, own, passing);
    if (replaced)
        replaced = setAttribute(*replaced, own, "activation", "linear");
    if (!replaced)
        return failure(replaced.error());
    Layer layer = replaced->layer(own);
    layer.id = id;
    return layer;
}

/// Turns one layer to one that passes on.
Result<void> bypass(Project& project, const LayerCalls& calls, const std::string& path,
                    std::map<std::string, MutedLayer>& muted) {
    const Result<LayerId> id = layerToMute(project.model, calls, path);
    if (!id)
        return failure(id.error());
    Layer& layer = project.model.layers[id->index()];
    Result<Layer> passed = passingLayer(project.model, *id);
    if (!passed)
        return failure(passed.error());
    MutedLayer kept{layer.className, layer.config, layer.extra, Json::array()};
    for (const std::size_t call : calls.callsOf(*id))
        kept.arguments.push_back(std::exchange(project.model.invocations[call].arguments, Json::object()));
    layer = *std::move(passed);
    muted[path] = std::move(kept);
    return {};
}

Result<void> restore(Project& project, const LayerCalls& calls, const std::string& path,
                     std::map<std::string, MutedLayer>& muted) {
    const auto kept = muted.find(path);
    const std::optional<LayerId> id = calls.find(path);
    if (kept == muted.end() || !id)
        return {};
    // Through the class, so that what the catalogue refuses by now is refused.
    if (findLayerDefinition(kept->second.className) == nullptr && !project.opaqueLayers.contains(path))
        return refuseMute(
            "edit/restore", path,
            fmt::format("{} was of the class {}, which is not known", path, kept->second.className),
            "undo, or delete it and add another layer");
    Layer& layer = project.model.layers[id->index()];
    // The shape of the model's input is not part of what was bypassed.
    const Json now = layer.config;
    layer.className = kept->second.className;
    layer.config = kept->second.config;
    layer.config["name"] = path;
    if (const auto shape = now.find("batch_input_shape"); shape != now.end())
        layer.config["batch_input_shape"] = *shape;
    layer.extra = kept->second.extra;
    layer.trainable = layer.config.value("trainable", true);
    std::size_t number = 0;
    for (const std::size_t call : calls.callsOf(*id)) {
        if (number < kept->second.arguments.size())
            project.model.invocations[call].arguments = kept->second.arguments[number++];
    }
    muted.erase(kept);
    return {};
}

/// The first call whose shapes were known and no longer are, with why.
std::optional<Diagnostic> lostShape(const Project& before, const Project& after) {
    const InferredModel then = shapesOf(before);
    const InferredModel now = shapesOf(after);
    for (std::size_t i = 0; i < std::min(then.drawnOutputs.size(), now.drawnOutputs.size()); ++i) {
        if (then.drawnOutputs[i].empty() || !now.drawnOutputs[i].empty())
            continue;
        // What was found before is not the reason.
        const auto reason = std::ranges::find_if(now.findings, [&](const Diagnostic& finding) {
            return std::ranges::none_of(then.findings, [&](const Diagnostic& known) {
                return known.location.place == finding.location.place && known.message == finding.message;
            });
        });
        return reason == now.findings.end() ? std::optional<Diagnostic>() : *reason;
    }
    return std::nullopt;
}

} // namespace

Json mutedToJson(const MutedLayer& layer) {
    return {{"class_name", layer.className},
            {"config", layer.config},
            {"extra", layer.extra},
            {"arguments", layer.arguments}};
}

std::optional<MutedLayer> mutedFromJson(const Json& entry) {
    if (!entry.is_object())
        return std::nullopt;
    const Json className = entry.value("class_name", Json());
    const Json config = entry.value("config", Json());
    const Json arguments = entry.value("arguments", Json::array());
    if (!className.is_string() || !config.is_object() || !arguments.is_array())
        return std::nullopt;
    return MutedLayer{className.get<std::string>(), config, entry.value("extra", Json()), arguments};
}

std::map<std::string, MutedLayer> mutedLayers(const Project& project) {
    std::map<std::string, MutedLayer> layers;
    const auto found = project.canvas.other.find(stored);
    if (found == project.canvas.other.end() || !found->is_object())
        return layers;
    for (const Layer& layer : project.model.layers) {
        const auto entry = found->find(layer.name);
        if (entry == found->end() || !isPassing(layer))
            continue;
        if (auto muted = mutedFromJson(*entry))
            layers[layer.name] = *std::move(muted);
    }
    return layers;
}

Result<Project> withMuted(const Project& project, std::span<const std::string> layers, bool isMuted) {
    std::map<std::string, MutedLayer> muted = mutedLayers(project);
    const LayerCalls calls(project.model);
    Project next = project;
    for (const std::string& path : layers) {
        if (muted.contains(path) == isMuted)
            continue;
        const Result<void> done =
            isMuted ? bypass(next, calls, path, muted) : restore(next, calls, path, muted);
        if (!done)
            return failure(done.error());
    }
    followFirstLayer(next.model);
    if (isMuted) {
        if (const std::optional<Diagnostic> lost = lostShape(project, next))
            return refuseMute("edit/bypass", lost->location.place,
                              fmt::format("without {} what it reads does not fit {}: {}",
                                          layers.size() == 1 ? layers.front() : "these layers",
                                          lost->location.place, lost->message),
                              "bypass layers that give the shape they read, or change what reads them");
    }
    keep(next, muted);
    return next;
}

Project withMutedCopies(Project project, const std::map<std::string, MutedLayer>& copies) {
    if (copies.empty())
        return project;
    std::map<std::string, MutedLayer> muted = mutedLayers(project);
    for (const auto& [name, layer] : copies) {
        MutedLayer copy = layer;
        copy.config["name"] = name;
        muted[name] = std::move(copy);
    }
    keep(project, muted);
    return project;
}

} // namespace core
