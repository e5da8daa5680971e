#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <optional>

namespace core {

/// The table of an Embedding or the kernel of a Dense layer, as a weight that the program may use beside the
/// layer; nothing for other names and layers, and where its shape is not known yet.
[[nodiscard]] std::optional<PythonValue> weightOfLayer(PythonProgramBuilder& builder, PythonLayerName layer,
                                                       const std::string& name);
/// A call of a layer whose weight the program uses elsewhere, too: what the layer computes, of weights that
/// are variables. Nothing for other layers.
[[nodiscard]] std::optional<PythonValue> callOnSharedWeights(const PythonApiCall& call,
                                                             PythonLayerName layer);
/// Refuses a layer with such a weight where a sequence calls it by itself.
void checkSharedWeights(const PythonProgramBuilder& builder);

} // namespace core
