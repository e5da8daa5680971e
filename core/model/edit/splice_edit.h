#pragma once

#include "core/model/edit/graph_edit.h"

namespace core {

/// Splices a new layer behind a tensor: everything that reads it reads the new layer instead; what the model
/// gives stays. Errors: those of `addLayer`.
[[nodiscard]] Result<ModelGraph> insertBehind(const ModelGraph& graph, TensorRef source,
                                              const NewLayer& layer);

} // namespace core
