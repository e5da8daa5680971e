#include "simulator/compiler/lowering/onnx/onnx_call.h"

#include <algorithm>
#include <fmt/format.h>

namespace simulator {

std::optional<std::vector<double>> OnnxCall::numbers(std::size_t position) const {
    if (position >= values.size() || values[position] == nullptr)
        return std::nullopt;
    return core::numbersOf(*values[position]);
}

std::optional<std::vector<std::int64_t>> OnnxCall::integers(std::size_t position) const {
    if (position >= values.size() || values[position] == nullptr)
        return std::nullopt;
    return core::integersOf(*values[position]);
}

std::optional<std::vector<std::int64_t>> OnnxCall::setting(std::string_view attribute,
                                                           std::size_t position) const {
    return has(position) ? integers(position) : node.integers(attribute);
}

tl::unexpected<core::Diagnostics> refuseOnnx(std::string message, std::string hint) {
    return core::failure(
        core::makeError(core::Trouble::Input, "onnx/operation", {}, std::move(message), {std::move(hint)}));
}

tl::unexpected<core::Diagnostics> refuseOnnx(std::string message) {
    return refuseOnnx(std::move(message),
                      "the node is not as its operator is documented: check the model with "
                      "onnx.checker.check_model(model, full_check=True)");
}

tl::unexpected<core::Diagnostics> refuseUnknown(const OnnxCall& call, std::string_view what) {
    return refuseOnnx(fmt::format("the {} of {} changes from run to run", what, call.node.operation),
                      "a program for the IPU has static extents: make it a constant");
}

std::optional<std::int64_t> onnxAxis(std::int64_t axis, std::int64_t rank) {
    if (axis < -rank || axis >= rank)
        return std::nullopt;
    return axis < 0 ? axis + rank : axis;
}

std::optional<std::vector<std::int64_t>> onnxAxes(const std::vector<std::int64_t>& axes, std::int64_t rank) {
    std::vector<std::int64_t> result;
    for (const std::int64_t axis : axes) {
        const auto place = onnxAxis(axis, rank);
        if (!place)
            return std::nullopt;
        result.push_back(*place);
    }
    std::ranges::sort(result);
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

std::optional<Extents> commonExtents(const Extents& a, const Extents& b) {
    const std::size_t shared = std::min(a.size(), b.size());
    for (std::size_t back = 1; back <= shared; ++back) {
        const std::int64_t left = a[a.size() - back];
        const std::int64_t right = b[b.size() - back];
        if (left != right && left != 1 && right != 1)
            return std::nullopt;
    }
    return broadcastExtents(a, b);
}

core::Result<core::TensorId> broadcastBinary(GraphBuilder& build, BinaryFunction function, core::TensorId a,
                                             core::TensorId b) {
    if (!commonExtents(build.extents(a), build.extents(b)))
        return refuseOnnx("its operands' extents do not fit");
    return build.binary(function, a, b);
}

core::TensorId saturated(GraphBuilder& build, core::TensorId x, core::TensorId zero) {
    const core::DataType type = build.type(zero);
    const core::TensorId shifted = build.binary(BinaryFunction::Add, build.unary(UnaryFunction::Round, x),
                                                build.cast(zero, core::DataType::Float32));
    const bool isSigned = type == core::DataType::Int8;
    return build.cast(build.unary(UnaryFunction::Clip, shifted, isSigned ? -128 : 0, isSigned ? 127 : 255),
                      type);
}

} // namespace simulator
