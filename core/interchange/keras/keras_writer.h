#pragma once

#include "core/base/json.h"
#include "core/model/model_graph.h"

namespace core {

/// {"class_name", "config"} of a model, nested models included; `extra` of the graph around it.
[[nodiscard]] Json kerasModelToJson(const ModelGraph& graph);

/// First number of a nested model's calls as its dialect counts them: 1 where the making of the model counts.
[[nodiscard]] std::int64_t firstNodeOf(const Layer& layer, KerasDialect dialect);

} // namespace core
