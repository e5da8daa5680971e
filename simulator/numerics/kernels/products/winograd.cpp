#include "simulator/numerics/kernels/winograd.h"

#include "simulator/numerics/kernels/kernel_table.h"
#include "simulator/numerics/kernels/products/panel.h"
#include "simulator/numerics/kernels/vector.h"

namespace simulator::KERNEL_VARIANT {
namespace {

/// The first `count` lanes, zeros in the others.
[[gnu::always_inline]] inline Vector loadSome(const float* from, std::int64_t count) {
    if (count >= lanes)
        return loadVector(from);
    float values[lanes] = {};
    for (std::int64_t i = 0; i < count; ++i)
        values[i] = from[i];
    return loadVector(values);
}

[[gnu::always_inline]] inline void storeSome(float* to, Vector value, std::int64_t count) {
    if (count >= lanes) {
        storeVector(to, value);
        return;
    }
    float values[lanes];
    storeVector(values, value);
    for (std::int64_t i = 0; i < count; ++i)
        to[i] = values[i];
}

/// G · w of three weights: (w0, (w0 + w1 + w2) / 2, (w0 − w1 + w2) / 2, w2).
[[gnu::always_inline]] inline void transformWeights(Vector w0, Vector w1, Vector w2, Vector* out,
                                                    int stride) {
    const Vector outer = 0.5F * (w0 + w2);
    const Vector middle = 0.5F * w1;
    out[0] = w0;
    out[stride] = outer + middle;
    out[2 * stride] = outer - middle;
    out[3 * stride] = w2;
}

void weights(const float* weights, std::int64_t inner, std::int64_t columns, std::int64_t begin,
             std::int64_t end, float* packed, std::int64_t pointStride) {
    const std::int64_t tap = inner * columns;
    std::int64_t j = 0;
    for (std::int64_t panel = 0; panel < end; ++panel) {
        const std::int64_t width = panelColumns(columns - j);
        const std::int64_t padded = blocks(width, lanes) * lanes;
        for (std::int64_t k = 0; panel >= begin && k < inner; ++k) {
            for (std::int64_t v = 0; v < width; v += lanes) {
                const float* from = weights + k * columns + j + v;
                const std::int64_t count = smaller(width - v, lanes);
                Vector rows[12];
#pragma GCC unroll 3
                for (int x = 0; x < 3; ++x)
                    transformWeights(loadSome(from + x * tap, count), loadSome(from + (3 + x) * tap, count),
                                     loadSome(from + (6 + x) * tap, count), rows + x, 3);
#pragma GCC unroll 4
                for (int y = 0; y < 4; ++y) {
                    Vector points[4];
                    transformWeights(rows[3 * y], rows[3 * y + 1], rows[3 * y + 2], points, 1);
#pragma GCC unroll 4
                    for (int x = 0; x < 4; ++x)
                        storeVector(packed + (4 * y + x) * pointStride + j * inner + k * padded + v,
                                    points[x]);
                }
            }
        }
        j += width;
    }
}

std::int64_t panels(std::int64_t columns) {
    std::int64_t count = 0;
    for (std::int64_t j = 0; j < columns; j += panelColumns(columns - j))
        ++count;
    return count;
}

/// Bᵀ · d of four inputs: (d0 − d2, d1 + d2, d2 − d1, d1 − d3).
[[gnu::always_inline]] inline void transformInput(const Vector* d, int stride, Vector* out) {
    out[0] = d[0] - d[2 * stride];
    out[1] = d[stride] + d[2 * stride];
    out[2] = d[2 * stride] - d[stride];
    out[3] = d[stride] - d[3 * stride];
}

void input(const float* const* pixels, std::int64_t channels, float* points, std::int64_t pointStride) {
    for (std::int64_t c = 0; c < channels; c += lanes) {
        const std::int64_t count = smaller(channels - c, lanes);
        Vector d[16];
#pragma GCC unroll 16
        for (int i = 0; i < 16; ++i)
            d[i] = loadSome(pixels[i] + c, count);
        Vector rows[16];
#pragma GCC unroll 4
        for (int y = 0; y < 4; ++y)
            transformInput(d + 4 * y, 1, rows + 4 * y);
#pragma GCC unroll 4
        for (int x = 0; x < 4; ++x) {
            Vector column[4];
            transformInput(rows + x, 4, column);
#pragma GCC unroll 4
            for (int y = 0; y < 4; ++y)
                storeSome(points + (4 * y + x) * pointStride + c, column[y], count);
        }
    }
}

/// Aᵀ · m of four products: (m0 + m1 + m2, m1 − m2 − m3).
[[gnu::always_inline]] inline void transformOutput(const Vector* m, int stride, Vector* out, int outStride) {
    out[0] = m[0] + m[stride] + m[2 * stride];
    out[outStride] = m[stride] - m[2 * stride] - m[3 * stride];
}

void output(const WinogradTile& tile) {
    for (std::int64_t c = 0; c < tile.channels; c += lanes) {
        const std::int64_t count = smaller(tile.channels - c, lanes);
        Vector m[16];
#pragma GCC unroll 16
        for (int i = 0; i < 16; ++i)
            m[i] = loadSome(tile.points + i * tile.pointStride + c, count);
        Vector rows[8];
#pragma GCC unroll 4
        for (int x = 0; x < 4; ++x)
            transformOutput(m + x, 4, rows + x, 4);
        Vector results[4];
        transformOutput(rows, 1, results, 1);
        transformOutput(rows + 4, 1, results + 2, 1);
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) {
            if (tile.outputs[i] == nullptr)
                continue;
            Vector value = results[i];
            if (tile.scale != nullptr)
                value *= loadSome(tile.scale + c, count);
            if (tile.bias != nullptr)
                value += loadSome(tile.bias + c, count);
            if (tile.hasAddend)
                value += loadSome(tile.addends[i] + c, count);
            if (tile.isRelu)
                value = value < 0.0F ? Vector{} : value;
            storeSome(tile.outputs[i] + c, value, count);
        }
    }
}

} // namespace

const WinogradKernels& winogradKernels() {
    static constexpr WinogradKernels kernels{weights, panels, input, output};
    return kernels;
}

} // namespace simulator::KERNEL_VARIANT
