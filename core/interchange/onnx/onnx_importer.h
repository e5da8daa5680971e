#pragma once

#include "core/base/result.h"
#include "core/interchange/keras/hdf5_weights.h"
#include "core/model/model_graph.h"
#include "core/model/onnx/onnx_model.h"

#include <string_view>
#include <vector>

namespace core {

/// The layers that an ONNX graph stands for, channels first as there: convolutions, products with constants
/// and recurrences become Keras' layers, element-wise and shape operations TensorFlow's functions. An
/// operation without a counterpart becomes an opaque layer of its name, with a warning. Errors: those of
/// `readKerasModel`.
[[nodiscard]] Result<ModelGraph> modelFromOnnx(const OnnxModel& model, std::string_view file,
                                               Diagnostics& warnings);

/// The values of the weights of those layers, under their names and in Keras' arrangement: an initializer
/// that several nodes share is the start of each of their layers.
[[nodiscard]] std::vector<StoredWeight> weightsFromOnnx(const OnnxModel& model);

/// The importer of the catalogue. `readOnnxWeights` adds the error "onnx/external-weights": an initializer
/// whose elements are in another file.
[[nodiscard]] Result<ModelGraph> readOnnx(std::string_view bytes, std::string_view file,
                                          Diagnostics& warnings);
[[nodiscard]] Result<std::vector<StoredWeight>> readOnnxWeights(std::string_view bytes,
                                                                std::string_view file);

} // namespace core
