#pragma once

#include "core/interchange/python/apis/calls/api_table.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace core {

// What a graph of TensorFlow 1 keeps in collections: variables by the names that their scopes give them,
// regularizers and losses.

/// Takes the regularizers that a layer was told out of it, and those of the variable scope around it: they
/// count where the program adds them to its loss.
void collectRegularizers(const PythonApiCall& call, PythonLayerName layer);
/// Keeps a loss of tf.losses, unless the program says that it belongs to no collection.
void collectLoss(const PythonApiCall& call, const PythonValue& loss);

/// The layers whose weights an optimizer leaves as they are that is given these variables; nothing: it is not
/// known which variables these are.
[[nodiscard]] std::optional<std::vector<std::int64_t>>
layersLeft(PythonProgramBuilder& builder, PythonPlace place, const PythonValue& variables);

/// The same where the other weights of a layer may be given elsewhere.
[[nodiscard]] std::optional<std::vector<std::int64_t>> layersWithout(const PythonProgramBuilder& builder,
                                                                     const PythonValue& variables);

/// The trained variables of the graph.
[[nodiscard]] PythonValues graphVariableValues(const PythonProgramBuilder& builder);

/// tf.trainable_variables(), tf.get_collection() and the functions of tf.losses that read collections.
[[nodiscard]] std::vector<PythonApiName> collectionNames();

} // namespace core
