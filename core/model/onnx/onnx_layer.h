#pragma once

#include "core/base/json.h"
#include "core/model/onnx/onnx_model.h"

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace core {

/// Class name of the layer that computes one node of an ONNX graph.
inline constexpr std::string_view onnxNodeClass = "OnnxNode";

/// What one input of a node is to the layer that computes it.
struct OnnxOperand {
    enum class Kind : std::uint8_t {
        Absent,   ///< left out
        Tensor,   ///< input `position` of the call
        Weight,   ///< a weight of the layer, of the name, type and extents of `value`
        Constant, ///< `value`, plus `perSample` times the first extent of the call's last input
    };
    Kind kind = Kind::Absent;
    std::size_t position = 0;
    /// Of a weight only its name, type and extents.
    OnnxTensor value;
    /// Parallel to the elements of a constant; empty where it does not depend on the batch.
    std::vector<double> perSample;
    /// Of a weight: training changes it.
    bool isTrained = false;

    bool operator==(const OnnxOperand&) const = default;
};

/// The configuration of an `OnnxNode` layer. In JSON:
///
///     {"op_type": "Pad", "domain": "", "opset": 13, "attributes": {"mode": "reflect"},
///      "operands": [0, {"type": "int64", "shape": [4], "values": [0, 1, 0, 1]}], "outputs": [0]}
///
/// An operand is the position among the inputs of the call, null (left out), a constant (`values`, perhaps
/// `per_sample`), or a weight (`weight`: its name, `trained`). Attributes are numbers, texts, lists of them,
/// or a constant. `outputs` are the outputs of the operator that the layer gives.
struct OnnxLayer {
    /// Its inputs and outputs have names only where they are there.
    OnnxNode node;
    /// Version of the operator set of the node's domain.
    std::int64_t opset = 1;
    std::vector<OnnxOperand> operands;
    std::vector<std::size_t> outputs;
};

/// What is wrong with a configuration: the message, and the attribute to correct.
struct OnnxLayerError {
    std::string message;
    std::string attribute;
};

[[nodiscard]] tl::expected<OnnxLayer, OnnxLayerError> readOnnxLayer(const Json& config);
/// The layer's own attributes, without those that every layer has.
[[nodiscard]] Json onnxLayerConfig(const OnnxLayer& layer);

} // namespace core
