#include "app/verbs/base/verb_input.h"

#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>
#include <filesystem>

using tests::Answer;
using tests::Workbench;

class VerbInputTest : public QObject {
    Q_OBJECT

private slots:
    /// Each pair gives the same from the file and from the standard input.
    void theStandardInputIsAFileLikeAnother_data() {
        QTest::addColumn<QString>("byName");
        QTest::addColumn<QString>("byInput");
        QTest::newRow("a project") << "summary p.ipuproj"
                                   << "summary - < p.ipuproj";
        QTest::newRow("a project with settings")
            << "schedule p.ipuproj --set pipeline.schedule=Sequential --csv"
            << "schedule - --set pipeline.schedule=Sequential --csv < p.ipuproj";
        QTest::newRow("a schedule") << "schedule --stages 2 --micro-batches 2 --table s.csv --csv"
                                    << "schedule --stages 2 --micro-batches 2 --table - --csv < s.csv";
        QTest::newRow("a model") << "import m.json --summary --name m"
                                 << "import - --summary --name m < m.json";
        QTest::newRow("a sweep") << "sweep w.json --database named.sqlite --csv"
                                 << "sweep - --database piped.sqlite --csv < w.json";
        QTest::newRow("measurements") << "calibrate c.jsonl --csv"
                                      << "calibrate - --csv < c.jsonl";
    }
    void theStandardInputIsAFileLikeAnother() {
        QFETCH(QString, byName);
        QFETCH(QString, byInput);
        const Workbench bench;
        bench.writeProject("p.ipuproj");
        bench.write("s.csv", bench.runLine("schedule --stages 2 --micro-batches 2 --schedule GPipe --cells")
                                 .out.toStdString());
        bench.write("m.json", R"({"class_name": "Sequential", "config": {"name": "m", "layers": [
            {"class_name": "Dense", "config": {"name": "d", "batch_input_shape": [null, 8], "units": 4}}]}})");
        bench.write("w.json", R"({"format": "ipu-workbench-sweep", "version": 1, "project": "p.ipuproj",
            "grid": {"pipeline.schedule": ["Grouped", "Interleaved"]}})");
        const std::string cases =
            core::readFile(tests::projectRoot() / "simulator/calibration/calibration_cases.jsonl").value();
        bench.write("c.jsonl", cases.substr(0, cases.find('\n') + 1));
        const Answer named = bench.runLine(byName);
        const Answer piped = bench.runLine(byInput);
        QCOMPARE(piped.code, named.code);
        QVERIFY2(named.code != 2, named.err.constData());
        QVERIFY(!named.out.isEmpty());
        QByteArray expected = named.out;
        expected.replace("p.ipuproj", "stdin").replace("m.json", "stdin").replace("c.jsonl", "stdin");
        QCOMPARE(piped.out, expected);
    }

    /// A project without a file has no folder of its own to keep its runs in.
    void aRunOfTheStandardInputSaysWhereItIsKept() {
        const Workbench bench;
        bench.writeProject("p.ipuproj");
        const Answer said = bench.runLine("run - --no-numerics < p.ipuproj");
        QCOMPARE(said.code, 0);
        QVERIFY(std::filesystem::exists(bench.path("stdin.profiles.sqlite")));
        QVERIFY2(said.err.contains("recording into stdin.profiles.sqlite") && said.err.contains("--database"),
                 said.err.constData());
        QVERIFY(!bench.runLine("run - --no-numerics --quiet < p.ipuproj").err.contains("recording"));
        QVERIFY(!bench.runLine("run - --no-numerics --database mine.sqlite < p.ipuproj")
                     .err.contains("recording"));
        QVERIFY(std::filesystem::exists(bench.path("mine.sqlite")));
        QVERIFY(!bench.runLine("run p.ipuproj --no-numerics").err.contains("recording"));
        // Where it was said to be, the other verbs find it.
        QCOMPARE(bench.runLine("show last --database stdin.profiles.sqlite --json").json()["run"].get<int>(),
                 2);
    }

    void verbsFollowOneAnotherInAPipe() {
        const Workbench bench;
        bench.writeProject("p.ipuproj");
        const Answer answer =
            bench.runLine("export p.ipuproj --format keras-json -o - | \"$IPU_WORKBENCH\" import - -o -"
                          " | \"$IPU_WORKBENCH\" summary - --json");
        QCOMPARE(answer.code, 0);
        QVERIFY(!answer.json()["layers"].empty());
    }

    void findingsNameTheStandardInput() {
        const Workbench bench;
        const Answer answer = bench.runLine("validate - < /dev/null");
        QVERIFY(answer.code != 0);
        QVERIFY2(answer.err.contains("stdin:"), answer.err.constData());
    }
};

REGISTER_TEST("verb_input", VerbInputTest)
#include "verb_input_test.moc"
