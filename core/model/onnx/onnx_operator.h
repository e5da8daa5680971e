#pragma once

#include "core/model/layer_definition.h"
#include "core/model/onnx/onnx_model.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

using OnnxExtents = std::vector<std::int64_t>;

/// Extents and element type of a tensor. Every extent is known: who asks with a free one tries two numbers
/// for it and sees which extents of the answer follow (`describeOnnxNode`).
struct OnnxForm {
    OnnxExtents extents;
    DataType type = DataType::Float32;
};

/// What the rule of an operator sees of a node.
struct OnnxOperatorCall {
    const OnnxNode& node;
    /// Version of the operator set.
    std::int64_t opset = 1;
    /// Parallel to the node's inputs; nothing where one is left out.
    std::vector<std::optional<OnnxForm>> inputs;
    /// Parallel to the inputs; null where the value is not known before the program runs.
    std::vector<const OnnxTensor*> values;

    [[nodiscard]] bool has(std::size_t position) const {
        return position < inputs.size() && inputs[position].has_value();
    }
    [[nodiscard]] const OnnxExtents& extents(std::size_t position = 0) const {
        return inputs[position]->extents;
    }
    [[nodiscard]] std::int64_t rank(std::size_t position = 0) const {
        return static_cast<std::int64_t>(extents(position).size());
    }
    [[nodiscard]] DataType type(std::size_t position = 0) const { return inputs[position]->type; }

    /// Values of an input that decide extents.
    [[nodiscard]] std::optional<std::vector<std::int64_t>> integers(std::size_t position) const;
    [[nodiscard]] std::optional<std::vector<double>> numbers(std::size_t position) const;
    /// An attribute that later operator sets pass as an input; empty where both are absent, nothing where the
    /// input's values are not known.
    [[nodiscard]] std::optional<std::vector<std::int64_t>> setting(std::string_view attribute,
                                                                   std::size_t position) const;
};

/// The outputs of a node in their order, and its arithmetic: 2 for each multiply-accumulate of products and
/// convolutions, else one for each operation and element; 0 for what only moves data.
struct OnnxFacts {
    std::vector<OnnxForm> outputs;
    Count flops = 0;
};
using OnnxRule = RuleResult<OnnxFacts> (*)(const OnnxOperatorCall&);

/// Positions of inputs, as bits.
[[nodiscard]] constexpr std::uint32_t inputsAt(std::initializer_list<unsigned> positions) {
    std::uint32_t bits = 0;
    for (const unsigned position : positions)
        bits |= 1U << position;
    return bits;
}

/// One operator of the standard set: what the shapes of a node are, and what its inputs mean.
struct OnnxOperator {
    std::string_view name;
    OnnxRule rule = nullptr;
    std::size_t minimumInputs = 1;
    /// Inputs whose values must be known when the program is compiled (shapes, axes, counts).
    std::uint32_t settings = 0;
    /// Inputs that training never changes (moving statistics, quantization).
    std::uint32_t states = 0;

    [[nodiscard]] bool isSetting(std::size_t position) const { return isAmong(settings, position); }
    [[nodiscard]] bool isState(std::size_t position) const { return isAmong(states, position); }

private:
    [[nodiscard]] static bool isAmong(std::uint32_t bits, std::size_t position) {
        return position < 32 && (bits >> position & 1U) != 0;
    }
};

/// Null for what is not among the operators that can be computed.
[[nodiscard]] const OnnxOperator* findOnnxOperator(const OnnxNode& node);
/// All of them, sorted by name.
[[nodiscard]] std::vector<const OnnxOperator*> onnxOperators();

// Families, one file each. An operator: its rule and row in a family (and its lowering in the simulator); a
// family: its line here and in onnx_operator.cpp.
[[nodiscard]] std::span<const OnnxOperator> elementwiseOnnxOperators(); // elementwise_operators.cpp
[[nodiscard]] std::span<const OnnxOperator> reductionOnnxOperators();   // reduction_operators.cpp
[[nodiscard]] std::span<const OnnxOperator> productOnnxOperators();     // product_operators.cpp
[[nodiscard]] std::span<const OnnxOperator> windowOnnxOperators();      // window_operators.cpp
[[nodiscard]] std::span<const OnnxOperator> normalOnnxOperators();      // normalization_operators.cpp
[[nodiscard]] std::span<const OnnxOperator> movementOnnxOperators();    // movement_operators.cpp
[[nodiscard]] std::span<const OnnxOperator> indexingOnnxOperators();    // indexing_operators.cpp
[[nodiscard]] std::span<const OnnxOperator> imageOnnxOperators();       // image_operators.cpp
[[nodiscard]] std::span<const OnnxOperator> sequenceOnnxOperators();    // sequence_operators.cpp
[[nodiscard]] std::span<const OnnxOperator> constantOnnxOperators();    // constant_operators.cpp

// What the rules of many operators share.

[[nodiscard]] RuleResult<OnnxFacts> onnxOutput(OnnxExtents extents, DataType type,
                                               std::int64_t flopsPerElement = 0);
/// The first input's form.
[[nodiscard]] RuleResult<OnnxFacts> sameOnnxForm(const OnnxOperatorCall& call);
[[nodiscard]] Count elementsOf(const OnnxExtents& extents);
/// `axis` counted from the front; refuses what lies outside [-rank, rank).
[[nodiscard]] RuleResult<std::size_t> onnxAxisOf(std::int64_t axis, std::int64_t rank);
/// All of them, sorted, each once.
[[nodiscard]] RuleResult<std::vector<std::size_t>> onnxAxesOf(const std::vector<std::int64_t>& axes,
                                                              std::int64_t rank);
/// The extents' common extents under NumPy broadcasting.
[[nodiscard]] RuleResult<OnnxExtents> onnxBroadcast(const OnnxExtents& a, const OnnxExtents& b);
/// "the {what} of {operator} changes from run to run".
[[nodiscard]] tl::unexpected<RuleError> refuseUnknownValue(const OnnxOperatorCall& call,
                                                           std::string_view what);
/// The type that the attribute `name` says, else `byDefault`.
[[nodiscard]] RuleResult<DataType> typeAttribute(const OnnxOperatorCall& call, std::string_view name,
                                                 DataType byDefault);

} // namespace core
