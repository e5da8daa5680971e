#pragma once

#include <cstdint>

namespace simulator {

/// Field axes of windows; a model with fewer has leading extents of 1.
inline constexpr int fieldAxes = 3;

/// Windows sliding over x [samples, field…, channels]; y has `outputs` positions per field axis.
struct WindowMap {
    std::int64_t channels = 1;
    std::int64_t inputs[fieldAxes] = {1, 1, 1};
    std::int64_t outputs[fieldAxes] = {1, 1, 1};
    std::int64_t kernel[fieldAxes] = {1, 1, 1};
    std::int64_t stride[fieldAxes] = {1, 1, 1};
    std::int64_t dilation[fieldAxes] = {1, 1, 1};
    std::int64_t paddingLow[fieldAxes] = {};
    std::int64_t paddingHigh[fieldAxes] = {};

    [[nodiscard]] std::int64_t inputSize() const { return inputs[0] * inputs[1] * inputs[2] * channels; }
    [[nodiscard]] std::int64_t outputPositions() const { return outputs[0] * outputs[1] * outputs[2]; }
    [[nodiscard]] std::int64_t kernelPositions() const { return kernel[0] * kernel[1] * kernel[2]; }
};

struct PoolMap {
    WindowMap window;
    bool countPadding = false;
    const float* x = nullptr;
    float* y = nullptr;
    /// Gradient only.
    const float* dy = nullptr;
    float* dx = nullptr;
};

/// Convolution per channel: kernel [positions, channels · multiplier], y [samples, field…, channels ·
/// multiplier].
struct DepthwiseMap {
    WindowMap window;
    std::int64_t multiplier = 1;
    const float* x = nullptr;
    const float* kernel = nullptr;
    float* y = nullptr;
    const float* dy = nullptr;
    float* dx = nullptr;
    float* dkernel = nullptr;
};

/// All ranges are samples [begin, end) unless said otherwise.
struct WindowKernels {
    void (*maximumPool)(const PoolMap&, std::int64_t begin, std::int64_t end);
    /// Of equal maxima the first gets the gradient.
    void (*maximumPoolGradient)(const PoolMap&, std::int64_t begin, std::int64_t end);
    void (*averagePool)(const PoolMap&, std::int64_t begin, std::int64_t end);
    void (*averagePoolGradient)(const PoolMap&, std::int64_t begin, std::int64_t end);
    /// x → y [samples, field…, kernel positions · channels], and back with dy → dx.
    void (*extractPatches)(const PoolMap&, std::int64_t begin, std::int64_t end);
    void (*addPatches)(const PoolMap&, std::int64_t begin, std::int64_t end);
    void (*depthwise)(const DepthwiseMap&, std::int64_t begin, std::int64_t end);
    void (*depthwiseInputGradient)(const DepthwiseMap&, std::int64_t begin, std::int64_t end);
    /// Output channels [begin, end) of dkernel, over all `samples`.
    void (*depthwiseKernelGradient)(const DepthwiseMap&, std::int64_t samples, std::int64_t begin,
                                    std::int64_t end);
};

} // namespace simulator
