#include "simulator/target/ipu_target.h"

#include <cmath>

namespace simulator {

core::Flops IpuTarget::peakPerTileCycle(int operandBytes) const {
    return core::Flops(2 * (operandBytes <= 2 ? convUnitsHalfHalf * 4 : convUnitsFloat * 2));
}

core::Cycles IpuTarget::cyclesIn(double seconds) const {
    // Beyond this a count of cycles would not fit; no run lasts that long.
    constexpr double longest = 4e18;
    // A hair below the ceiling, so that 80,000 cycles expressed in seconds are 80,000 cycles again.
    constexpr double slack = 1e-12;
    const double cycles = std::ceil(seconds * clockHz * (1 - slack));
    return core::Cycles(static_cast<std::int64_t>(std::fmin(std::fmax(cycles, 0), longest)));
}

} // namespace simulator
