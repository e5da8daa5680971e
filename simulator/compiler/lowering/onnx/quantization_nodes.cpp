// Eight-bit numbers with a scale and a zero point.
#include "simulator/compiler/lowering/onnx/onnx_call.h"

#include <algorithm>
#include <numeric>

namespace simulator {
namespace {

using core::DataType;
using core::TensorId;

/// A scale or zero point per element of `axis`, shaped to broadcast.
core::Result<TensorId> alongAxis(OnnxCall& call, std::size_t position) {
    const TensorId x = call.build.cast(call.input(position), DataType::Float32);
    const std::int64_t count = elementCount(call.extents(position));
    if (count == 1)
        return call.build.reshape(x, {});
    const auto axis = onnxAxis(call.node.integer("axis", 1), call.rank());
    if (!axis || call.extents()[static_cast<std::size_t>(*axis)] != count)
        return refuseOnnx("its scale does not fit the tensor");
    Extents extents(static_cast<std::size_t>(call.rank()), 1);
    extents[static_cast<std::size_t>(*axis)] = count;
    return call.build.reshape(x, std::move(extents));
}

/// round(x / scale) + zero, saturated to the zero point's type.
TensorId quantized(GraphBuilder& build, TensorId x, TensorId scale, TensorId zero) {
    return saturated(build, build.binary(BinaryFunction::Divide, x, scale), zero);
}

OnnxOutputs quantize(OnnxCall& call) {
    const auto scale = alongAxis(call, 1);
    auto zero = call.has(2) ? alongAxis(call, 2) : core::Result<TensorId>(TensorId{});
    if (!scale || !zero)
        return core::failure(scale ? zero.error() : scale.error());
    const DataType type = call.has(2) ? call.type(2) : DataType::UInt8;
    if (type != DataType::UInt8 && type != DataType::Int8)
        return refuseOnnx("quantizes to a type other than int8 and uint8");
    const TensorId point = zero->isValid() ? call.build.cast(*zero, type) : call.build.constant(0, {}, type);
    return one(quantized(call.build, call.input(), *scale, point));
}

OnnxOutputs dequantize(OnnxCall& call) {
    GraphBuilder& build = call.build;
    const auto scale = alongAxis(call, 1);
    auto zero = call.has(2) ? alongAxis(call, 2) : core::Result<TensorId>(TensorId{});
    if (!scale || !zero)
        return core::failure(scale ? zero.error() : scale.error());
    TensorId x = build.cast(call.input(), DataType::Float32);
    if (zero->isValid())
        x = build.binary(BinaryFunction::Subtract, x, *zero);
    return one(build.binary(BinaryFunction::Multiply, x, *scale));
}

/// uint8 with the scale and zero point that the values ask for.
OnnxOutputs quantizeDynamically(OnnxCall& call) {
    GraphBuilder& build = call.build;
    std::vector<std::int64_t> axes(static_cast<std::size_t>(call.rank()));
    std::iota(axes.begin(), axes.end(), 0);
    const TensorId nothing = call.scalar(0);
    const TensorId high = build.binary(
        BinaryFunction::Maximum, build.reduce(ReduceFunction::Maximum, call.input(), axes, false), nothing);
    const TensorId low = build.binary(
        BinaryFunction::Minimum, build.reduce(ReduceFunction::Minimum, call.input(), axes, false), nothing);
    const TensorId scale = build.scaleShift(build.binary(BinaryFunction::Subtract, high, low), 1.0 / 255);
    const TensorId start =
        build.unary(UnaryFunction::Negate, build.binary(BinaryFunction::Divide, low, scale));
    const TensorId zero = build.unary(UnaryFunction::Round, build.unary(UnaryFunction::Clip, start, 0, 255));
    const TensorId point = build.cast(zero, DataType::UInt8);
    return std::vector{quantized(build, call.input(), scale, point), scale, point};
}

constexpr OnnxEntry quantizationNodes[]{
    {"DequantizeLinear", dequantize},
    {"DynamicQuantizeLinear", quantizeDynamically},
    {"QuantizeLinear", quantize},
};

} // namespace

std::span<const OnnxEntry> onnxQuantization() {
    return quantizationNodes;
}

} // namespace simulator
