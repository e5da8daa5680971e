#pragma once

#include <cstdint>

namespace simulator {

/// Softmax of x [outer, classes, inner] over the classes.
struct SoftmaxMap {
    const float* x = nullptr;
    float* y = nullptr;
    std::int64_t classes = 1;
    std::int64_t inner = 1;
    bool logarithm = false;
};
struct SoftmaxGradientMap {
    const float* y = nullptr;
    const float* dy = nullptr;
    float* dx = nullptr;
    std::int64_t classes = 1;
    std::int64_t inner = 1;
    bool logarithm = false;
};

struct SoftmaxKernels {
    /// Outer positions [begin, end).
    void (*softmax)(const SoftmaxMap&, std::int64_t begin, std::int64_t end);
    void (*gradient)(const SoftmaxGradientMap&, std::int64_t begin, std::int64_t end);
};

} // namespace simulator
