#pragma once

#include <cstdint>

namespace simulator {

/// Convolutions with windows of 3 × 3 and stride 1: a tile of 2 × 2 results is computed from 4 × 4 inputs
/// with 16 multiplications for each pair of channels instead of 36. Inputs, weights and results are
/// transformed to and from 16 points, between which stands a matrix product for each point. Source: A. Lavin,
/// S. Gray, "Fast Algorithms for Convolutional Neural Networks", 2015, F(2 × 2, 3 × 3).
inline constexpr std::int64_t winogradPoints = 16;
/// Inputs of a tile in one direction, and results.
inline constexpr std::int64_t winogradInputs = 4;
inline constexpr std::int64_t winogradOutputs = 2;

/// A tile's products at all points, and what becomes of its results.
struct WinogradTile {
    /// Of point p from points + p · pointStride on.
    const float* points = nullptr;
    std::int64_t pointStride = 0;
    /// Row by row; null: outside of the field.
    float* outputs[winogradOutputs * winogradOutputs] = {};
    const float* addends[winogradOutputs * winogradOutputs] = {};
    std::int64_t channels = 0;
    /// As in MatrixProduct; an addend for each result or for none.
    const float* scale = nullptr;
    const float* bias = nullptr;
    bool hasAddend = false;
    bool isRelu = false;
};

struct WinogradKernels {
    /// weights [3, 3, inner, columns]: the right operand of each point's product, packed as
    /// MatrixKernels::packRight packs one, those of point p from packed + p · pointStride on. Panels [begin,
    /// end) of `panels(columns)`.
    void (*weights)(const float* weights, std::int64_t inner, std::int64_t columns, std::int64_t begin,
                    std::int64_t end, float* packed, std::int64_t pointStride);
    std::int64_t (*panels)(std::int64_t columns);
    /// 4 × 4 inputs, row by row, of `channels` each: value c of point p goes to points[p · pointStride + c].
    void (*input)(const float* const* pixels, std::int64_t channels, float* points, std::int64_t pointStride);
    void (*output)(const WinogradTile& tile);
};

} // namespace simulator
