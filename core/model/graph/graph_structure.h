#pragma once

#include "core/base/result.h"
#include "core/model/model_graph.h"

#include <string_view>

namespace core {

/// Everything that breaks an invariant of ModelGraph, nested models included; empty when it is sound. Places
/// are names of layers. Codes: "model/identity" (ids, references), "model/duplicate-name",
/// "model/empty-name", "model/input", "model/output", "model/cycle", "model/depth", "model/not-sequential".
[[nodiscard]] Diagnostics checkStructure(const ModelGraph& graph, std::string_view file = {});

/// Models inside models deeper than this are refused.
inline constexpr int deepestNesting = 32;

/// True when every call has one input, the output of the call before it, and one model input and output.
[[nodiscard]] bool isChain(const ModelGraph& graph);

} // namespace core
