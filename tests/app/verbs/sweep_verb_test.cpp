#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QFile>
#include <QtTest/QTest>
#include <algorithm>
#include <csignal>
#include <filesystem>

using tests::Answer;
using tests::Workbench;

namespace {

const std::string smallSweep = R"({"format": "ipu-workbench-sweep", "version": 1, "project": "p.ipuproj",
 "grid": {"pipeline.schedule": ["Grouped", "Interleaved"],
          "pipeline.gradient_accumulation_steps_per_replica": [4, 8, 16]},
 "list": [{"replicas": 2, "system.ipus": 4}],
 "random": {"samples": 3, "seed": 5, "ranges": {"training.batch_size": [1, 4]}}})";

/// Every point is a row of its own; the number of the run differs between databases.
core::Json rowsOf(const Answer& answer) {
    core::Json rows = answer.json()["rows"];
    for (core::Json& row : rows)
        row.erase("run");
    return rows;
}

core::Json pointsIn(const Workbench& workbench, const QString& database) {
    return workbench
        .run({"sql",
              "SELECT point, state, point_values, step_cycles, peak_bytes, samples_per_second, finding FROM "
              "v_sweep_point ORDER BY point",
              "--database", database, "--json"})
        .json()["rows"];
}

/// What `run` says of a point: its figures, or why there are none.
void compareWithRun(const Workbench& workbench, const QString& project, const core::Json& values,
                    const core::Json& row) {
    QStringList line{"run",  project,  "--no-numerics", "--profile",
                     "none", "--json", "--database",    "runs.sqlite"};
    for (const auto& [path, value] : values.items())
        line << "--set" << QString::fromStdString(path + "=" + value.dump());
    const Answer answer = workbench.run(line);
    const core::Json run = answer.json();
    const std::string said = row.dump() + " " + answer.err.toStdString();
    const std::string state = row["state"].get<std::string>();
    if (state == "refused" || state == "failed") {
        QVERIFY2(answer.code == 3, said.c_str());
        const auto first = std::ranges::find_if(
            run["diagnostics"], [](const core::Json& finding) { return finding["severity"] == "error"; });
        QVERIFY2(first != run["diagnostics"].end(), said.c_str());
        QVERIFY2(row["finding"].get<std::string>().find((*first)["message"].get<std::string>()) !=
                     std::string::npos,
                 said.c_str());
        return;
    }
    QVERIFY2(run.contains("fits"), said.c_str());
    QVERIFY2(run["fits"].get<bool>() == (state == "fits"), said.c_str());
    for (const char* figure :
         {"step_cycles", "samples_per_second", "idle_fraction", "effective_batch", "ipus", "replicas"})
        QVERIFY2(row[figure] == run[figure], (figure + (" of " + said)).c_str());
    std::int64_t peak = 0;
    for (const core::Json& memory : run["memory"])
        peak = std::max(peak, memory["peak_bytes"].get<std::int64_t>());
    QVERIFY2(row["peak_bytes"].get<std::int64_t>() == peak, said.c_str());
}

} // namespace

/// The verbs `sweep` and `merge`.
class SweepVerbTest : public QObject {
    Q_OBJECT

private slots:
    void aPointHasTheFiguresOfARun() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        workbench.write("s.json", smallSweep);
        const Answer answer = workbench.run({"sweep", "s.json", "--json"});
        QVERIFY2(answer.code == 0, answer.err);
        const core::Json json = answer.json();
        QCOMPARE(json["points"].get<int>(), 10);
        for (const auto& [point, settings] :
             {std::pair{4, QStringList{"pipeline.schedule=Interleaved",
                                       "pipeline.gradient_accumulation_steps_per_replica=8"}},
              std::pair{6, QStringList{"replicas=2", "system.ipus=4"}}}) {
            QStringList line{"run", "p.ipuproj", "--no-numerics", "--json"};
            for (const QString& setting : settings)
                line << "--set" << setting;
            const core::Json run = workbench.run(line).json();
            const core::Json& row = json["rows"][static_cast<std::size_t>(point)];
            QCOMPARE(row["point"].get<int>(), point);
            for (const char* figure :
                 {"step_cycles", "samples_per_second", "idle_fraction", "effective_batch"})
                QVERIFY2(row[figure] == run[figure], figure);
            std::int64_t peak = 0;
            for (const core::Json& memory : run["memory"])
                peak = std::max(peak, memory["peak_bytes"].get<std::int64_t>());
            QCOMPARE(row["peak_bytes"].get<std::int64_t>(), peak);
        }
    }

    void randomPointsOfShippedProjectsHaveTheFiguresOfTheirRuns_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("ranges");
        const QString schedule =
            R"("pipeline.schedule": {"choices": ["Grouped", "Interleaved", "Sequential", "1F1B"]})";
        QTest::newRow("encoder")
            << "encoder/encoder.ipuproj"
            << schedule +
                   R"(, "pipeline.gradient_accumulation_steps_per_replica": {"choices": [7, 8, 16, 32, 64]},
 "training.steps_per_execution": {"choices": [64, 128]}, "training.batch_size": {"choices": [2, 4]},
 "ipu_config.allow_recompute": {"choices": [true, false]}, "system.ipus": {"choices": [2, 4, 8]}, "replicas": {"choices": [null, 1, 2]})";
        QTest::newRow("too-large")
            << "too-large/too-large.ipuproj"
            << R"("pipeline.gradient_accumulation_steps_per_replica": {"choices": [2, 4, 8]}, "training.batch_size": {"choices": [1, 8]},
 "pipeline.stages.0": {"choices": [0, 1]}, "training.steps_per_execution": {"choices": [8, 16]}, "training.steps_per_epoch": {"choices": [16]})";
        QTest::newRow("tutorial")
            << "tutorial/4-pipelined-sequential.ipuproj"
            << schedule + R"(, "pipeline.gradient_accumulation_steps_per_replica": {"choices": [4, 12, 20]},
 "pipeline.stages": {"choices": [[0, 0, 1, 1, 1, 1], [0, 1, 1, 1, 1, 1], [0, 1, 0, 1, 1, 1]]},
 "model.config.layers.2.config.units": {"choices": [128, 256]}, "training.infeed.prefetch_depth": {"choices": [1, 4]},
 "pipeline.device_mapping": {"choices": [null, [1, 0]]}, "training.epochs": {"choices": [1, 2]})";
        QTest::newRow("replicas")
            << "replicas/replicas.ipuproj"
            << R"("pipeline.gradient_accumulation_steps_per_replica": {"choices": [4, 8]}, "replicas": {"choices": [1, 2, 4]},
 "pipeline.replicated_optimizer_state_sharding": {"choices": [true, false]}, "training.loss": {"choices": ["Nothing", "MeanSquaredError"]})";
    }

    void randomPointsOfShippedProjectsHaveTheFiguresOfTheirRuns() {
        QFETCH(const QString, file);
        QFETCH(const QString, ranges);
        const Workbench workbench;
        const QString project =
            QString::fromStdString((tests::projectRoot() / "projects").string()) + "/" + file;
        workbench.write("s.json", R"({"format": "ipu-workbench-sweep", "version": 1, "project": ")" +
                                      project.toStdString() +
                                      R"(", "random": {"samples": 60, "seed": 3, "ranges": {)" +
                                      ranges.toStdString() + "}}}");
        const core::Json json =
            workbench.run({"sweep", "s.json", "--jobs", "1", "--json", "--database", "s.sqlite"}).json();
        QCOMPARE(json["points"].get<int>(), 60);
        const core::Json paths = core::Json::parse("{" + ranges.toStdString() + "}");
        for (std::size_t point = 3; point < 60; point += 8) {
            const core::Json& row = json["rows"][point];
            core::Json values = core::Json::object();
            for (const auto& [path, range] : paths.items())
                values[path] = row.contains(path) ? row[path] : core::Json();
            compareWithRun(workbench, project, values, row);
            if (QTest::currentTestFailed())
                return;
        }
    }

    void whereThingsAreOnTheCanvasMakesNoOtherSweep() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        workbench.write("s.json", smallSweep);
        QCOMPARE(workbench.run({"sweep", "s.json"}).code, 0);
        workbench.writeProject(
            "p.ipuproj",
            {{R"("version": 1,)", R"("version": 1, "canvas": {"positions": {"dense": [120, 80]}},)"}});
        const core::Json moved = workbench.run({"sweep", "s.json", "--status", "--json"}).json();
        QCOMPARE(moved["done"].get<int>(), 10);
        QCOMPARE(moved["open"].get<int>(), 0);
        workbench.writeProject("p.ipuproj", {{R"("version": 1,)", R"("version": 1, "replicas": 1,)"}});
        QCOMPARE(workbench.run({"sweep", "s.json", "--status", "--json"}).json()["done"].get<int>(), 0);
    }

    void nothingOfTheFrontIsBeatenAndNothingElseIsUnbeaten() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        workbench.write("s.json", smallSweep);
        const core::Json json = workbench.run({"sweep", "s.json", "--json"}).json();
        const auto beats = [](const core::Json& a, const core::Json& b) {
            const bool isAsGood = a["samples_per_second"] >= b["samples_per_second"] &&
                                  a["peak_bytes"] <= b["peak_bytes"] && a["ipus"] <= b["ipus"];
            return isAsGood &&
                   (a["samples_per_second"] != b["samples_per_second"] ||
                    a["peak_bytes"] != b["peak_bytes"] || a["ipus"] != b["ipus"] || a["point"] < b["point"]);
        };
        std::set<int> expected;
        for (const core::Json& row : json["rows"]) {
            bool isBeaten = row["state"] != "fits";
            for (const core::Json& other : json["rows"])
                isBeaten = isBeaten || (other["state"] == "fits" && beats(other, row));
            if (!isBeaten)
                expected.insert(row["point"].get<int>());
        }
        QCOMPARE(json["front"].get<std::set<int>>(), expected);
        QVERIFY(expected.contains(json["best"].get<int>()));
    }

    void aPointThatBreaksARuleSaysWhich() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        workbench.write("s.json", R"({"format": "ipu-workbench-sweep", "version": 1, "project": "p.ipuproj",
 "grid": {"pipeline.gradient_accumulation_steps_per_replica": [4, 3], "pipeline.schedule": ["Grouped", "Nothing"]}})");
        const core::Json rows = workbench.run({"sweep", "s.json", "--json"}).json()["rows"];
        QCOMPARE(rows[0]["state"].get<std::string>(), std::string("fits"));
        QCOMPARE(rows[2]["state"].get<std::string>(), std::string("refused"));
        QVERIFY(rows[2]["finding"].get<std::string>().find("3") != std::string::npos);
        QCOMPARE(rows[1]["state"].get<std::string>(), std::string("failed"));
        QVERIFY(rows[1]["finding"].get<std::string>().find("Nothing") != std::string::npos);
        QVERIFY(rows[1]["step_cycles"].is_null());
    }

    void reasonsWhyPointsAreNotSimulatedAreCounted() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        workbench.write("s.json", R"({"format": "ipu-workbench-sweep", "version": 1, "project": "p.ipuproj",
 "grid": {"pipeline.gradient_accumulation_steps_per_replica": [3, 5], "pipeline.schedule": ["Grup", "Groupt", "Pip"]},
 "list": [{"pipeline.gradient_accumulation_steps_per_replica": 3}, {"pipeline.gradient_accumulation_steps_per_replica": 5}]})");
        const auto result = workbench.run({"sweep", "s.json"});
        QVERIFY2(result.out.contains("6 type-error/schedule, such as: "), result.out);
        QVERIFY(result.out.indexOf("Grup") > 0);
        const core::Json json = workbench.run({"sweep", "s.json", "--resume", "--json"}).json();
        QCOMPARE(json["findings"][0]["points"].get<int>(), 6);
        QCOMPARE(json["findings"][1]["points"].get<int>(), 2);
    }

    /// Wherever a path is set: nothing is simulated before.
    void aPathThatNothingHasIsRefusedAtOnce_data() {
        QTest::addColumn<QString>("points");
        QTest::newRow("grid") << R"("project": "p.ipuproj", "grid": {"pipeline.schedul": ["Grouped"]})";
        QTest::newRow("list")
            << R"("project": "p.ipuproj", "list": [{"training.batch_size": 2}, {"pipeline.schedul": "Grouped"}])";
        QTest::newRow("random")
            << R"("project": "p.ipuproj", "random": {"samples": 3, "ranges": {"pipeline.schedul": {"choices": ["Grouped"]}}})";
        QTest::newRow("template")
            << R"("template": {"name": "mlp"}, "grid": {"template.schedul": ["Grouped"]})";
    }
    void aPathThatNothingHasIsRefusedAtOnce() {
        QFETCH(const QString, points);
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        workbench.write("s.json",
                        (R"({"format": "ipu-workbench-sweep", "version": 1, )" + points + "}").toStdString());
        for (const QStringList& more : {QStringList{}, QStringList{"--dry-run"}}) {
            const Answer answer =
                workbench.run(QStringList{"sweep", "s.json", "--database", "d.sqlite"} + more);
            QVERIFY2(answer.code == 2 || answer.code == 3, answer.out + answer.err);
            QVERIFY2(answer.err.contains("schedul") && answer.err.contains("unknown-key"), answer.err);
            QVERIFY(!std::filesystem::exists(workbench.path("d.sqlite")));
        }
    }

    void conditionsKnowWhatProjectAndTemplateLeaveOut() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        workbench.write("s.json", R"({"format": "ipu-workbench-sweep", "version": 1, "project": "p.ipuproj",
 "grid": {"training.batch_size": [1, 2]}, "where": ["pipeline.batch_serialization_iterations == 1"]})");
        QCOMPARE(workbench.run({"sweep", "s.json", "--json"}).json()["points"].get<int>(), 2);
        workbench.write("t.json",
                        R"({"format": "ipu-workbench-sweep", "version": 1, "template": {"name": "mlp"},
 "list": [{"template.inputs": 16}, {"template.classes": 300}], "where": ["template.classes <= 10"]})");
        const core::Json json = workbench.run({"sweep", "t.json", "--database", "t.sqlite", "--json"}).json();
        QCOMPARE(json["points"].get<int>(), 1);
    }

    /// A target file is part of what was simulated.
    void pointsOfAnotherTargetFileAreNotGoneOnWith() {
        const Workbench workbench;
        const auto writeTarget = [&](const char* clock) {
            workbench.write("mine.json",
                            QString(R"({"format": "ipu-workbench-target", "version": 1, "name": "mine",
                                        "based_on": "ipu2", "clock_hz": %1})")
                                .arg(clock)
                                .toStdString());
        };
        workbench.writeProject("p.ipuproj");
        workbench.write("s.json", R"({"format": "ipu-workbench-sweep", "version": 1, "project": "p.ipuproj",
 "grid": {"system.target": ["mine.json", "ipu2"], "training.batch_size": [1, 2]}})");
        writeTarget("1.2e9");
        QCOMPARE(workbench.run({"sweep", "s.json", "--shard", "1/2", "--database", "d.sqlite"}).code, 0);
        const QStringList resume{"sweep", "s.json", "--database", "d.sqlite", "--resume", "--json"};
        const QStringList status{"sweep", "s.json", "--database", "d.sqlite", "--status"};
        QVERIFY(!workbench.run(status).err.contains("sweep/changed"));
        writeTarget("0.6e9");
        const Answer told = workbench.run(status);
        QVERIFY2(told.code == 0 && told.err.contains("sweep/changed"), told.err);
        for (const QStringList& other : {QStringList{"--resume"}, {"--dry-run"}, {"--jobs", "2"}})
            QCOMPARE(workbench.run(status + other).code, 2); // it simulates nothing
        const Answer changed = workbench.run(resume);
        QVERIFY2(changed.err.contains("sweep/changed"), changed.err);
        const core::Json rows = changed.json()["rows"];
        QCOMPARE(rows.size(), std::size_t(4));
        QVERIFY(rows[0]["samples_per_second"].get<double>() <
                0.6 * rows[2]["samples_per_second"].get<double>());
        const Answer same = workbench.run(resume);
        QVERIFY2(!same.err.contains("sweep/changed"), same.err);
    }

    void conditionsLeavePointsOutAndChooseAmongResults() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        workbench.write("s.json", R"({"format": "ipu-workbench-sweep", "version": 1, "project": "p.ipuproj",
 "grid": {"training.batch_size": [1, 2, 4], "pipeline.gradient_accumulation_steps_per_replica": [4, 8]},
 "where": ["training.batch_size * pipeline.gradient_accumulation_steps_per_replica <= 16", "peak_bytes > 0 and fits"]})");
        const core::Json json = workbench.run({"sweep", "s.json", "--json"}).json();
        QCOMPARE(json["points"].get<int>(), 5);
        const core::Json plan = workbench.run({"sweep", "s.json", "--dry-run", "--json"}).json();
        QCOMPARE(plan["points"].get<int>(), 5);
        QCOMPARE(plan["excluded"].get<int>(), 1);
        workbench.write("t.json", R"({"format": "ipu-workbench-sweep", "version": 1, "project": "p.ipuproj",
 "grid": {"training.batch_size": [1, 2]}, "where": ["samples_per_second > 1e15"]})");
        const Answer none = workbench.run({"sweep", "t.json", "--json"});
        QCOMPARE(none.code, 1);
        QVERIFY(none.json()["front"].empty());
    }

    void parametersOfATemplateAreVaried() {
        const Workbench workbench;
        workbench.write("s.json", R"({"format": "ipu-workbench-sweep", "version": 1,
 "template": {"name": "mlp", "stages": 2}, "grid": {"template.layers": ["64,32", "64,64,64"]}})");
        const Answer answer = workbench.run({"sweep", "s.json", "--json"});
        QVERIFY2(answer.code == 0, answer.err);
        const core::Json rows = answer.json()["rows"];
        QCOMPARE(rows.size(), std::size_t(2));
        QVERIFY(rows[0]["step_cycles"] != rows[1]["step_cycles"]);
    }

    void aSweepInPartIsGoneOnWithAndNotBegunAnewUnasked() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        workbench.write("s.json", smallSweep);
        QCOMPARE(workbench.run({"sweep", "s.json", "--shard", "1/2"}).code, 0);
        const Answer again = workbench.run({"sweep", "s.json"});
        QCOMPARE(again.code, 4);
        QVERIFY(again.err.contains("--resume"));
        const core::Json status = workbench.run({"sweep", "s.json", "--status", "--json"}).json();
        QCOMPARE(status["done"].get<int>(), 5);
        QCOMPARE(status["open"].get<int>(), 5);
        const Answer whole = workbench.run({"sweep", "s.json", "--resume", "--json"});
        QCOMPARE(whole.json()["points"].get<int>(), 10);
        const Answer alone = workbench.run({"sweep", "s.json", "--json", "--database", "alone.sqlite"});
        QCOMPARE(rowsOf(whole), rowsOf(alone));
        const Answer anew = workbench.run({"sweep", "s.json", "--force", "--json"});
        QCOMPARE(rowsOf(anew), rowsOf(alone));
        QVERIFY2(anew.err.contains("10 points of this sweep that were stored are given up [sweep/anew]"),
                 anew.err);
        QVERIFY(!whole.err.contains("given up") && !alone.err.contains("given up"));
    }

    void aKilledSweepGivesTheRowsOfOneLeftAlone() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        workbench.write("s.json", R"({"format": "ipu-workbench-sweep", "version": 1, "project": "p.ipuproj",
 "random": {"samples": 400, "seed": 3, "ranges": {"training.batch_size": [1, 64],
   "pipeline.gradient_accumulation_steps_per_replica": {"choices": [4, 8, 16]}}}})");
        (void)workbench.stop({"sweep", "s.json", "--jobs", "1"}, "p.profiles.sqlite", SIGKILL);
        const Answer resumed = workbench.run({"sweep", "s.json", "--resume", "--json"});
        QVERIFY2(resumed.code == 0, resumed.err);
        const Answer alone = workbench.run({"sweep", "s.json", "--json", "--database", "alone.sqlite"});
        QCOMPARE(rowsOf(resumed), rowsOf(alone));
    }

    void pointsThatAreStoredAreExported() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        workbench.write("s.json", smallSweep);
        const Answer none = workbench.run({"export", "s.json", "--format", "csv"});
        QVERIFY2(none.code == 4 && none.err.contains("[database/missing]"), none.err);
        const Answer swept = workbench.run({"sweep", "s.json", "--json"});
        QCOMPARE(workbench.run({"export", "s.json", "--format", "json"}).json()["rows"],
                 swept.json()["rows"]);
        const Answer csv = workbench.run({"export", "s.json", "--format", "csv"});
        QCOMPARE(csv.out, workbench.run({"sweep", "s.json", "--resume", "--csv"}).out);
        QCOMPARE(csv.out.count('\n'), 11);
        // No digit is lost.
        const QByteArray rate =
            QByteArray::fromStdString(swept.json()["rows"][0]["samples_per_second"].dump());
        QVERIFY2(csv.out.contains(rate), csv.out);
    }

    void pointsOfARefusedPointKeepWhatTheyWereToBe() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        workbench.write("s.json", R"({"format": "ipu-workbench-sweep", "version": 1, "project": "p.ipuproj",
 "grid": {"replicas": [1, 3], "system.ipus": [2]}})");
        const core::Json rows = workbench.run({"sweep", "s.json", "--json"}).json()["rows"];
        QCOMPARE(rows[1]["state"].get<std::string>(), std::string("refused"));
        QCOMPARE(rows[1]["replicas"].get<int>(), 3);
        // None of this part fits, and yet it is done.
        QCOMPARE(workbench.run({"sweep", "s.json", "--shard", "2/2", "--database", "shard.sqlite"}).code, 0);
    }

    void aPictureShowsThePointsThatAreStored() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        workbench.write("s.json", smallSweep);
        const Answer none = workbench.run({"render", "s.json", "--view", "pareto"});
        QVERIFY2(none.code != 0 && none.err.contains("hint:"), none.err);
        QCOMPARE(workbench.run({"sweep", "s.json"}).code, 0);
        const Answer picture = workbench.run({"render", "s.json", "--view", "pareto"});
        QVERIFY2(picture.code == 0, picture.err);
        for (const char* text : {"10 points", "on the front", "samples/s", "Interleaved"})
            QVERIFY2(picture.out.contains(text), text);
        const Answer run = workbench.run({"render", "last", "--view", "pareto"});
        QCOMPARE(run.code, 2);
        QVERIFY2(run.err.contains("pareto is of a sweep"), run.err);
    }

    void theBestPointsAreKeptAsRuns() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        workbench.write("s.json", smallSweep);
        const core::Json json = workbench.run({"sweep", "s.json", "--keep", "best:2", "--json"}).json();
        int kept = 0;
        for (const core::Json& row : json["rows"]) {
            if (row["run"].is_null())
                continue;
            ++kept;
            const QString run = QString::number(row["run"].get<int>());
            const core::Json shown =
                workbench.run({"show", run, "--database", "p.profiles.sqlite", "--json"}).json();
            QCOMPARE(shown["step_cycles"], row["step_cycles"]);
        }
        QCOMPARE(kept, 2);
        QVERIFY(!json["rows"][json["best"].get<std::size_t>()]["run"].is_null());
    }

    void wrongSweepFilesAreRefusedWithPlaceAndCure_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("place");
        const QString start = R"({"format": "ipu-workbench-sweep", "version": 1, "project": "p.ipuproj", )";
        QTest::newRow("no points") << start + R"("grid": {}})"
                                   << "/grid";
        QTest::newRow("no list") << start + R"("grid": {"replicas": 2}})"
                                 << "/grid/replicas";
        QTest::newRow("range") << start + R"("random": {"samples": 2, "ranges": {"replicas": [4, 2]}}})"
                               << "/random/ranges/replicas";
        QTest::newRow("condition") << start + R"("grid": {"replicas": [1]}, "where": ["import os"]})"
                                   << "/where/0";
        QTest::newRow("call") << start + R"("grid": {"replicas": [1]}, "where": ["f(1) > 2"]})"
                              << "/where/0";
        QTest::newRow("name") << start + R"("grid": {"replicas": [1]}, "where": ["stagess > 2"]})"
                              << "/where/0";
        QTest::newRow("key") << start + R"("grids": {"replicas": [1]}})"
                             << "/grids";
        QTest::newRow("too many") << start + R"("random": {"samples": 1e12, "ranges": {"replicas": [1, 2]}}})"
                                  << "/random/samples";
        QTest::newRow("no subject")
            << R"({"format": "ipu-workbench-sweep", "version": 1, "grid": {"a": [1]}})"
            << "/project";
    }
    void wrongSweepFilesAreRefusedWithPlaceAndCure() {
        QFETCH(const QString, text);
        QFETCH(const QString, place);
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        workbench.write("s.json", text.toStdString());
        const Answer answer = workbench.run({"sweep", "s.json"});
        QVERIFY2(answer.code == 3, answer.err);
        QVERIFY2(answer.err.contains(("s.json:" + place).toUtf8()), answer.err);
        QVERIFY2(answer.err.contains("hint:"), answer.err);
        QVERIFY(!std::filesystem::exists(workbench.path("p.profiles.sqlite")));
        QVERIFY(!std::filesystem::exists(workbench.path("s.profiles.sqlite")));
    }

    void mergedShardsAreTheWholeInAnyOrderAndTwice() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        workbench.write("s.json", smallSweep);
        for (const char* shard : {"1", "2", "3"})
            QCOMPARE(workbench
                         .run({"sweep", "s.json", "--shard", QString("%1/3").arg(shard), "--keep", "best:1",
                               "--database", QString("%1.sqlite").arg(shard)})
                         .code,
                     0);
        (void)workbench.run({"sweep", "s.json", "--database", "whole.sqlite"});
        QCOMPARE(workbench.run({"merge", "1.sqlite", "2.sqlite", "3.sqlite", "-o", "a.sqlite"}).code, 0);
        QCOMPARE(workbench.run({"merge", "3.sqlite", "1.sqlite", "-o", "b.sqlite"}).code, 0);
        const Answer forced = workbench.run({"merge", "3.sqlite", "-o", "b.sqlite", "--force"});
        QCOMPARE(forced.code, 0);
        QVERIFY2(forced.err.contains("--force replaces no database"), forced.err);
        const Answer second =
            workbench.run({"merge", "2.sqlite", "3.sqlite", "a.sqlite", "-o", "b.sqlite", "--json"});
        QVERIFY2(second.code == 0, second.err);
        QCOMPARE(second.json()["databases"][1]["runs_added"].get<int>(), 0);
        QCOMPARE(second.json()["databases"][2]["runs_known"].get<int>(), 3);
        QCOMPARE(pointsIn(workbench, "a.sqlite"), pointsIn(workbench, "whole.sqlite"));
        QVERIFY(!workbench.run({"runs", "--database", "1.sqlite", "--json"})
                     .json()["runs"][0]
                     .contains("merged_from"));
        QCOMPARE(pointsIn(workbench, "b.sqlite"), pointsIn(workbench, "whole.sqlite"));
        // Each point says in which database and shard it was recorded, whatever the order of merging.
        const auto originsIn = [&](const QString& database) {
            return workbench
                .run({"sql", "SELECT point, merged_from FROM v_sweep_point ORDER BY point", "--database",
                      database, "--json"})
                .json()["rows"];
        };
        QCOMPARE(originsIn("a.sqlite"), originsIn("b.sqlite"));
        for (const core::Json& row : originsIn("a.sqlite")) {
            const QString origin = QString::fromStdString(row[1].get<std::string>());
            const auto shard = QString::number(row[0].get<int>() % 3 + 1);
            QVERIFY2(origin.startsWith(shard + ".sqlite@") && origin.endsWith(" shard " + shard + "/3"),
                     qPrintable(origin));
        }
        // As runs: nothing where it was recorded there.
        QVERIFY(originsIn("whole.sqlite")[0][1].is_null() && originsIn("1.sqlite")[0][1].is_null());
        const Answer status = workbench.run({"sweep", "s.json", "--status", "--database", "a.sqlite"});
        QVERIFY2(status.out.contains(" shard 3/3"), status.out);
        const core::Json counted =
            workbench.run({"sweep", "s.json", "--status", "--database", "a.sqlite", "--json"})
                .json()["origins"];
        QCOMPARE(counted.size(), std::size_t(3));
        const Answer table = workbench.run({"export", "s.json", "--format", "csv", "--database", "b.sqlite"});
        QVERIFY2(table.out.contains("merged_from") && table.out.contains(" shard 2/3"),
                 table.out + table.err);
        for (const char* database : {"a.sqlite", "b.sqlite"}) {
            const core::Json runs = workbench.run({"runs", "--database", database, "--json"}).json()["runs"];
            QCOMPARE(runs.size(), std::size_t(3));
            for (const core::Json& run : runs) {
                const Answer shown = workbench.run(
                    {"show", QString::number(run["run"].get<int>()), "--database", database, "--json"});
                QVERIFY2(shown.code == 0, shown.err);
                // Who recorded it goes along.
                QVERIFY2(run["merged_from"].get<std::string>().ends_with("/1"), run.dump().c_str());
                QCOMPARE(shown.json()["provenance"]["merged_from"], run["merged_from"]);
            }
            const core::Json origins =
                workbench.run({"sql", "SELECT merged_from FROM v_run", "--database", database, "--json"})
                    .json()["rows"];
            QCOMPARE(origins.size(), std::size_t(3));
            QVERIFY(!origins[0][0].is_null());
            // Rows of every table came along, with texts and layers.
            const core::Json layers = workbench
                                          .run({"sql", "SELECT run, count(*) FROM v_layer GROUP BY run",
                                                "--database", database, "--json"})
                                          .json()["rows"];
            QCOMPARE(layers.size(), std::size_t(3));
        }
    }

    /// The same points in two databases, each before the other.
    void aPointOfTwoDatabasesHasTheSameOriginInAnyOrder() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        workbench.write("s.json", smallSweep);
        for (const char* database : {"one.sqlite", "two.sqlite"})
            (void)workbench.run({"sweep", "s.json", "--database", database});
        QCOMPARE(workbench.run({"merge", "one.sqlite", "two.sqlite", "-o", "a.sqlite"}).code, 0);
        QCOMPARE(workbench.run({"merge", "two.sqlite", "one.sqlite", "two.sqlite", "-o", "b.sqlite"}).code,
                 0);
        const auto points = [&](const QString& database) {
            return workbench
                .run({"sql", "SELECT * FROM v_sweep_point ORDER BY point", "--database", database, "--json"})
                .json()["rows"];
        };
        QVERIFY(points("a.sqlite").size() > 5);
        QCOMPARE(points("a.sqlite"), points("b.sqlite"));
        QVERIFY(points("a.sqlite")[0].back().get<std::string>().starts_with("one.sqlite@"));
        // Whoever goes on with a merged sweep records there.
        QCOMPARE(workbench.run({"sql", "SELECT recorder FROM sweep", "--database", "a.sqlite", "--json"})
                     .json()["rows"][0][0],
                 core::Json(""));
    }

    void aTruncatedShardIsNamedAndTheOthersAreMerged() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        workbench.write("s.json", smallSweep);
        for (const char* shard : {"1", "2"})
            (void)workbench.run({"sweep", "s.json", "--shard", QString("%1/2").arg(shard), "--keep", "best:2",
                                 "--database", QString("%1.sqlite").arg(shard)});
        QFile file(QString::fromStdString(workbench.path("2.sqlite").string()));
        QVERIFY(file.resize(file.size() / 2));
        const Answer answer = workbench.run({"merge", "2.sqlite", "1.sqlite", "-o", "all.sqlite"});
        QCOMPARE(answer.code, 4);
        QCOMPARE(answer.err.count("error:"), 1);
        QVERIFY2(answer.err.contains("2.sqlite"), answer.err);
        QCOMPARE(pointsIn(workbench, "all.sqlite"), pointsIn(workbench, "1.sqlite"));
    }

    void nothingIsBegunWhereNoDatabaseCanBeMerged() {
        const Workbench workbench;
        const Answer answer = workbench.run({"merge", "nope.sqlite", "-o", "new.sqlite"});
        QVERIFY2(answer.code == 4 && answer.err.contains("nope.sqlite"), answer.err);
        QVERIFY2(answer.err.contains("spelling") && !answer.err.contains("--database"), answer.err);
        QVERIFY(!std::filesystem::exists(workbench.path("new.sqlite")));
    }
};

REGISTER_TEST("sweep_verb", SweepVerbTest)
#include "sweep_verb_test.moc"
