#pragma once

#include "core/base/result.h"
#include "core/interchange/onnx/onnx_model.h"
#include "simulator/graph/graph_builder.h"

#include <map>
#include <string>
#include <vector>

namespace simulator {

/// What an ONNX graph is compiled for.
struct OnnxRequest {
    const core::OnnxModel* model = nullptr;
    /// Extents of every fed input and, where they decide extents (a Reshape's shape, a Slice's bounds), its
    /// values: they are compiled in. Names as in the graph.
    std::map<std::string, core::OnnxTensor> inputs;
    /// Floating-point initializers become trainable parameters instead of constants.
    bool trains = false;
};

/// Where the graph's inputs, weights and outputs are.
struct OnnxTensors {
    std::vector<TrainingGraph::NamedTensor> inputs;
    std::vector<TrainingGraph::NamedTensor> parameters;
    std::vector<TrainingGraph::NamedTensor> outputs;
};

/// Appends the operations that compute an ONNX graph. Element types are those of the device: float64 becomes
/// float32, int64 becomes int32. Extents are static: what decides one must be known when it is compiled.
/// Errors: "onnx/operation" (not in the table, or a form of it that a static program cannot have), with the
/// node as place.
[[nodiscard]] core::Result<OnnxTensors> lowerOnnx(GraphBuilder& build, const OnnxRequest& request);

/// Operations of the standard operator set that can be lowered, sorted.
[[nodiscard]] std::vector<std::string> onnxOperations();

/// The element type that values of an ONNX type have on the device; nothing for texts and complex numbers.
[[nodiscard]] std::optional<core::DataType> deviceType(core::OnnxType type);

} // namespace simulator
