#pragma once

#include <cstdint>
#include <string>

namespace simulator {

/// The figures of one IPU, each with its source in the catalogue. Cycles are tile clock cycles.
struct IpuTarget {
    std::string name;
    std::int64_t tiles = 0;
    std::int64_t memoryPerTileBytes = 0;
    /// The part of a tile's memory that can hold code.
    std::int64_t executableBytesPerTile = 0;
    std::int64_t workersPerTile = 6;
    double clockHz = 0;
    /// Bytes a worker loads per cycle from ordinary memory; twice that from an interleaved region.
    std::int64_t loadBytesPerCycle = 8;
    /// Convolution units of the accumulating matrix product, by operand and partials type.
    std::int64_t convUnitsHalfHalf = 16;
    std::int64_t convUnitsHalfFloat = 8;
    std::int64_t convUnitsFloat = 8;
    double exchangeBytesPerCycle = 4;
    /// Two neighbouring tiles that receive the same data share one bus and double it.
    bool pairBus = true;
    std::int64_t internalSyncCycles = 126;
    std::int64_t globalSyncCycles = 600;
    /// Cost of one exchange-plus-compute superstep beside its sync: set-up, path latency, control code,
    /// stragglers.
    std::int64_t superstepOverheadCycles = 700;
    std::int64_t ipuLinks = 10;
    double linkBytesPerSecond = 16e9;
    double linkEfficiency = 0.85;
    double hostBytesPerCycle = 15;
    std::int64_t hostLatencyCycles = 80000;
    double streamingMemoryBytesPerSecond = 20e9;
    std::int64_t ipusPerMachine = 4;
    double gatewayBytesPerSecond = 12.5e9;

    [[nodiscard]] std::int64_t memoryBytes() const { return tiles * memoryPerTileBytes; }
    bool operator==(const IpuTarget&) const = default;
};

} // namespace simulator
