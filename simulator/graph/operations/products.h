#pragma once

#include <cstdint>
#include <vector>

namespace simulator {

/// Axes of a matrix product [M, K] × [K, N].
enum class MatMulAxis : std::uint8_t { Rows, Columns, Inner };

/// left [..., M, K], right [K, N] or [..., K, N] → [..., M, N]; a transposed operand is stored with its last
/// two axes swapped.
struct MatMul {
    bool transposeLeft = false;
    bool transposeRight = false;
    /// Run as `serialization` smaller products one after the other over this axis (serialized_matmul).
    MatMulAxis serializedAxis = MatMulAxis::Columns;
    std::int64_t serialization = 1;
    /// Sums of products are kept and added up as float16 (partialsType half).
    bool halfPartials = false;
    bool operator==(const MatMul&) const = default;
};

/// Sliding windows over 1 to 3 field axes. All vectors have one entry per field axis.
struct WindowGeometry {
    std::vector<std::int64_t> kernel;
    std::vector<std::int64_t> stride;
    std::vector<std::int64_t> dilation;
    std::vector<std::int64_t> paddingLow;
    std::vector<std::int64_t> paddingHigh;
    bool operator==(const WindowGeometry&) const = default;
};

enum class ConvolutionPass : std::uint8_t { Forward, InputGradient, WeightGradient };

/// Elements between two neighbours of the window are `dilation` apart; output element o covers the padded
/// input from o·stride on. Forward: input [N, field…, inC], kernel [k…, inC / groups, outC] → [N, field…,
/// outC]. InputGradient: dOut, kernel → dIn [inputExtents]. WeightGradient: input, dOut → dKernel. A
/// transposed convolution's forward pass is an InputGradient and the other way round.
struct Convolution {
    WindowGeometry window;
    std::int64_t groups = 1;
    ConvolutionPass pass = ConvolutionPass::Forward;
    /// Convolutions of one positive number run in parallel on disjoint tiles (multi_conv); 0: alone.
    std::int64_t parallelSet = 0;
    /// As those of MatMul.
    bool halfPartials = false;
    bool operator==(const Convolution&) const = default;
};

// clang-format off
#define PRODUCT_KINDS(KIND)                                                                                 \
    KIND(MatMul) KIND(Convolution)
// clang-format on

} // namespace simulator
