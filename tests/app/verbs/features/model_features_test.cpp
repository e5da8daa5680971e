#include "core/base/file.h"
#include "tests/app/verbs/features/shown_feature.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>
#include <cmath>

using tests::Codes;
using tests::ShownFeature;

/// The commands of `features` about models and their execution, and the figures that they are there for.
class ModelFeaturesTest : public QObject {
    Q_OBJECT

private slots:
    void p1TrainsEvaluatesAndPredicts() {
        const ShownFeature shown("P1");
        QCOMPARE(shown.codes(), Codes({0, 0, 0}));
        const auto losses = shown.losses(0);
        // Ten classes at first alike.
        QVERIFY(std::abs(losses.front() - std::log(10.0)) < 0.05);
        QVERIFY(losses.back() < losses.front() - 0.3);
        QCOMPARE(shown.losses(1).size(), std::size_t(1));
        QCOMPARE(shown.json(2)["outputs"][0]["shape"], core::Json({1920, 10}));
        const auto table = core::readFile(shown.workbench().path("p1.csv"));
        QVERIFY(table.has_value());
        QCOMPARE(std::ranges::count(*table, '\n'), 1920 + 1);
    }

    void p2HasBranchesSharedLayersAndNestedModels() {
        const ShownFeature shown("P2");
        QCOMPARE(shown.codes(), Codes({0, 0, 0}));
        const core::Json summary = shown.json(1);
        QCOMPARE(summary["output_shapes"], core::Json::parse("[[null, 4], [null, 2]]"));
        // 8 × 8 + 8 of the shared and of the nested layer once each, 8 × 4 + 4 and 8 × 2 + 2.
        QCOMPARE(summary["total_parameters"].get<int>(), 72 + 72 + 36 + 18);
        int calls = 0;
        for (const core::Json& entry : summary["stage_assignment"])
            calls += entry["layer"] == "shared" ? 1 : 0;
        QCOMPARE(calls, 2);
        QVERIFY(!summary["layers"][3]["layers"].empty());
        QVERIFY(shown.losses(2).back() < shown.losses(2).front());
    }

    void p3TakesARendezvousPerExecution() {
        const ShownFeature shown("P3");
        QCOMPARE(shown.codes(), Codes({0, 0, 0, 3}));
        // 4 epochs of 60 batches of 32 samples.
        const double samples = 4 * 60 * 32;
        const double extra =
            samples / shown.at(0, "/samples_per_second") - samples / shown.at(1, "/samples_per_second");
        QCOMPARE(shown.at(0, "/executions") - shown.at(1, "/executions"), 60.0 - 4.0);
        const double perLaunch = extra / (60 - 4);
        QVERIFY2(perLaunch > 60e-6 && perLaunch < 66e-6, qPrintable(QString::number(perLaunch)));
        QCOMPARE(shown.at(0, "/step_cycles"), shown.at(1, "/step_cycles"));
        QVERIFY(shown.answer(3).codes().contains("runtime-error/steps-per-execution"));
    }

    void p4ReducesAsTheMethodSays() {
        const ShownFeature shown("P4");
        QCOMPARE(shown.codes(), Codes({0, 0, 0}));
        QCOMPARE(shown.at(0, "/effective_batch"), 16.0 * 10);
        const double sum = shown.losses(0).back();
        const double mean = shown.losses(1).back();
        const double running = shown.losses(2).back();
        QVERIFY(sum < mean - 0.5);
        QVERIFY(std::abs(mean - running) < 0.01);
        const char* accumulators = "/memory/0/by_category/accumulators";
        const double share = shown.at(2, accumulators) / shown.at(1, accumulators);
        QVERIFY2(std::abs(share - 0.5) < 0.01, qPrintable(QString::number(share)));
    }
};

REGISTER_TEST("model_features", ModelFeaturesTest)
#include "model_features_test.moc"
