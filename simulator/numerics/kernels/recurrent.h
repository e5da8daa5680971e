#pragma once

#include "simulator/graph/operation_attributes.h"
#include "simulator/numerics/kernels/matrix_product.h"

#include <cstdint>

namespace simulator {

/// Samples that run through all steps together; ranges of samples begin at multiples of it.
inline constexpr std::int64_t recurrentBlock = 16;

/// One recurrent layer over a whole sequence; the operands of `Recurrent`. Per sample and step the gates
/// region holds what the reserve does: Simple h; LSTM i, f, c̃, o, c, h; GRU z, r, h̃, h and with reset_after
/// the recurrent part of h̃, `units` values each; see output_rules.h for when the gates' sums follow.
struct RecurrentMap {
    Recurrent attributes;
    std::int64_t samples = 0;
    std::int64_t steps = 0;
    std::int64_t inputs = 0;
    std::int64_t units = 0;
    const float* x = nullptr;
    const float* kernel = nullptr;
    const float* recurrentKernel = nullptr;
    const float* bias = nullptr;
    const float* initialH = nullptr;
    const float* initialC = nullptr;
    const float* attention = nullptr;
    const std::int32_t* lengths = nullptr;
    const std::uint8_t* mask = nullptr;
    const float* factors = nullptr;
    PartialSums partials;
    float* y = nullptr;
    float* finalH = nullptr;
    float* finalC = nullptr;
    /// [samples, steps, values · units]; without a reserve null, and the scratch holds one step.
    float* reserve = nullptr;
};

/// Everything the gradient adds. The d… outputs may be null where nobody wants them.
struct RecurrentGradientMap {
    RecurrentMap forward;
    const float* dy = nullptr;
    const float* dFinalH = nullptr;
    const float* dFinalC = nullptr;
    /// recurrentKernel transposed: [gates · units, units].
    const float* transposedRecurrent = nullptr;
    /// [samples, steps, gates · units]: gradients of the gates' sums, at the position of their x.
    float* dGates = nullptr;
    /// [samples, steps, units]: what the recurrent kernel was multiplied with.
    float* previous = nullptr;
    /// GRU, [samples, steps, units]: gradient of the recurrent part of h̃ (reset_after) or r·h (before).
    float* dRecurrentPart = nullptr;
    float* dInitialH = nullptr;
    float* dInitialC = nullptr;
    float* dAttention = nullptr;
};

struct RecurrentKernels {
    /// Floats of scratch that a call needs.
    std::int64_t (*scratch)(const RecurrentMap&);
    /// Samples [begin, end), at most recurrentBlock.
    void (*forward)(const RecurrentMap&, std::int64_t begin, std::int64_t end, float* scratch);
    void (*backward)(const RecurrentGradientMap&, std::int64_t begin, std::int64_t end, float* scratch);
};

} // namespace simulator
