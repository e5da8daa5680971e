#include "core/model/graph/differentiated_layers.h"

#include "core/model/graph/infer_shapes.h"

#include <algorithm>
#include <vector>

namespace core {

std::set<std::string> differentiatedLayers(const ModelGraph& model, const OpaqueLayers& opaque) {
    std::set<std::string> names;
    InferenceOptions options;
    options.opaqueLayers = opaque;
    const TypedGraph graph = inferKnownShapes(model, options).graph;
    std::vector<bool> isTrained(graph.invocations.size(), false);
    for (const TypedInvocation& call : graph.invocations) {
        const TypedLayer& layer = graph.layer(call.layer);
        const bool isBehind = std::ranges::any_of(
            call.inputs, [&](TensorRef input) { return isTrained[input.invocation.index()]; });
        isTrained[call.id.index()] =
            isBehind || (layer.trainable && std::ranges::any_of(layer.weights, &WeightSpec::trainable));
        if (isBehind)
            names.insert(layer.path.substr(layer.path.rfind('/') + 1));
    }
    return names;
}

} // namespace core
