#pragma once

#include "core/base/quantity.h"
#include "core/plan/prediction_interval.h"

#include <cstdint>
#include <string>

namespace simulator {

/// The figures of one kind of IPU. What each one means, its unit, its bounds and its source for every target
/// are in the figure table (`target_figures.h`) and the catalogue (`target_catalogue.h`). Cycles are tile
/// clock cycles; bandwidths of anything off the chip are per second, because the tile clock does not drive
/// it.
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
    /// Control of one separate piece of data that a tile receives.
    std::int64_t exchangeFragmentCycles = 36;
    /// Cycles to copy one byte on a tile when a gathered operand is put in order.
    double tileCopyCyclesPerByte = 0.25;
    std::int64_t internalSyncCycles = 126;
    std::int64_t globalSyncCycles = 600;
    /// Signal time of one hop of a sync between IPUs.
    double syncSecondsPerHop = 15e-9;
    /// Cost of one exchange-plus-compute superstep beside its sync: set-up, path latency, control code,
    /// stragglers.
    std::int64_t superstepOverheadCycles = 700;
    /// Elements of the fullest tile over the mean, where an element-wise operation inherits the layout of the
    /// operation before it.
    double layoutImbalance = 1.4;

    std::int64_t ipuLinks = 10;
    double linkBytesPerSecond = 16e9;
    double linkEfficiency = 0.85;
    /// Links that join the two IPUs of a rung of the ladder, and neighbours between rungs.
    std::int64_t linksWithinPair = 4;
    std::int64_t linksBetweenPairs = 2;
    /// Time that each further hop of a route over IPU-Links adds, as a share of the time of one: the IPUs
    /// between need their links for copies of their own.
    double furtherHopShare = 0.25;
    /// IPUs that reach one another over IPU-Links alone; beyond, traffic takes the gateways.
    std::int64_t linkDomainIpus = 16;
    std::int64_t ipusPerMachine = 4;
    double gatewayBytesPerSecond = 12.5e9;
    double collectiveLatencySeconds = 1e-6;

    double hostBytesPerSecond = 20.2e9;
    /// Host link of one machine, shared by the replicas in it that are fed at once.
    double hostMachineBytesPerSecond = 32e9;
    /// Rendezvous with the host before the data of a transfer moves.
    double hostLatencySeconds = 60e-6;
    /// Fixed part of the data phase.
    double hostDataSetUpSeconds = 1.1e-6;
    /// End-to-end rate where nothing is prefetched and the program waits for the host's software.
    double hostSynchronousBytesPerSecond = 2e9;
    double streamingMemoryBytesPerSecond = 20e9;
    std::int64_t streamingMemoryBytesPerMachine = 256'000'000'000;

    /// What a program takes on every tile whatever it does.
    std::int64_t stackBytesPerTile = 3168;
    std::int64_t controlCodeBytesPerTile = 700;
    std::int64_t hostExchangeCodeBytesPerTile = 300;

    /// How well what is predicted on it is known.
    core::PredictionIntervals intervals = core::publishedIntervals();

    [[nodiscard]] std::int64_t memoryBytes() const { return tiles * memoryPerTileBytes; }
    /// What the matrix units of one tile do at most in a cycle with operands of this size: each multiplies
    /// and adds 4 pairs of up to 2 bytes, or 2 of 4 bytes.
    [[nodiscard]] core::Flops peakPerTileCycle(int operandBytes) const;
    /// Cycles of `seconds`, rounded up.
    [[nodiscard]] core::Cycles cyclesIn(double seconds) const;
    bool operator==(const IpuTarget&) const = default;
};

} // namespace simulator
