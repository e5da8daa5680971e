#include "simulator/cost/vertex/reduction_vertex.h"

#include "core/base/quantity.h"

#include <algorithm>

namespace simulator {

namespace {

/// Accumulators that one pass fills: 4 float or 8 half.
std::int64_t accumulatorWidth(int partialBytes) {
    return partialBytes == 2 ? 8 : 4;
}

std::int64_t loopsPerWorker(const TileReduction& work) {
    const std::int64_t chunks = core::ceilDivide(work.outputs, accumulatorWidth(work.partialBytes));
    return core::ceilDivide(chunks, work.workers);
}

} // namespace

std::int64_t singleInputReduceCycles(const TileReduction& work) {
    return 33 + work.workers * (20 + (work.depth + 10) * loopsPerWorker(work));
}

std::int64_t genericReduceCycles(const TileReduction& work) {
    return work.workers * (32 + (3 * work.depth + 9) * loopsPerWorker(work));
}

int reduceStages(std::int64_t parts) {
    constexpr std::int64_t oneStage = 16;
    constexpr std::int64_t twoStages = 125;
    return parts < oneStage ? 1 : parts < twoStages ? 2 : 3;
}

} // namespace simulator
