#include "simulator/target/link_topology.h"

#include <algorithm>

namespace simulator {

Route routeBetween(const IpuTarget& target, std::int64_t a, std::int64_t b) {
    if (a == b)
        return {};
    if (a / target.linkDomainIpus != b / target.linkDomainIpus)
        return {LinkLevel::Gateway, 2, target.gatewayBytesPerSecond};
    const std::int64_t hops = hopsBetween(a, b);
    const bool isPair = a / 2 == b / 2;
    const auto links = static_cast<double>(isPair ? target.linksWithinPair : target.linksBetweenPairs);
    // The IPUs between pass the data on over links that they need themselves.
    const double sharing = 1 + static_cast<double>(hops - 1) * target.furtherHopShare;
    return {isPair ? LinkLevel::Pair : LinkLevel::Ladder, hops,
            links * target.linkBytesPerSecond * target.linkEfficiency / sharing};
}

Route routeInReplica(const IpuSystem& system, std::int64_t from, std::int64_t to) {
    const auto physical = [&](std::int64_t v) {
        const auto index = static_cast<std::size_t>(v);
        return index < system.physicalIndex.size() ? system.physicalIndex[index] : v;
    };
    return routeBetween(system.target, physical(from), physical(to));
}

core::Cycles ipuCopyCycles(const IpuSystem& system, std::int64_t from, std::int64_t to, std::int64_t bytes) {
    const Route route = routeInReplica(system, from, to);
    const double seconds = static_cast<double>(bytes) / route.bytesPerSecond +
                           static_cast<double>(route.hops) * system.target.syncSecondsPerHop;
    return system.target.cyclesIn(seconds);
}

core::Cycles globalSync(const IpuTarget& target, std::int64_t ipus) {
    if (ipus <= 1)
        return core::Cycles(target.internalSyncCycles);
    const std::int64_t hops = 1 + ipus / 2 / 2;
    const core::Cycles signal = target.cyclesIn(target.syncSecondsPerHop * static_cast<double>(hops) * 2);
    return std::max(core::Cycles(target.globalSyncCycles), signal);
}

} // namespace simulator
