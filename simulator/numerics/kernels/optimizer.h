#pragma once

#include "simulator/catalogue/optimizer_factors.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace simulator {

/// One parameter and what its optimizer keeps, the slots in the order of core's catalogue.
struct OptimizerMap {
    float* parameter = nullptr;
    const float* gradient = nullptr;
    float* slot[3] = {};
    OptimizerFactors factors;
};

/// Sums over a parameter that a trust ratio needs.
struct TrustSums {
    double parameter = 0;
    double update = 0;
};

/// The kernel that a row of the optimizer formulas names.
struct OptimizerKernel {
    std::string_view name;
    /// Elements [begin, end). With a trust ratio: the step that follows `moments`, at the rate times the
    /// ratio.
    void (*update)(const OptimizerMap&, std::int64_t begin, std::int64_t end) = nullptr;
    /// Moves the slots and sums up; null without a trust ratio.
    TrustSums (*moments)(const OptimizerMap&, std::int64_t begin, std::int64_t end) = nullptr;
};

struct OptimizerKernels {
    std::span<const OptimizerKernel> rows;
};

} // namespace simulator
