#include "simulator/numerics/kernels/softmax.h"

#include "simulator/numerics/kernels/functions.h"
#include "simulator/numerics/kernels/kernel_table.h"

namespace simulator::KERNEL_VARIANT {
namespace {

/// Columns of the inner extent that are worked on together.
constexpr std::int64_t stretch = 64;

/// Maximum and sum per column of one stretch of x [classes, inner].
struct ColumnSums {
    float highest[stretch];
    float sum[stretch];
};

void measure(const float* x, std::int64_t classes, std::int64_t inner, std::int64_t width, float* y,
             ColumnSums& sums) {
    for (std::int64_t j = 0; j < width; ++j) {
        sums.highest[j] = x[j];
        sums.sum[j] = 0;
    }
    for (std::int64_t k = 1; k < classes; ++k) {
        const float* row = x + k * inner;
        for (std::int64_t j = 0; j < width; ++j)
            sums.highest[j] = row[j] > sums.highest[j] ? row[j] : sums.highest[j];
    }
    for (std::int64_t k = 0; k < classes; ++k) {
        const float* row = x + k * inner;
        float* out = y + k * inner;
        for (std::int64_t j = 0; j < width; ++j) {
            const float value = exponential(row[j] - sums.highest[j]);
            out[j] = value;
            sums.sum[j] += value;
        }
    }
}

void softmaxColumns(const SoftmaxMap& map, const float* x, float* y, std::int64_t width) {
    ColumnSums sums;
    measure(x, map.classes, map.inner, width, y, sums);
    for (std::int64_t j = 0; j < width; ++j)
        sums.sum[j] = map.logarithm ? sums.highest[j] + logarithm(sums.sum[j]) : 1.0F / sums.sum[j];
    for (std::int64_t k = 0; k < map.classes; ++k) {
        const float* from = x + k * map.inner;
        float* to = y + k * map.inner;
        for (std::int64_t j = 0; j < width; ++j)
            to[j] = map.logarithm ? from[j] - sums.sum[j] : to[j] * sums.sum[j];
    }
}

constexpr int partialSums = 16;

float sumOf(const float* partial) {
    float sum = 0;
    for (int lane = 0; lane < partialSums; ++lane)
        sum += partial[lane];
    return sum;
}

/// One contiguous row.
void softmaxRow(const SoftmaxMap& map, const float* x, float* y) {
    float highest = x[0];
    for (std::int64_t k = 1; k < map.classes; ++k)
        highest = x[k] > highest ? x[k] : highest;
#pragma GCC ivdep
    for (std::int64_t k = 0; k < map.classes; ++k)
        y[k] = exponential(x[k] - highest);
    float partial[partialSums] = {};
    std::int64_t k = 0;
    for (; k + partialSums <= map.classes; k += partialSums) {
        for (int lane = 0; lane < partialSums; ++lane)
            partial[lane] += y[k + lane];
    }
    for (int lane = 0; k < map.classes; ++k, ++lane)
        partial[lane] += y[k];
    const float sum = sumOf(partial);
    const float offset = highest + logarithm(sum);
    const float scale = 1.0F / sum;
#pragma GCC ivdep
    for (k = 0; k < map.classes; ++k)
        y[k] = map.logarithm ? x[k] - offset : y[k] * scale;
}

void softmax(const SoftmaxMap& map, std::int64_t begin, std::int64_t end) {
    const std::int64_t block = map.classes * map.inner;
    for (std::int64_t i = begin; block > 0 && i < end; ++i) {
        if (map.inner == 1) {
            softmaxRow(map, map.x + i * block, map.y + i * block);
            continue;
        }
        for (std::int64_t j = 0; j < map.inner; j += stretch)
            softmaxColumns(map, map.x + i * block + j, map.y + i * block + j,
                           smaller(map.inner - j, stretch));
    }
}

void gradientColumns(const SoftmaxGradientMap& map, std::int64_t first, std::int64_t width) {
    float sums[stretch] = {};
    for (std::int64_t k = 0; k < map.classes; ++k) {
        const std::int64_t row = first + k * map.inner;
        for (std::int64_t j = 0; j < width; ++j)
            sums[j] += map.logarithm ? map.dy[row + j] : map.dy[row + j] * map.y[row + j];
    }
    for (std::int64_t k = 0; k < map.classes; ++k) {
        const std::int64_t row = first + k * map.inner;
        for (std::int64_t j = 0; j < width; ++j) {
            const float y = map.y[row + j];
            const float dy = map.dy[row + j];
            map.dx[row + j] = map.logarithm ? dy - exponential(y) * sums[j] : y * (dy - sums[j]);
        }
    }
}

void gradientRow(const SoftmaxGradientMap& map, std::int64_t first) {
    const float* y = map.y + first;
    const float* dy = map.dy + first;
    float* dx = map.dx + first;
    float partial[partialSums] = {};
    std::int64_t k = 0;
    for (; k + partialSums <= map.classes; k += partialSums) {
        for (int lane = 0; lane < partialSums; ++lane)
            partial[lane] += map.logarithm ? dy[k + lane] : dy[k + lane] * y[k + lane];
    }
    for (int lane = 0; k < map.classes; ++k, ++lane)
        partial[lane] += map.logarithm ? dy[k] : dy[k] * y[k];
    const float sum = sumOf(partial);
#pragma GCC ivdep
    for (k = 0; k < map.classes; ++k)
        dx[k] = map.logarithm ? dy[k] - exponential(y[k]) * sum : y[k] * (dy[k] - sum);
}

void gradient(const SoftmaxGradientMap& map, std::int64_t begin, std::int64_t end) {
    const std::int64_t block = map.classes * map.inner;
    for (std::int64_t i = begin; i < end; ++i) {
        if (map.inner == 1) {
            gradientRow(map, i * block);
            continue;
        }
        for (std::int64_t j = 0; j < map.inner; j += stretch)
            gradientColumns(map, i * block + j, smaller(map.inner - j, stretch));
    }
}

} // namespace

const SoftmaxKernels& softmaxKernels() {
    static constexpr SoftmaxKernels kernels{softmax, gradient};
    return kernels;
}

} // namespace simulator::KERNEL_VARIANT
