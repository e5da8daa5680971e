#pragma once

#include "simulator/target/ipu_system.h"

namespace simulator {

/// Where the traffic between two IPUs runs.
enum class LinkLevel : std::uint8_t {
    Same,    ///< one and the same IPU
    Pair,    ///< the two IPUs of a rung
    Ladder,  ///< rungs of one IPU-Link domain
    Gateway, ///< different IPU-Link domains, over the gateways
};

/// The way from one physical IPU to another.
struct Route {
    LinkLevel level = LinkLevel::Same;
    /// IPU-Link hops; over gateways, the hops to and from the machines' gateways count as one each.
    std::int64_t hops = 0;
    /// Payload rate from end to end, one direction; 0 for an IPU to itself.
    double bytesPerSecond = 0;

    bool operator==(const Route&) const = default;
};

/// Route between two physical IPUs of a system. Rate of one hop: links · rate · efficiency (PopLibs' test
/// support), the narrowest hop's; over several hops, less by `furtherHopShare` of the target for each
/// further one.
[[nodiscard]] Route routeBetween(const IpuTarget& target, std::int64_t a, std::int64_t b);

/// Route between two virtual IPUs of the first replica.
[[nodiscard]] Route routeInReplica(const IpuSystem& system, std::int64_t from, std::int64_t to);

/// What `bytes` take between two virtual IPUs of the first replica: at the rate of their route, and the
/// signal over its hops.
[[nodiscard]] core::Cycles ipuCopyCycles(const IpuSystem& system, std::int64_t from, std::int64_t to,
                                         std::int64_t bytes);

/// Sync of `ipus` IPUs: the constant of the target or, when larger, the signal's way over the ladder and
/// back, ceil(15 ns · clock · hops · 2) with hops = 1 + floor(floor(n / 2) / 2).
[[nodiscard]] core::Cycles globalSync(const IpuTarget& target, std::int64_t ipus);

} // namespace simulator
