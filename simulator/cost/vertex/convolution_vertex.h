#pragma once

#include <cstdint>

namespace simulator {

/// Cycles of one tile that runs a convolution or matrix-product vertex: the supervisor and its workers.
/// Source of every formula in this file: poplibs, lib/poplin/PerformanceEstimation.hpp. Counts of a whole
/// vertex are real numbers so that no shape overflows; they are whole as long as they are below 2^53.

/// How the matrix unit of a tile is driven.
struct MatrixUnit {
    /// 2: float16 operands, 4: float32.
    int operandBytes = 2;
    /// 2 or 4.
    int partialBytes = 2;
    /// Output channels computed at once.
    std::int64_t units = 16;
    std::int64_t workers = 6;
    /// Bytes of coefficients loaded per cycle: 8, or 16 with 128-bit loads.
    std::int64_t coefficientLoadBytes = 8;
    /// Float16 partials on 8 units take 2 cycles per element instead of 4 (second generation).
    bool halfPartialsAtDoubleRate = false;

    /// Input channels one pass takes: 16 of float16, 8 of float32.
    [[nodiscard]] std::int64_t inputChannels() const { return operandBytes == 2 ? 16 : 8; }
    /// Worker cycles per field element and pass.
    [[nodiscard]] std::int64_t cyclesPerElement() const { return operandBytes == 2 ? 4 : 8; }
    /// Cycles to load the coefficients of one pass.
    [[nodiscard]] std::int64_t coefficientLoad() const {
        return units * inputChannels() * operandBytes / coefficientLoadBytes;
    }
    bool operator==(const MatrixUnit&) const = default;
};

/// One worker's call for `elements` field elements. `firstPass` writes the partials instead of adding to
/// them.
[[nodiscard]] std::int64_t conv1x1WorkerCycles(const MatrixUnit& unit, std::int64_t elements, bool firstPass);

/// All workers of a tile for one pass: the slowest, or the fastest plus the supervisor's turn-round.
/// `monotone` takes the running maximum over fewer elements, which removes the published dip between two and
/// three elements per worker; the planner uses it so that a plan never gets cheaper by growing.
[[nodiscard]] std::int64_t conv1x1PassCycles(const MatrixUnit& unit, std::int64_t fieldElements,
                                             bool firstPass, bool monotone = false);

/// What one ConvPartial1x1 vertex computes: groups × input-channel passes × output-channel groups.
struct ConvPartial1x1 {
    std::int64_t fieldElements = 0;
    std::int64_t convGroups = 1;
    /// Passes of `MatrixUnit::inputChannels()` channels.
    std::int64_t inGroups = 1;
    /// Vertices' output groups; each takes `passesPerGroup` passes of `MatrixUnit::units` channels.
    std::int64_t outGroups = 1;
    std::int64_t passesPerGroup = 1;
    /// False when partial sums of an earlier step are added to.
    bool firstPass = true;
};
[[nodiscard]] double conv1x1Cycles(const MatrixUnit& unit, const ConvPartial1x1& work, bool monotone = false);

/// ConvPartialnx1: kernels larger than one position. Workers get runs of `runLength` elements of an output
/// row, `runs` of them in all.
struct ConvPartialNx1 {
    std::int64_t runs = 0;
    std::int64_t runLength = 0;
    std::int64_t convGroups = 1;
    std::int64_t inGroups = 1;
    std::int64_t outGroups = 1;
    std::int64_t passesPerGroup = 1;
    /// Kernel rows that fill the input channels of one pass: 1, 2 or 4.
    std::int64_t kernelHeight = 1;
    /// Passes over the kernel beside those rows (outer · inner loop).
    std::int64_t kernelOuter = 1;
    std::int64_t kernelInner = 1;
};
[[nodiscard]] double convNx1Cycles(const MatrixUnit& unit, const ConvPartialNx1& work);

/// SLIC: a window of 1 × 4 kernel positions over 4 channels (4 × 1, 2 × 2 or 1 × 4 channels of groups),
/// float16 only.
struct ConvSlic {
    std::int64_t rows = 0;
    std::int64_t rowLength = 0;
    std::int64_t stride = 1;
    /// Blocks of 4 channels.
    std::int64_t channelBlocks = 1;
    /// Windows of 1 × 4 positions that cover the kernel.
    std::int64_t windows = 1;
    /// Input channels of one group inside a block: 1, 2 or 4.
    std::int64_t inputChannels = 4;
};
[[nodiscard]] double slicCycles(const MatrixUnit& unit, const ConvSlic& work);

/// VMAC: the vector unit multiplies channel by channel (depthwise).
struct ConvVmac {
    std::int64_t fieldElements = 0;
    std::int64_t kernelPositions = 1;
    std::int64_t channels = 1;
};
[[nodiscard]] double vmacCycles(const MatrixUnit& unit, const ConvVmac& work);

/// HMAC: dot products over the input channels, one output at a time.
struct ConvHmac {
    std::int64_t fieldElements = 0;
    std::int64_t kernelPositions = 1;
    std::int64_t inChannels = 1;
    std::int64_t outChannels = 1;
    std::int64_t convGroups = 1;
};
[[nodiscard]] double hmacCycles(const MatrixUnit& unit, const ConvHmac& work);

/// Setting `elements` partial sums to zero: vectors + 14.
[[nodiscard]] double zeroPartialsCycles(const MatrixUnit& unit, std::int64_t elements);

} // namespace simulator
