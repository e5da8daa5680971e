#include "core/base/file.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>
#include <filesystem>

using tests::Answer;
using tests::Workbench;

namespace {

const QStringList check{"check", "p.ipuproj"};

std::string textOf(const Workbench& bench, const char* name) {
    return core::readFile(bench.path(name)).value_or("");
}

} // namespace

class CheckVerbTest : public QObject {
    Q_OBJECT

private slots:
    void aPlanIsHeldAgainstTheFileOfItsFigures() {
        const Workbench bench;
        bench.writeProject("p.ipuproj");
        const QStringList against = check + QStringList{"--baseline", "p.baseline.json"};
        const Answer missing = bench.run(against);
        QCOMPARE(missing.code, 4);
        QVERIFY2(missing.err.contains("--update-baseline"), missing.err.constData());
        QCOMPARE(bench.run(against + QStringList{"--update-baseline"}).code, 0);
        const std::string first = textOf(bench, "p.baseline.json");
        const Answer equal = bench.run(against + QStringList{"--json"});
        QCOMPARE(equal.code, 0);
        const core::Json checks = equal.json()["checks"];
        QCOMPARE(checks.size(), std::size_t(3));
        // The figure of the file is the one that the check shows.
        const core::Json figures = core::parseJson(first, "p.baseline.json").value();
        QCOMPARE(figures["samples_per_second"].get<double>(), checks[1]["value"].get<double>());
        QCOMPARE(figures["peak_fraction"].get<double>(), checks[2]["value"].get<double>());
        const QStringList slower{"--set", "training.batch_size=1"};
        QCOMPARE(bench.run(against + slower).code, 1);
        QCOMPARE(textOf(bench, "p.baseline.json"), first);
        QCOMPARE(bench.run(against + slower + QStringList{"--update-baseline"}).code, 0);
        QVERIFY(textOf(bench, "p.baseline.json") != first);
        QCOMPARE(bench.run(against + slower).code, 0);
    }

    void aProjectThatIsRefusedIsAFailureForOtherProgramsToo() {
        const Workbench bench;
        bench.writeProject("p.ipuproj");
        const Answer answer = bench.run(check + QStringList{"--set", "training.batch_size=0", "--junit",
                                                            "j.xml", "--code-quality", "q.json", "--github"});
        QCOMPARE(answer.code, 3);
        QVERIFY(textOf(bench, "j.xml").find("failures=\"1\"") != std::string::npos);
        QVERIFY(textOf(bench, "q.json").find("is simulated") != std::string::npos);
        QVERIFY2(answer.err.contains("::error file=p.ipuproj"), answer.err.constData());
    }

    void filesThatAreNoBaselineAreRefusedAtTheirPlace() {
        const Workbench bench;
        bench.writeProject("p.ipuproj");
        const QStringList against = check + QStringList{"--baseline", "b.json"};
        for (const auto& [text, place] :
             {std::pair{"{}", "/format"},
              std::pair{R"({"format": "ipu-workbench-baseline", "version": 1, "samples_per_second": "fast",
                                                     "peak_fraction": 0.5})",
                        "/samples_per_second"},
              std::pair{R"({"format": "ipu-workbench-baseline", "version": 1, "samples_per_second": 5})",
                        "peak_fraction"}}) {
            bench.write("b.json", text);
            const Answer answer = bench.run(against);
            QVERIFY2(answer.code == 3 && answer.err.contains(place) && answer.err.contains("hint:"),
                     answer.err.constData());
        }
        // What is no baseline is somebody's work.
        bench.write("b.json", R"({"format": "of another program"})");
        const Answer kept = bench.run(against + QStringList{"--update-baseline"});
        QCOMPARE(kept.code, 4);
        QVERIFY2(kept.err.contains("[file/exists]"), kept.err.constData());
        QCOMPARE(textOf(bench, "b.json"), R"({"format": "of another program"})");
        QCOMPARE(bench.run(against + QStringList{"--update-baseline", "--force"}).code, 0);
        const Answer stored = bench.run(check + QStringList{"--baseline", "last", "--update-baseline"});
        QCOMPARE(stored.code, 2);
        QCOMPARE(bench.run(check + QStringList{"--update-baseline"}).code, 2);
    }

    void whatFailedIsAnAnnotation() {
        const Workbench bench;
        bench.writeProject("a,b.ipuproj");
        const QStringList arguments{"check",        "a,b.ipuproj", "--github", "--code-quality",
                                    "quality.json", "--junit",     "r.xml",    "-q"};
        const Answer passed = bench.run(arguments);
        QCOMPARE(passed.code, 0);
        QVERIFY2(!passed.err.contains("::error"), passed.err.constData());
        QCOMPARE(textOf(bench, "quality.json"), std::string("[]\n"));
        const Answer failed = bench.run(arguments + QStringList{"--max-step-ns", "5"});
        QCOMPARE(failed.code, 1);
        QVERIFY2(failed.err.startsWith("::error file=a%2Cb.ipuproj,title=check step_ns::step_ns is "),
                 failed.err.constData());
        QVERIFY(failed.err.endsWith(", above 5\n"));
        const core::Json entries = core::parseJson(textOf(bench, "quality.json"), "quality.json").value();
        QCOMPARE(entries.size(), std::size_t(1));
        QCOMPARE(entries[0]["check_name"].get<std::string>(), std::string("step_ns"));
        QCOMPARE(entries[0]["location"]["path"].get<std::string>(), std::string("a,b.ipuproj"));
        QVERIFY(textOf(bench, "r.xml").find("above 5") != std::string::npos);
    }

    void whatDoesNotFitIsNoBaseline() {
        const Workbench bench;
        const auto large = tests::projectRoot() / "projects/too-large/too-large.ipuproj";
        const Answer answer = bench.run({"check", QString::fromStdString(large.string()), "--baseline",
                                         "large.json", "--update-baseline"});
        QCOMPARE(answer.code, 1);
        QVERIFY2(answer.out.contains("no baseline written"), answer.out.constData());
        QVERIFY(!std::filesystem::exists(bench.path("large.json")));
    }
};

REGISTER_TEST("check_verb", CheckVerbTest)
#include "check_verb_test.moc"
