#pragma once

#include "core/base/result.h"
#include "core/model/model_graph.h"

#include <string_view>

namespace core {

/// Reads what Keras' `to_json()` writes, Keras 2.0 to 3: a Sequential or Functional model (also named
/// "Model"), with nested models, shared layers, several inputs and outputs, wrappers, and layers in any
/// order. A document that is a string holding JSON is opened, as are `{"model_config": …}` and TensorFlow.js'
/// `{"modelTopology": …}`. Layers the catalogue does not know become opaque, their attributes are kept.
///
/// `warnings` receives one "keras/unknown-layer" per unknown class and one "keras/unknown-attribute" per
/// unknown attribute of a known class. Errors carry a JSON pointer below `pointer`: "keras/structure" (a key
/// missing or of the wrong type), "keras/duplicate-name", "keras/unknown-reference", "keras/node-index",
/// "keras/depth", "keras/cycle", "layer/attribute".
[[nodiscard]] Result<ModelGraph> readKerasModel(const Json& document, std::string_view file,
                                                Diagnostics& warnings, std::string_view pointer = {});

/// The same from text; further errors are those of `parseJson`.
[[nodiscard]] Result<ModelGraph> readKerasModelText(std::string_view text, std::string_view file,
                                                    Diagnostics& warnings);

/// The model as its edition of Keras writes it. Reading the result gives an equal value.
[[nodiscard]] Json writeKerasModel(const ModelGraph& graph);

} // namespace core
