#pragma once

#include "core/base/result.h"
#include "core/interchange/onnx/onnx_model.h"
#include "core/model/model_graph.h"

#include <string_view>

namespace core {

/// The layers that an ONNX graph stands for, channels first as there: convolutions, products with constants
/// and recurrences become Keras' layers, element-wise and shape operations TensorFlow's functions. An
/// operation without a counterpart becomes an opaque layer of its name, with a warning. Weights keep their
/// shapes; their values stay in the file. Errors: those of `readKerasModel`.
[[nodiscard]] Result<ModelGraph> modelFromOnnx(const OnnxModel& model, std::string_view file,
                                               Diagnostics& warnings);

/// The importer of the catalogue.
[[nodiscard]] Result<ModelGraph> readOnnx(std::string_view bytes, std::string_view file,
                                          Diagnostics& warnings);

} // namespace core
