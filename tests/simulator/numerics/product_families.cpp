// Matrix products, convolutions, pooling and their windows.
#include "tests/simulator/numerics/gradient_families.h"

namespace tests {
namespace {

using namespace simulator;

GradientCase matMulCase(RandomOperands& random) {
    const std::int64_t m = random.extent();
    const std::int64_t k = random.extent();
    const std::int64_t n = random.extent();
    MatMul product{random.coin(), random.coin(),
                   random.pick(std::vector{MatMulAxis::Rows, MatMulAxis::Columns, MatMulAxis::Inner}), 1};
    Extents left = product.transposeLeft ? Extents{k, m} : Extents{m, k};
    Extents right = product.transposeRight ? Extents{n, k} : Extents{k, n};
    if (random.coin()) {
        const Extents batch = random.extents(static_cast<std::size_t>(random.integer(1, 2)));
        left.insert(left.begin(), batch.begin(), batch.end());
        if (random.coin()) {
            const Extents narrow = random.coin() ? batch : random.broadcastable(batch);
            right.insert(right.begin(), narrow.begin(), narrow.end());
        }
    }
    const std::int64_t axis = product.serializedAxis == MatMulAxis::Rows      ? m
                              : product.serializedAxis == MatMulAxis::Columns ? n
                                                                              : k;
    if (axis > 0 && random.coin())
        product.serialization = axis;
    return {product, {smooth(random, left), smooth(random, right, 1)}};
}

WindowGeometry windows(RandomOperands& random, std::size_t fields, bool dilated) {
    WindowGeometry window;
    for (std::size_t i = 0; i < fields; ++i) {
        window.kernel.push_back(random.integer(1, 3));
        window.stride.push_back(random.integer(1, 3));
        window.dilation.push_back(dilated ? random.integer(1, 2) : 1);
        window.paddingLow.push_back(random.integer(0, window.kernel.back() - 1));
        window.paddingHigh.push_back(random.integer(0, window.kernel.back() - 1));
    }
    return window;
}

Extents joined(std::int64_t first, const Extents& middle, std::initializer_list<std::int64_t> last) {
    Extents result{first};
    result.insert(result.end(), middle.begin(), middle.end());
    result.insert(result.end(), last);
    return result;
}

Extents windowed(const WindowGeometry& window, const Extents& field) {
    Extents result;
    for (std::size_t i = 0; i < field.size(); ++i)
        result.push_back(windowOutputs(window, i, field[i]));
    return result;
}

GradientCase convolutionCase(RandomOperands& random) {
    const auto fields = static_cast<std::size_t>(random.integer(1, 3));
    Convolution convolution;
    convolution.window = windows(random, fields, true);
    convolution.groups = random.pick(std::vector<std::int64_t>{1, 1, 2, 3});
    const std::int64_t in = convolution.groups * random.integer(1, 3);
    const std::int64_t out = convolution.groups * random.integer(1, 3);
    const Extents field = random.extents(fields);
    const std::int64_t samples = random.extent();
    Extents kernel = convolution.window.kernel;
    kernel.insert(kernel.end(), {in / convolution.groups, out});
    const Extents large = joined(samples, field, {in});
    if (random.coin())
        return {convolution, {smooth(random, large), smooth(random, kernel, 1)}};
    convolution.pass = ConvolutionPass::InputGradient;
    const Extents small = joined(samples, windowed(convolution.window, field), {out});
    return {convolution,
            {smooth(random, small), smooth(random, kernel, 1)},
            TensorForm{large, core::DataType::Float32}};
}

GradientCase poolCase(RandomOperands& random) {
    const auto fields = static_cast<std::size_t>(random.integer(1, 3));
    Pool pool;
    pool.function = random.coin() ? PoolFunction::Maximum : PoolFunction::Average;
    pool.countPadding = random.coin();
    pool.window = windows(random, fields, false);
    return {pool, {smooth(random, joined(random.extent(), random.extents(fields), {random.extent()}))}};
}

GradientCase patchesCase(RandomOperands& random) {
    const auto fields = static_cast<std::size_t>(random.integer(1, 3));
    const ExtractPatches patches{windows(random, fields, true)};
    return {patches, {smooth(random, joined(random.extent(), random.extents(fields), {random.extent()}))}};
}

constexpr GradientFamily productCases[]{
    {"matrix product", matMulCase},
    {"convolution", convolutionCase},
    {"pooling", poolCase},
    {"patches", patchesCase},
};

} // namespace

std::span<const GradientFamily> productFamilies() {
    return productCases;
}

} // namespace tests
