#include "simulator/numerics/kernels/window.h"

#include "simulator/numerics/kernels/functions.h"
#include "simulator/numerics/kernels/kernel_table.h"

namespace simulator::KERNEL_VARIANT {
namespace {

/// Channels that are worked on together.
constexpr std::int64_t stretch = 128;

/// Calls function(output position, input position, kernel position) for each pair inside the input, kernel
/// positions fastest; `starts` is called before the first kernel position of each output position, `ends`
/// after the last.
template <class Starts, class Function, class Ends>
[[gnu::always_inline]] inline void eachWindow(const WindowMap& window, Starts starts, Function function,
                                              Ends ends) {
    std::int64_t output = 0;
    for (std::int64_t o0 = 0; o0 < window.outputs[0]; ++o0) {
        for (std::int64_t o1 = 0; o1 < window.outputs[1]; ++o1) {
            for (std::int64_t o2 = 0; o2 < window.outputs[2]; ++o2, ++output) {
                starts(output);
                std::int64_t tap = 0;
                for (std::int64_t k0 = 0; k0 < window.kernel[0]; ++k0) {
                    const std::int64_t i0 =
                        o0 * window.stride[0] + k0 * window.dilation[0] - window.paddingLow[0];
                    for (std::int64_t k1 = 0; k1 < window.kernel[1]; ++k1) {
                        const std::int64_t i1 =
                            o1 * window.stride[1] + k1 * window.dilation[1] - window.paddingLow[1];
                        const bool isInside =
                            i0 >= 0 && i0 < window.inputs[0] && i1 >= 0 && i1 < window.inputs[1];
                        for (std::int64_t k2 = 0; k2 < window.kernel[2]; ++k2, ++tap) {
                            const std::int64_t i2 =
                                o2 * window.stride[2] + k2 * window.dilation[2] - window.paddingLow[2];
                            if (isInside && i2 >= 0 && i2 < window.inputs[2])
                                function(output, (i0 * window.inputs[1] + i1) * window.inputs[2] + i2, tap);
                        }
                    }
                }
                ends(output);
            }
        }
    }
}

/// The same for every sample and every stretch of channels: pointers to the stretch in x-like and y-like
/// tensors follow from the sample's base.
template <class Function>
[[gnu::always_inline]] inline void eachStretch(std::int64_t channels, std::int64_t begin, std::int64_t end,
                                               Function function) {
    for (std::int64_t sample = begin; sample < end; ++sample) {
        for (std::int64_t c = 0; c < channels; c += stretch)
            function(sample, c, smaller(channels - c, stretch));
    }
}

void zero(float* values, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i)
        values[i] = 0;
}

void maximumPool(const PoolMap& map, std::int64_t begin, std::int64_t end) {
    const WindowMap& window = map.window;
    const std::int64_t channels = window.channels;
    eachStretch(channels, begin, end, [&](std::int64_t sample, std::int64_t c, std::int64_t width) {
        const float* x = map.x + sample * window.inputSize() + c;
        float* y = map.y + sample * window.outputPositions() * channels + c;
        float best[stretch];
        eachWindow(
            window,
            [&](std::int64_t) {
                for (float& value : best)
                    value = -__builtin_inff();
            },
            [&](std::int64_t, std::int64_t input, std::int64_t) {
                const float* from = x + input * channels;
                for (std::int64_t j = 0; j < width; ++j)
                    best[j] = from[j] > best[j] || from[j] != from[j] ? from[j] : best[j];
            },
            [&](std::int64_t output) {
                for (std::int64_t j = 0; j < width; ++j)
                    y[output * channels + j] = best[j];
            });
    });
}

void maximumPoolGradient(const PoolMap& map, std::int64_t begin, std::int64_t end) {
    const WindowMap& window = map.window;
    const std::int64_t channels = window.channels;
    zero(map.dx + begin * window.inputSize(), (end - begin) * window.inputSize());
    eachStretch(channels, begin, end, [&](std::int64_t sample, std::int64_t c, std::int64_t width) {
        const float* x = map.x + sample * window.inputSize() + c;
        float* dx = map.dx + sample * window.inputSize() + c;
        const std::int64_t firstOutput = sample * window.outputPositions() * channels + c;
        float left[stretch];
        eachWindow(
            window,
            [&](std::int64_t output) {
                for (std::int64_t j = 0; j < width; ++j)
                    left[j] = map.dy[firstOutput + output * channels + j];
            },
            [&](std::int64_t output, std::int64_t input, std::int64_t) {
                const float* y = map.y + firstOutput + output * channels;
                const float* from = x + input * channels;
                float* to = dx + input * channels;
#pragma GCC ivdep
                for (std::int64_t j = 0; j < width; ++j) {
                    const bool isHit = from[j] == y[j];
                    to[j] += isHit ? left[j] : 0.0F;
                    left[j] = isHit ? 0.0F : left[j];
                }
            },
            [](std::int64_t) {});
    });
}

/// Elements that the average of one output position counts.
float counted(const PoolMap& map, std::int64_t inside) {
    return 1.0F / static_cast<float>(map.countPadding ? map.window.kernelPositions()
                                                      : larger<std::int64_t>(inside, 1));
}

void averagePool(const PoolMap& map, std::int64_t begin, std::int64_t end) {
    const WindowMap& window = map.window;
    const std::int64_t channels = window.channels;
    eachStretch(channels, begin, end, [&](std::int64_t sample, std::int64_t c, std::int64_t width) {
        const float* x = map.x + sample * window.inputSize() + c;
        float* y = map.y + sample * window.outputPositions() * channels + c;
        float sum[stretch];
        std::int64_t inside = 0;
        eachWindow(
            window,
            [&](std::int64_t) {
                zero(sum, stretch);
                inside = 0;
            },
            [&](std::int64_t, std::int64_t input, std::int64_t) {
                const float* from = x + input * channels;
                for (std::int64_t j = 0; j < width; ++j)
                    sum[j] += from[j];
                ++inside;
            },
            [&](std::int64_t output) {
                const float share = counted(map, inside);
                for (std::int64_t j = 0; j < width; ++j)
                    y[output * channels + j] = sum[j] * share;
            });
    });
}

void averagePoolGradient(const PoolMap& map, std::int64_t begin, std::int64_t end) {
    const WindowMap& window = map.window;
    const std::int64_t channels = window.channels;
    zero(map.dx + begin * window.inputSize(), (end - begin) * window.inputSize());
    // How many elements an output position counts is known only after its window: collect them first.
    constexpr std::int64_t manyTaps = 4096;
    eachStretch(channels, begin, end, [&](std::int64_t sample, std::int64_t c, std::int64_t width) {
        float* dx = map.dx + sample * window.inputSize() + c;
        const float* dy = map.dy + sample * window.outputPositions() * channels + c;
        std::int64_t inputs[manyTaps];
        std::int64_t inside = 0;
        const auto spread = [&](std::int64_t output, float share) {
            for (std::int64_t i = 0; i < smaller(inside, manyTaps); ++i) {
                float* to = dx + inputs[i] * channels;
                const float* from = dy + output * channels;
#pragma GCC ivdep
                for (std::int64_t j = 0; j < width; ++j)
                    to[j] += from[j] * share;
            }
        };
        if (window.kernelPositions() <= manyTaps) {
            eachWindow(
                window, [&](std::int64_t) { inside = 0; },
                [&](std::int64_t, std::int64_t input, std::int64_t) { inputs[inside++] = input; },
                [&](std::int64_t output) { spread(output, counted(map, inside)); });
            return;
        }
        // A window larger than the list covers the whole field in practice: global pooling.
        std::int64_t total = 0;
        eachWindow(
            window, [&](std::int64_t) { total = 0; },
            [&](std::int64_t, std::int64_t, std::int64_t) { ++total; }, [](std::int64_t) {});
        const float share = counted(map, total);
        eachWindow(
            window, [](std::int64_t) {},
            [&](std::int64_t output, std::int64_t input, std::int64_t) {
                for (std::int64_t j = 0; j < width; ++j)
                    dx[input * channels + j] += dy[output * channels + j] * share;
            },
            [](std::int64_t) {});
    });
}

void extractPatches(const PoolMap& map, std::int64_t begin, std::int64_t end) {
    const WindowMap& window = map.window;
    const std::int64_t channels = window.channels;
    const std::int64_t patch = window.kernelPositions() * channels;
    for (std::int64_t sample = begin; sample < end; ++sample) {
        const float* x = map.x + sample * window.inputSize();
        float* y = map.y + sample * window.outputPositions() * patch;
        eachWindow(
            window, [&](std::int64_t output) { zero(y + output * patch, patch); },
            [&](std::int64_t output, std::int64_t input, std::int64_t tap) {
                float* to = y + output * patch + tap * channels;
                for (std::int64_t j = 0; j < channels; ++j)
                    to[j] = x[input * channels + j];
            },
            [](std::int64_t) {});
    }
}

void addPatches(const PoolMap& map, std::int64_t begin, std::int64_t end) {
    const WindowMap& window = map.window;
    const std::int64_t channels = window.channels;
    const std::int64_t patch = window.kernelPositions() * channels;
    zero(map.dx + begin * window.inputSize(), (end - begin) * window.inputSize());
    for (std::int64_t sample = begin; sample < end; ++sample) {
        float* dx = map.dx + sample * window.inputSize();
        const float* dy = map.dy + sample * window.outputPositions() * patch;
        eachWindow(
            window, [](std::int64_t) {},
            [&](std::int64_t output, std::int64_t input, std::int64_t tap) {
                const float* from = dy + output * patch + tap * channels;
#pragma GCC ivdep
                for (std::int64_t j = 0; j < channels; ++j)
                    dx[input * channels + j] += from[j];
            },
            [](std::int64_t) {});
    }
}

void depthwise(const DepthwiseMap& map, std::int64_t begin, std::int64_t end) {
    const WindowMap& window = map.window;
    const std::int64_t multiplier = map.multiplier;
    const std::int64_t outputs = window.channels * multiplier;
    eachStretch(outputs, begin, end, [&](std::int64_t sample, std::int64_t c, std::int64_t width) {
        const float* x = map.x + sample * window.inputSize();
        float* y = map.y + sample * window.outputPositions() * outputs + c;
        const float* kernel = map.kernel + c;
        float sum[stretch];
        eachWindow(
            window, [&](std::int64_t) { zero(sum, stretch); },
            [&](std::int64_t, std::int64_t input, std::int64_t tap) {
                const float* factor = kernel + tap * outputs;
                const float* from = x + input * window.channels;
                if (multiplier == 1) {
#pragma GCC ivdep
                    for (std::int64_t j = 0; j < width; ++j)
                        sum[j] += from[c + j] * factor[j];
                } else {
                    for (std::int64_t j = 0; j < width; ++j)
                        sum[j] += from[(c + j) / multiplier] * factor[j];
                }
            },
            [&](std::int64_t output) {
                for (std::int64_t j = 0; j < width; ++j)
                    y[output * outputs + j] = sum[j];
            });
    });
}

void depthwiseInputGradient(const DepthwiseMap& map, std::int64_t begin, std::int64_t end) {
    const WindowMap& window = map.window;
    const std::int64_t multiplier = map.multiplier;
    const std::int64_t outputs = window.channels * multiplier;
    zero(map.dx + begin * window.inputSize(), (end - begin) * window.inputSize());
    for (std::int64_t sample = begin; sample < end; ++sample) {
        float* dx = map.dx + sample * window.inputSize();
        const float* dy = map.dy + sample * window.outputPositions() * outputs;
        eachWindow(
            window, [](std::int64_t) {},
            [&](std::int64_t output, std::int64_t input, std::int64_t tap) {
                const float* factor = map.kernel + tap * outputs;
                const float* from = dy + output * outputs;
                float* to = dx + input * window.channels;
                if (multiplier == 1) {
#pragma GCC ivdep
                    for (std::int64_t j = 0; j < outputs; ++j)
                        to[j] += from[j] * factor[j];
                } else {
                    for (std::int64_t j = 0; j < outputs; ++j)
                        to[j / multiplier] += from[j] * factor[j];
                }
            },
            [](std::int64_t) {});
    }
}

void depthwiseKernelGradient(const DepthwiseMap& map, std::int64_t samples, std::int64_t begin,
                             std::int64_t end) {
    const WindowMap& window = map.window;
    const std::int64_t multiplier = map.multiplier;
    const std::int64_t outputs = window.channels * multiplier;
    for (std::int64_t tap = 0; tap < window.kernelPositions(); ++tap)
        zero(map.dkernel + tap * outputs + begin, end - begin);
    for (std::int64_t sample = 0; sample < samples; ++sample) {
        const float* x = map.x + sample * window.inputSize();
        const float* dy = map.dy + sample * window.outputPositions() * outputs;
        eachWindow(
            window, [](std::int64_t) {},
            [&](std::int64_t output, std::int64_t input, std::int64_t tap) {
                float* to = map.dkernel + tap * outputs;
                const float* from = dy + output * outputs;
                const float* left = x + input * window.channels;
                if (multiplier == 1) {
#pragma GCC ivdep
                    for (std::int64_t j = begin; j < end; ++j)
                        to[j] += from[j] * left[j];
                } else {
                    for (std::int64_t j = begin; j < end; ++j)
                        to[j] += from[j] * left[j / multiplier];
                }
            },
            [](std::int64_t) {});
    }
}

} // namespace

const WindowKernels& windowKernels() {
    static constexpr WindowKernels kernels{
        maximumPool,         maximumPoolGradient,    averagePool,
        averagePoolGradient, extractPatches,         addPatches,
        depthwise,           depthwiseInputGradient, depthwiseKernelGradient};
    return kernels;
}

} // namespace simulator::KERNEL_VARIANT
