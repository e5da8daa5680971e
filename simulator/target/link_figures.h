#pragma once

#include "simulator/target/ipu_target.h"

#include <cstdint>

namespace simulator {

/// The figures of a target on which nothing depends but what passes between IPUs: copies, syncs and
/// collectives. Programs of one replica are the same whatever they are.
struct LinkFigures {
    double syncSecondsPerHop = 0;
    std::int64_t ipuLinks = 0;
    double linkBytesPerSecond = 0;
    double linkEfficiency = 0;
    std::int64_t linksWithinPair = 0;
    std::int64_t linksBetweenPairs = 0;
    double furtherHopShare = 0;
    std::int64_t linkDomainIpus = 0;
    double gatewayBytesPerSecond = 0;
    double collectiveLatencySeconds = 0;

    bool operator==(const LinkFigures&) const = default;
};

[[nodiscard]] LinkFigures linkFiguresOf(const IpuTarget& target);
/// The target with all of them 0, to compare the rest.
[[nodiscard]] IpuTarget withoutLinkFigures(IpuTarget target);

} // namespace simulator
