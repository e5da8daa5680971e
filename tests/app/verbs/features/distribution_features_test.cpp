#include "tests/app/verbs/features/shown_feature.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <cmath>

using core::Json;
using tests::Codes;
using tests::ShownFeature;

/// The commands of `features` about optimizers, distribution and executables, and the figures that they are
/// there for.
class DistributionFeaturesTest : public QObject {
    Q_OBJECT

private slots:
    void p26OptimizersKeepTheirSlots() {
        const ShownFeature shown("P26");
        QCOMPARE(shown.codes(), Codes({0, 0, 0}));
        const char* state = "/memory/0/by_category/optimizer_state";
        QCOMPARE(shown.at(0, state), 0.0);
        QCOMPARE(shown.at(1, state), 2 * shown.at(1, "/memory/0/by_category/weights"));
        QVERIFY(shown.losses(1).back() < shown.losses(0).back());
        // A scale that is a power of two is undone without a trace in float32.
        QVERIFY(std::abs(shown.losses(2).back() - shown.losses(1).back()) < 1e-3);
        QVERIFY(shown.at(2, "/stages/0/update_cycles") > shown.at(1, "/stages/0/update_cycles"));
    }

    void p27ShardsWaitForOneAnother() {
        const ShownFeature shown("P27");
        QCOMPARE(shown.codes(), Codes({0, 0, 0}));
        // One IPU works at a time: half of two is idle, and the host's feeding beside.
        QVERIFY(shown.at(0, "/idle_fraction") > 0.5);
        QVERIFY(shown.at(1, "/idle_fraction") < shown.at(0, "/idle_fraction"));
        QCOMPARE(shown.at(0, "/stages/0/fifo_depth"), 0.0);
        QCOMPARE(shown.at(1, "/stages/0/fifo_depth"), 2.0);
    }

    void p28CountsItsLoops() {
        const ShownFeature shown("P28");
        QCOMPARE(shown.codes(), Codes({0, 0, 0, 0}));
        // 60 steps in updates of 4; a sequence of 12 forward and back.
        QCOMPARE(shown.json(3)["rows"],
                 Json::parse(R"([[1, "weight updates", 15], [2, "weight updates", 1], [2, "time steps", 12],
                                 [2, "time steps", 12]])"));
    }

    void p29StartsAgainWhereACheckpointStopped() {
        const ShownFeature shown("P29");
        QCOMPARE(shown.codes(), Codes({0, 0, 0, 0, 0}));
        QCOMPARE(shown.at(1, "/executions"), 3.0 * 1024 / 16 / 8);
        QVERIFY(std::filesystem::exists(shown.workbench().path("p29.csv")));
        const double before = shown.losses(1).front();
        const double after = shown.losses(2).front();
        QVERIFY2(after < before - 0.5, qPrintable(QString::number(after)));
        QVERIFY(shown.losses(3).front() < before - 0.5);
        QCOMPARE(shown.json(4)["outputs"][0]["shape"], Json({1024, 4}));
    }

    void p30ShardsAndReducesByProcess() {
        const ShownFeature shown("P30");
        QCOMPARE(shown.codes(), Codes({0, 0, 0, 0, 3}));
        // A process shards over its own replicas only, so each takes more from streaming memory.
        QVERIFY(shown.at(1, "/step_cycles") > shown.at(0, "/step_cycles"));
        // On the hosts: at least two meetings and the gradients of both stages out and in, at 2 GB/s.
        const double bytes = shown.at(1, "/memory/0/by_category/accumulators") +
                             shown.at(1, "/memory/1/by_category/accumulators");
        const double seconds = 2 * 60e-6 + 2 * bytes / 2e9;
        const double more = (shown.at(3, "/step_cycles") - shown.at(1, "/step_cycles")) / 1.33e9;
        QVERIFY2(more > 0.8 * seconds, qPrintable(QString("%1 of %2").arg(more).arg(seconds)));
        QVERIFY(shown.answer(4).codes().contains("value-error/process-count"));
    }

    void p31RunsWhatWasCompiled() {
        const ShownFeature shown("P31");
        QCOMPARE(shown.codes(), Codes({0, 0, 0, 0, 3, 3}));
        QCOMPARE(shown.at(1, "/step_cycles"), shown.at(2, "/step_cycles"));
        QVERIFY(shown.losses(1) == shown.losses(2));
        QCOMPARE(shown.json(3)["connection"]["attaches"].get<std::string>(), std::string("never"));
        QVERIFY(shown.answer(4).codes().contains("failed-precondition/not-attached"));
        QVERIFY(shown.answer(5).codes().contains("executable/"));
    }

    void p32RoundsRaisesAndSumsInHalf() {
        const ShownFeature shown("P32");
        QCOMPARE(shown.codes(), Codes({0, 0, 1, 0}));
        QVERIFY(shown.losses(0) != shown.losses(1));
        QVERIFY(std::abs(shown.losses(0).back() - shown.losses(1).back()) < 0.01);
        QVERIFY(shown.answer(2).err.contains("[runtime-error/floating-point-exception]"));
        QVERIFY(shown.answer(2).err.contains("weight update"));
        QVERIFY(shown.at(3, "/step_cycles") < shown.at(0, "/step_cycles"));
    }
};

REGISTER_TEST("distribution_features", DistributionFeaturesTest)
#include "distribution_features_test.moc"
