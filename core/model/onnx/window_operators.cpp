// Convolutions and pools. Channels are second, as in ONNX.
#include "core/model/onnx/onnx_operator.h"

#include <algorithm>
#include <fmt/format.h>

namespace core {

namespace {

using Call = OnnxOperatorCall;
using Facts = RuleResult<OnnxFacts>;
using Integers = std::vector<std::int64_t>;

constexpr std::int64_t largestWindow = 1 << 20;

/// A list attribute with one entry per field axis.
std::optional<Integers> listOf(const Call& call, std::string_view name, std::size_t size,
                               std::int64_t byDefault, std::int64_t smallest) {
    Integers list = call.node.integers(name);
    if (list.empty())
        list.assign(size, byDefault);
    const bool fits = list.size() == size && std::ranges::all_of(list, [&](std::int64_t value) {
                          return value >= smallest && value <= largestWindow;
                      });
    return fits ? std::optional(list) : std::nullopt;
}

tl::unexpected<RuleError> wrongLists() {
    return refuse("has strides, dilations, pads or a kernel that do not fit its field",
                  "give one entry for each axis of the field", "attributes");
}

bool hasField(const Call& call) {
    return call.rank() >= 3 && call.rank() <= 5;
}

tl::unexpected<RuleError> wrongField(const Call& call) {
    return refuse(fmt::format("has an input of {} axes", call.rank()),
                  "give a batch of channels with 1 to 3 field axes");
}

OnnxExtents fieldOf(const OnnxExtents& extents) {
    return {extents.begin() + 2, extents.end()};
}

/// Positions of a window along one axis.
struct WindowAxis {
    std::int64_t input = 1;
    std::int64_t span = 1;
    std::int64_t stride = 1;
    std::int64_t low = 0;
    std::int64_t high = 0;

    /// Padding on both sides, as `auto_pad` asks.
    void padAutomatically(const std::string& mode) {
        if (mode.starts_with("SAME")) {
            const std::int64_t outputs = (input + stride - 1) / stride;
            const std::int64_t total = std::max<std::int64_t>(0, (outputs - 1) * stride + span - input);
            low = mode == "SAME_LOWER" ? total - total / 2 : total / 2;
            high = total - low;
        } else if (mode == "VALID") {
            low = 0;
            high = 0;
        }
    }
    /// Rounding up adds a last window where it begins inside the input or its low padding.
    void roundUp() {
        const std::int64_t rest = input + low + high - span;
        const std::int64_t partial = rest < 0 ? 0 : rest % stride;
        if (partial != 0 && (rest / stride + 1) * stride < input + low)
            high += stride - partial;
    }
    [[nodiscard]] std::int64_t outputs() const {
        const std::int64_t rest = input + low + high - span;
        return rest < 0 ? 0 : rest / stride + 1;
    }
};

RuleResult<OnnxExtents> slide(const Call& call, const OnnxExtents& field, const Integers& kernel) {
    const std::size_t size = field.size();
    const auto stride = listOf(call, "strides", size, 1, 1);
    const auto dilation = listOf(call, "dilations", size, 1, 1);
    const auto pads = listOf(call, "pads", 2 * size, 0, 0);
    const bool isKernel = kernel.size() == size && std::ranges::all_of(kernel, [](std::int64_t extent) {
                              return extent > 0 && extent <= largestWindow;
                          });
    if (!stride || !dilation || !pads || !isKernel)
        return wrongLists();
    OnnxExtents outputs;
    for (std::size_t i = 0; i < size; ++i) {
        WindowAxis axis{field[i], (kernel[i] - 1) * (*dilation)[i] + 1, (*stride)[i], (*pads)[i],
                        (*pads)[size + i]};
        axis.padAutomatically(call.node.text("auto_pad", "NOTSET"));
        if (call.node.integer("ceil_mode", 0) != 0)
            axis.roundUp();
        if (axis.outputs() < 1)
            return refuse(fmt::format("has a window of {} over {} elements", axis.span, axis.input),
                          "make the window smaller or pad more", "attributes");
        outputs.push_back(axis.outputs());
    }
    return outputs;
}

Facts convolved(const Call& call, std::size_t kernel, DataType type) {
    if (!hasField(call) || call.rank(kernel) != call.rank())
        return wrongField(call);
    const OnnxExtents& weights = call.extents(kernel);
    const std::int64_t groups = call.node.integer("group", 1);
    if (groups < 1 || weights[1] > largestExtent / groups || weights[1] * groups != call.extents()[1] ||
        weights[0] % groups != 0)
        return refuse(fmt::format("has {} channels for weights of {} in {} groups", call.extents()[1],
                                  weights[1], groups),
                      "give weights of channels / group");
    const auto field = slide(call, fieldOf(call.extents()), fieldOf(weights));
    if (!field)
        return tl::unexpected(field.error());
    OnnxExtents extents{call.extents()[0], weights[0]};
    extents.insert(extents.end(), field->begin(), field->end());
    const Count flops = elementsOf(extents) * 2 * elementsOf({weights.begin() + 1, weights.end()});
    return OnnxFacts{{{std::move(extents), type}}, flops};
}

Facts convolution(const Call& call) {
    return convolved(call, 1, call.type());
}
Facts integerConvolution(const Call& call) {
    return convolved(call, 1, DataType::Int32);
}
Facts quantizedConvolution(const Call& call) {
    return convolved(call, 3, call.type(7));
}

Facts transposedConvolution(const Call& call) {
    if (!hasField(call) || call.rank(1) != call.rank())
        return wrongField(call);
    const OnnxExtents& weights = call.extents(1);
    const OnnxExtents field = fieldOf(call.extents());
    const OnnxExtents kernel = fieldOf(weights);
    const std::size_t size = field.size();
    const std::int64_t groups = call.node.integer("group", 1);
    if (groups < 1 || groups > largestWindow || weights[0] != call.extents()[1] || weights[0] % groups != 0)
        return refuse("has weights that do not fit its channels", "give weights [channels, filters, …]");
    const auto stride = listOf(call, "strides", size, 1, 1);
    const auto dilation = listOf(call, "dilations", size, 1, 1);
    const auto pads = listOf(call, "pads", 2 * size, 0, 0);
    const auto added = listOf(call, "output_padding", size, 0, 0);
    const auto wanted = listOf(call, "output_shape", size, 0, 0);
    if (!stride || !dilation || !pads || !added || !wanted)
        return wrongLists();
    const bool hasWanted = !call.node.integers("output_shape").empty();
    const std::string automatic = call.node.text("auto_pad", "NOTSET");
    OnnxExtents extents{call.extents()[0], weights[1] * groups};
    for (std::size_t i = 0; i < size; ++i) {
        const std::int64_t span = (kernel[i] - 1) * (*dilation)[i] + 1;
        const std::int64_t whole = (*stride)[i] * (field[i] - 1) + (*added)[i] + span;
        std::int64_t extent = whole - (*pads)[i] - (*pads)[size + i];
        if (hasWanted)
            extent = (*wanted)[i];
        else if (automatic.starts_with("SAME"))
            extent = field[i] * (*stride)[i];
        else if (automatic == "VALID")
            extent = whole;
        if (extent < 1)
            return refuse("has an output without elements", "pad less", "attributes");
        extents.push_back(extent);
    }
    const Count flops = elementsOf(call.extents()) * 2 * elementsOf({weights.begin() + 1, weights.end()});
    return OnnxFacts{{{std::move(extents), call.type()}}, flops};
}

Facts pooled(const Call& call) {
    if (!hasField(call))
        return wrongField(call);
    const Integers kernel = call.node.integers("kernel_shape");
    const auto field = slide(call, fieldOf(call.extents()), kernel);
    if (!field)
        return tl::unexpected(field.error());
    OnnxExtents extents{call.extents()[0], call.extents()[1]};
    extents.insert(extents.end(), field->begin(), field->end());
    const Count flops = elementsOf(extents) * elementsOf(kernel);
    // MaxPool's second output: where in the input the largest elements are.
    return OnnxFacts{{{extents, call.type()}, {extents, DataType::Int32}}, flops};
}

Facts globallyPooled(const Call& call) {
    if (call.rank() < 2)
        return wrongField(call);
    OnnxExtents extents(call.extents().size(), 1);
    extents[0] = call.extents()[0];
    extents[1] = call.extents()[1];
    return OnnxFacts{{{std::move(extents), call.type()}}, elementsOf(call.extents())};
}

Facts unpooled(const Call& call) {
    if (!hasField(call) || call.extents(1) != call.extents())
        return wrongField(call);
    const auto size = static_cast<std::size_t>(call.rank() - 2);
    const Integers kernel = call.node.integers("kernel_shape");
    const auto stride = listOf(call, "strides", size, 1, 1);
    const auto pads = listOf(call, "pads", 2 * size, 0, 0);
    if (!stride || !pads || kernel.size() != size)
        return wrongLists();
    OnnxExtents extents{call.extents()[0], call.extents()[1]};
    for (std::size_t i = 0; i < size; ++i)
        extents.push_back((call.extents()[i + 2] - 1) * (*stride)[i] + kernel[i] - (*pads)[i] -
                          (*pads)[size + i]);
    if (call.has(2)) {
        const auto asked = call.integers(2);
        if (!asked || asked->size() != extents.size())
            return refuseUnknownValue(call, "output_shape");
        extents = *asked;
    }
    if (std::ranges::any_of(extents, [](std::int64_t extent) { return extent < 1; }))
        return refuse("has an output without elements", "pad less", "attributes");
    return onnxOutput(std::move(extents), call.type());
}

constexpr OnnxOperator windowRows[]{
    {"AveragePool", pooled},
    {"Conv", convolution, 2},
    {"ConvInteger", integerConvolution, 2},
    {"ConvTranspose", transposedConvolution, 2},
    {"GlobalAveragePool", globallyPooled},
    {"GlobalLpPool", globallyPooled},
    {"GlobalMaxPool", globallyPooled},
    {"LpPool", pooled},
    {"MaxPool", pooled},
    {"MaxUnpool", unpooled, 2, inputsAt({2})},
    {"QLinearConv", quantizedConvolution, 8, 0, inputsAt({1, 2, 4, 5, 6, 7})},
};

} // namespace

std::span<const OnnxOperator> windowOnnxOperators() {
    return windowRows;
}

} // namespace core
