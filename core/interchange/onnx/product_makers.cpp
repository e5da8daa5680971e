// Matrix products with their biases.
#include "core/interchange/onnx/onnx_import.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace core {

namespace {

bool dense(OnnxImport& onnx, const OnnxNode& node) {
    const OnnxTensor* weights = onnx.constant(node, 1);
    const bool isGemm = node.operation == "Gemm";
    if (!onnx.isTensor(node, 0))
        return false;
    if (weights == nullptr || weights->extents.size() != 2) {
        const bool isWeight = weights != nullptr && isFloating(weights->type) && weights->extents.size() > 2;
        if (isGemm || (!onnx.isTensor(node, 1) && !isWeight))
            return false;
        const Json& first = onnx.tensor(node);
        Json other = isWeight ? onnx.variable(node, 1, first) : onnx.tensor(node, 1);
        return onnx.bind(node, onnx.function(node, "linalg.matmul", first, {{"b", std::move(other)}}));
    }
    const OnnxTensor* bias = onnx.constant(node, 2);
    const bool hasBias = isGemm && node.hasInput(2);
    if (isGemm && (node.integer("transA", 0) != 0 || (hasBias && bias == nullptr)))
        return false;
    const bool isTransposed = isGemm && node.integer("transB", 0) != 0;
    const std::int64_t units = weights->extents[isTransposed ? 0 : 1];
    if (hasBias && bias->elements() != units && bias->elements() != 1)
        return false;
    const Json made =
        onnx.add(onnxLabel(node), "Dense",
                 {{"units", units}, {"activation", "linear"}, {"use_bias", hasBias}}, {onnx.tensor(node)});
    onnx.keep(made, "kernel", [&] {
        constexpr std::array<std::size_t, 2> swapped{1, 0};
        const OnnxWeight kernel =
            isTransposed ? OnnxWeight(*weights).transposed(swapped) : OnnxWeight(*weights);
        return kernel.scaled(isGemm ? node.number("alpha", 1) : 1);
    });
    if (hasBias)
        onnx.keep(made, "bias", [&] {
            OnnxWeight vector = OnnxWeight(*bias).scaled(node.number("beta", 1)).reshaped({units});
            if (vector.values.size() == 1)
                vector.values.assign(static_cast<std::size_t>(units), vector.values.front());
            return vector;
        });
    return onnx.bind(node, made);
}

constexpr OnnxMakerRow productRows[]{
    {"Gemm", dense},
    {"MatMul", dense},
};

} // namespace

std::span<const OnnxMakerRow> productMakers() {
    return productRows;
}

} // namespace core
