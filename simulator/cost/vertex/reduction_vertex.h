#pragma once

#include <cstdint>

namespace simulator {

/// Cycles of the reduction vertices of one tile (poplibs, lib/popops/reduction/CycleEstimationFunctions.cpp
/// and lib/poplin/ConvReducePlan.cpp).

/// What a tile reduces: `outputs` values, each from `depth` partials of `partialBytes`.
struct TileReduction {
    std::int64_t outputs = 0;
    std::int64_t depth = 0;
    int partialBytes = 4;
    std::int64_t workers = 6;
};

/// Partials of one output lie at a fixed distance in one region: 33 + 6 · (20 + (depth + 10) · loops).
[[nodiscard]] std::int64_t singleInputReduceCycles(const TileReduction& work);
/// The partials come in pieces: 6 · (32 + (3 · depth + 9) · loops).
[[nodiscard]] std::int64_t genericReduceCycles(const TileReduction& work);

/// Stages in which `parts` partials are summed: 1 below 16, 2 below 125, else 3.
[[nodiscard]] int reduceStages(std::int64_t parts);

} // namespace simulator
