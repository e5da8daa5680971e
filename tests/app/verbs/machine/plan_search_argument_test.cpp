#include "core/base/file.h"
#include "core/interchange/project/project_file.h"
#include "core/plan/assignment_entries.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>
#include <filesystem>

using tests::Answer;
using tests::Workbench;

/// `plan --search`.
class PlanSearchArgumentTest : public QObject {
    Q_OBJECT

private slots:
    void aPlanInAnotherFolderReadsTheSameData() {
        const Workbench workbench;
        std::filesystem::create_directories(workbench.path("data"));
        std::filesystem::create_directories(workbench.path("plans/new"));
        std::string rows;
        for (int row = 0; row < 64; ++row)
            rows += "0.5,0.25,0.125,1\n";
        workbench.write("data/rows.csv", rows);
        QCOMPARE(workbench.run({"new", "mlp", "inputs=3", "hidden=8,8", "classes=2", "-o", "p.ipuproj"}).code,
                 0);
        const QStringList data{"--set", R"(training.dataset={"kind": "csv", "file": "data/rows.csv"})",
                               "--set", "training.steps_per_epoch=null",
                               "--set", "pipeline.gradient_accumulation_steps_per_replica=4",
                               "--set", "training.steps_per_execution=4"};
        const QStringList into{"-o", "plans/new/q.ipuproj", "--force"};
        for (const QStringList& how :
             {QStringList{"--stages", "2"}, QStringList{"--ipus", "2", "--search", "--batch", "4"}}) {
            const Answer planned = workbench.run(QStringList{"plan", "p.ipuproj"} + how + data + into);
            QVERIFY2(planned.code == 0, planned.err);
            const auto text = core::readFile(workbench.path("plans/new/q.ipuproj"));
            QVERIFY(text.has_value());
            QCOMPARE(core::Json::parse(*text)["training"]["dataset"]["file"].get<std::string>(),
                     std::string("../../data/rows.csv"));
            const Answer valid = workbench.run({"validate", "plans/new/q.ipuproj", "--json"});
            QVERIFY2(valid.json()["valid"].get<bool>(), valid.out);
        }
        // Beside the project nothing changes.
        QCOMPARE(workbench
                     .run(QStringList{"plan", "p.ipuproj", "--stages", "2"} + data +
                          QStringList{"-o", "r.ipuproj"})
                     .code,
                 0);
        QCOMPARE(core::Json::parse(
                     core::readFile(workbench.path("r.ipuproj")).value())["training"]["dataset"]["file"]
                     .get<std::string>(),
                 std::string("data/rows.csv"));
    }

    void nothingOfTheFrontIsBeatenByAnother() {
        const Workbench workbench;
        QCOMPARE(workbench
                     .run({"new", "bert", "layers=4", "hidden=64", "heads=4", "sequence=32", "vocabulary=500",
                           "-o", "p.ipuproj"})
                     .code,
                 0);
        for (const char* batch : {"16", "64"}) {
            const core::Json front = workbench
                                         .run({"plan", "p.ipuproj", "--ipus", "8", "--search", "--batch",
                                               batch, "--simulations", "150", "--json"})
                                         .json()["front"];
            QVERIFY(front.size() > 1);
            for (const core::Json& one : front)
                for (const core::Json& other : front)
                    QVERIFY2(&one == &other || other["samples_per_second"] < one["samples_per_second"] ||
                                 other["peak_bytes"] > one["peak_bytes"] || other["ipus"] > one["ipus"],
                             (core::toText(one) + core::toText(other)).c_str());
        }
    }

    void thatNothingFitsIsProvenInWordsAndInJson() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const QStringList search{"plan", "p.ipuproj", "--ipus", "1", "--search", "--memory-limit", "1000"};
        const Answer said = workbench.run(search);
        QCOMPARE(said.code, 1);
        const core::Json json = workbench.run(search + QStringList{"--json"}).json();
        QCOMPARE(said.out.contains("No plan fits: proven"), json["proven_optimal"].get<bool>());
        QVERIFY2(json["proven_optimal"].get<bool>(), core::toText(json).c_str());
        QCOMPARE(json["gap"].get<double>(), 0.0);
    }

    void whatIsHalfAlreadyIsNotAdvisedToBe() {
        const Workbench workbench;
        QCOMPARE(
            workbench.run({"new", "bert", "layers=24", "hidden=1024", "heads=16", "-o", "p.ipuproj"}).code,
            0);
        const QStringList search{"plan", "p.ipuproj", "--ipus", "1", "--search", "--simulations", "1"};
        for (const char* precision : {"float16", "float32"}) {
            const Answer answer =
                workbench.run(search + QStringList{"--set", QString("training.precision=%1").arg(precision)});
            if (answer.out.contains("may find one"))
                QCOMPARE(answer.out.contains("float16"), precision == std::string("float32"));
        }
    }

    void theFigureOfEveryPlanIsThatOfItsRun() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const QStringList search{"plan", "p.ipuproj", "--ipus", "2", "--search", "--batch", "64"};
        const Answer answer = workbench.run(search + QStringList{"--json"});
        QVERIFY2(answer.code == 0, answer.err);
        const core::Json json = answer.json();
        QCOMPARE(json["effective_batch"].get<int>(), 64);
        QVERIFY(json["proven_optimal"].get<bool>());
        QCOMPARE(json["gap"].get<double>(), 0.0);
        QVERIFY(json["front"].size() > 1);
        // A proof is one of the fastest; of the others it is said that they are all there are.
        for (std::size_t i = 0; i < json["front"].size(); ++i)
            QCOMPARE(json["front"][i]["proven"].get<bool>(), i == 0);
        QVERIFY(json["front_is_whole"].get<bool>());
        QVERIFY(workbench.run(search).out.contains("The front is whole"));
        for (const core::Json& plan : json["front"]) {
            const QString number = QString::number(plan["plan"].get<int>());
            const Answer written =
                workbench.run(search + QStringList{"--pick", number, "-o", "best.ipuproj", "--force"});
            QVERIFY2(written.code == 0, written.err);
            const core::Json run = workbench.run({"run", "best.ipuproj", "--no-numerics", "--json"}).json();
            QCOMPARE(run["effective_batch"].get<int>(), 64);
            QVERIFY(run["fits"].get<bool>());
            for (const char* key : {"samples_per_second", "step_cycles", "ipus", "replicas"})
                QCOMPARE(run[key], plan[key]);
            std::int64_t peak = 0;
            for (const core::Json& ipu : run["memory"])
                peak = std::max(peak, ipu["peak_bytes"].get<std::int64_t>());
            QCOMPARE(peak, plan["peak_bytes"].get<std::int64_t>());
        }
    }

    void whatIsKeptOrLockedStays() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const Answer kept = workbench.run({"plan", "p.ipuproj", "--ipus", "2", "--search", "--keep",
                                           "schedule", "--keep", "recompute", "--keep", "split", "--json"});
        QVERIFY2(kept.code == 0, kept.err);
        QVERIFY(!kept.json()["front"].empty());
        for (const core::Json& plan : kept.json()["front"]) {
            QCOMPARE(plan["recompute"].get<bool>(), false);
            QCOMPARE(plan["stages"].get<int>(), 2);
        }
        QCOMPARE(workbench.run({"plan", "p.ipuproj", "--stages", "2", "--keep", "split"}).code, 2);
        // In plans without a pipeline, too.
        const Answer flat =
            workbench.run({"plan", "p.ipuproj", "--ipus", "1", "--search", "--keep", "recompute", "--set",
                           "ipu_config.allow_recompute=true", "-o", "flat.ipuproj"});
        QVERIFY2(flat.code == 0, flat.err);
        const core::Json project = core::Json::parse(core::readFile(workbench.path("flat.ipuproj")).value());
        QCOMPARE(project["ipu_config"]["allow_recompute"].get<bool>(), true);
        QVERIFY(!project["pipeline"].contains("stages"));
    }

    void theSameProjectGetsTheSameAnswer() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const QStringList search{"plan", "p.ipuproj", "--ipus", "2", "--search", "--json"};
        const Answer first = workbench.run(search);
        QVERIFY2(first.code == 0, first.err);
        QCOMPARE(workbench.run(search).out, first.out);
        // The effective batch is the project's own.
        const core::Json run = workbench.run({"run", "p.ipuproj", "--no-numerics", "--json"}).json();
        QCOMPARE(first.json()["effective_batch"], run["effective_batch"]);
    }

    void whatFitsNowhereIsANo() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const Answer answer = workbench.run(
            {"plan", "p.ipuproj", "--ipus", "2", "--search", "--memory-limit", "1000", "--json"});
        QCOMPARE(answer.code, 1);
        QVERIFY(answer.json()["front"].empty());
        const Answer unwritten = workbench.run(
            {"plan", "p.ipuproj", "--ipus", "2", "--search", "--memory-limit", "1000", "-o", "best.ipuproj"});
        QCOMPARE(unwritten.code, 1);
        QVERIFY2(unwritten.err.contains("hint:"), unwritten.err);
        QVERIFY(!std::filesystem::exists(workbench.path("best.ipuproj")));
    }

    void aSearchThatIsCutSaysTheGap() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const core::Json json =
            workbench.run({"plan", "p.ipuproj", "--ipus", "2", "--search", "--simulations", "1", "--json"})
                .json();
        QVERIFY(json["proven_optimal"].get<bool>() || json["gap"].get<double>() > 0);
        // As much again is spent on a whole front.
        QVERIFY(json["simulated"].get<int>() <= 2);
    }

    void aModelThatIsTooLongIsRefusedWithACure() {
        const Workbench workbench;
        const QString widths = QStringList(2100, "4").join(u',');
        QCOMPARE(workbench.run({"new", "mlp", "inputs=4", "hidden=" + widths, "classes=2", "-o", "p.ipuproj"})
                     .code,
                 0);
        const Answer answer = workbench.run({"plan", "p.ipuproj", "--ipus", "2", "--search"});
        QCOMPARE(answer.code, 3);
        QVERIFY2(answer.err.contains("takes models of up to 2000 layer calls; this one has 21") &&
                     answer.err.contains("--stages"),
                 answer.err);
    }

    void aLockedLayerStaysOnItsStageInEveryPlan() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const auto project = core::loadProject(workbench.path("p.ipuproj"));
        const auto calls = core::flattened(core::assignmentEntries(project->project.model));
        const core::AssignmentEntry& last = calls.back();
        const auto front = [&](const QStringList& more) {
            return workbench.run(QStringList{"plan", "p.ipuproj", "--ipus", "2", "--search", "--json"} + more)
                .json()["front"];
        };
        const auto stageIn = [&](const core::Json& plan) {
            std::size_t stage = 0;
            for (const core::Json& end : plan["stage_ends"])
                stage += end.get<std::size_t>() <= last.index ? 1 : 0;
            return stage;
        };
        bool isElsewhere = false;
        for (const core::Json& plan : front({}))
            isElsewhere = isElsewhere || stageIn(plan) != 1;
        QVERIFY(isElsewhere);
        const core::Json locked = front({"--lock", QString::fromStdString(last.path + "=1")});
        QVERIFY(!locked.empty());
        for (const core::Json& plan : locked)
            QCOMPARE(stageIn(plan), std::size_t(1));
    }

    void wrongRequestsAreRefusedWithACure_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        QTest::newRow("no IPUs") << QStringList{"--search"} << 2;
        QTest::newRow("no search") << QStringList{"--ipus", "4"} << 2;
        QTest::newRow("neither") << QStringList{} << 2;
        QTest::newRow("no IPU at all") << QStringList{"--search", "--ipus", "0"} << 2;
        QTest::newRow("no batch") << QStringList{"--search", "--ipus", "2", "--batch", "0"} << 2;
        QTest::newRow("no time") << QStringList{"--search", "--ipus", "2", "--time-limit", "0"} << 2;
        QTest::newRow("stages") << QStringList{"--search", "--ipus", "2", "--stages", "2"} << 2;
        QTest::newRow("locks") << QStringList{"--search", "--ipus", "2", "--lock", "dens64=0"} << 2;
        QTest::newRow("no stage") << QStringList{"--search", "--ipus", "2", "--lock", "dense64=x"} << 2;
        QTest::newRow("objective") << QStringList{"--search", "--ipus", "2", "--objective", "memory"} << 2;
        QTest::newRow("schedule that is not searched")
            << QStringList{"--search", "--ipus", "2", "--keep", "schedule", "--set", "pipeline.schedule=1F1B"}
            << 3;
        QTest::newRow("no file") << QStringList{"--search", "--ipus", "2", "--pick", "1"} << 2;
        QTest::newRow("no such plan")
            << QStringList{"--search", "--ipus", "2", "--pick", "900", "-o", "-"} << 2;
        QTest::newRow("batch that nothing makes") << QStringList{"--search",
                                                                 "--ipus",
                                                                 "2",
                                                                 "--batch",
                                                                 "7",
                                                                 "--set",
                                                                 "pipeline.batch_serialization_iterations=2"}
                                                  << 3;
    }
    void wrongRequestsAreRefusedWithACure() {
        QFETCH(const QStringList, arguments);
        QFETCH(const int, code);
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const Answer answer = workbench.run(QStringList{"plan", "p.ipuproj"} + arguments);
        QVERIFY2(answer.code == code, answer.err);
        QVERIFY2(answer.err.contains("hint:"), answer.err);
    }
};

REGISTER_TEST("plan_search_argument", PlanSearchArgumentTest)
#include "plan_search_argument_test.moc"
