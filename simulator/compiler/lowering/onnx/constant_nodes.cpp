// Nodes whose output does not depend on data, and random numbers.
#include "simulator/compiler/lowering/onnx/onnx_call.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace simulator {
namespace {

using core::DataType;
using core::OnnxType;
using core::TensorId;

/// The extents that the program is compiled for.
OnnxOutputs shapeOf(OnnxCall& call) {
    const std::int64_t rank = call.rank();
    const auto place = [&](std::int64_t value) {
        return std::clamp<std::int64_t>(value < 0 ? value + rank : value, 0, rank);
    };
    const std::int64_t start = place(call.node.integer("start", 0));
    const std::int64_t end = std::max(start, place(call.node.integer("end", rank)));
    std::vector<double> values;
    for (std::int64_t i = start; i < end; ++i)
        values.push_back(static_cast<double>(call.extents()[static_cast<std::size_t>(i)]));
    return one(call.build.constant("shape", std::move(values), {{end - start}, DataType::Int32}));
}
OnnxOutputs sizeOf(OnnxCall& call) {
    return one(call.build.constant(static_cast<double>(elementCount(call.extents())), {}, DataType::Int32));
}

OnnxOutputs numberRange(OnnxCall& call) {
    const auto start = call.numbers(0);
    const auto limit = call.numbers(1);
    const auto delta = call.numbers(2);
    constexpr double most = 1 << 24;
    if (!start || !limit || !delta || start->empty() || limit->empty() || delta->empty())
        return refuseUnknown(call, "bounds");
    const double count = std::ceil((limit->front() - start->front()) / delta->front());
    if (!(count <= most))
        return refuseOnnx("counts too many numbers");
    std::vector<double> values;
    for (double i = 0; i < count; ++i)
        values.push_back(start->front() + i * delta->front());
    const auto length = static_cast<std::int64_t>(values.size());
    return one(call.build.constant("range", std::move(values), {{length}, call.type()}));
}

OnnxOutputs constant(OnnxCall& call) {
    const core::OnnxAttribute* value = call.node.attribute("value");
    const auto type =
        value != nullptr && value->tensor ? core::deviceType(value->tensor->type) : std::nullopt;
    if (!type || value->tensor->isExternal)
        return refuseOnnx("its value is no tensor of numbers");
    return one(call.build.constant("value", numbersOf(*value->tensor), {value->tensor->extents, *type}));
}

/// An extent list of a sane size.
std::optional<Extents> extentsIn(const std::optional<std::vector<std::int64_t>>& list) {
    constexpr std::int64_t most = std::int64_t{1} << 32;
    if (!list)
        return std::nullopt;
    std::int64_t count = 1;
    for (const std::int64_t extent : *list) {
        if (extent < 0 || (extent > 0 && count > most / extent))
            return std::nullopt;
        count *= extent;
    }
    return *list;
}

OnnxOutputs constantOfShape(OnnxCall& call) {
    const auto extents = extentsIn(call.integers(0));
    if (!extents)
        return refuseUnknown(call, "shape");
    const core::OnnxAttribute* value = call.node.attribute("value");
    const bool isGiven = value != nullptr && value->tensor && value->tensor->elements() == 1;
    const auto type = isGiven ? core::deviceType(value->tensor->type) : std::optional(DataType::Float32);
    if (!type)
        return refuseOnnx("its value is no number");
    const double number = isGiven ? numbersOf(*value->tensor).at(0) : 0;
    return one(call.build.constant(number, *extents, *type));
}

OnnxOutputs identityMatrix(OnnxCall& call) {
    if (call.rank() != 2)
        return refuseOnnx("takes a matrix");
    const std::int64_t diagonal = call.node.integer("k", 0);
    const auto type = call.node.attribute("dtype") == nullptr
                          ? std::optional(call.type())
                          : core::deviceType(static_cast<OnnxType>(call.node.integer("dtype", 1)));
    if (!type)
        return refuseOnnx("its type is no number");
    std::vector<double> values;
    for (std::int64_t i = 0; i < call.extents()[0]; ++i) {
        for (std::int64_t j = 0; j < call.extents()[1]; ++j)
            values.push_back(j - i == diagonal ? 1 : 0);
    }
    return one(call.build.constant("identity", std::move(values), {call.extents(), *type}));
}

/// The coordinates of what is not 0, in the values that the program is compiled for.
OnnxOutputs nonZero(OnnxCall& call) {
    const auto values = call.numbers(0);
    if (!values)
        return refuseUnknown(call, "number of elements that are not 0");
    const Extents extents = call.extents();
    std::vector<std::vector<double>> coordinates(extents.size());
    std::int64_t count = 0;
    for (std::size_t i = 0; i < values->size(); ++i) {
        if ((*values)[i] == 0)
            continue;
        ++count;
        auto rest = static_cast<std::int64_t>(i);
        for (std::size_t axis = extents.size(); axis-- > 0; rest /= extents[axis])
            coordinates[axis].push_back(static_cast<double>(rest % extents[axis]));
    }
    std::vector<double> all;
    for (const auto& axis : coordinates)
        all.insert(all.end(), axis.begin(), axis.end());
    return one(call.build.constant("places", std::move(all), {{call.rank(), count}, DataType::Int32}));
}

/// a0 − a1·cos(2πk / N) + a2·cos(4πk / N).
OnnxOutputs cosineWindow(OnnxCall& call, double a0, double a1, double a2) {
    const auto size = call.integers(0);
    constexpr std::int64_t longest = 1 << 24;
    if (!size || size->size() != 1 || size->front() < 1 || size->front() > longest)
        return refuseUnknown(call, "size");
    const auto type = core::deviceType(static_cast<OnnxType>(call.node.integer("output_datatype", 1)));
    if (!type)
        return refuseOnnx("its type is no number");
    const bool isPeriodic = call.node.integer("periodic", 1) != 0;
    const auto period = static_cast<double>(std::max<std::int64_t>(size->front() - (isPeriodic ? 0 : 1), 1));
    std::vector<double> values;
    for (std::int64_t k = 0; k < size->front(); ++k) {
        const double angle = 2 * std::numbers::pi * static_cast<double>(k) / period;
        values.push_back(a0 - a1 * std::cos(angle) + a2 * std::cos(2 * angle));
    }
    return one(call.build.constant("window", std::move(values), {{size->front()}, *type}));
}
OnnxOutputs hannWindow(OnnxCall& call) {
    return cosineWindow(call, 0.5, 0.5, 0);
}
OnnxOutputs hammingWindow(OnnxCall& call) {
    return cosineWindow(call, 25.0 / 46, 21.0 / 46, 0);
}
OnnxOutputs blackmanWindow(OnnxCall& call) {
    return cosineWindow(call, 0.42, 0.5, 0.08);
}

/// Numbers of a distribution; `shape` as an attribute, or the first input's.
OnnxOutputs random(OnnxCall& call, RandomDistribution distribution, double a, double b) {
    const auto extents = call.has(0) ? std::optional(call.extents()) : extentsIn(call.node.integers("shape"));
    const auto type = call.node.attribute("dtype") != nullptr
                          ? core::deviceType(static_cast<OnnxType>(call.node.integer("dtype", 1)))
                          : std::optional(call.has(0) ? call.type() : DataType::Float32);
    if (!extents || !type)
        return refuseOnnx("its shape or type cannot be made");
    const auto seed = static_cast<std::uint64_t>(call.node.number("seed", 0));
    return one(call.build.addAs(Random{distribution, a, b, seed, call.stream}, {}, "", {*extents, *type}));
}
OnnxOutputs randomNormal(OnnxCall& call) {
    return random(call, RandomDistribution::Normal, call.node.number("mean", 0),
                  call.node.number("scale", 1));
}
OnnxOutputs randomUniform(OnnxCall& call) {
    return random(call, RandomDistribution::Uniform, call.node.number("low", 0), call.node.number("high", 1));
}
/// 1 with the probability that the input gives.
OnnxOutputs bernoulli(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const auto seed = static_cast<std::uint64_t>(call.node.number("seed", 0));
    const TensorId chance = build.addAs(Random{RandomDistribution::Uniform, 0, 1, seed, call.stream}, {}, "",
                                        {call.extents(), DataType::Float32});
    const auto type = call.node.attribute("dtype") == nullptr
                          ? std::optional(call.type())
                          : core::deviceType(static_cast<OnnxType>(call.node.integer("dtype", 1)));
    if (!type)
        return refuseOnnx("its type is no number");
    return one(build.cast(build.binary(BinaryFunction::Less, chance, call.input()), *type));
}

constexpr OnnxEntry constantNodes[]{
    {"Bernoulli", bernoulli},
    {"BlackmanWindow", blackmanWindow},
    {"Constant", constant},
    {"ConstantOfShape", constantOfShape},
    {"EyeLike", identityMatrix},
    {"HammingWindow", hammingWindow},
    {"HannWindow", hannWindow},
    {"NonZero", nonZero},
    {"RandomNormal", randomNormal},
    {"RandomNormalLike", randomNormal},
    {"RandomUniform", randomUniform},
    {"RandomUniformLike", randomUniform},
    {"Range", numberRange},
    {"Shape", shapeOf},
    {"Size", sizeOf},
};

} // namespace

std::span<const OnnxEntry> onnxConstants() {
    return constantNodes;
}

} // namespace simulator
