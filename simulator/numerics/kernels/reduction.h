#pragma once

#include "simulator/graph/operation_attributes.h"

#include <cstdint>

namespace simulator {

inline constexpr int reductionAxes = 8;

/// Reduction of a dense tensor whose neighbouring axes of one kind have been joined: kept and reduced axes
/// alternate, extents of 1 are gone. Unused leading axes have extent 1 and are kept.
struct Reduction {
    std::int64_t extents[reductionAxes] = {1, 1, 1, 1, 1, 1, 1, 1};
    bool isReduced[reductionAxes] = {};
    const float* x = nullptr;
    float* out = nullptr;
    /// Factor on the finished values (Mean).
    float scale = 1;
};

struct ReductionKernels {
    /// Output rows [begin, end): a row is one output element where the last axis is reduced, else the last
    /// axis.
    using Rows = void (*)(const Reduction&, std::int64_t begin, std::int64_t end);
    /// Sum, Mean, Product, Maximum, Minimum, SumOfSquares; null for the others.
    Rows (*rows)(ReduceFunction function);
};

} // namespace simulator
