#include "simulator/target/link_figures.h"

namespace simulator {

LinkFigures linkFiguresOf(const IpuTarget& target) {
    return {target.syncSecondsPerHop,       target.ipuLinks,        target.linkBytesPerSecond,
            target.linkEfficiency,          target.linksWithinPair, target.linksBetweenPairs,
            target.furtherHopShare,         target.linkDomainIpus,  target.gatewayBytesPerSecond,
            target.collectiveLatencySeconds};
}

IpuTarget withoutLinkFigures(IpuTarget target) {
    target.syncSecondsPerHop = 0;
    target.ipuLinks = 0;
    target.linkBytesPerSecond = 0;
    target.linkEfficiency = 0;
    target.linksWithinPair = 0;
    target.linksBetweenPairs = 0;
    target.furtherHopShare = 0;
    target.linkDomainIpus = 0;
    target.gatewayBytesPerSecond = 0;
    target.collectiveLatencySeconds = 0;
    return target;
}

} // namespace simulator
