#pragma once

#include "core/base/json.h"
#include "core/model/model_graph.h"

namespace core {

/// The `batch_input_shape` and `dtype` of the input that Keras puts in front of a Sequential model whose file
/// lists none. `first`: its first layer, null where it has none; `extra`: the model's other keys, which may
/// hold the shape that the model was built with. The shape is null where nothing tells it.
[[nodiscard]] Json unlistedInputConfig(const Layer* first, const Json& extra);

/// Brings the input that a Sequential model does not list in line with the first layer, as it will be read
/// again: its shape, its type and its name. Models that list theirs stay as they are.
void followFirstLayer(ModelGraph& graph);

} // namespace core
