#include "core/plan/schedule/schedule_catalogue.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QRegularExpression>
#include <QtTest/QTest>
#include <csignal>

using tests::Answer;
using tests::Workbench;

namespace {

QString keysOfRun(const core::Json& object) {
    QStringList keys;
    for (const auto& [key, value] : object.items())
        keys << QString::fromStdString(key);
    return keys.join(' ');
}

/// Without the time at which a run started, and its number.
core::Json comparable(core::Json run) {
    run.erase("run");
    return run;
}

} // namespace

/// The verbs about runs: new, plan, run, check, runs, show, delete, compare, export, sql.
class RunVerbsTest : public QObject {
    Q_OBJECT

private slots:
    void runsAndStoresAProject() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const Answer answer = workbench.run({"run", "p.ipuproj", "--no-numerics", "--json"});
        QVERIFY2(answer.code == 0, answer.err);
        const core::Json json = answer.json();
        QCOMPARE(keysOfRun(json),
                 "schema version run project mode fits target ipus replicas effective_batch executions "
                 "step_cycles step_ns samples_per_second idle_fraction host_stall_fraction intervals stages "
                 "memory "
                 "metrics diagnostics");
        QCOMPARE(keysOfRun(json["stages"][0]),
                 "stage ipu forward_cycles backward_cycles recompute_cycles update_cycles "
                 "transfer_bytes fifo_depth stash_bytes");
        QCOMPARE(keysOfRun(json["memory"][0]),
                 "ipu limit_bytes peak_bytes always_live_bytes not_always_live_peak_bytes "
                 "worst_tile worst_tile_bytes by_category");
        for (const char* key : {"weights", "optimizer_state", "accumulators", "activations", "stash",
                                "vertex_code", "vertex_state", "exchange_code", "control_code", "host_io"})
            QVERIFY2(json["memory"][0]["by_category"].contains(key), key);
        QCOMPARE(json["effective_batch"].get<int>(), 16);
        QCOMPARE(json["stages"][0]["fifo_depth"].get<int>(), 2);
        const core::Json shown =
            workbench.run({"show", "last", "--database", "p.profiles.sqlite", "--json"}).json();
        QCOMPARE(shown["schema"].get<std::string>(), std::string("ipu-workbench/show"));
        QCOMPARE(shown["step_cycles"].get<std::int64_t>(), json["step_cycles"].get<std::int64_t>());
        QCOMPARE(shown["provenance"]["project_name"], json["project"]);
        QCOMPARE(shown["provenance"]["tiles"], json["target"]["tiles"]);
    }

    void showSaysWhichKernelsComputedARun() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        QCOMPARE(workbench.run({"run", "p.ipuproj", "--database", "d.sqlite"}).code, 0);
        QCOMPARE(workbench.run({"run", "p.ipuproj", "--no-numerics", "--database", "d.sqlite"}).code, 0);
        const auto kernelsOf = [&](const char* run) {
            const Answer shown = workbench.run({"show", run, "--database", "d.sqlite", "--json"});
            return shown.json()["provenance"]["kernels"].get<std::string>();
        };
        const std::string fastest = kernelsOf("1");
        QVERIFY2(fastest == "avx512" || fastest == "avx2" || fastest == "baseline", fastest.c_str());
        QCOMPARE(kernelsOf("2"), std::string("none"));
        const QByteArray text = workbench.run({"show", "1", "--database", "d.sqlite"}).out;
        const QRegularExpression line("^kernels +" + QString::fromStdString(fastest) + "$",
                                      QRegularExpression::MultilineOption);
        QVERIFY2(QString(text).contains(line), text);
        const Answer rows = workbench.run(
            {"sql", "SELECT kernels FROM v_run ORDER BY run", "--database", "d.sqlite", "--csv"});
        QCOMPARE(rows.out, QByteArray("kernels\r\n") + fastest.c_str() + "\r\nnone\r\n");
    }

    void showCutsWhatIsTooLongForALine() {
        const Workbench workbench;
        const std::string name(200, 'n');
        workbench.writeProject("p.ipuproj", {{"\"name\": \"example\"", "\"name\": \"" + name + "\""}});
        QCOMPARE(workbench.run({"run", "p.ipuproj", "--no-numerics", "--database", "d.sqlite"}).code, 0);
        const Answer shown = workbench.run({"show", "1", "--database", "d.sqlite"});
        QVERIFY2(shown.out.contains("200 bytes, which --json has"), shown.out);
        const Answer json = workbench.run({"show", "1", "--database", "d.sqlite", "--json"});
        QCOMPARE(json.json()["provenance"]["project_name"].get<std::string>(), name);
    }

    void answersTheSameTwice() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const QStringList arguments{"run", "p.ipuproj", "--no-numerics", "--json"};
        QVERIFY(comparable(workbench.run(arguments).json()) == comparable(workbench.run(arguments).json()));
    }

    void answersOneWhenAProjectDoesNotFit() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const Answer answer = workbench.run({"run", "p.ipuproj", "--no-numerics", "--json", "--set",
                                             "model.config.layers.1.config.units=20000000"});
        QCOMPARE(answer.code, 1);
        QCOMPARE(answer.json()["fits"].get<bool>(), false);
        QVERIFY(answer.err.contains("[memory/out-of-memory]"));
    }

    void refusesABadProject() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj", {{"[0, 1]", "[0, 2]"}});
        const Answer answer = workbench.run({"run", "p.ipuproj", "--json"});
        QCOMPARE(answer.code, 3);
        QVERIFY(answer.codes().contains("value-error/stage-step"));
        QVERIFY(!std::filesystem::exists(workbench.path("p.profiles.sqlite")));
        QCOMPARE(workbench.run({"run", "p.ipuproj", "--mode", "learn"}).code, 2);
    }

    void leavesNoCompleteRunWhenItIsStopped_data() {
        QTest::addColumn<int>("signal");
        QTest::addColumn<int>("code");
        QTest::newRow("interrupted") << SIGINT << 130;
        QTest::newRow("terminated") << SIGTERM << 130;
        QTest::newRow("killed") << SIGKILL << -1;
    }

    void keepsTheEpochsThatWereFinished() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj", {{"\"steps_per_epoch\": 8",
                                              R"("steps_per_epoch": 8, "epochs": 400000, "callbacks": [
                                    {"class_name": "CSVLogger", "config": {"filename": "log.csv"}}])"}});
        // Its first line is that of the first epoch.
        QCOMPARE(workbench.stop({"run", "p.ipuproj"}, "log.csv", SIGINT), 130);
        const QStringList database{"--database", "p.profiles.sqlite"};
        const Answer shown = workbench.run(QStringList{"show", "1", "--json"} + database);
        QVERIFY2(shown.code == 0, shown.err.constData());
        const core::Json run = shown.json();
        const std::size_t updates = run["metrics"]["loss"].size();
        // Two updates are an epoch, and one execution.
        QVERIFY(updates >= 2 && updates < 800000);
        QCOMPARE(run["executions"].get<std::size_t>(), updates / 2);
        const QByteArray text = workbench.run(QStringList{"show", "1"} + database).out;
        QVERIFY2(text.contains("loss"), text.constData());
        QCOMPARE(run["state"].get<std::string>(), std::string("cancelled"));
        QVERIFY2(text.startsWith("stopped on request"), text.constData());
        // It is no whole run: others are not held against it unasked.
        QCOMPARE(workbench.run(QStringList{"show", "last"} + database).code, 3);
        const core::Json runs = workbench.run(QStringList{"runs", "--json"} + database).json()["runs"];
        QCOMPARE(runs[0]["state"].get<std::string>(), std::string("cancelled"));
    }

    void leavesNoCompleteRunWhenItIsStopped() {
        QFETCH(const int, signal);
        QFETCH(const int, code);
        const Workbench workbench;
        workbench.writeProject("p.ipuproj",
                               {{"\"steps_per_epoch\": 8", "\"steps_per_epoch\": 8, \"epochs\": 1000000"}});
        QCOMPARE(workbench.stop({"run", "p.ipuproj"}, "p.profiles.sqlite", signal), code);
        const core::Json runs =
            workbench.run({"runs", "--database", "p.profiles.sqlite", "--json"}).json()["runs"];
        for (const core::Json& run : runs)
            QVERIFY2(run["state"] == "cancelled" || run["state"] == "interrupted", core::toText(run).c_str());
        if (signal != SIGKILL)
            return;
        const core::Json rows = workbench
                                    .run({"sql", "SELECT count(*) FROM v_stage_summary", "--database",
                                          "p.profiles.sqlite", "--json"})
                                    .json()["rows"];
        QCOMPARE(core::toText(rows, -1), std::string("[[0]]"));
    }

    void aColumnOfAnotherViewIsNamedWithItsViews() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        (void)workbench.run({"run", "p.ipuproj", "--no-numerics", "--database", "d.sqlite"});
        const Answer answer = workbench.run(
            {"sql", "SELECT duration_cycles FROM v_stage_summary", "--database", "d.sqlite", "--json"});
        QCOMPARE(answer.code, 3);
        QVERIFY2(answer.err.contains("views that have it: ") && answer.err.contains("v_span"), answer.err);
    }

    void refusesToRunWithoutADevice() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const Answer answer =
            workbench.run({"run", "p.ipuproj", "--set", "ipu_config.device_connection.type=NEVER", "--json"});
        QCOMPARE(answer.code, 3);
        QCOMPARE(answer.codes(), "failed-precondition/not-attached");
    }

    void listsComparesAndDeletesRuns() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const auto with = [](QStringList arguments) {
            return arguments << "--database"
                             << "runs.sqlite";
        };
        QCOMPARE(workbench.run({"runs", "--database", "runs.sqlite"}).code, 4);
        QCOMPARE(workbench.run(with({"run", "p.ipuproj", "--no-numerics"})).code, 0);
        QCOMPARE(
            workbench
                .run(with({"run", "p.ipuproj", "--no-numerics", "--set", "pipeline.schedule=Interleaved"}))
                .code,
            0);
        const core::Json runs = workbench.run(with({"runs", "--json"})).json()["runs"];
        QCOMPARE(runs.size(), std::size_t{2});
        QCOMPARE(keysOfRun(runs[0]), "run project mode state samples_per_second peak_bytes started");
        QCOMPARE(runs[1]["state"].get<std::string>(), std::string("complete"));
        const core::Json compared = workbench.run(with({"compare", "1", "2", "--json"})).json();
        QCOMPARE(keysOfRun(compared),
                 "schema version baseline runs metrics model_diff option_diff interval_coverage step_parts "
                 "pieces layers");
        QCOMPARE(compared["option_diff"][0]["path"].get<std::string>(), std::string("pipeline.schedule"));
        QCOMPARE(compared["option_diff"][0]["after"].get<std::string>(), std::string("Interleaved"));
        QVERIFY(compared["model_diff"].empty());
        QCOMPARE(workbench.run(with({"compare", "1"})).code, 2);
        QCOMPARE(workbench.run(with({"show", "9"})).code, 3);
        QCOMPARE(workbench.run(with({"delete", "1"})).code, 0);
        QCOMPARE(workbench.run(with({"runs", "--json"})).json()["runs"].size(), std::size_t{1});
    }

    void aPerfettoTraceIsNoLargerThanThePackedChromeTrace_data() {
        QTest::addColumn<QStringList>("run");
        const std::filesystem::path projects = tests::projectRoot() / "projects";
        for (const auto& entry : std::filesystem::recursive_directory_iterator(projects))
            if (entry.path().extension() == ".ipuproj")
                for (const char* mode : {"train", "evaluate", "predict"})
                    QTest::addRow("%s, %s", entry.path().stem().c_str(), mode)
                        << QStringList{QString::fromStdString(entry.path().string()), "--mode", mode};
        // Of a handful of events each.
        const QString single =
            QString::fromStdString((projects / "tutorial" / "2-single-sequential.ipuproj").string());
        for (const char* mode : {"train", "evaluate", "predict"})
            QTest::addRow("one step, %s", mode) << QStringList{single,
                                                               "--mode",
                                                               mode,
                                                               "--set",
                                                               "training.steps_per_execution=1",
                                                               "--set",
                                                               "training.steps_per_epoch=1",
                                                               "--set",
                                                               "training.validation_steps=1"};
        for (const char* batches : {"4", "32"})
            QTest::addRow("two stages, %s micro-batches", batches)
                << QStringList{QString("m%1.ipuproj").arg(batches)};
    }
    void aPerfettoTraceIsNoLargerThanThePackedChromeTrace() {
        QFETCH(QStringList, run);
        const Workbench workbench;
        for (const char* batches : {"4", "32"})
            QCOMPARE(workbench
                         .run({"new", "mlp", "stages=2", QString("accumulation=%1").arg(batches), "-o",
                               QString("m%1.ipuproj").arg(batches)})
                         .code,
                     0);
        const int code =
            workbench.run(QStringList{"run"} + run + QStringList{"--no-numerics", "--database", "r.sqlite"})
                .code;
        QVERIFY2(code == 0 || code == 1, qPrintable(QString::number(code))); // one of them does not fit
        const auto exported = [&](const char* format) {
            return workbench.run({"export", "last", "--format", format, "--database", "r.sqlite"}).out;
        };
        const auto perfetto = exported("perfetto").size();
        // Four bytes of it say how long the text is; a gzip file has eighteen of its own.
        const qsizetype packed = qCompress(exported("chrome-trace"), 9).size() - 4 - 6 + 18;
        QVERIFY2(packed > 300 && perfetto <= packed,
                 qPrintable(QStringLiteral("%1 %2").arg(perfetto).arg(packed)));
    }

    /// Every layout of every schedule, laid out again from what was written.
    void aScheduleThatIsWrittenIsReadBackWithTheSameCycles() {
        const Workbench workbench;
        QCOMPARE(workbench.run({"new", "mlp", "stages=2", "accumulation=8", "-o", "m.ipuproj"}).code, 0);
        const auto cycles = [&](const QString& schedule) {
            const Answer answer =
                workbench.run({"run", "m.ipuproj", "--set", "pipeline.schedule=" + schedule, "--no-numerics",
                               "--profile", "none", "--database", "r.sqlite", "--json"});
            const core::Json json = answer.json();
            return json.contains("step_cycles") ? json["step_cycles"].get<std::int64_t>() : -1;
        };
        int schedules = 0;
        for (const core::ScheduleDefinition& definition : core::scheduleCatalogue()) {
            const QString name = QString::fromStdString(std::string(definition.name));
            if (definition.takesTable || cycles(name) < 0)
                continue;
            ++schedules;
            for (const char* layout : {"cells", "items"}) {
                const Answer written =
                    workbench.run({"export", "m.ipuproj", "--set", "pipeline.schedule=" + name, "--format",
                                   "schedule-csv", "--layout", layout, "-o", "t.csv", "--force"});
                QVERIFY2(written.code == 0, written.err);
                QVERIFY2(cycles(R"({"table": "t.csv"})") == cycles(name), qPrintable(name + " " + layout));
            }
        }
        QVERIFY(schedules >= 4);
    }

    void aTableOfPiecesOfWorkIsRefusedWithPlaceAndCure() {
        const Workbench workbench;
        QCOMPARE(workbench.run({"new", "mlp", "stages=2", "accumulation=2", "-o", "m.ipuproj"}).code, 0);
        const std::pair<const char*, const char*> wrong[]{{"0,0,fwd,0,x\n", "t.csv:2:11"},
                                                          {"0,0,ford,0,0\n", "t.csv:2:5"},
                                                          {"0,7,fwd,0,0\n", "t.csv:2:3"},
                                                          {"-1,0,fwd,0,0\n", "t.csv:2:1"}};
        for (const auto& [row, place] : wrong) {
            workbench.write("t.csv", std::string("slot,ipu,kind,stage,micro_batch\n") + row);
            const Answer answer = workbench.run(
                {"run", "m.ipuproj", "--set", R"(pipeline.schedule={"table": "t.csv"})", "--no-numerics"});
            QCOMPARE(answer.code, 3);
            QVERIFY2(answer.err.contains(place) && answer.err.contains("hint:"), answer.err);
        }
    }

    void exportsARun() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        QCOMPARE(workbench.run({"run", "p.ipuproj", "--no-numerics"}).code, 0);
        QVERIFY(workbench.run({"export", "last", "--format", "chrome-trace"}).json().contains("traceEvents"));
        // A packet, as the field 1 of a Trace message.
        QVERIFY(workbench.run({"export", "last", "--format", "perfetto"}).out.startsWith('\n'));
        QVERIFY(
            workbench.run({"export", "last", "--format", "perfetto", "--detail", "operations"}).out.size() >
            workbench.run({"export", "last", "--format", "perfetto"}).out.size());
        const Answer unknown = workbench.run({"export", "last", "--format", "perfetto", "--detail", "span"});
        QCOMPARE(unknown.code, 2);
        QVERIFY(unknown.err.contains("did you mean \"spans\"?"));
        QVERIFY(workbench.run({"export", "1", "--format", "csv", "--table", "operations"})
                    .out.startsWith("operation,"));
        const Answer cells = workbench.run({"export", "1", "--format", "schedule-csv"});
        QVERIFY(
            workbench
                .run({"export", "p.ipuproj", "--format", "schedule-csv", "--set", "pipeline.schedule=1F1B"})
                .out.startsWith("ipu,slot 0,"));
        QVERIFY(cells.out.startsWith("ipu in step,slot 0,slot 1,") && cells.out.contains("\n0,F0,F1"));
        QCOMPARE(cells.out, workbench.run({"schedule", "p.ipuproj", "--cells"}).out);
        QVERIFY(workbench.run({"export", "1", "--format", "schedule-csv", "--layout", "items"})
                    .out.startsWith("slot,phase,ipu,"));
        QVERIFY(
            workbench.run({"export", "p.ipuproj", "--format", "keras-json"}).json().contains("class_name"));
        QCOMPARE(workbench.run({"export", "p.ipuproj", "--format", "chrome-trace"}).code, 2);
        QCOMPARE(workbench.run({"export", "1", "--format", "chrome"}).code, 2);
        const core::Json answer =
            workbench.run({"sql", "SELECT stage, ipu FROM v_stage_summary ORDER BY stage", "--json"}).json();
        QCOMPARE(core::toText(answer["rows"], -1), std::string("[[0,0],[1,1]]"));
        QCOMPARE(workbench.run({"sql", "DROP TABLE run"}).code, 3);
    }

    void comparesTheAlternativesOfAProject() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const Answer answer = workbench.run({"compare", "--schedulers", "p.ipuproj", "--json"});
        QVERIFY2(answer.code == 0, answer.err.constData());
        const core::Json json = answer.json();
        QCOMPARE(json["schema"].get<std::string>(), std::string("ipu-workbench/compare"));
        QCOMPARE(json["schedulers"].size(), std::size_t(5));
        QCOMPARE(json["schedulers"][0]["ipus"].size(), std::size_t(2));
        QVERIFY(json["schedulers"][0]["chosen"].get<bool>());
        QCOMPARE(json["executions"][0]["mode"].get<std::string>(), std::string("graph"));
        QVERIFY(json["executions"][1]["step_cycles"].get<std::int64_t>() >
                json["executions"][0]["step_cycles"].get<std::int64_t>());
        QVERIFY(workbench.run({"compare", "--execution", "p.ipuproj"}).out.contains("eager"));
        const Answer set = workbench.run({"compare", "--schedulers", "p.ipuproj", "--json", "--set",
                                          "ipu_config.scheduling.algorithm=POST_ORDER"});
        QVERIFY(!set.json()["schedulers"][0]["chosen"].get<bool>());
        QCOMPARE(workbench.run({"compare", "1", "2", "--schedulers", "p.ipuproj"}).code, 2);
        QCOMPARE(workbench.run({"compare"}).code, 2);
    }

    void leavesNothingBesideTheDatabase() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        QCOMPARE(workbench.run({"run", "p.ipuproj", "--no-numerics", "--database", "r.sqlite"}).code, 0);
        QCOMPARE(workbench.run({"export", "1", "--format", "chrome-trace", "--database", "r.sqlite"}).code,
                 0);
        QCOMPARE(workbench.run({"render", "1", "--view", "timeline", "-o", "t.svg", "--database", "r.sqlite"})
                     .code,
                 0);
        for (const char* file : {"r.sqlite-wal", "r.sqlite-shm"})
            QVERIFY2(!std::filesystem::exists(workbench.path(file)), file);
    }

    void stagesThatSetTheSlotTogetherAreNotCalledBalancedWhereOthersWait() {
        const Workbench workbench;
        const QString layers = "hidden=1024,1024,1024,1024,1024,32";
        QCOMPARE(workbench
                     .run({"new", "mlp", "inputs=64", layers, "classes=8", "split=1,2,2,1", "accumulation=96",
                           "dataset=none", "-o", "p.ipuproj"})
                     .code,
                 0);
        QCOMPARE(workbench.run({"run", "p.ipuproj", "--no-numerics"}).code, 0);
        const core::Json clause =
            workbench.run({"show", "last", "--json", "--database", "p.profiles.sqlite"}).json()["verdict"][0];
        QCOMPARE(clause["headline"].get<std::string>(), std::string("Stages 1 and 2 set the slot"));
        const QString detail = QString::fromStdString(clause["detail"].get<std::string>());
        QVERIFY2(detail.contains("more than stage ") && !detail.contains("balanced"), qPrintable(detail));
    }

    void checksThresholds() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const Answer passed = workbench.run({"check", "p.ipuproj", "--max-peak-fraction", "0.9", "--json"});
        QCOMPARE(passed.code, 0);
        QCOMPARE(keysOfRun(passed.json()["checks"][1]),
                 "name limit value passed value_low value_high certain");
        const Answer failed =
            workbench.run({"check", "p.ipuproj", "--max-step-ns", "5", "--junit", "report.xml", "--json"});
        QCOMPARE(failed.code, 1);
        QCOMPARE(failed.json()["passed"].get<bool>(), false);
        QVERIFY(std::filesystem::exists(workbench.path("report.xml")));
        QCOMPARE(workbench.run({"run", "p.ipuproj", "--no-numerics"}).code, 0);
        QCOMPARE(workbench.run({"check", "p.ipuproj", "--baseline", "last", "--tolerance", "0%"}).code, 0);
        QCOMPARE(workbench
                     .run({"check", "p.ipuproj", "--baseline", "last", "--tolerance", "5%", "--set",
                           "training.batch_size=1"})
                     .code,
                 1);
        for (const char* tolerance : {"much", "-1%", "100%"})
            QCOMPARE(workbench.run({"check", "p.ipuproj", "--tolerance", tolerance}).code, 2);
    }

    void makesAndPlansAProject() {
        const Workbench workbench;
        QCOMPARE(workbench.run({"new", "resnet", "depth=18", "image=64", "-o", "r.ipuproj"}).code, 0);
        const Answer plan = workbench.run(
            {"plan", "r.ipuproj", "--stages", "3", "--alternatives", "2", "--json", "-o", "planned.ipuproj"});
        QVERIFY2(plan.code == 0, plan.err);
        QCOMPARE(keysOfRun(plan.json()),
                 "schema version objective bottleneck_cycles exact_for proven_optimal "
                 "stages assignment alternatives "
                 "compiled");
        QCOMPARE(keysOfRun(plan.json()["stages"][0]),
                 "stage first last invocations cycles peak_bytes cut_bytes");
        QCOMPARE(plan.json()["alternatives"].size(), std::size_t{2});
        QCOMPARE(workbench.run({"summary", "planned.ipuproj", "--json"})
                     .json()["stage_assignment"]
                     .back()["stage"]
                     .get<int>(),
                 2);
        // A plan runs as it is: it accumulates, and stages that share weights are on one IPU.
        QCOMPARE(workbench.run({"validate", "planned.ipuproj"}).code, 0);
        QCOMPARE(workbench
                     .run({"new", "bert", "layers=2", "hidden=32", "heads=2", "sequence=16", "vocabulary=64",
                           "positions=16", "-o", "tied.ipuproj"})
                     .code,
                 0);
        QCOMPARE(workbench.run({"plan", "tied.ipuproj", "--stages", "4", "-o", "four.ipuproj"}).code, 0);
        const Answer four = workbench.run({"validate", "four.ipuproj"});
        QVERIFY2(four.code == 0, four.err);
        // Micro-batches that somebody has decided stay; where the stages do not go with them, it is said.
        const Answer kept = workbench.run(
            {"plan",
             QString::fromStdString((tests::projectRoot() / "projects/encoder/encoder.ipuproj").string()),
             "--stages", "3", "-o", "three.ipuproj"});
        QVERIFY2(kept.code == 0 && kept.err.contains("micro-batch-multiple") &&
                     kept.err.contains("use 12 or 18"),
                 kept.err);
        QCOMPARE(workbench.run({"plan", "r.ipuproj", "--stages", "3", "--lock", "nobody=1"}).code, 2);
        QCOMPARE(workbench.run({"new", "resnot"}).code, 2);
        QCOMPARE(workbench.run({"new", "resnet", "dept=18"}).code, 2);
        QVERIFY(workbench.run({"new", "--json"}).json()["templates"].size() > 5);
    }
};

REGISTER_TEST("run_verbs", RunVerbsTest)
#include "run_verbs_test.moc"
