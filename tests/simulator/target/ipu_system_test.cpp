#include "simulator/target/ipu_system.h"
#include "simulator/target/link_topology.h"
#include "simulator/target/target_catalogue.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <cmath>

using namespace simulator;

namespace {

core::SystemOptions systemOf(std::int64_t ipus) {
    core::SystemOptions options;
    options.ipus = ipus;
    return options;
}

} // namespace

class IpuSystemTest : public QObject {
    Q_OBJECT

private slots:
    void takesAsManyMachinesAsTheIpusNeed() {
        QCOMPARE(makeSystem(systemOf(1), 1, 1)->machines, 1);
        QCOMPARE(makeSystem(systemOf(16), 4, 4)->machines, 4);
        QCOMPARE(makeSystem(systemOf(256), 4, 64)->machines, 64);
        QCOMPARE(makeSystem(systemOf(16), 4, 4)->machineOf(5), 1);
    }

    void refusesTooFewMachinesAndUnknownTargets() {
        core::SystemOptions options = systemOf(16);
        options.machines = 2;
        QCOMPARE(makeSystem(options, 4, 4).error().front().code, std::string("system/machines"));
        options.machines = 8;
        QCOMPARE(makeSystem(options, 4, 4)->ipusPerMachine(), 2);
        options.target = "ipu9";
        QCOMPARE(makeSystem(options, 4, 4).error().front().code, std::string("target/unknown"));
    }

    void appliesTheOverridesOfTheProject() {
        core::SystemOptions options = systemOf(2);
        options.other["link_efficiency"] = 0.5;
        QCOMPARE(makeSystem(options, 2, 1)->target.linkEfficiency, 0.5);
        options.other["link_efficency"] = 0.5;
        QVERIFY(!makeSystem(options, 2, 1));
    }

    void placesVirtualIpusInSelectionOrder() {
        const auto snake = makeSystem(systemOf(4), 4, 1, SelectionOrder::Snake);
        QCOMPARE(snake->physicalIndex, (std::vector<std::int64_t>{0, 1, 3, 2}));
        QCOMPARE(routeInReplica(*snake, 1, 2).hops, 1);
        QCOMPARE(routeInReplica(*makeSystem(systemOf(4), 4, 1), 1, 2).hops, 2);
    }

    void ratesRoutesByTheirLinksAndHops() {
        const IpuTarget ipu2 = findTarget("ipu2")->target;
        QCOMPARE(routeBetween(ipu2, 3, 3).level, LinkLevel::Same);
        QCOMPARE(routeBetween(ipu2, 0, 1).bytesPerSecond, 4 * 16e9 * 0.85);
        QCOMPARE(routeBetween(ipu2, 0, 2).bytesPerSecond, 2 * 16e9 * 0.85);
        // Over an IPU between, less; along the ladder less with every rung.
        QCOMPARE(routeBetween(ipu2, 1, 2).bytesPerSecond, 2 * 16e9 * 0.85 / 1.25);
        QCOMPARE(routeBetween(ipu2, 0, 6).bytesPerSecond, 2 * 16e9 * 0.85 / 1.5);
        QCOMPARE(routeBetween(ipu2, 15, 16).level, LinkLevel::Gateway);
        // Published with links of 16 GiB/s: 1 MB inside a pair takes 17.1 µs.
        IpuTarget binary = ipu2;
        binary.linkBytesPerSecond = 16.0 * 1024 * 1024 * 1024;
        const double seconds = 1e6 / routeBetween(binary, 0, 1).bytesPerSecond;
        QVERIFY(std::abs(seconds - 17.1e-6) < 0.05e-6);
    }

    void syncsOverMoreHopsTakeLonger() {
        const IpuTarget ipu2 = findTarget("ipu2")->target;
        QCOMPARE(globalSync(ipu2, 1).value(), 126);
        QCOMPARE(globalSync(ipu2, 2).value(), 600);
        // 1 + 32 hops there and back: ceil(15e-9 · 1.33e9 · 66).
        QCOMPARE(globalSync(ipu2, 128).value(), 1317);
        core::Cycles last;
        for (std::int64_t n = 1; n <= 256; ++n) {
            QVERIFY(globalSync(ipu2, n) >= last);
            last = globalSync(ipu2, n);
        }
    }
};

REGISTER_TEST("ipu_system", IpuSystemTest)
#include "ipu_system_test.moc"
