#pragma once

#include "core/model/data_type.h"
#include "simulator/graph/operation.h"
#include "simulator/graph/operation_parts.h"

#include <span>
#include <string_view>
#include <vector>

namespace simulator {

/// Extents and element type of a tensor, without a name or place.
struct TensorForm {
    Extents extents;
    core::DataType type = core::DataType::Float32;

    bool operator==(const TensorForm&) const = default;
};

/// One output that an operation will have.
struct OutputForm {
    /// "" for the first; "mean", "mask", … for further ones.
    std::string_view label;
    TensorForm form;
};

using OutputForms = std::vector<OutputForm>;
using InputForms = std::span<const TensorForm>;

/// The outputs of an operation whose attributes and inputs determine them. Operations whose output extents
/// are chosen by whoever makes them (Reshape, Pad-like gradients, convolution gradients, Random, Fill,
/// Opaque, streams) and those that rewrite their inputs have no rule: answers an empty list.
[[nodiscard]] OutputForms outputForms(const OperationAttributes& attributes, InputForms inputs);

/// The same for one kind.
using OutputRule = OutputForms (*)(const OperationAttributes& attributes, InputForms inputs);
/// The row of a kind whose `outputsOf` says it; written at the end of its family's file in rules/.
template <class Kind, OutputForms (*outputsOf)(const Kind&, InputForms)>
[[nodiscard]] constexpr PartRow<OutputRule> outputRow() {
    return {kindIndex<Kind>(), [](const OperationAttributes& attributes, InputForms inputs) {
                return outputsOf(std::get<Kind>(attributes), inputs);
            }};
}
[[nodiscard]] const PartTable<OutputRule>& outputRules();

[[nodiscard]] OutputForms oneOutput(Extents extents, core::DataType type);
[[nodiscard]] OutputForms sameOutput(const TensorForm& form);

/// NumPy's broadcast of two extents; the extents must agree.
[[nodiscard]] Extents broadcastExtents(const Extents& a, const Extents& b);

/// `axis` counted from the front; −1 is the last of `rank`.
[[nodiscard]] std::size_t normalizedAxis(std::int64_t axis, std::size_t rank);

/// Window positions along one field axis.
[[nodiscard]] std::int64_t windowOutputs(const WindowGeometry& window, std::size_t axis, std::int64_t input);

/// The element of an axis of `extent` that a position before, in or behind it shows, for the modes of Pad
/// that repeat elements.
[[nodiscard]] std::int64_t paddedPosition(PadMode mode, std::int64_t position, std::int64_t extent);

/// Gates of a recurrent cell: 1, 4, 3.
[[nodiscard]] std::int64_t gateCount(RecurrentCell cell);
/// True when a gate's function has no gradient that its output alone tells (swish, gelu, …).
[[nodiscard]] bool keepsGateSums(const Recurrent& recurrent);
/// Values per unit and step that the backward pass needs. Simple: h. LSTM: i, f, c̃, o, c, h. GRU: z, r, h̃, h
/// and with reset_after the recurrent part of h̃. Behind them the gates' sums, where they are kept.
[[nodiscard]] std::int64_t reserveValues(const Recurrent& recurrent);

/// Which values of a unary function's forward pass its gradient reads: the inputs of UnaryGradient are those
/// of them it reads, in this order, then dy. A function that is flat everywhere has no gradient.
struct UnaryGradientNeeds {
    bool input = false;
    bool output = false;
    bool isFlat = false;
};
[[nodiscard]] UnaryGradientNeeds gradientNeeds(UnaryFunction function);

/// True for tests, comparisons and logical functions, which answer Bool.
[[nodiscard]] bool answersBool(UnaryFunction function);
[[nodiscard]] bool answersBool(BinaryFunction function);

} // namespace simulator
