#include "simulator/compiler/lowering/functions/image_resize.h"

#include "simulator/compiler/lowering/layer_geometry.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace simulator {
namespace {

using core::TensorId;

/// An interpolation kernel: weight of a sample at distance x, zero beyond `radius`. Source: tf.image.resize's
/// documentation and ScaleAndTranslate's kernels.
struct Kernel {
    std::string_view name;
    double radius;
    double (*weight)(double x);
};

double triangle(double x) {
    return std::max(0.0, 1 - std::abs(x));
}

/// Cubic kernels with two parameters (Mitchell and Netravali).
double cubic(double x, double b, double c) {
    x = std::abs(x);
    if (x >= 2)
        return 0;
    if (x >= 1)
        return (((-b - 6 * c) * x + (6 * b + 30 * c)) * x + (-12 * b - 48 * c)) * x / 6 +
               (8 * b + 24 * c) / 6;
    return ((12 - 9 * b - 6 * c) * x + (-18 + 12 * b + 6 * c)) * x * x / 6 + (6 - 2 * b) / 6;
}

double keysCubic(double x) {
    return cubic(x, 0, 0.5);
}
double mitchellCubic(double x) {
    return cubic(x, 1.0 / 3, 1.0 / 3);
}

double lanczos(double x, double radius) {
    x = std::abs(x);
    if (x > radius)
        return 0;
    if (x <= 1e-3)
        return 1;
    const double angle = std::numbers::pi * x;
    return radius * std::sin(angle) * std::sin(angle / radius) / (angle * angle);
}

double lanczos3(double x) {
    return lanczos(x, 3);
}
double lanczos5(double x) {
    return lanczos(x, 5);
}
double gaussian(double x) {
    constexpr double radius = 1.5;
    constexpr double sigma = radius / 3;
    return std::abs(x) >= radius ? 0 : std::exp(-x * x / (2 * sigma * sigma));
}

constexpr Kernel kernels[]{{"bilinear", 1, triangle},   {"bicubic", 2, keysCubic},
                           {"lanczos3", 3, lanczos3},   {"lanczos5", 5, lanczos5},
                           {"gaussian", 1.5, gaussian}, {"mitchellcubic", 2, mitchellCubic}};

using Matrix = std::vector<double>; // [outputs, inputs]

Matrix nearestMatrix(std::int64_t inputs, std::int64_t outputs) {
    Matrix matrix(static_cast<std::size_t>(inputs * outputs), 0);
    for (std::int64_t o = 0; o < outputs; ++o) {
        const double place =
            (static_cast<double>(o) + 0.5) * static_cast<double>(inputs) / static_cast<double>(outputs);
        const auto at = std::min<std::int64_t>(static_cast<std::int64_t>(std::floor(place)), inputs - 1);
        matrix[static_cast<std::size_t>(o * inputs + at)] = 1;
    }
    return matrix;
}

Matrix areaMatrix(std::int64_t inputs, std::int64_t outputs) {
    Matrix matrix(static_cast<std::size_t>(inputs * outputs), 0);
    const double scale = static_cast<double>(inputs) / static_cast<double>(outputs);
    for (std::int64_t o = 0; o < outputs; ++o) {
        const double begin = static_cast<double>(o) * scale;
        const double end = begin + scale;
        for (std::int64_t i = 0; i < inputs; ++i) {
            const double low = std::max(begin, static_cast<double>(i));
            const double high = std::min(end, static_cast<double>(i) + 1);
            matrix[static_cast<std::size_t>(o * inputs + i)] = std::max(0.0, high - low) / scale;
        }
    }
    return matrix;
}

Matrix kernelMatrix(const Kernel& kernel, std::int64_t inputs, std::int64_t outputs, bool antialias) {
    Matrix matrix(static_cast<std::size_t>(inputs * outputs), 0);
    const double scale = static_cast<double>(inputs) / static_cast<double>(outputs);
    const double stretch = antialias ? std::max(1.0, scale) : 1.0;
    for (std::int64_t o = 0; o < outputs; ++o) {
        const double centre = (static_cast<double>(o) + 0.5) * scale;
        double total = 0;
        // Samples outside the image count for nothing; bilinear without antialiasing repeats the edge, which
        // the division by the total amounts to.
        for (std::int64_t i = 0; i < inputs; ++i) {
            const double weight = kernel.weight((static_cast<double>(i) + 0.5 - centre) / stretch);
            matrix[static_cast<std::size_t>(o * inputs + i)] = weight;
            total += weight;
        }
        for (std::int64_t i = 0; total != 0 && i < inputs; ++i)
            matrix[static_cast<std::size_t>(o * inputs + i)] /= total;
    }
    return matrix;
}

std::optional<Matrix> resizeMatrix(std::string_view interpolation, std::int64_t inputs, std::int64_t outputs,
                                   bool antialias) {
    if (interpolation == "nearest")
        return nearestMatrix(inputs, outputs);
    if (interpolation == "area")
        return areaMatrix(inputs, outputs);
    const auto it = std::ranges::find(kernels, interpolation, &Kernel::name);
    if (it == std::end(kernels))
        return std::nullopt;
    return kernelMatrix(*it, inputs, outputs, antialias);
}

/// matrix × x along one axis of the field.
TensorId applyMatrix(GraphBuilder& build, TensorId x, std::int64_t axis, Matrix matrix,
                     std::int64_t outputs) {
    const std::int64_t inputs = build.extents(x)[static_cast<std::size_t>(axis)];
    const TensorId weights = build.constant("resize", std::move(matrix), {{outputs, inputs}, build.type(x)});
    const TensorId last = moveAxis(build, x, axis, -1);
    return moveAxis(build, build.add(MatMul{false, true}, {last, weights}, "resize"), -1, axis);
}

} // namespace

core::Result<TensorId> addResize(GraphBuilder& build, TensorId x, std::int64_t height, std::int64_t width,
                                 std::string_view interpolation, bool antialias) {
    const std::int64_t targets[2]{height, width};
    for (std::int64_t axis = 1; axis <= 2; ++axis) {
        const std::int64_t inputs = build.extents(x)[static_cast<std::size_t>(axis)];
        const std::int64_t outputs = targets[axis - 1];
        if (inputs == outputs)
            continue;
        auto matrix = resizeMatrix(interpolation, inputs, outputs, antialias);
        if (!matrix)
            return cannotLower("the interpolation \"" + std::string(interpolation) + "\" is not computed",
                               "use nearest or bilinear");
        x = applyMatrix(build, x, axis, std::move(*matrix), outputs);
    }
    return x;
}

} // namespace simulator
