#include "core/model/model_graph.h"

#include <algorithm>

namespace core {

bool Layer::operator==(const Layer& other) const {
    const bool sameModel = model == other.model || (model && other.model && *model == *other.model);
    return sameModel && id == other.id && name == other.name && className == other.className &&
           config == other.config && extra == other.extra && trainable == other.trainable;
}

std::optional<LayerId> ModelGraph::findLayer(std::string_view wanted) const {
    const auto found =
        std::find_if(layers.begin(), layers.end(), [&](const Layer& layer) { return layer.name == wanted; });
    return found == layers.end() ? std::nullopt : std::optional(found->id);
}

std::string_view toString(ModelKind kind) {
    return kind == ModelKind::Sequential ? "Sequential" : "Functional";
}

} // namespace core
