// Operators whose output does not depend on data, and random numbers.
#include "core/model/onnx/onnx_operator.h"

#include <algorithm>
#include <cmath>

namespace core {

namespace {

using Call = OnnxOperatorCall;
using Facts = RuleResult<OnnxFacts>;

Facts ofType(const RuleResult<DataType>& type, OnnxExtents extents) {
    return type ? onnxOutput(std::move(extents), *type) : Facts(tl::unexpected(type.error()));
}

/// An extent list that a tensor can have.
bool areExtents(const std::vector<std::int64_t>& list) {
    constexpr std::int64_t most = std::int64_t{1} << 32;
    const Count count = elementsOf(list);
    return std::ranges::all_of(list, [](std::int64_t extent) { return extent >= 0; }) && count.isKnown() &&
           count.value() <= most;
}

Facts givenTensor(const Call& call) {
    const OnnxAttribute* value = call.node.attribute("value");
    const auto type = value != nullptr && value->tensor ? deviceType(value->tensor->type) : std::nullopt;
    if (!type)
        return refuse("has a value that is no tensor of numbers", "give one", "attributes");
    return onnxOutput(value->tensor->extents, *type);
}

Facts filled(const Call& call) {
    const auto extents = call.integers(0);
    if (!extents)
        return refuseUnknownValue(call, "shape");
    if (!areExtents(*extents))
        return refuse("has a shape that no tensor has", "give extents of 0 or more");
    const OnnxAttribute* value = call.node.attribute("value");
    const auto type = value != nullptr && value->tensor ? deviceType(value->tensor->type)
                                                        : std::optional(DataType::Float32);
    if (!type)
        return refuse("has a value that is no number", "give one", "attributes");
    return onnxOutput(*extents, *type);
}

Facts identityMatrix(const Call& call) {
    if (call.rank() != 2)
        return refuse("takes a matrix", "give [rows, columns]");
    return ofType(typeAttribute(call, "dtype", call.type()), call.extents());
}

/// Coordinates [rank, count] of what is not 0.
Facts nonZero(const Call& call) {
    const auto values = call.numbers(0);
    if (!values)
        return refuseUnknownValue(call, "number of elements that are not 0");
    const auto count = std::ranges::count_if(*values, [](double value) { return value != 0; });
    return onnxOutput({call.rank(), count}, DataType::Int32);
}

Facts taperedWindow(const Call& call) {
    const auto size = call.integers(0);
    constexpr std::int64_t longest = 1 << 24;
    if (!size || size->size() != 1 || size->front() < 1 || size->front() > longest)
        return refuseUnknownValue(call, "size");
    return ofType(typeAttribute(call, "output_datatype", DataType::Float32), {size->front()});
}

Facts randomNumbers(const Call& call) {
    const std::vector<std::int64_t> shape = call.node.integers("shape");
    if (!areExtents(shape))
        return refuse("has a shape that no tensor has", "give extents of 0 or more", "attributes");
    return ofType(typeAttribute(call, "dtype", DataType::Float32), shape);
}
Facts randomLike(const Call& call) {
    return ofType(typeAttribute(call, "dtype", call.type()), call.extents());
}

Facts numberRange(const Call& call) {
    const auto start = call.numbers(0);
    const auto limit = call.numbers(1);
    const auto delta = call.numbers(2);
    if (!start || !limit || !delta || start->empty() || limit->empty() || delta->empty())
        return refuseUnknownValue(call, "bounds");
    constexpr double most = 1 << 30;
    const double count = std::ceil((limit->front() - start->front()) / delta->front());
    if (!(count <= most))
        return refuse("counts too many numbers", "give a larger step");
    return onnxOutput({static_cast<std::int64_t>(std::max(0.0, count))}, call.type());
}

Facts shapeOf(const Call& call) {
    const std::int64_t rank = call.rank();
    const auto place = [&](std::int64_t value) {
        return std::clamp<std::int64_t>(value < 0 ? value + rank : value, 0, rank);
    };
    const std::int64_t start = place(call.node.integer("start", 0));
    const std::int64_t end = place(call.node.integer("end", rank));
    return onnxOutput({std::max<std::int64_t>(0, end - start)}, DataType::Int32);
}
Facts sizeOf(const Call&) {
    return onnxOutput({}, DataType::Int32);
}

/// [bins, filters] for filters, transform length, rate and the lowest and highest frequency.
Facts melFilters(const Call& call) {
    std::vector<double> settings;
    for (std::size_t i = 0; i < 5; ++i) {
        const auto values = call.numbers(i);
        if (!values || values->size() != 1)
            return refuseUnknownValue(call, "settings");
        settings.push_back(values->front());
    }
    constexpr double most = 1 << 16;
    if (settings[0] < 1 || settings[0] > most || settings[1] < 1 || settings[1] > most)
        return refuse("has settings that make no filters", "give other ones");
    const auto bins = static_cast<std::int64_t>(settings[1]) / 2 + 1;
    return ofType(typeAttribute(call, "output_datatype", DataType::Float32),
                  {bins, static_cast<std::int64_t>(settings[0])});
}

constexpr std::uint32_t everything = inputsAt({0, 1, 2, 3, 4});

constexpr OnnxOperator constantRows[]{
    {"Bernoulli", randomLike},
    {"BlackmanWindow", taperedWindow, 1, everything},
    {"Constant", givenTensor, 0},
    {"ConstantOfShape", filled, 1, everything},
    {"EyeLike", identityMatrix},
    {"HammingWindow", taperedWindow, 1, everything},
    {"HannWindow", taperedWindow, 1, everything},
    {"MelWeightMatrix", melFilters, 5, everything},
    {"NonZero", nonZero, 1, everything},
    {"RandomNormal", randomNumbers, 0},
    {"RandomNormalLike", randomLike},
    {"RandomUniform", randomNumbers, 0},
    {"RandomUniformLike", randomLike},
    {"Range", numberRange, 3, everything},
    {"Shape", shapeOf},
    {"Size", sizeOf},
};

} // namespace

std::span<const OnnxOperator> constantOnnxOperators() {
    return constantRows;
}

} // namespace core
