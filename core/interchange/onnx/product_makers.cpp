// Matrix products with their biases.
#include "core/interchange/onnx/onnx_import.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace core {

namespace {

bool dense(OnnxImport& import, const OnnxNode& node) {
    const OnnxTensor* weights = import.constant(node, 1);
    const bool isGemm = node.operation == "Gemm";
    if (!import.isTensor(node, 0))
        return false;
    if (weights == nullptr || weights->extents.size() != 2) {
        const bool isWeight = weights != nullptr && isFloating(weights->type) && weights->extents.size() > 2;
        if (isGemm || (!import.isTensor(node, 1) && !isWeight))
            return false;
        const Json& first = import.tensor(node);
        Json other = isWeight ? import.variable(node, 1, first) : import.tensor(node, 1);
        return import.bind(node, import.function(node, "linalg.matmul", first, {{"b", std::move(other)}}));
    }
    const OnnxTensor* bias = import.constant(node, 2);
    const bool hasBias = isGemm && node.hasInput(2);
    if (isGemm && (node.integer("transA", 0) != 0 || (hasBias && bias == nullptr)))
        return false;
    const bool isTransposed = isGemm && node.integer("transB", 0) != 0;
    const std::int64_t units = weights->extents[isTransposed ? 0 : 1];
    if (hasBias && bias->elements() != units && bias->elements() != 1)
        return false;
    const Json made = import.add(onnxLabel(node), "Dense",
                                 {{"units", units}, {"activation", "linear"}, {"use_bias", hasBias}},
                                 {import.tensor(node)});
    import.keep(made, "kernel", [&] {
        constexpr std::array<std::size_t, 2> swapped{1, 0};
    const OnnxWeight kernel = isTransposed ? OnnxWeight(*weights).transposed(swapped) : OnnxWeight(*weights);
    return kernel.scaled(isGemm ? node.number("alpha", 1) : 1);
});
if (hasBias)
        import.keep(made, "bias", [&] {
            OnnxWeight vector = OnnxWeight(*bias).scaled(node.number("beta", 1)).reshaped({units});
if (vector.values.size() == 1)
    vector.values.assign(static_cast<std::size_t>(units), vector.values.front());
return vector;
} // namespace
);
return import.bind(node, made);
} // namespace core

constexpr OnnxMakerRow productRows[]{
    {"Gemm", dense},
    {"MatMul", dense},
};

} // namespace

std::span<const OnnxMakerRow> productMakers() {
    return productRows;
}

} // namespace core
