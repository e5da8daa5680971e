#include "simulator/cost/communication.h"
#include "simulator/target/target_catalogue.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <cmath>

using namespace simulator;

namespace {

IpuSystem podOf(std::int64_t replicas, std::int64_t ipusPerReplica) {
    core::SystemOptions options;
    options.ipus = replicas * ipusPerReplica;
    return *makeSystem(options, ipusPerReplica, replicas);
}

/// One ring of `n` IPUs, each in a machine of its own, over a single link each.
IpuSystem singleRing(std::int64_t n) {
    IpuSystem system = podOf(n, 1);
    system.target.linksBetweenPairs = 1;
    system.target.linkDomainIpus = n;
    system.target.collectiveLatencySeconds = 0;
    system.machines = n;
    return system;
}

double seconds(const IpuSystem& system, core::Cycles cycles) {
    return static_cast<double>(cycles.value()) / system.target.clockHz;
}

core::Cycles allReduce(const IpuSystem& system, std::int64_t bytes) {
    const std::vector<std::int64_t> perIpu(static_cast<std::size_t>(system.ipusPerReplica), bytes);
    return collectiveCost(system, CollectiveKind::AllReduce, perIpu).total();
}

} // namespace

class CommunicationTest : public QObject {
    Q_OBJECT

private slots:
    /// Published: 670 MB over one link of 13.6 GB/s take 73.9 ms on 4 IPUs, 92.4 ms on 16.
    void ringGivesThePublishedExample() {
        QVERIFY(std::abs(seconds(singleRing(4), allReduce(singleRing(4), 670000000)) - 73.9e-3) < 0.1e-3);
        QVERIFY(std::abs(seconds(singleRing(16), allReduce(singleRing(16), 670000000)) - 92.4e-3) < 0.1e-3);
    }

    void oneReplicaHasNothingToReduce() { QCOMPARE(allReduce(podOf(1, 4), 1000000).value(), 0); }

    void reduceScatterAndAllGatherMakeAnAllReduce() {
        const IpuSystem system = podOf(16, 1);
        const std::int64_t bytes[] = {51000000};
        const auto cost = [&](CollectiveKind kind) { return collectiveCost(system, kind, bytes); };
        const auto all = cost(CollectiveKind::AllReduce);
        const auto halves =
            cost(CollectiveKind::ReduceScatter).withinMachine + cost(CollectiveKind::AllGather).withinMachine;
        QVERIFY(std::abs((all.withinMachine - halves).value()) <= 2);
        QCOMPARE(all.sentPerIpu.value(), 2 * 51000000LL * 15 / 16);
    }

    /// A replica of one IPU brings one copy of the gradients to its machine's border, one of four IPUs all
    /// four parts.
    void machineBordersCarryTheSumOfAReplicasIpus() {
        const IpuSystem singles = podOf(16, 1);
        const IpuSystem quads = podOf(4, 4);
        const std::int64_t one[] = {40000000};
        const std::int64_t four[] = {40000000, 40000000, 40000000, 40000000};
        const auto a = collectiveCost(singles, CollectiveKind::AllReduce, one);
        const auto b = collectiveCost(quads, CollectiveKind::AllReduce, four);
        QVERIFY(std::abs(ratio(b.acrossMachines, a.acrossMachines) - 4) < 0.02);
        QCOMPARE(b.withinMachine.value(), 0);
        QVERIFY(a.withinMachine.value() > 0);
    }

    /// The first machine of a replica reaches the next replica only through the machines between.
    void aReplicaOfSeveralMachinesPassesAllItsGradientsOn() {
        const IpuSystem within = podOf(2, 4);
        const IpuSystem across = podOf(2, 8);
        const auto four =
            collectiveCost(within, CollectiveKind::AllReduce, std::vector<std::int64_t>(4, 80000000));
        const auto eight =
            collectiveCost(across, CollectiveKind::AllReduce, std::vector<std::int64_t>(8, 40000000));
        QCOMPARE(eight.acrossMachines, four.acrossMachines);
    }

    void gatewaysAreSlowerThanLinks() {
        IpuSystem pod = podOf(64, 1);
        const core::Cycles gateways = allReduce(pod, 50000000);
        pod.target.linkDomainIpus = 64;
        QVERIFY(allReduce(pod, 50000000) < gateways);
    }

    void moreReplicasNeverReduceFaster() {
        core::Cycles last;
        for (std::int64_t replicas = 1; replicas <= 256; replicas *= 2) {
            const core::Cycles cycles = allReduce(podOf(replicas, 1), 10000000);
            QVERIFY(cycles >= last);
            last = cycles;
        }
    }

    void smallerGroupsAreCheaper() {
        const IpuSystem system = podOf(16, 1);
        const std::int64_t bytes[] = {10000000};
        QVERIFY(collectiveCost(system, CollectiveKind::AllReduce, bytes, 4).total() <
                collectiveCost(system, CollectiveKind::AllReduce, bytes).total());
        QCOMPARE(collectiveCost(system, CollectiveKind::AllReduce, bytes, 4).acrossMachines.value(), 0);
        // Replicas that are 4 apart are in different machines.
        QVERIFY(collectiveCost(system, CollectiveKind::AllReduce, bytes, 4, true).acrossMachines.value() > 0);
    }

    void copiesTakeTheirRoutesRate() {
        const IpuSystem system = podOf(1, 4);
        QCOMPARE(interIpuCopyCycles(system, 2, 2, 1000000).value(), 0);
        const core::Cycles pair = interIpuCopyCycles(system, 0, 1, 1000000);
        const core::Cycles rung = interIpuCopyCycles(system, 0, 2, 1000000);
        QVERIFY(pair < rung);
        QVERIFY(std::abs(seconds(system, pair) - 1e6 / (4 * 16e9 * 0.85) - 600 / 1.33e9) < 0.1e-6);
    }

    void hostTransfersWaitForTheRendezvousFirst() {
        const IpuTarget ipu2 = findTarget("ipu2")->target;
        const HostTransfer small = hostTransfer(ipu2, 4);
        QCOMPARE(small.begin.value(), 80000);
        QVERIFY(std::abs(static_cast<double>(small.data.value()) - 1500) < 5);
        const HostTransfer large = hostTransfer(ipu2, 40044000);
        QVERIFY(std::abs(static_cast<double>(large.data.value()) / 2641488.4 - 1) < 0.01);
        // The IPUs leave it together, whatever its size.
        QCOMPARE(small.end.value(), ipu2.globalSyncCycles);
        QCOMPARE(small.total(), small.begin + small.data + small.end);
        QCOMPARE(hostTransfer(ipu2, 0).total().value(), 0);
        QVERIFY(synchronousHostCycles(ipu2, 40044000) > large.total());
    }

    void replicasOfAMachineShareItsHostLink() {
        const std::int64_t bytes = 10000000;
        const core::Cycles alone = hostFeedCycles(podOf(1, 1), bytes);
        QCOMPARE(alone, hostTransfer(podOf(1, 1).target, bytes).data);
        const IpuSystem four = podOf(4, 1);
        QVERIFY(std::abs(seconds(four, hostFeedCycles(four, bytes)) - 4 * 1e7 / 32e9) < 1e-6);
        // More machines bring more links; larger replicas are fewer.
        QCOMPARE(hostFeedCycles(podOf(16, 1), bytes), hostFeedCycles(four, bytes));
        QCOMPARE(hostFeedCycles(podOf(4, 4), bytes), alone);
    }

    void streamingMemoryIsSharedOutOverReplicas() {
        const IpuSystem one = podOf(1, 1);
        QCOMPARE(shardedFetchCycles(one, 1000000), streamingMemoryCycles(one.target, 1000000));
        const IpuSystem four = podOf(4, 1);
        QVERIFY(shardedFetchCycles(four, 1000000) > streamingMemoryCycles(four.target, 250000));
    }
};

REGISTER_TEST("communication", CommunicationTest)
#include "communication_test.moc"
