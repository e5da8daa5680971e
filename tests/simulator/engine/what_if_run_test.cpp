#include "core/plan/schedule/schedule_catalogue.h"
#include "tests/simulator/engine/simulated_run.h"
#include "tests/support/test_registry.h"

#include <QtTest/QTest>

using core::Cycles;
using core::MemoryCategory;
using core::Project;
using core::SpanKind;
using tests::SimulatedRun;
using tests::simulatedRun;

namespace {

Project fourStages(const std::string& schedule) {
    Project project = tests::denseProject({128, 128, 256, 256, 128, 64, 32, 10}, 4);
    project.pipeline.schedule = schedule;
    project.pipeline.gradientAccumulationSteps = 16;
    if (core::scheduleDefinition(schedule).brokenRule != nullptr)
        for (const std::size_t ipu : {0, 1, 0, 1})
            project.deviceMapping.ipus.emplace_back(ipu);
    return project;
}

} // namespace

/// The schedules of the literature, run on the costs of the machine.
class WhatIfRunTest : public QObject {
    Q_OBJECT

private slots:
    void weightGradientsOfTheirOwnAddUpToTheWholeBackwardPass() {
        const SimulatedRun whole = simulatedRun(fourStages("1F1B"));
        const SimulatedRun split = simulatedRun(fourStages("ZB-H1"));
        QCOMPARE(whole.spans(SpanKind::WeightGradient), std::size_t(0));
        QCOMPARE(split.spans(SpanKind::WeightGradient), std::size_t(64));
        QCOMPARE(split.spans(SpanKind::Backward), std::size_t(64));
        for (std::size_t stage = 0; stage < 4; ++stage) {
            const auto& programs = split.executable.stages[stage];
            QVERIFY(programs.weightGradient.total() > Cycles(0));
            // The same operations in two programs; what is kept between them is copied.
            QCOMPARE(programs.backward.order.size() + programs.weightGradient.order.size(),
                     whole.executable.stages[stage].backward.order.size());
            QVERIFY(programs.backward.total() + programs.weightGradient.total() >=
                    whole.executable.stages[stage].backward.total());
        }
    }

    void whatWeightGradientsReadIsKeptForThem() {
        const SimulatedRun split = simulatedRun(fourStages("ZB-H1"));
        for (std::size_t stage = 0; stage < 4; ++stage)
            for (const simulator::Stash& stash : split.executable.gradientStashes)
                if (stash.stage.index() == stage)
                    QCOMPARE(stash.depth, static_cast<std::int64_t>(stage));
        QVERIFY(!split.executable.gradientStashes.empty());
    }

    void gpipeKeepsAllMicroBatchesAnd1F1BAsManyAsStagesFollow() {
        const SimulatedRun all = simulatedRun(fourStages("GPipe"));
        const SimulatedRun few = simulatedRun(fourStages("1F1B"));
        for (std::size_t stage = 0; stage < 4; ++stage) {
            QCOMPARE(all.summary.stages[stage].fifoDepth, std::int64_t(15));
            QCOMPARE(few.summary.stages[stage].fifoDepth, static_cast<std::int64_t>(3 - stage));
        }
        QVERIFY(all.memory(0, MemoryCategory::Stash) > few.memory(0, MemoryCategory::Stash));
    }

    void everyWhatIfFillsItsLanesAndRunsAllItsWork() {
        for (const core::ScheduleDefinition& definition : core::scheduleCatalogue()) {
            if (definition.takesTable)
                continue;
            const SimulatedRun run = simulatedRun(fourStages(std::string(definition.name)));
            const std::size_t forward = run.spans(SpanKind::Forward);
            // The last forward step of Sequential is merged into the backward one.
            QVERIFY2(forward == 64 || (definition.isSerial && forward == 48), definition.name.data());
            QCOMPARE(run.spans(SpanKind::Backward), std::size_t(64));
            QVERIFY(run.summary.fits);
            for (const core::LaneRecord& lane : run.profile.lanes()) {
                Cycles sum;
                for (const core::SpanRecord& span : run.profile.spans())
                    sum += span.lane == lane.id ? span.duration : Cycles(0);
                if (lane.kind == core::LaneKind::Compute)
                    QCOMPARE(sum, run.summary.step);
            }
        }
    }
};

REGISTER_TEST("what_if_run", WhatIfRunTest)
#include "what_if_run_test.moc"
