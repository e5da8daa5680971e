#pragma once

#include "core/base/result.h"
#include "core/model/onnx/onnx_model.h"
#include "simulator/graph/graph_builder.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace simulator {

using OnnxOutputs = core::Result<std::vector<core::TensorId>>;

/// The outputs of a node with a single one.
[[nodiscard]] inline OnnxOutputs one(core::TensorId id) {
    return std::vector{id};
}

/// One node of an ONNX graph while it is lowered. Element types are those of the device (`core::deviceType`).
struct OnnxCall {
    const core::OnnxNode& node;
    GraphBuilder& build;
    /// Version of the operator set.
    std::int64_t opset = 1;
    /// Parallel to the node's inputs; null where the value is not known while compiling.
    std::vector<const core::OnnxTensor*> values;
    /// Parallel to the node's inputs; invalid where one is left out.
    std::vector<core::TensorId> inputs;
    /// A random operation's place among all.
    std::uint64_t stream = 0;

    [[nodiscard]] bool has(std::size_t position) const {
        return position < inputs.size() && inputs[position].isValid();
    }
    [[nodiscard]] core::TensorId input(std::size_t position = 0) const { return inputs[position]; }
    [[nodiscard]] Extents extents(std::size_t position = 0) const { return build.extents(inputs[position]); }
    [[nodiscard]] std::int64_t rank(std::size_t position = 0) const {
        return static_cast<std::int64_t>(extents(position).size());
    }
    [[nodiscard]] core::DataType type(std::size_t position = 0) const { return build.type(inputs[position]); }
    [[nodiscard]] bool hasOutput(std::size_t position) const { return node.hasOutput(position); }

    /// The values of an input that decide extents; nothing where they are not known.
    [[nodiscard]] std::optional<std::vector<std::int64_t>> integers(std::size_t position) const;
    [[nodiscard]] std::optional<std::vector<double>> numbers(std::size_t position) const;
    /// An attribute that later operator sets pass as an input; empty where both are absent, nothing where the
    /// input's values are not known.
    [[nodiscard]] std::optional<std::vector<std::int64_t>> setting(std::string_view attribute,
                                                                   std::size_t position) const;
    /// A constant of the first input's type.
    [[nodiscard]] core::TensorId scalar(double value, std::size_t likeInput = 0) const {
        return build.constant(value, {}, type(likeInput));
    }
};

/// `return refuseOnnx("message")` from a lowering.
[[nodiscard]] tl::unexpected<core::Diagnostics> refuseOnnx(std::string message, std::string hint);
/// The same for a node that is not as its operator is documented.
[[nodiscard]] tl::unexpected<core::Diagnostics> refuseOnnx(std::string message);
/// What needs an input's values does not know them.
[[nodiscard]] tl::unexpected<core::Diagnostics> refuseUnknown(const OnnxCall& call, std::string_view what);

/// `axis` counted from the front; nothing outside [-rank, rank).
[[nodiscard]] std::optional<std::int64_t> onnxAxis(std::int64_t axis, std::int64_t rank);
/// All of them, sorted, each once; nothing when one lies outside.
[[nodiscard]] std::optional<std::vector<std::int64_t>> onnxAxes(const std::vector<std::int64_t>& axes,
                                                                std::int64_t rank);
/// The extents' common extents under NumPy broadcasting; nothing where they do not fit.
[[nodiscard]] std::optional<Extents> commonExtents(const Extents& a, const Extents& b);
/// f(a, b) with broadcasting, or why not.
[[nodiscard]] core::Result<core::TensorId> broadcastBinary(GraphBuilder& build, BinaryFunction function,
                                                           core::TensorId a, core::TensorId b);

/// x rounded, moved by the 8-bit zero point and saturated to its type.
[[nodiscard]] core::TensorId saturated(GraphBuilder& build, core::TensorId x, core::TensorId zero);

using OnnxLowering = OnnxOutputs (*)(OnnxCall&);
/// The operations of one operator; its shapes and the number of its inputs are in core (`core::OnnxOperator`)
/// and have been checked.
struct OnnxEntry {
    std::string_view operation;
    OnnxLowering lower;
};

/// The entry of an operator; null when it has none.
[[nodiscard]] const OnnxEntry* findOnnxEntry(std::string_view operation);

// Families, one file each. An operation: its function and entry in a family; a family: its line here and in
// onnx_layer.cpp.
[[nodiscard]] std::span<const OnnxEntry> onnxElementwise();    // elementwise_nodes.cpp
[[nodiscard]] std::span<const OnnxEntry> onnxReductions();     // reduction_nodes.cpp
[[nodiscard]] std::span<const OnnxEntry> onnxProducts();       // product_nodes.cpp
[[nodiscard]] std::span<const OnnxEntry> onnxWindows();        // window_nodes.cpp
[[nodiscard]] std::span<const OnnxEntry> onnxNormalizations(); // normalization_nodes.cpp
[[nodiscard]] std::span<const OnnxEntry> onnxMovements();      // movement_nodes.cpp
[[nodiscard]] std::span<const OnnxEntry> onnxIndexing();       // indexing_nodes.cpp
[[nodiscard]] std::span<const OnnxEntry> onnxResizing();       // resize_nodes.cpp
[[nodiscard]] std::span<const OnnxEntry> onnxRecurrences();    // recurrent_nodes.cpp
[[nodiscard]] std::span<const OnnxEntry> onnxLosses();         // loss_nodes.cpp
[[nodiscard]] std::span<const OnnxEntry> onnxQuantization();   // quantization_nodes.cpp
[[nodiscard]] std::span<const OnnxEntry> onnxConstants();      // constant_nodes.cpp
[[nodiscard]] std::span<const OnnxEntry> onnxSignals();        // signal_nodes.cpp
[[nodiscard]] std::span<const OnnxEntry> onnxSampling();       // sampling_nodes.cpp
/// Of the set ai.onnx.preview.training.
[[nodiscard]] std::span<const OnnxEntry> onnxOptimizers(); // optimizer_nodes.cpp

} // namespace simulator
