#include "simulator/target/target_figures.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace simulator {

namespace {

constexpr double mega = 1e6;
constexpr double giga = 1e9;
constexpr double tera = 1e12;

constexpr std::array figures{
    TargetFigure{"tiles", "tiles of one IPU", &IpuTarget::tiles, 1, mega},
    TargetFigure{"memory_per_tile_bytes", "memory of one tile", &IpuTarget::memoryPerTileBytes, 1024, giga},
    TargetFigure{"executable_bytes_per_tile", "part of a tile's memory that can hold code",
                 &IpuTarget::executableBytesPerTile, 1024, giga},
    TargetFigure{"workers_per_tile", "worker contexts of one tile", &IpuTarget::workersPerTile, 1, 64},
    TargetFigure{"clock_hz", "tile clock", &IpuTarget::clockHz, mega, tera},
    TargetFigure{"load_bytes_per_cycle", "bytes loaded per cycle from ordinary tile memory",
                 &IpuTarget::loadBytesPerCycle, 1, 1024},
    TargetFigure{"conv_units_half_half", "convolution units, float16 operands and partials",
                 &IpuTarget::convUnitsHalfHalf, 1, 1024},
    TargetFigure{"conv_units_half_float", "convolution units, float16 operands, float32 partials",
                 &IpuTarget::convUnitsHalfFloat, 1, 1024},
    TargetFigure{"conv_units_float", "convolution units, float32 operands", &IpuTarget::convUnitsFloat, 1,
                 1024},
    TargetFigure{"exchange_bytes_per_cycle", "bytes a tile receives (and sends) per cycle",
                 &IpuTarget::exchangeBytesPerCycle, 0.001, mega},
    TargetFigure{"pair_bus", "neighbouring tiles that receive the same data share their buses",
                 &IpuTarget::pairBus, 0, 1},
    TargetFigure{"exchange_fragment_cycles", "control of one separate piece of received data",
                 &IpuTarget::exchangeFragmentCycles, 0, giga},
    TargetFigure{"tile_copy_cycles_per_byte", "cycles to put one gathered byte in order on its tile",
                 &IpuTarget::tileCopyCyclesPerByte, 0, 1000},
    TargetFigure{"internal_sync_cycles", "sync of the tiles of one IPU", &IpuTarget::internalSyncCycles, 0,
                 giga},
    TargetFigure{"global_sync_cycles", "sync of several IPUs", &IpuTarget::globalSyncCycles, 0, giga},
    TargetFigure{"sync_seconds_per_hop", "signal time of one hop of a sync between IPUs",
                 &IpuTarget::syncSecondsPerHop, 0, 1},
    TargetFigure{"superstep_overhead_cycles", "cost of one superstep beside its sync, exchange and compute",
                 &IpuTarget::superstepOverheadCycles, 0, giga},
    TargetFigure{"layout_imbalance", "fullest tile over the mean where a layout is inherited",
                 &IpuTarget::layoutImbalance, 1, 100},
    TargetFigure{"ipu_links", "IPU-Links of one IPU", &IpuTarget::ipuLinks, 0, 1024},
    TargetFigure{"link_bytes_per_second", "one IPU-Link in one direction", &IpuTarget::linkBytesPerSecond,
                 mega, tera},
    TargetFigure{"link_efficiency", "share of a link's rate that payload gets", &IpuTarget::linkEfficiency,
                 0.01, 1},
    TargetFigure{"links_within_pair", "links between the two IPUs of a rung", &IpuTarget::linksWithinPair, 1,
                 1024},
    TargetFigure{"links_between_pairs", "links between neighbours of two rungs",
                 &IpuTarget::linksBetweenPairs, 1, 1024},
    TargetFigure{"further_hop_share", "time of each further hop of a route, as a share of one hop's",
                 &IpuTarget::furtherHopShare, 0, 1},
    TargetFigure{"link_domain_ipus", "IPUs joined by IPU-Links alone", &IpuTarget::linkDomainIpus, 1, mega},
    TargetFigure{"ipus_per_machine", "IPUs of one machine", &IpuTarget::ipusPerMachine, 1, 1024},
    TargetFigure{"gateway_bytes_per_second", "a machine's gateway link in one direction",
                 &IpuTarget::gatewayBytesPerSecond, mega, tera},
    TargetFigure{"collective_latency_seconds", "one step of a ring of IPUs beside its data",
                 &IpuTarget::collectiveLatencySeconds, 0, 1},
    TargetFigure{"host_bytes_per_second", "host link of one IPU, data phase", &IpuTarget::hostBytesPerSecond,
                 mega, tera},
    TargetFigure{"host_machine_bytes_per_second", "host link of one machine, shared by its replicas",
                 &IpuTarget::hostMachineBytesPerSecond, mega, tera},
    TargetFigure{"host_latency_seconds", "rendezvous with the host before data moves",
                 &IpuTarget::hostLatencySeconds, 0, 1},
    TargetFigure{"host_data_set_up_seconds", "fixed part of a host transfer's data phase",
                 &IpuTarget::hostDataSetUpSeconds, 0, 1},
    TargetFigure{"host_synchronous_bytes_per_second", "end-to-end host rate without prefetching",
                 &IpuTarget::hostSynchronousBytesPerSecond, mega, tera},
    TargetFigure{"streaming_memory_bytes_per_second", "streaming memory of one IPU",
                 &IpuTarget::streamingMemoryBytesPerSecond, mega, tera},
    TargetFigure{"streaming_memory_bytes_per_machine", "size of a machine's streaming memory",
                 &IpuTarget::streamingMemoryBytesPerMachine, 0, 1e15},
    TargetFigure{"stack_bytes_per_tile", "stack of supervisor and workers", &IpuTarget::stackBytesPerTile, 0,
                 giga},
    TargetFigure{"control_code_bytes_per_tile", "control code every program has",
                 &IpuTarget::controlCodeBytesPerTile, 0, giga},
    TargetFigure{"host_exchange_code_bytes_per_tile", "host exchange code every program has",
                 &IpuTarget::hostExchangeCodeBytesPerTile, 0, giga},
};

} // namespace

std::span<const TargetFigure> targetFigures() {
    return figures;
}

const TargetFigure* findFigure(std::string_view key) {
    const auto found = std::ranges::find(figures, key, &TargetFigure::key);
    return found == figures.end() ? nullptr : &*found;
}

double figureValue(const IpuTarget& target, const TargetFigure& figure) {
    return std::visit([&](auto member) { return static_cast<double>(target.*member); }, figure.member);
}

void setFigure(IpuTarget& target, const TargetFigure& figure, double value) {
    std::visit(
        [&](auto member) {
            using Value = std::remove_reference_t<decltype(target.*member)>;
            target.*member = static_cast<Value>(value);
        },
        figure.member);
}

} // namespace simulator
