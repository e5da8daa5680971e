#pragma once

#include "core/base/result.h"
#include "core/model/onnx/onnx_model.h"

#include <string_view>

namespace core {

/// Whether the bytes look like a ModelProto: its first fields, and a graph among them.
[[nodiscard]] bool isOnnx(std::string_view bytes);

/// Reads a ModelProto (https://github.com/onnx/onnx, onnx.proto). Errors: "onnx/damaged" (with the byte of
/// the message), "onnx/structure" (no graph, a tensor whose elements do not fit its extents, a tensor used
/// before it is written), "onnx/depth".
[[nodiscard]] Result<OnnxModel> readOnnxModel(std::string_view bytes, std::string_view file);

/// Reads a TensorProto by itself, as test cases keep their data.
[[nodiscard]] Result<OnnxTensor> readOnnxTensor(std::string_view bytes, std::string_view file);

} // namespace core
