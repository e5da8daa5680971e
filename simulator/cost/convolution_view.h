#pragma once

#include "simulator/cost/convolution_plan.h"
#include "simulator/cost/vertex/convolution_vertex.h"

#include <vector>

namespace simulator {

/// A problem seen through one vertex method and operand order, with everything that does not change while
/// splits are tried.
struct ConvolutionView {
    ConvolutionProblem problem;
    ConvolutionMethod method = ConvolutionMethod::Amp;
    bool swapped = false;
    MatrixUnit unit;
    std::int64_t groupsPerPass = 1;
    std::int64_t groups = 1;     ///< passes' groups after packing
    std::int64_t innerGrain = 1; ///< input channels of one pass
    std::int64_t columnGrain = 1;
    std::int64_t kernelHeight = 1; ///< kernel rows that share one pass with few channels
    std::int64_t kernelOuter = 1;
    std::int64_t kernelInner = 1;
};

/// One combination of splits and a tile's shares under it.
struct TileShares {
    std::int64_t groups = 1;
    std::int64_t rows = 1;
    std::int64_t inner = 1;   ///< grains per serial step
    std::int64_t columns = 1; ///< grains per serial step
    std::int64_t kernelOuter = 1;
};

/// The ways to look at a problem: every vertex method that can compute it, in every operand order that is
/// allowed.
[[nodiscard]] std::vector<ConvolutionView> viewsOf(const ConvolutionProblem& problem, const MatrixUnit& unit);

/// Vertex cycles of a tile with these shares, for one serial step.
[[nodiscard]] double vertexCycles(const ConvolutionView& view, const TileShares& shares);

} // namespace simulator
