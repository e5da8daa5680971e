#include "simulator/cost/vertex/access_vertex.h"

#include "core/base/quantity.h"

#include <algorithm>
#include <cmath>

namespace simulator {

namespace {

using core::real;

} // namespace

double multiSliceCycles(const TileLookup& work) {
    const double row = 19 + 2 * real(core::ceilDivide(work.rowElements, work.vector));
    return (30 + real(work.inRange) * row + real(work.outOfRange) * 8) * real(work.workers);
}

double multiUpdateAddCycles(const TileLookup& work) {
    const std::int64_t vectors = std::max<std::int64_t>(core::ceilDivide(work.rowElements, work.vector), 1);
    return (33 + real(work.inRange) * (12 + 3 * real(vectors - 1)) + 5 * real(work.outOfRange)) *
           real(work.workers);
}

double poolingCycles(const TilePooling& work) {
    constexpr double rowOverhead = 30;
    const double perVector = work.maximumGradient ? 5 : 3;
    return real(work.workers) *
           (perVector * real(work.windowElements) * real(core::ceilDivide(work.vectors, work.workers)) +
            rowOverhead * real(work.rows));
}

double relayoutCyclesPerByte(std::int64_t runBytes) {
    if (runBytes > 0 && runBytes % 8 == 0)
        return 0.4404;
    if (runBytes > 0 && runBytes % 4 == 0)
        return 3.125;
    return 5.1484;
}

double tileCopyCycles(double bytes) {
    constexpr double call = 288;
    constexpr double bytesPerCycle = 8;
    return call + std::ceil(bytes / bytesPerCycle);
}

} // namespace simulator
