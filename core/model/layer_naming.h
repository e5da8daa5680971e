#pragma once

#include "core/model/model_graph.h"
#include "core/text/text_case.h"

#include <string>
#include <string_view>

namespace core {

/// The name Keras would give a new layer of this class: "dense", then "dense_1", … ; InputLayer gives
/// "input_1", "input_2", …. Unique among the layers of `graph`.
[[nodiscard]] std::string newLayerName(const ModelGraph& graph, std::string_view className);

/// `wanted`, or `wanted_1`, `wanted_2`, … where the graph has it already.
[[nodiscard]] std::string uniqueLayerName(const ModelGraph& graph, std::string_view wanted);

/// The name of a copy: that of the original where it is free, else its next number ("dense" gives "dense_1",
/// "dense_1" gives "dense_2").
[[nodiscard]] std::string copiedLayerName(const ModelGraph& graph, const std::string& original);

} // namespace core
