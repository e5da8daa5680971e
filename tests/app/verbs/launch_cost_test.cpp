#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>
#include <cmath>

using tests::Answer;
using tests::Workbench;

namespace {

/// The tutorial's model without stages, 60 steps an epoch.
core::Json runOf(const Workbench& workbench, int stepsPerExecution, const char* mode = "train") {
    const QString project = QString::fromStdString(
        (tests::projectRoot() / "projects/tutorial/2-single-sequential.ipuproj").string());
    const Answer answer =
        workbench.run({"run", project, "--no-numerics", "--mode", mode, "--json", "--database", "runs.sqlite",
                       "--set", "training.steps_per_epoch=60", "--set", "training.epochs=1", "--set",
                       QStringLiteral("training.steps_per_execution=%1").arg(stepsPerExecution)});
    return answer.json();
}

/// Sum over the executions of a run.
double totalCycles(const Workbench& workbench, const core::Json& run) {
    const core::Json rows =
        workbench
            .run({"sql",
                  QStringLiteral("SELECT sum(duration_cycles) FROM v_execution WHERE run = %1")
                      .arg(run["run"].get<int>()),
                  "--database", "runs.sqlite", "--json"})
            .json()["rows"];
    return rows[0][0].get<double>();
}

} // namespace

/// What a launch of the compiled program costs, by the verbs that show it.
class LaunchCostTest : public QObject {
    Q_OBJECT

private slots:
    void sixtyStepsCostTheirStepsAndTheirLaunches() {
        const Workbench workbench;
        double before = 1e300;
        double single = 0;
        for (const int steps : {1, 4, 60}) {
            const core::Json run = runOf(workbench, steps);
            const int launches = 60 / steps;
            QCOMPARE(run["executions"].get<int>(), launches);
            const double total = totalCycles(workbench, run);
            const double launch = 60e-6 * run["target"]["clock_hz"].get<double>();
            const double expected = 60 * run["step_cycles"].get<double>() + launches * launch;
            QVERIFY2(std::abs(total / expected - 1) < 0.01, qPrintable(QString::number(total / expected)));
            QVERIFY(total < before);
            before = total;
            single = steps == 1 ? total : single;
        }
        // A step of this model takes little more than a launch.
        QVERIFY2(single / before > 1.4, qPrintable(QString::number(single / before)));
    }

    void theThroughputCountsLaunchesInEveryMode_data() {
        QTest::addColumn<QString>("mode");
        for (const char* mode : {"train", "evaluate", "predict"})
            QTest::newRow(mode) << mode;
    }
    void theThroughputCountsLaunchesInEveryMode() {
        QFETCH(const QString, mode);
        const Workbench workbench;
        double before = 0;
        for (const int steps : {1, 4, 60}) {
            const core::Json run = runOf(workbench, steps, mode.toLatin1().constData());
            const double seconds = totalCycles(workbench, run) / run["target"]["clock_hz"].get<double>();
            const double samples = 60.0 * 32;
            const double shown = run["samples_per_second"].get<double>();
            QVERIFY2(std::abs(shown * seconds / samples - 1) < 1e-9,
                     qPrintable(QString::number(shown * seconds / samples)));
            QVERIFY(shown > before);
            before = shown;
        }
    }

    void aGraphLaunchAndAnEagerOneCostTheSame() {
        const Workbench workbench;
        const QString project = QString::fromStdString(
            (tests::projectRoot() / "projects/tutorial/2-single-sequential.ipuproj").string());
        const core::Json json =
            workbench
                .run({"compare", "--execution", project, "--json", "--set", "training.steps_per_execution=1"})
                .json();
        const core::Json& rows = json["executions"];
        QCOMPARE(rows.size(), std::size_t(2));
        const auto perLaunch = [](const core::Json& row) {
            return row["launch_cycles"].get<double>() / row["launches_per_update"].get<double>();
        };
        const core::Json run = runOf(workbench, 1);
        const double rendezvous = 60e-6 * run["target"]["clock_hz"].get<double>();
        QVERIFY(std::abs(perLaunch(rows[1]) / rendezvous - 1) < 0.01);
        QVERIFY(perLaunch(rows[0]) >= rendezvous && perLaunch(rows[0]) < 1.05 * rendezvous);
    }
};

REGISTER_TEST("launch_cost", LaunchCostTest)
#include "launch_cost_test.moc"
