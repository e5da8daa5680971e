#include "core/project/sound_part.h"

#include "core/model/edit/graph_edit.h"
#include "core/model/graph/infer_shapes.h"
#include "core/project/project_edit.h"

namespace core {

std::optional<SoundPart> soundPart(const Project& project) {
    InferenceOptions options;
    options.batchSize = project.training.batchSize;
    options.opaqueLayers = project.opaqueLayers;
    options.precision = precisionFromName(project.training.precision).value_or(PrecisionPolicy{});
    const InferredModel inferred = inferKnownShapes(project.model, options);
    if (inferred.drawnOutputs.size() != project.model.invocations.size())
        return std::nullopt;
    std::vector<bool> isUnknown(project.model.layers.size(), false);
    for (const LayerInvocation& call : project.model.invocations) {
        if (inferred.drawnOutputs[call.id.index()].empty())
            isUnknown[call.layer.index()] = true;
    }
    std::vector<LayerId> unknown;
    bool isSomethingLeft = false;
    for (const Layer& layer : project.model.layers) {
        if (isUnknown[layer.id.index()])
            unknown.push_back(layer.id);
        else
            isSomethingLeft = isSomethingLeft || layer.className != "InputLayer";
    }
    if (unknown.empty() || !isSomethingLeft)
        return std::nullopt;
    auto rest = removeLayers(project.model, unknown, Reconnect::No);
    if (!rest)
        return std::nullopt;
    SoundPart part{withModel(project, std::move(*rest)), {}};
    for (const LayerId id : unknown)
        part.leftOut.push_back(project.model.layer(id).name);
    std::vector<KerasObject>& losses = part.project.training.losses;
    if (losses.size() > 1 && losses.size() != part.project.model.outputs.size())
        losses.resize(1);
    return part;
}

} // namespace core
