#include "simulator/target/target_catalogue.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <cmath>

using namespace simulator;

namespace {

IpuTarget named(const char* name) {
    return findTarget(name)->target;
}

} // namespace

class TargetCatalogueTest : public QObject {
    Q_OBJECT

private slots:
    void knowsTheThreeTargets() {
        QVERIFY(findTarget("ipu1") && findTarget("ipu2") && findTarget("bow"));
        QVERIFY(!findTarget("IPU2"));
        QCOMPARE(named("ipu1").tiles, 1216);
        QCOMPARE(named("ipu2").tiles, 1472);
        QCOMPARE(named("bow").tiles, 1472);
        QCOMPARE(named("ipu1").memoryPerTileBytes, 262144);
        QCOMPARE(named("ipu2").memoryPerTileBytes, 638976);
        QCOMPARE(named("ipu2").executableBytesPerTile, 212992);
    }

    void everyFigureHasASource() {
        for (const CatalogueTarget& entry : targetCatalogue()) {
            QCOMPARE(entry.sources.size(), targetFigures().size());
            for (std::size_t i = 0; i < targetFigures().size(); ++i) {
                QCOMPARE(entry.sources[i].key, targetFigures()[i].key);
                QVERIFY(!entry.sources[i].source.empty());
            }
        }
    }

    void everyFigureKeepsItsOwnBounds() {
        for (const CatalogueTarget& entry : targetCatalogue())
            for (const TargetFigure& figure : targetFigures()) {
                QVERIFY2(figureValue(entry.target, figure) >= figure.low, figure.key.data());
                QVERIFY2(figureValue(entry.target, figure) <= figure.high, figure.key.data());
            }
    }

    /// Published: 124.5 / 31.1, 250 / 62.5 and 350 / 87 TFLOP/s.
    void peakRatesFollowFromUnitsTilesAndClock() {
        const auto peak = [](const IpuTarget& t, std::int64_t units, double elementsPerCycle) {
            return 2e-12 * static_cast<double>(units * t.tiles) * elementsPerCycle * t.clockHz;
        };
        const auto near = [](double a, double b) { return std::abs(a / b - 1) < 0.006; };
        const IpuTarget ipu1 = named("ipu1");
        const IpuTarget ipu2 = named("ipu2");
        const IpuTarget bow = named("bow");
        QVERIFY(near(peak(ipu1, ipu1.convUnitsHalfHalf, 4), 124.5));
        QVERIFY(near(peak(ipu1, ipu1.convUnitsFloat, 2), 31.1));
        QVERIFY(near(peak(ipu2, ipu2.convUnitsHalfHalf, 4), 250));
        QVERIFY(near(peak(ipu2, ipu2.convUnitsFloat, 2), 62.5));
        QVERIFY(near(peak(bow, bow.convUnitsHalfHalf, 4), 350));
        QVERIFY(near(peak(bow, bow.convUnitsFloat, 2), 87));
    }

    void bowIsIpu2AtAHigherClock() {
        IpuTarget bow = named("bow");
        bow.name = "ipu2";
        bow.clockHz = 1.33e9;
        QVERIFY(bow == named("ipu2"));
    }

    void convertsSecondsToWholeCycles() {
        const IpuTarget ipu2 = named("ipu2");
        QCOMPARE(ipu2.cyclesIn(0).value(), 0);
        QCOMPARE(ipu2.cyclesIn(80000 / 1.33e9).value(), 80000);
        QCOMPARE(ipu2.cyclesIn(1).value(), 1330000000);
        QVERIFY(ipu2.cyclesIn(1e30).value() > 0);
    }
};

REGISTER_TEST("target_catalogue", TargetCatalogueTest)
#include "target_catalogue_test.moc"
