#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace core {

/// True for the bytes of `keras_metadata.pb`.
[[nodiscard]] bool isSavedModelMetadata(std::string_view bytes);

/// The document of the model that a TensorFlow SavedModel holds, from the file `keras_metadata.pb` in its
/// folder, which Keras 2.5 to 2.15 write beside the graph: a `SavedMetadata` of TensorFlow's
/// keras/protobuf/saved_metadata.proto, whose root object holds what `to_json()` says, and "training_config"
/// of a compiled model. Weights are not read.
///
/// Errors: "saved-model/damaged", "saved-model/no-model" for objects without a configuration (subclassed
/// models), and those of `parseJson`.
[[nodiscard]] Result<std::string> savedModelText(std::string_view bytes, std::string_view file);

} // namespace core
