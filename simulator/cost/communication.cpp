#include "simulator/cost/communication.h"

#include "core/base/quantity.h"
#include <algorithm>
#include <numeric>

namespace simulator {

namespace {

using core::real;

core::Cycles transferCycles(const IpuTarget& target, double bytes, double bytesPerSecond) {
    return bytes <= 0 ? core::Cycles(0) : target.cyclesIn(bytes / bytesPerSecond);
}

/// How often the data of a ring goes round.
int rounds(CollectiveKind kind) {
    return kind == CollectiveKind::AllReduce ? 2 : 1;
}

core::Cycles ringCycles(const IpuTarget& target, CollectiveKind kind, std::int64_t members, double bytes,
                        double bytesPerSecond) {
    if (members <= 1)
        return {};
    const double part = real(members - 1) / real(members);
    const double seconds =
        part * bytes / bytesPerSecond + real(members - 1) * target.collectiveLatencySeconds;
    return target.cyclesIn(rounds(kind) * seconds);
}

double linkRate(const IpuTarget& target, std::int64_t links) {
    return real(links) * target.linkBytesPerSecond * target.linkEfficiency;
}

/// Members of a collective's group, and how many of them are in one machine.
struct Group {
    std::int64_t members = 1;
    std::int64_t perMachine = 1;
};

Group groupOf(const IpuSystem& system, std::int64_t groupSize, bool orthogonal) {
    Group group;
    group.members = groupSize > 0 ? std::min(groupSize, system.replicas) : system.replicas;
    group.members = std::max<std::int64_t>(group.members, 1);
    const std::int64_t perReplica = std::max<std::int64_t>(system.ipusPerReplica, 1);
    std::int64_t replicasPerMachine = std::max<std::int64_t>(system.ipusPerMachine() / perReplica, 1);
    if (orthogonal) {
        const std::int64_t apart = std::max<std::int64_t>(system.replicas / group.members, 1);
        replicasPerMachine = core::ceilDivide(replicasPerMachine, apart);
    }
    group.perMachine = std::min(group.members, replicasPerMachine);
    return group;
}

/// What crosses a border between machines: the parts of all IPUs of a replica. A replica of several machines
/// does not spread them over its borders, because its first machine reaches the next replica's first machine
/// only through the machines between.
double borderBytes(std::span<const std::int64_t> bytesPerIpu) {
    return std::accumulate(bytesPerIpu.begin(), bytesPerIpu.end(), 0.0);
}

} // namespace

core::Cycles interIpuCopyCycles(const IpuSystem& system, std::int64_t from, std::int64_t to,
                                std::int64_t bytes) {
    if (from == to)
        return {};
    const Route route = routeInReplica(system, from, to);
    const IpuTarget& target = system.target;
    const core::Cycles hops = target.cyclesIn(real(route.hops) * target.syncSecondsPerHop);
    return transferCycles(target, real(bytes), route.bytesPerSecond) + globalSync(target, 2) + hops;
}

CollectiveCost collectiveCost(const IpuSystem& system, CollectiveKind kind,
                              std::span<const std::int64_t> bytesPerIpu, std::int64_t groupSize,
                              bool orthogonal) {
    CollectiveCost cost;
    const Group group = groupOf(system, groupSize, orthogonal);
    if (group.members <= 1 || bytesPerIpu.empty())
        return cost;
    const IpuTarget& target = system.target;
    const double most = real(*std::ranges::max_element(bytesPerIpu));
    if (kind == CollectiveKind::AllToAll)
        return {transferCycles(target, most * real(group.members - 1) / real(group.members),
                               linkRate(target, target.linksBetweenPairs)),
                {},
                globalSync(target, group.members),
                core::Bytes(static_cast<std::int64_t>(most))};
    // The ladder of a machine closes to a ring that runs both ways at once.
    constexpr std::int64_t directions = 2;
    cost.withinMachine = ringCycles(target, kind, group.perMachine, most,
                                    linkRate(target, directions * target.linksBetweenPairs));
    const std::int64_t machines = core::ceilDivide(group.members, group.perMachine);
    const bool overLinks = system.ipus <= target.linkDomainIpus;
    const double border =
        overLinks ? linkRate(target, target.linksBetweenPairs) : target.gatewayBytesPerSecond;
    cost.acrossMachines = ringCycles(target, kind, machines, borderBytes(bytesPerIpu), border);
    cost.sync = globalSync(target, system.ipus);
    const double sent = rounds(kind) * most * real(group.members - 1) / real(group.members);
    cost.sentPerIpu = core::Bytes(static_cast<std::int64_t>(sent));
    return cost;
}

core::Cycles hostRendezvous(const IpuTarget& target) {
    return target.cyclesIn(target.hostLatencySeconds);
}

HostTransfer hostTransfer(const IpuTarget& target, std::int64_t bytes) {
    if (bytes <= 0)
        return {};
    return {hostRendezvous(target),
            target.cyclesIn(target.hostDataSetUpSeconds + real(bytes) / target.hostBytesPerSecond),
            core::Cycles(target.globalSyncCycles)};
}

core::Cycles hostFeedCycles(const IpuSystem& system, std::int64_t bytes) {
    if (bytes <= 0)
        return {};
    const double shared = real(bytes) * real(groupOf(system, 0, false).perMachine);
    return std::max(hostTransfer(system.target, bytes).data,
                    transferCycles(system.target, shared, system.target.hostMachineBytesPerSecond));
}

core::Cycles synchronousHostCycles(const IpuTarget& target, std::int64_t bytes) {
    return transferCycles(target, real(bytes), target.hostSynchronousBytesPerSecond);
}

CollectiveCost hostReductionCost(const IpuSystem& system, std::span<const std::int64_t> bytesPerIpu) {
    const IpuTarget& target = system.target;
    CollectiveCost cost =
        collectiveCost(system, CollectiveKind::AllReduce, bytesPerIpu, system.localReplicas());
    const double bytes = borderBytes(bytesPerIpu);
    const auto oneWay = synchronousHostCycles(target, static_cast<std::int64_t>(bytes));
    cost.acrossMachines +=
        (hostRendezvous(target) + oneWay) * 2 +
        ringCycles(target, CollectiveKind::AllReduce, system.processes, bytes, target.gatewayBytesPerSecond);
    return cost;
}

core::Cycles streamingMemoryCycles(const IpuTarget& target, std::int64_t bytes) {
    return transferCycles(target, real(bytes), target.streamingMemoryBytesPerSecond);
}

core::Cycles shardedFetchCycles(const IpuSystem& system, std::int64_t bytes) {
    const std::int64_t shards = std::max<std::int64_t>(system.localReplicas(), 1);
    const std::int64_t whole[] = {bytes};
    return streamingMemoryCycles(system.target, core::ceilDivide(std::max<std::int64_t>(bytes, 0), shards)) +
           collectiveCost(system, CollectiveKind::AllGather, whole, shards).total();
}

namespace {

core::Cycles remoteTableCycles(const IpuSystem& system, const HostTable& table, const HostRows& rows) {
    const std::int64_t parts = std::max<std::int64_t>(system.localReplicas(), 1);
    const std::int64_t accesses = rows.update ? 2 : 1;
    if (parts == 1)
        return streamingMemoryCycles(system.target, accesses * rows.rowBytes);
    const auto exchange = [&](CollectiveKind kind, std::int64_t bytes) {
        const std::int64_t each[] = {bytes};
        return collectiveCost(system, kind, each, parts).total();
    };
    const core::Cycles indices = exchange(CollectiveKind::AllGather, parts * rows.indexBytes);
    if (table.partition == EmbeddingPartition::Encoding)
        return indices + exchange(CollectiveKind::AllToAll, rows.rowBytes) +
               streamingMemoryCycles(system.target, accesses * rows.rowBytes);
    const CollectiveKind kind = rows.update ? CollectiveKind::AllGather : CollectiveKind::ReduceScatter;
    return indices + exchange(kind, parts * rows.rowBytes) +
           streamingMemoryCycles(system.target, accesses * parts * rows.rowBytes);
}

} // namespace

core::Cycles hostTableCycles(const IpuSystem& system, const HostTable& table, const HostRows& rows) {
    if (rows.rowBytes <= 0)
        return {};
    if (table.remoteBuffer)
        return remoteTableCycles(system, table, rows);
    const core::Cycles rendezvous = hostRendezvous(system.target);
    if (rows.update)
        return rendezvous + hostFeedCycles(system, rows.indexBytes + rows.rowBytes);
    return rendezvous + rendezvous + hostFeedCycles(system, rows.indexBytes) +
           hostFeedCycles(system, rows.rowBytes);
}

} // namespace simulator
