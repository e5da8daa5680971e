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

/// A project of dense layers without numerics.
QString chainOf(int layers) {
    QStringList list;
    for (int layer = 0; layer < layers; ++layer)
        list << QStringLiteral(R"({"class_name": "Dense", "config": {"name": "d%1", "units": %2%3}})")
                    .arg(layer)
                    .arg(64 * (layer + 1))
                    .arg(layer == 0 ? R"(, "batch_input_shape": [null, 32])" : "");
    return QStringLiteral(R"({"format": "ipu-workbench-project", "version": 1, "name": "chain",
        "system": {"ipus": 8}, "replicas": 1,
        "model": {"class_name": "Sequential", "config": {"name": "m", "layers": [%1]}},
        "training": {"batch_size": 4, "optimizer": {"class_name": "SGD", "config": {"learning_rate": 0.1}},
          "loss": {"class_name": "MeanSquaredError", "config": {}}}})")
        .arg(list.join(','));
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
        const core::Json object = workbench.run({"schedule", example, "--cells", "--json"}).json();
        QVERIFY(object["cells"].get<std::string>() ==
                workbench.run({"schedule", example, "--cells"}).out.toStdString());
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
        QVERIFY2(there.out.startsWith("TableInStep training"), there.out.constData());
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

    /// Of every schedule, in and out of step, with every way of recomputing and any number of stages.
    void aTableTakesTheCyclesOfItsSchedule_data() { everyTableComesBackFromItsCells_data(); }

    void aTableTakesTheCyclesOfItsSchedule() {
        QFETCH(QString, schedule);
        const Workbench workbench;
        int compared = 0;
        for (int stages = 2; stages <= 5; ++stages) {
            // A layer more than stages, so that they differ.
            QStringList assignment{"0"};
            for (int stage = 0; stage < stages; ++stage)
                assignment << QString::number(stage);
            workbench.write("p.ipuproj", chainOf(stages + 1).toStdString());
            QStringList shape{
                "--set",
                "pipeline.stages=[" + assignment.join(',') + ']',
                "--set",
                QStringLiteral("pipeline.gradient_accumulation_steps_per_replica=%1").arg(4 * stages),
                "--set",
                QStringLiteral("training.steps_per_execution=%1").arg(4 * stages)};
            if (schedule == "Interleaved1F1B") // which gives every IPU several stages
                shape << "--set"
                      << "pipeline.device_mapping=[" + QString("0,1,0,1,0").left(2 * stages - 1) + ']';
            for (const QString& mode : {QString(), QString("Auto"), QString("RecomputeThenBackpropagate"),
                                        QString("RecomputeAndBackpropagateInterleaved")}) {
                const QStringList recompute =
                    mode.isEmpty() ? QStringList()
                                   : QStringList{"--set", "ipu_config.allow_recompute=true", "--set",
                                                 "pipeline.recomputation_mode=" + mode};
                const QStringList own{"--set", "pipeline.schedule=" + schedule};
                const QStringList table{"--set", R"(pipeline.schedule={"table": "slots.csv"})"};
                const Answer cells = workbench.run(
                    QStringList{"schedule", "p.ipuproj", "--cells", "-o", "slots.csv", "--force"} + shape +
                    recompute + own);
                if (cells.code == 1 || cells.err.contains("unimplemented/recomputation-mode"))
                    continue; // the schedule has no such mode, or no such number of stages
                QVERIFY2(cells.code == 0, cells.err.constData());
                const QStringList run{"run", "p.ipuproj", "--no-numerics", "--json", "--profile", "none"};
                const core::Json first = workbench.run(run + shape + recompute + own).json();
                const core::Json again = workbench.run(run + shape + recompute + table).json();
                QVERIFY2(first["step_cycles"].is_number() && first["step_cycles"] == again["step_cycles"],
                         qPrintable(QString("%1 stages %2").arg(stages).arg(mode)));
                QCOMPARE(core::toText(again["stages"]), core::toText(first["stages"]));
                QCOMPARE(core::toText(again["memory"]), core::toText(first["memory"]));
                QCOMPARE(again["idle_fraction"].get<double>(), first["idle_fraction"].get<double>());
                ++compared;
            }
        }
        QVERIFY(compared >= 2);
    }

    /// The programs of the programming system meet after every slot; those of an edited table do, too.
    void anEditedTableInStepStaysInStep() {
        const Workbench workbench;
        workbench.write("p.ipuproj", chainOf(2).toStdString());
        const QStringList shape{"--set", "pipeline.stages=[0,1]",
                                "--set", "pipeline.gradient_accumulation_steps_per_replica=4",
                                "--set", "training.steps_per_execution=4"};
        const Answer cells = workbench.run(QStringList{"schedule", "p.ipuproj", "--cells"} + shape);
        // An empty slot at the end more.
        const QByteArray edited = QByteArray(cells.out).replace("slot 7\n", "slot 7,slot 8\n");
        QVERIFY(edited != cells.out);
        const auto stepOf = [&](QByteArray table, const char* name) {
            workbench.write("slots.csv", table.toStdString());
            const core::Json run =
                workbench
                    .run(QStringList{"run", "p.ipuproj", "--no-numerics", "--json", "--set",
                                     R"(pipeline.schedule={"table": "slots.csv"})"} +
                         shape)
                    .json();
            const core::Json schedule = workbench
                                            .run(QStringList{"schedule", "p.ipuproj", "--json", "--set",
                                                             R"(pipeline.schedule={"table": "slots.csv"})"} +
                                                 shape)
                                            .json();
            return schedule["schedule"] == name ? run["step_cycles"].get<std::int64_t>() : -1;
        };
        const std::int64_t inStep = stepOf(edited, "TableInStep");
        const std::int64_t own = stepOf(QByteArray(edited).replace("ipu in step", "ipu"), "Table");
        QVERIFY2(own > 0 && inStep > own, qPrintable(QString("%1 %2").arg(own).arg(inStep)));
    }

    void aFileThatIsNoTableIsRefused() {
        const Workbench workbench;
        const QStringList shape{"schedule", "--stages", "2", "--micro-batches", "4"};
        workbench.write("empty.csv", "");
        const Answer empty = workbench.run(shape + QStringList{"--table", "empty.csv"});
        QCOMPARE(empty.code, 3);
        QVERIFY2(empty.err.contains("empty.csv:1:1: error: the file is empty") && empty.err.contains("hint:"),
                 empty.err.constData());
        workbench.write("prices.csv", "item,price\napples,3\n");
        const Answer refused = workbench.run(shape + QStringList{"--table", "prices.csv"});
        QCOMPARE(refused.code, 3);
        QVERIFY2(refused.err.contains("prices.csv:2:1: error:") && refused.err.contains("hint:"),
                 refused.err.constData());
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
