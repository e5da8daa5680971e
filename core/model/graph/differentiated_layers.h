#pragma once

#include "core/model/model_graph.h"
#include "core/model/opaque_layer.h"

#include <set>
#include <string>

namespace core {

/// Layers that the gradients of a training run through: those behind weights that it changes. Each by its own
/// name, without the models that it is in.
[[nodiscard]] std::set<std::string> differentiatedLayers(const ModelGraph& model, const OpaqueLayers& opaque);

} // namespace core
