#pragma once

#include "core/base/result.h"
#include "core/model/model_graph.h"

#include <string_view>

namespace core {

/// True for the bytes of `keras_metadata.pb`.
[[nodiscard]] bool isSavedModelMetadata(std::string_view bytes);

/// The model that a TensorFlow SavedModel holds, from the file `keras_metadata.pb` in its folder, which
/// Keras 2.5 to 2.15 write beside the graph: a `SavedMetadata` of TensorFlow's
/// keras/protobuf/saved_metadata.proto, whose root object holds what `to_json()` says. Weights are not read.
///
/// Errors: "saved-model/damaged", "saved-model/no-model" for objects without a configuration (subclassed
/// models), and those of `readKerasModel`.
[[nodiscard]] Result<ModelGraph> readSavedModelMetadata(std::string_view bytes, std::string_view file,
                                                        Diagnostics& warnings);

} // namespace core
