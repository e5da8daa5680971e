#pragma once

#include "core/model/model_graph.h"

#include <algorithm>
#include <cstdint>

namespace views {

/// Layers of a model as the window counts them: an input computes nothing and is none.
[[nodiscard]] inline std::int64_t layerCount(const core::ModelGraph& model) {
    return std::ranges::count_if(model.layers,
                                 [](const core::Layer& layer) { return layer.className != "InputLayer"; });
}

} // namespace views
