#include "simulator/compiler/planning/data_movement.h"

namespace simulator {

namespace {
constexpr std::int64_t localCopyBytesPerCycle = 8;
constexpr std::int64_t localCopyCallCycles = 288;
} // namespace

core::Cycles localCopyCycles(const IpuTarget& target, core::Bytes bytes) {
    if (bytes.value() == 0)
        return {};
    const std::int64_t perTile = core::ceilDivide(bytes.value(), target.tiles);
    return core::Cycles(core::ceilDivide(perTile, localCopyBytesPerCycle) + localCopyCallCycles);
}

} // namespace simulator
