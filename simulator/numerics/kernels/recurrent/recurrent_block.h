#pragma once

#include "simulator/graph/output_rules.h"
#include "simulator/numerics/kernels/functions.h"
#include "simulator/numerics/kernels/kernel_table.h"
#include "simulator/numerics/kernels/recurrent.h"

namespace simulator::KERNEL_VARIANT {

inline std::int64_t gatesOf(const RecurrentMap& map) {
    return gateCount(map.attributes.cell);
}
inline std::int64_t reserveOf(const RecurrentMap& map) {
    return reserveValues(map.attributes);
}
/// Position of h among the values of a step.
inline std::int64_t hiddenAt(const RecurrentMap& map) {
    return map.attributes.cell == RecurrentCell::Simple
               ? 0
               : (map.attributes.cell == RecurrentCell::Lstm ? 5 : 3);
}

/// Scratch of one block of samples.
struct RecurrentScratch {
    float* hidden;  // [block, units]: h before the step, times the recurrent factors
    float* cell;    // [block, units]: c before the step, or activation(c)
    float* part;    // [block, units]
    float* dHidden; // [block, units]
    float* dCell;   // [block, units]
    float* step;    // [block, values · units]: the values of a step without a reserve
    float* product; // scratch of the matrix product

    RecurrentScratch(const RecurrentMap& map, float* memory) {
        const std::int64_t size = recurrentBlock * map.units;
        hidden = memory;
        cell = hidden + size;
        part = cell + size;
        dHidden = part + size;
        dCell = dHidden + size;
        step = dCell + size;
        product = step + size * reserveOf(map);
    }
    static std::int64_t floats(const RecurrentMap& map) {
        return recurrentBlock * map.units * (5 + reserveOf(map)) + matrixKernels().productScratch();
    }
};

inline void multiply(const RecurrentMap& map, std::int64_t rows, const float* left, std::int64_t leftRow,
                     std::int64_t inner, const float* right, std::int64_t rightRow, std::int64_t columns,
                     float* out, std::int64_t outRow, const float* bias, bool accumulate, float* scratch) {
    MatrixProduct product;
    product.partials = map.partials;
    product.rows = rows;
    product.columns = columns;
    product.inner = inner;
    product.left = left;
    product.leftRow = leftRow;
    product.right = right;
    product.rightRow = rightRow;
    product.out = out;
    product.outRow = outRow;
    product.bias = bias;
    product.accumulate = accumulate;
    matrixKernels().product(product, 0, rows, 0, columns, scratch);
}

/// values = their softmax.
inline void softmaxOf(float* values, std::int64_t count) {
    float highest = values[0];
    for (std::int64_t i = 1; i < count; ++i)
        highest = larger(highest, values[i]);
    float sum = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        values[i] = __builtin_expf(values[i] - highest);
        sum += values[i];
    }
    for (std::int64_t i = 0; i < count; ++i)
        values[i] /= sum;
}

/// `units` values of each gate, one gate after the other.
inline void activate(const GateFunction& gate, float* values, std::int64_t count, std::int64_t units) {
    if (gate.isSoftmax) {
        for (std::int64_t at = 0; at < count; at += units)
            softmaxOf(values + at, units);
        return;
    }
    const UnaryFunction function = gate.function;
    if (function == UnaryFunction::Identity)
        return;
    // Cells have the parameters of the catalogue: Keras' hard sigmoid, ELU's 1.
    const core::UnaryDefinition& row = core::definitionOf(function);
    const UnaryMap map{values, values, static_cast<float>(row.alpha), static_cast<float>(row.beta)};
    elementwiseKernels().unary(function)(map, 0, count);
}

/// gradient *= slope of `function` where its output is `values`, and its input `sums` if it needs that.
inline void applySlope(const GateFunction& gate, const float* sums, const float* values, float* gradient,
                       std::int64_t count, std::int64_t units) {
    if (gate.isSoftmax) {
        for (std::int64_t at = 0; at < count; at += units) {
            float mean = 0;
            for (std::int64_t i = at; i < at + units; ++i)
                mean += gradient[i] * values[i];
            for (std::int64_t i = at; i < at + units; ++i)
                gradient[i] = values[i] * (gradient[i] - mean);
        }
        return;
    }
    const UnaryFunction function = gate.function;
    if (function == UnaryFunction::Identity)
        return;
    const core::UnaryDefinition& row = core::definitionOf(function);
    if (function == UnaryFunction::HardSigmoid) {
        // Its gradient follows from the input elsewhere; gates have their outputs, which do as well.
        const auto slope = static_cast<float>(row.alpha);
        for (std::int64_t i = 0; i < count; ++i)
            gradient[i] *= values[i] > 0 && values[i] < 1 ? slope : 0.0F;
        return;
    }
    const UnaryGradientMap map{gradientNeeds(function).input ? sums : nullptr,
                               values,
                               gradient,
                               gradient,
                               static_cast<float>(row.alpha),
                               static_cast<float>(row.beta)};
    elementwiseKernels().unaryGradient(function)(map, 0, count);
}

/// Where the gates' sums before their functions are kept among the values of a step; null when they are not.
template <class Value>
Value* sumsOf(const RecurrentMap& map, Value* values) {
    return keepsGateSums(map.attributes) ? values + (reserveOf(map) - gatesOf(map)) * map.units : nullptr;
}

/// A block of samples on its way through the steps.
struct RecurrentBlock {
    const RecurrentMap& map;
    std::int64_t begin;
    std::int64_t count;
    std::int64_t units;
    /// Values of one sample and step.
    std::int64_t stepValues;
    RecurrentScratch scratch;

    RecurrentBlock(const RecurrentMap& whole, std::int64_t first, std::int64_t end, float* memory)
        : map(whole)
        , begin(first)
        , count(end - first)
        , units(whole.units)
        , stepValues(reserveOf(whole) * whole.units)
        , scratch(whole, memory) {}

    [[nodiscard]] std::int64_t gateValues() const { return gatesOf(map) * units; }
    /// The position in x of processing step t.
    [[nodiscard]] std::int64_t inputStep(std::int64_t t) const {
        return map.attributes.goBackwards ? map.steps - 1 - t : t;
    }
    [[nodiscard]] std::int64_t sampleStride() const {
        return map.reserve != nullptr ? map.steps * stepValues : stepValues;
    }
    /// Values of local sample n at step t. The reserve is indexed by the position of x.
    [[nodiscard]] float* values(std::int64_t n, std::int64_t position) const {
        if (map.reserve == nullptr)
            return scratch.step + n * stepValues;
        return map.reserve + ((begin + n) * map.steps + position) * stepValues;
    }
    [[nodiscard]] bool isOff(std::int64_t n, std::int64_t t) const {
        const std::int64_t sample = begin + n;
        if (map.mask != nullptr && map.mask[sample * map.steps + inputStep(t)] == 0)
            return true;
        return isPastEnd(n, t);
    }
    [[nodiscard]] bool isPastEnd(std::int64_t n, std::int64_t t) const {
        return map.lengths != nullptr && t >= map.lengths[begin + n];
    }
    /// Factor on the update gate: 1 − attention score.
    [[nodiscard]] float updateShare(std::int64_t n, std::int64_t t) const {
        return map.attention == nullptr ? 1.0F : 1.0F - map.attention[(begin + n) * map.steps + inputStep(t)];
    }
};

/// Samples [begin, end) backwards; the `backward` of `RecurrentKernels`.
void recurrentBackward(const RecurrentGradientMap& map, std::int64_t begin, std::int64_t end, float* memory);

} // namespace simulator::KERNEL_VARIANT
