#include "core/profile/analysis/roofline.h"

#include "tests/support/stored_run.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using namespace core;

namespace {

/// Two tiles that receive 4 bytes a cycle each, and do 100 FLOP in a cycle together.
RunSummary summaryOf(std::int64_t microBatches) {
    RunSummary summary;
    summary.step = Cycles(10'000);
    summary.provenance.clockHz = 1e9;
    summary.provenance.tiles = 2;
    summary.provenance.ipusPerReplica = 2;
    summary.provenance.microBatches = microBatches;
    return summary;
}

OperationRecord operation(std::size_t id, std::int64_t compute, std::int64_t exchange, std::int64_t flops) {
    OperationRecord record;
    record.id = OperationId(id);
    record.name = "op" + std::to_string(id);
    record.layer = "dense";
    record.stage = StageId(0);
    record.compute = Cycles(compute);
    record.exchange = Cycles(exchange);
    record.flops = Flops(flops);
    record.precision = "float32";
    record.peakPerCycle = Flops(100);
    return record;
}

} // namespace

class RooflineTest : public QObject {
    Q_OBJECT

private slots:
    void sharesAreThoseOfTheTimeUnderTheRoofs() {
        OperationRecord one = operation(0, 40, 10, 2000);
        one.sync = Cycles(50);
        const Roofline result = roofline(summaryOf(3), {one}, {{1, 0}}, 4);
        const RooflinePoint& point = result.operations.front();
        QCOMPARE(point.runs, 3);
        QCOMPARE(point.cycles(), Cycles(300));
        QCOMPARE(point.flops, Flops(6000));
        // 30 cycles of 8 bytes.
        QCOMPARE(point.bytes, Bytes(240));
        QCOMPARE(*point.intensity(), 25.0);
        QCOMPARE(point.flopsPerCycle(), 20.0);
        QCOMPARE(point.shareOfPeak(), 0.2);
        QCOMPARE(point.shareOfRoof(), 0.2);
        QVERIFY(point.bound() == RoofKind::Compute);
        QCOMPARE(result.roofs.size(), std::size_t(1));
        QCOMPARE(result.ridge(result.roofs.front()), 12.5);
        // 60 of 10,000 cycles on one of two IPUs.
        QCOMPARE(result.shareOfStep(), 0.003);
        QCOMPARE(result.shareOfStep(result.stages.front()), 0.006);
    }

    void leftOfTheRidgeTheExchangeIsTheRoof() {
        const Roofline result = roofline(summaryOf(1), {operation(0, 30, 50, 1000)}, {{1, 0}}, 4);
        const RooflinePoint& point = result.operations.front();
        QVERIFY(*point.intensity() < result.ridge(result.roofs.front()));
        QVERIFY(point.bound() == RoofKind::Exchange);
        QCOMPARE(point.shareOfRoof(), 50.0 / 80);
        QCOMPARE(point.shareOfPeak(), 10.0 / 80);
    }

    void whatExchangesNothingHasNoIntensityAndWhatComputesNothingNoRoof() {
        const Roofline result =
            roofline(summaryOf(1), {operation(0, 30, 0, 1000), operation(1, 0, 20, 0)}, {{1, 0}, {1, 0}}, 4);
        QVERIFY(!result.operations[0].intensity());
        QCOMPARE(result.operations[0].shareOfRoof(), 10.0 / 30);
        QCOMPARE(*result.operations[1].intensity(), 0.0);
        QCOMPARE(result.operations[1].shareOfRoof(), 0.0);
    }

    void layersAndStagesAreTheSumsOfTheirOperations() {
        OperationRecord backward = operation(1, 80, 20, 3000);
        backward.phase = ProgramPhase::Backward;
        OperationRecord again = operation(2, 40, 10, 2000);
        again.phase = ProgramPhase::Recompute;
        OperationRecord update = operation(3, 10, 0, 500);
        update.phase = ProgramPhase::WeightUpdate;
        update.precision = "float16";
        update.peakPerCycle = Flops(400);
        update.layer = {};
        const Roofline result = roofline(summaryOf(4), {operation(0, 40, 10, 2000), backward, again, update},
                                         {{1, 0}, {1, 0}, {1, 0}, {1, 0}}, 4);
        QCOMPARE(result.layers.size(), std::size_t(2));
        QCOMPARE(result.layers[0].name, std::string("dense"));
        QCOMPARE(result.layers[0].operations, 3);
        QCOMPARE(result.layers[0].flops, Flops(4 * 7000));
        QCOMPARE(result.layers[1].name, std::string("op3"));
        QCOMPARE(result.stages.size(), std::size_t(1));
        const RooflinePoint& stage = result.stages.front();
        QCOMPARE(stage.precision, std::string("mixed"));
        // An update runs once, a forward with every micro-batch.
        QCOMPARE(stage.cycles(), Cycles(4 * (50 + 100 + 50) + 10));
        QCOMPARE(stage.atPeak, 4 * 70 + 1.25);
        // What is recomputed is no use of the step.
        QCOMPARE(stage.usefulAtPeak, 4 * 50 + 1.25);
        // The highest roof comes first.
        QCOMPARE(result.roofs[0].precision, std::string("float16"));
        QCOMPARE(result.roofs[1].perCycle, Flops(100));
    }

    void operationsOfLoopsCountAsOftenAsTheseTurn() {
        const Roofline result = roofline(summaryOf(2), {operation(0, 10, 0, 100)}, {{5, 0}}, 4);
        QCOMPARE(result.operations.front().runs, 10);
        QCOMPARE(result.operations.front().flops, Flops(1000));
    }

    void whatIsRecomputedTakesItsTimeAndIsNoUse() {
        const Roofline once = roofline(summaryOf(2), {operation(0, 10, 5, 100)}, {{1, 0}}, 4);
        const Roofline twice = roofline(summaryOf(2), {operation(0, 10, 5, 100)}, {{1, 1}}, 4);
        QCOMPARE(twice.stages.front().cycles(), Cycles(2 * once.stages.front().cycles().value()));
        QCOMPARE(twice.operations.front().runs, 4);
        QCOMPARE(twice.operations.front().shareOfPeak(), once.operations.front().shareOfPeak());
        QCOMPARE(twice.stages.front().usefulAtPeak, once.stages.front().usefulAtPeak);
    }

    void aStoredRunIsReadAndOneWithoutFiguresSaysSo() {
        tests::StoredRuns runs;
        const RunId known = runs.add();
        const auto database = ProfileDatabase::open(runs.path());
        const auto loaded = loadRoofline(*database, known);
        QVERIFY(loaded.has_value());
        QCOMPARE(loaded->run, known);
        QCOMPARE(loaded->stages.size(), std::size_t(4));
        for (const RooflinePoint& point : loaded->operations)
            QVERIFY(point.shareOfPeak() <= point.shareOfRoof() && point.shareOfRoof() <= 1);
        QCOMPARE(loadRoofline(*database, RunId(99)).error().front().code, std::string("run/unknown"));
        tests::SyntheticRun old;
        old.targetFigures.clear();
        const RunId without = runs.add(old);
        QCOMPARE(loadRoofline(*database, without).error().front().code, std::string("roofline/none"));
    }
};

REGISTER_TEST("roofline", RooflineTest)
#include "roofline_test.moc"
