#pragma once

#include "simulator/cost/vertex/convolution_vertex.h"
#include "simulator/target/ipu_target.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace simulator {

/// The window a convolution slides over its field, up to three axes.
struct FieldWindow {
    std::size_t axes = 0;
    std::array<std::int64_t, 3> kernel{1, 1, 1};
    /// Operand elements from the window's first position to its last, inclusive (larger where dilated).
    std::array<std::int64_t, 3> reach{1, 1, 1};
    /// Step of the window over its operand.
    std::array<std::int64_t, 3> stride{1, 1, 1};
    /// Results of one row. Input gradients of strided convolutions have a row per element of dOut; the
    /// kernel's positions then write to as many neighbouring results as the stride has phases.
    std::int64_t resultsPerRow = 1;
    /// Rows and operand elements of one image; the operand of a tile never needs more than its images.
    std::int64_t rowsPerImage = 1;
    std::int64_t elementsPerImage = 1;

    [[nodiscard]] std::int64_t positions() const { return kernel[0] * kernel[1] * kernel[2]; }
    /// Operand elements that `rows` neighbouring positions of the window need, halo included.
    [[nodiscard]] double operandElements(double rows) const;
    bool operator==(const FieldWindow&) const = default;
};

/// What a convolution or matrix product computes, as `groups` independent products
/// rows × inner × columns: rows are field elements (batch · field), inner input channels, columns output
/// channels. Extents are clamped to `largestExtent`.
struct ConvolutionProblem {
    static constexpr std::int64_t largestExtent = std::int64_t{1} << 40;

    /// Which dimension the window belongs to.
    enum class Form : std::uint8_t {
        Product,        ///< no window
        Window,         ///< each row sums over the kernel's positions: forward and input gradient
        WindowAsRows,   ///< weight gradient: rows are channels × kernel positions, inner the field
        WindowAsColumns ///< the same with the operands swapped
    };

    Form form = Form::Product;
    std::int64_t groups = 1;
    std::int64_t rows = 1;
    std::int64_t inner = 1;
    std::int64_t columns = 1;
    FieldWindow window;
    int operandBytes = 4;
    int outputBytes = 4;
    int partialBytes = 4;
    /// The product may also be computed transposed.
    bool maySwap = true;

    bool operator==(const ConvolutionProblem&) const = default;
};

enum class ConvolutionMethod : std::uint8_t { Amp, Slic, Vmac, Hmac };
/// PopLibs' name: "AMP".
[[nodiscard]] std::string_view methodName(ConvolutionMethod method);

/// One way to split a problem over the tiles of an IPU, and its price. Cycles are those of the slowest tile.
struct ConvolutionPlan {
    ConvolutionMethod method = ConvolutionMethod::Amp;
    bool swapped = false;
    /// Groups of fewer channels than the matrix unit takes that share one pass.
    std::int64_t groupsPerPass = 1;
    std::int64_t groupSplit = 1;
    std::int64_t rowSplit = 1;
    std::int64_t kernelSplit = 1;
    std::int64_t innerSplit = 1;
    std::int64_t columnSplit = 1;
    std::int64_t serialColumns = 1;
    std::int64_t serialInner = 1;

    double vertexCycles = 0;
    double reduceCycles = 0;
    double castCycles = 0;
    double copyCycles = 0;
    double inputExchange = 0;
    double weightExchange = 0;
    double partialExchange = 0;
    std::int64_t supersteps = 0;
    double syncCycles = 0;

    double inputBytes = 0;
    double weightBytes = 0;
    double partialsBytes = 0;
    /// The vertices write the result itself.
    bool writesResult = false;

    [[nodiscard]] std::int64_t tiles() const {
        return groupSplit * rowSplit * kernelSplit * innerSplit * columnSplit;
    }
    [[nodiscard]] double compute() const { return vertexCycles + reduceCycles + castCycles + copyCycles; }
    [[nodiscard]] double exchange() const { return inputExchange + weightExchange + partialExchange; }
    [[nodiscard]] double total() const { return compute() + exchange() + syncCycles; }
    /// Gathered inputs, the weights of one serial step, partial sums: what the bound is about, as in poplibs.
    [[nodiscard]] double temporaryBytes() const { return inputBytes + weightBytes + partialsBytes; }
    /// What of that is beside the operands and the result: weights that only one tile uses are used where
    /// they are, partial sums that nothing adds to and that have the result's type are the result.
    [[nodiscard]] double ownBytes() const {
        return inputBytes + (rowSplit > 1 ? weightBytes : 0) + (writesResult ? 0 : partialsBytes);
    }
};

struct ConvolutionPlanOptions {
    std::int64_t tiles = 0;
    /// Bound on a plan's temporary bytes per tile.
    double memoryBound = 0;
    bool use128BitConvUnitLoad = false;
};

/// The fastest plan whose temporary memory keeps the bound; the leanest plan where none does (the bound gives
/// way exactly as far as needed, so a larger bound never makes a plan slower). Searched: both operand orders,
/// vertex methods, parallel splits of groups, rows, kernel, inner and columns, serial splits of columns and
/// inner. Costs follow poplibs, lib/poplin/ConvModel.cpp, with the terms that measured applications asked
/// for (README).
[[nodiscard]] ConvolutionPlan planConvolution(const ConvolutionProblem& problem, const IpuTarget& target,
                                              const ConvolutionPlanOptions& options);

/// The convolution units and loads that a problem's types get on a target.
[[nodiscard]] MatrixUnit matrixUnit(const IpuTarget& target, int operandBytes, int partialBytes,
                                    bool use128BitConvUnitLoad);

} // namespace simulator
