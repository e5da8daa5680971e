#include "simulator/engine/clock/callback_timing.h"

#include "core/profile/queries/sql_query.h"
#include "core/profile/queries/training_queries.h"
#include "core/profile/schema/profile_database.h"
#include "core/profile/writer/profile_writer.h"
#include "simulator/compiler/compile.h"
#include "simulator/engine/clock/timeline.h"
#include "simulator/engine/run.h"
#include "tests/simulator/project_support.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QtTest/QTest>

using core::CallbackRecord;
using core::Cycles;

namespace {

/// 16 steps per execution (4 updates of 4 micro-batches), 2 executions per epoch, 2 epochs.
core::Project project(std::int64_t replicas = 1) {
    core::Project made = tests::denseProject({64, 64, 64, 8}, 2);
    made.pipeline.gradientAccumulationSteps = 4;
    made.training.stepsPerExecution = 16;
    made.training.stepsPerEpoch = 32 * replicas;
    made.replicas = replicas;
    made.system.ipus = 2 * replicas;
    return made;
}

core::Project asynchronous(core::Project made) {
    made.training.asynchronousCallbacks = true;
    return made;
}

simulator::Executable compiled(const core::Project& given, core::RunMode mode = core::RunMode::Train) {
    return simulator::compile(tests::validated(given, mode)).value();
}

std::vector<CallbackRecord> calls(const simulator::Executable& executable) {
    return simulator::callbackRecords(executable, simulator::simulate(executable).timing);
}

} // namespace

/// When batch callbacks come.
class CallbackTimingTest : public QObject {
    Q_OBJECT

private slots:
    void synchronousOnesFrameTheExecution() {
        const std::vector<CallbackRecord> records = calls(compiled(project(2)));
        QCOMPARE(records.size(), std::size_t{2});
        QCOMPARE(records[0].name, std::string("on_train_batch_begin"));
        QCOMPARE(records[0].step, std::int64_t{0});
        QCOMPARE(records[0].at, Cycles(0));
        // Not after the first step has begun.
        QVERIFY(records[0].late() <= Cycles(0));
        QCOMPARE(records[1].name, std::string("on_train_batch_end"));
        QCOMPARE(records[1].step, std::int64_t{15});
        QCOMPARE(records[1].replica, std::int64_t{1});
        // The first step's results wait for the other fifteen.
        const simulator::Executable executable = compiled(project(2));
        const simulator::UpdateTiming timing = simulator::simulate(executable).timing;
        QVERIFY(records[1].late() > timing.total * 3);
    }

    void moreStepsPerExecutionDelayThem() {
        core::Project often = project();
        often.training.stepsPerExecution = 4;
        QVERIFY(calls(compiled(often))[1].late() < calls(compiled(project()))[1].late());
    }

    void asynchronousOnesComeInPairsForEveryStepAndReplica() {
        const simulator::Executable executable = compiled(asynchronous(project(2)));
        const std::vector<CallbackRecord> records = calls(executable);
        QCOMPARE(records.size(), std::size_t{16 * 2 * 2});
        const Cycles millisecond = executable.system.target.cyclesIn(1e-3);
        for (std::size_t i = 0; i < records.size(); i += 2) {
            QCOMPARE(records[i].name, std::string("on_train_batch_begin"));
            QCOMPARE(records[i + 1].name, std::string("on_train_batch_end"));
            QCOMPARE(records[i].step, static_cast<std::int64_t>(i / 4));
            QCOMPARE(records[i].replica, static_cast<std::int64_t>(i / 2 % 2));
            QCOMPARE(records[i].at, records[i + 1].at);
            // Begin comes after the step ran; the host is never ahead, and never a whole look behind.
            QVERIFY(records[i].late() > Cycles(0));
            QVERIFY(records[i + 1].late() >= Cycles(0) && records[i + 1].late() <= millisecond);
        }
    }

    void anAccumulatedOutfeedFallsBack_data() {
        QTest::addColumn<int>("mode");
        QTest::addColumn<bool>("accumulates");
        QTest::addColumn<bool>("isAsynchronous");
        const auto row = [](const char* name, core::RunMode mode, bool accumulates, bool isAsynchronous) {
            QTest::newRow(name) << static_cast<int>(mode) << accumulates << isAsynchronous;
        };
        row("fit", core::RunMode::Train, false, true);
        row("fit, accumulated", core::RunMode::Train, true, false);
        row("evaluate", core::RunMode::Evaluate, false, true);
        row("evaluate, accumulated", core::RunMode::Evaluate, true, false);
        row("predict, accumulated", core::RunMode::Predict, true, true);
    }

    void anAccumulatedOutfeedFallsBack() {
        QFETCH(int, mode);
        QFETCH(bool, accumulates);
        QFETCH(bool, isAsynchronous);
        core::Project given = asynchronous(project());
        given.pipeline.accumulateOutfeed = accumulates;
        const simulator::Executable executable = compiled(given, static_cast<core::RunMode>(mode));
        QCOMPARE(simulator::hasAsynchronousCallbacks(executable), isAsynchronous);
        QCOMPARE(calls(executable).size(), isAsynchronous ? std::size_t{32} : std::size_t{2});
        given.training.asynchronousCallbacks = false;
        QVERIFY(!simulator::hasAsynchronousCallbacks(compiled(given, static_cast<core::RunMode>(mode))));
    }

    void theRecordedRunTellsWhichStepEachCallSaw() {
        const QTemporaryDir folder;
        auto database = core::ProfileDatabase::open(folder.filePath("runs.sqlite").toStdString());
        QVERIFY(database.has_value());
        core::ProfileWriter writer(*database);
        const simulator::RunRequest request{
            tests::validated(project()), simulator::ProfileLevel::None, false, {}, "", "", ""};
        QVERIFY(simulator::run(request, writer).has_value());
        const auto run = writer.outcome();
        QVERIFY(run.has_value());
        const auto stored = core::loadCallbacks(*database, *run);
        QVERIFY(stored.has_value());
        QVERIFY(*stored == calls(compiled(project())));
        const auto rows =
            core::querySql(*database, "SELECT epoch, callback, step, called_cycles FROM v_callback "
                                      "ORDER BY execution, position");
        QVERIFY(rows.has_value());
        QCOMPARE(rows->rows.size(), std::size_t{2 * 2 * 2});
        std::vector<std::int64_t> steps;
        for (const auto& row : rows->rows)
            steps.push_back(std::get<std::int64_t>(row[2]));
        QCOMPARE(steps, (std::vector<std::int64_t>{0, 15, 16, 31, 0, 15, 16, 31}));
    }
};

REGISTER_TEST("callback_timing", CallbackTimingTest)
#include "callback_timing_test.moc"
