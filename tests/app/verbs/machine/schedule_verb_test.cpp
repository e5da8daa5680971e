#include "core/base/file.h"
#include "core/base/json.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>

using tests::Workbench;

namespace {

std::filesystem::path scheduledExample() {
    return tests::projectRoot() / "projects" / "encoder" / "encoder.ipuproj";
}

core::Json allSchedules(const Workbench& workbench) {
    return workbench.run({"schedule", QString::fromStdString(scheduledExample().string()), "--all", "--json"})
        .json();
}

/// What a row of the catalogue's table says.
core::Json rowOf(const core::Json& report, const std::string& schedule) {
    for (const core::Json& row : report["schedules"])
        if (row["schedule"] == schedule)
            return row;
    return nullptr;
}

} // namespace

class ScheduleVerbTest : public QObject {
    Q_OBJECT

private slots:
    void eachScheduleHasTheFiguresThatARunOfItGives() {
        const Workbench workbench;
        const core::Json all = allSchedules(workbench);
        QVERIFY(all["schedules"].size() >= 6);
        int compared = 0;
        for (const char* schedule : {"Grouped", "Sequential", "1F1B"}) {
            const core::Json row = rowOf(all, schedule);
            QVERIFY2(row.is_object(), schedule);
            if (row.contains("refusal") && row["refusal"].is_string())
                continue;
            const auto run = workbench.run({"run", QString::fromStdString(scheduledExample().string()),
                                            "--no-numerics", "--database", "runs.sqlite", "--json", "--set",
                                            QStringLiteral("pipeline.schedule=%1").arg(schedule)});
            QVERIFY2(run.code == 0 || run.code == 1, run.err.constData());
            const core::Json summary = run.json();
            QCOMPARE(row["step_cycles"].get<std::int64_t>(), summary["step_cycles"].get<std::int64_t>());
            QCOMPARE(row["idle_fraction"].get<double>(), summary["idle_fraction"].get<double>());
            ++compared;
        }
        QVERIFY(compared >= 2);
    }

    void whatCannotRunSaysWhy() {
        const Workbench workbench;
        const auto answer =
            workbench.run({"schedule", QString::fromStdString(scheduledExample().string()), "--all", "--json",
                           "--set", "pipeline.gradient_accumulation_steps_per_replica=3"});
        const core::Json row = rowOf(answer.json(), "Grouped");
        QVERIFY(row["refusal"].is_string());
        QVERIFY(row["step_cycles"].is_null());
    }

    void aTableStaysWithAProjectThatIsWrittenElsewhere() {
        const Workbench workbench;
        const QString example = QString::fromStdString(scheduledExample().string());
        const auto cells = workbench.run({"schedule", example, "--cells", "-o", "slots.csv"});
        QVERIFY2(cells.code == 0, cells.err.constData());
        core::Json project = core::parseJson(core::readFile(scheduledExample()).value(), "example").value();
        project["pipeline"]["schedule"] = {{"table", "slots.csv"}};
        QVERIFY(core::writeFileAtomically(workbench.path("here.ipuproj"), project.dump(),
                                          core::Overwrite::Refuse));
        std::filesystem::create_directory(workbench.path("below"));
        const auto planned =
            workbench.run({"plan", "here.ipuproj", "--stages", "4", "-o", "below/there.ipuproj"});
        QVERIFY2(planned.code == 0, planned.err.constData());
        const auto there = workbench.run({"schedule", "below/there.ipuproj"});
        QVERIFY2(there.code == 0, there.err.constData());
        QVERIFY2(there.out.startsWith("Table training"), there.out.constData());
    }

    /// Every schedule printed as cells is read back as the same cells, with and without recomputation; and
    /// what they say takes the same cycles whether it was read once or twice.
    void everyTableComesBackFromItsCells_data() {
        QTest::addColumn<QString>("schedule");
        for (const char* name :
             {"Grouped", "Interleaved", "Sequential", "1F1B", "GPipe", "Interleaved1F1B", "ZB-H1", "ZB-H2"})
            QTest::newRow(name) << name;
    }

    void everyTableComesBackFromItsCells() {
        QFETCH(QString, schedule);
        const Workbench workbench;
        int compared = 0;
        for (int stages = 2; stages <= 5; ++stages) {
            for (const QString& mode : {QString(), QString("Auto"), QString("RecomputeThenBackpropagate"),
                                        QString("RecomputeAndBackpropagateInterleaved")}) {
                QStringList shape{"schedule", "--stages", QString::number(stages), "--micro-batches",
                                  QString::number(4 * stages)};
                if (schedule == "Interleaved1F1B") // which gives every IPU several stages
                    shape << "--device-mapping" << QString("0,1,0,1,0").left(2 * stages - 1);
                const QStringList recompute =
                    mode.isEmpty() ? QStringList() : QStringList{"--recompute", mode};
                const Answer cells =
                    workbench.run(shape + recompute + QStringList{"--schedule", schedule, "--cells"});
                if (cells.code == 1)
                    continue; // the schedule has no such mode, or no such number of stages
                QVERIFY2(cells.code == 0, cells.err.constData());
                workbench.write("slots.csv", cells.out.toStdString());
                const Answer again =
                    workbench.run(shape + recompute + QStringList{"--table", "slots.csv", "--cells"});
                QVERIFY2(again.code == 0, again.err.constData());
                QCOMPARE(again.out, cells.out);
                ++compared;
            }
        }
        QVERIFY(compared >= 2);
    }

    /// Schedules whose IPUs do not meet between slots, as those of a table do not.
    void aTableTakesTheCyclesOfItsSchedule() {
        const Workbench workbench;
        const core::Json example =
            core::parseJson(core::readFile(scheduledExample()).value(), "example").value();
        QVERIFY(
            core::writeFileAtomically(workbench.path("p.ipuproj"), example.dump(), core::Overwrite::Refuse));
        for (const char* recompute : {"false", "true"}) {
            const QStringList option{"--set", QString("ipu_config.allow_recompute=%1").arg(recompute)};
            for (const char* schedule : {"Sequential", "1F1B", "GPipe", "ZB-H1"}) {
                const QStringList own{"--set", QString("pipeline.schedule=%1").arg(schedule)};
                const QStringList table{"--set", R"(pipeline.schedule={"table": "slots.csv"})"};
                const Answer cells = workbench.run(
                    QStringList{"schedule", "p.ipuproj", "--cells", "-o", "slots.csv", "--force"} + own +
                    option);
                QVERIFY2(cells.code == 0, cells.err.constData());
                const QStringList run{"run", "p.ipuproj", "--no-numerics", "--json"};
                const core::Json first = workbench.run(run + own + option).json();
                const core::Json again = workbench.run(run + table + option).json();
                QVERIFY2(first["step_cycles"] == again["step_cycles"], schedule);
                QVERIFY2(first["memory"] == again["memory"], schedule);
            }
        }
    }

    void figuresNeedStages() {
        const Workbench workbench;
        const auto alone = workbench.run({"schedule", "--all", "--stages", "2", "--micro-batches", "4"});
        QCOMPARE(alone.code, 2);
        QVERIFY2(alone.err.contains("--all"), alone.err.constData());
    }

    void aPictureHasThemAll() {
        const Workbench workbench;
        const auto answer = workbench.run({"render", QString::fromStdString(scheduledExample().string()),
                                           "--view", "schedules", "-o", "all.svg"});
        QVERIFY2(answer.code == 0, answer.err.constData());
        const auto followed = workbench.run({"render", QString::fromStdString(scheduledExample().string()),
                                             "--view", "schedules", "--micro-batch", "3", "-o", "one.svg"});
        QCOMPARE(followed.code, 2);
        QVERIFY2(followed.err.contains("--micro-batch"), followed.err.constData());
        const auto text = core::readFile(workbench.path("all.svg"));
        QVERIFY(text.has_value());
        QVERIFY(text->find("ZB-H1") != std::string::npos);
    }
};

REGISTER_TEST("schedule_verb", ScheduleVerbTest)
#include "schedule_verb_test.moc"
