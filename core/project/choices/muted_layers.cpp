#include "core/project/choices/muted_layers.h"

#include "core/model/edit/graph_edit.h"
#include "core/model/graph/chain_input.h"
#include "core/model/graph/infer_shapes.h"
#include "core/model/graph/layer_catalogue.h"

#include <algorithm>
#include <fmt/format.h>

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
        object[name] = {{"class_name", layer.className},
                        {"config", layer.config},
                        {"extra", layer.extra},
                        {"arguments", layer.arguments}};
}

Result<Layer> layerToMute(const Project& project, const std::string& path) {
    if (path.find('/') != std::string::npos)
        return refuseMute("edit/bypass", path, "a layer inside of a nested model is not bypassed",
                          "bypass it in the model that it comes from");
    const std::optional<LayerId> id = project.model.findLayer(path);
    if (!id)
        return refuseMute("edit/bypass", path, fmt::format("there is no layer {}", path),
                          "choose a layer of the drawing");
    const Layer& layer = project.model.layer(*id);
    if (layer.className == "InputLayer" || layer.isNestedModel())
        return refuseMute("edit/bypass", path,
                          fmt::format("{} is {}: there is nothing to pass on in its place", path,
                                      layer.isNestedModel() ? "a model of its own" : "an input"),
                          layer.isNestedModel() ? "unnest it and bypass its layers"
                                                : "delete it, or disconnect what reads it");
    const auto isLater = [&](const TensorRef& tensor) {
        return tensor.output > 0 && project.model.invocation(tensor.invocation).layer == *id;
    };
    const auto severalAreRead = [&] {
        return refuseMute("edit/bypass", path,
                          fmt::format("{} gives several tensors that are read: none stands for all", path),
                          "disconnect the others first");
    };
    if (std::ranges::any_of(project.model.outputs, isLater))
        return severalAreRead();
    for (const LayerInvocation& call : project.model.invocations) {
        if (call.layer == *id && call.inputs.size() != 1)
            return refuseMute("edit/bypass", path,
                              fmt::format("{} reads {} tensors: only a layer that reads one can pass it on",
                                          path, call.inputs.size()),
                              "delete it and reconnect by hand what should go on");
        if (std::ranges::any_of(call.inputs, isLater))
            return severalAreRead();
    }
    return layer;
}

/// The one layer turned to one that passes on.
Result<Project> bypassed(const Project& project, const std::string& path,
                         std::map<std::string, MutedLayer>& muted) {
    const Result<Layer> layer = layerToMute(project, path);
    if (!layer)
        return failure(layer.error());
    MutedLayer kept{layer->className, layer->config, layer->extra, Json::array()};
    for (const LayerInvocation& call : project.model.invocations) {
        if (call.layer == layer->id)
            kept.arguments.push_back(call.arguments);
    }
    auto replaced = replaceClass(project.model, layer->id, passing);
    if (replaced)
        replaced = setAttribute(*replaced, layer->id, "activation", "linear");
    if (!replaced)
        return failure(replaced.error());
    muted[path] = std::move(kept);
    Project next = project;
    next.model = std::move(*replaced);
    return next;
}

Result<Project> restored(const Project& project, const std::string& path,
                         std::map<std::string, MutedLayer>& muted) {
    const auto kept = muted.find(path);
    const std::optional<LayerId> id = project.model.findLayer(path);
    if (kept == muted.end() || !id)
        return project;
    // Through the class, so that what the catalogue refuses by now is refused.
    if (findLayerDefinition(kept->second.className) == nullptr && !project.opaqueLayers.contains(path))
        return refuseMute(
            "edit/restore", path,
            fmt::format("{} was of the class {}, which is not known", path, kept->second.className),
            "undo, or delete it and add another layer");
    Project next = project;
    Layer& layer = next.model.layers[id->index()];
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
    for (LayerInvocation& call : next.model.invocations) {
        if (call.layer == *id && number < kept->second.arguments.size())
            call.arguments = kept->second.arguments[number++];
    }
    followFirstLayer(next.model);
    muted.erase(kept);
    return next;
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

std::map<std::string, MutedLayer> mutedLayers(const Project& project) {
    std::map<std::string, MutedLayer> layers;
    const auto found = project.canvas.other.find(stored);
    if (found == project.canvas.other.end() || !found->is_object())
        return layers;
    for (const auto& [name, entry] : found->items()) {
        const std::optional<LayerId> id = project.model.findLayer(name);
        if (!id || !entry.is_object() || !isPassing(project.model.layer(*id)))
            continue;
        const Json className = entry.value("class_name", Json());
        const Json config = entry.value("config", Json());
        const Json arguments = entry.value("arguments", Json::array());
        if (className.is_string() && config.is_object() && arguments.is_array())
            layers[name] = {className.get<std::string>(), config, entry.value("extra", Json()), arguments};
    }
    return layers;
}

Result<Project> withMuted(const Project& project, std::span<const std::string> layers, bool isMuted) {
    std::map<std::string, MutedLayer> muted = mutedLayers(project);
    Result<Project> next = project;
    for (const std::string& path : layers) {
        if (muted.contains(path) == isMuted)
            continue;
        next = isMuted ? bypassed(*next, path, muted) : restored(*next, path, muted);
        if (!next)
            return next;
    }
    if (isMuted) {
        if (const std::optional<Diagnostic> lost = lostShape(project, *next))
            return refuseMute("edit/bypass", lost->location.place,
                              fmt::format("without {} what it reads does not fit {}: {}",
                                          layers.size() == 1 ? layers.front() : "these layers",
                                          lost->location.place, lost->message),
                              "bypass layers that give the shape they read, or change what reads them");
    }
    keep(*next, muted);
    return next;
}

} // namespace core
