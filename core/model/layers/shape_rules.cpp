#include "core/model/layers/shape_rules.h"

#include "core/model/initializer_catalogue.h"
#include "core/text/text_case.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace core {

WeightSpec weight(const LayerCall& call, std::string name, Shape shape, std::string_view initializerAttribute,
                  std::string_view fallback) {
    const bool hasAttribute = call.attributes.definition().findAttribute(initializerAttribute) != nullptr;
    WeightSpec spec;
    spec.name = std::move(name);
    spec.shape = std::move(shape);
    spec.type = call.precision.variable;
    spec.initializer = hasAttribute ? call.attributes.initializer(initializerAttribute)
                                    : initializerFromJson(nullptr, fallback);
    return spec;
}

WeightSpec state(const LayerCall& call, std::string name, Shape shape, std::string_view initializerAttribute,
                 std::string_view fallback) {
    WeightSpec spec = weight(call, std::move(name), std::move(shape), initializerAttribute, fallback);
    spec.trainable = false;
    return spec;
}

CallFacts output(Shape shape, DataType type) {
    return CallFacts{{TensorSpec{std::move(shape), type}}, {}, 0};
}

CallFacts output(const LayerCall& call, Shape shape) {
    return output(std::move(shape), call.precision.compute);
}

CallFacts sameAsInput(const LayerCall& call, std::int64_t flopsPerElement) {
    CallFacts facts = output(call.shape(), call.inputType());
    facts.flops = elements(call.shape()) * flopsPerElement;
    return facts;
}

std::optional<RuleError> requireRank(const LayerCall& call, std::size_t rank, std::size_t input) {
    if (call.shape(input).rank() == rank)
        return std::nullopt;
    return RuleError{fmt::format("expects an input of {} axes, got {}", rank, toText(call.shape(input))),
                     "put a Reshape or another layer in front", ""};
}

std::optional<RuleError> requireMinimumRank(const LayerCall& call, std::size_t rank, std::size_t input) {
    if (call.shape(input).rank() >= rank)
        return std::nullopt;
    return RuleError{
        fmt::format("expects an input of at least {} axes, got {}", rank, toText(call.shape(input))),
        "put a Reshape in front", ""};
}

RuleResult<std::int64_t> requireExtent(const Shape& shape, std::size_t axis) {
    if (axis >= shape.rank() || !shape[axis])
        return refuse(fmt::format("needs to know axis {} of its input {}", axis, toText(shape)),
                      "give the model's input a shape with this extent");
    if (*shape[axis] <= 0)
        return refuse(fmt::format("axis {} of the input {} is empty", axis, toText(shape)),
                      "give the layer a larger input");
    return *shape[axis];
}

RuleResult<std::size_t> axisFromFront(std::int64_t axis, std::size_t rank) {
    const auto extent = static_cast<std::int64_t>(rank);
    if (axis < -extent || axis >= extent)
        return refuse(fmt::format("axis {} does not exist in {} axes", axis, rank),
                      rank == 0 ? "" : fmt::format("choose an axis from {} to {}", -extent, extent - 1),
                      "axis");
    return static_cast<std::size_t>(axis < 0 ? axis + extent : axis);
}

bool isChannelsFirst(const LayerAttributes& attributes) {
    return attributes.text("data_format") == "channels_first";
}

std::size_t channelAxis(const LayerAttributes& attributes, std::size_t rank) {
    return isChannelsFirst(attributes) ? 1 : rank - 1;
}

std::size_t firstFieldAxis(const LayerAttributes& attributes) {
    return isChannelsFirst(attributes) ? 2 : 1;
}

Shape imageShape(const LayerAttributes& attributes, const Dimension& batch,
                 const std::vector<Dimension>& field, const Dimension& channels) {
    std::vector<Dimension> extents{batch};
    if (isChannelsFirst(attributes))
        extents.push_back(channels);
    extents.insert(extents.end(), field.begin(), field.end());
    if (!isChannelsFirst(attributes))
        extents.push_back(channels);
    return Shape(std::move(extents));
}

RuleResult<CallFacts> describeFeatureProduct(const LayerCall& call) {
    if (auto error = requireMinimumRank(call, 2))
        return tl::unexpected(*error);
    Shape shape = call.shape();
    const auto features = requireExtent(shape, shape.rank() - 1);
    if (!features)
        return tl::unexpected(features.error());
    const std::int64_t units = call.attributes.integer("units");
    shape[shape.rank() - 1] = units;
    CallFacts facts = output(call, shape);
    facts.weights.push_back(weight(call, "kernel", Shape{*features, units}, "kernel_initializer"));
    if (call.attributes.boolean("use_bias"))
        facts.weights.push_back(weight(call, "bias", Shape{units}, "bias_initializer"));
    facts.flops = Count(2) * elements(shape) * *features;
    return facts;
}

RuleResult<Dimension> slideWindow(const Dimension& input, const Window& window, std::string_view padding) {
    if (!input)
        return Dimension{};
    if (padding == "same" || padding == "causal") {
        return Dimension((*input + window.stride - 1) / window.stride);
    }
    if (*input < window.span())
        return refuse(fmt::format("a window of {} does not fit into an extent of {}", window.span(), *input),
                      "use padding \"same\", a smaller window, or fewer reductions before", "padding");
    return Dimension((*input - window.span()) / window.stride + 1);
}

std::optional<RuleError> refuseStridedDilation(const LayerAttributes& attributes) {
    const auto isAboveOne = [](std::int64_t value) { return value > 1; };
    const auto stride = attributes.integers("strides");
    const auto dilation = attributes.integers("dilation_rate");
    if (std::any_of(stride.begin(), stride.end(), isAboveOne) &&
        std::any_of(dilation.begin(), dilation.end(), isAboveOne))
        return RuleError{"strides above 1 and a dilation_rate above 1 exclude each other",
                         "set strides or dilation_rate to 1", "dilation_rate"};
    return std::nullopt;
}

RuleResult<Shape> broadcastShapes(const Shape& a, const Shape& b) {
    const std::size_t rank = std::max(a.rank(), b.rank());
    std::vector<Dimension> extents(rank);
    for (std::size_t back = 1; back <= rank; ++back) {
        const Dimension x = back <= a.rank() ? a[a.rank() - back] : Dimension(1);
        const Dimension y = back <= b.rank() ? b[b.rank() - back] : Dimension(1);
        if (x == Dimension(1))
            extents[rank - back] = y;
        else if (y == Dimension(1) || x == y)
            extents[rank - back] = x;
        else if (!x || !y)
            extents[rank - back] = x ? x : y;
        else
            return refuse(fmt::format("shapes {} and {} do not agree", toText(a), toText(b)),
                          "extents must be equal, or 1");
    }
    return Shape(std::move(extents));
}

bool agreeBut(const Shape& a, const Shape& b, std::optional<std::size_t> except) {
    if (a.rank() != b.rank())
        return false;
    for (std::size_t i = 0; i < a.rank(); ++i)
        if (i != except && a[i] && b[i] && a[i] != b[i])
            return false;
    return true;
}

std::optional<std::size_t> inputNamed(const LayerCall& call, std::string_view name, std::size_t position) {
    std::vector<bool> isNamed(call.inputs.size(), false);
    std::optional<std::size_t> wanted;
    for (const auto& [key, value] : call.arguments.items()) {
        const auto index =
            value.is_object() && value.contains("$input") ? wholeNumber(value["$input"]) : std::nullopt;
        if (!index || *index < 0 || static_cast<std::size_t>(*index) >= call.inputs.size())
            continue;
        isNamed[static_cast<std::size_t>(*index)] = true;
        if (key == name)
            wanted = static_cast<std::size_t>(*index);
    }
    for (std::size_t i = 0; i < isNamed.size() && !wanted; ++i) {
        if (!isNamed[i] && position-- == 0)
            wanted = i;
    }
    return wanted;
}

bool isArgumentSet(const LayerCall& call, std::string_view name) {
    const auto found = call.arguments.find(std::string(name));
    return found != call.arguments.end() && *found == true;
}

std::string paddingOf(const LayerAttributes& attributes) {
    return lowerCase(attributes.text("padding"));
}

} // namespace core
