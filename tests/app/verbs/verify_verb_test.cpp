#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>
#include <SQLiteCpp/SQLiteCpp.h>

using tests::Answer;
using tests::Workbench;

/// The verb `verify`.
class VerifyVerbTest : public QObject {
    Q_OBJECT

private slots:
    void aRunIsWhatARunGives() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        QCOMPARE(workbench.run({"run", "p.ipuproj", "--seed", "7"}).code, 0);
        const Answer answer = workbench.run({"verify", "last", "--json"});
        QVERIFY2(answer.code == 0, answer.out + answer.err);
        QVERIFY(answer.json()["matches"].get<bool>());
        QCOMPARE(answer.json()["numerics"].get<bool>(), true);
        QVERIFY(answer.json()["constants"].empty());
    }

    void aFigureThatWasChangedIsNamed() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        (void)workbench.run({"run", "p.ipuproj", "--no-numerics"});
        {
            SQLite::Database database(workbench.path("p.profiles.sqlite").string(), SQLite::OPEN_READWRITE);
            database.exec("UPDATE run SET step_cycles = step_cycles + 1000;"
                          "UPDATE stage SET forward_cycles = 7 WHERE stage = 1");
        }
        const Answer answer = workbench.run({"verify", "1", "--json"});
        QCOMPARE(answer.code, 1);
        QStringList names;
        const core::Json json = answer.json();
        for (const core::Json& difference : json["differences"])
            names << QString::fromStdString(difference["name"].get<std::string>());
        QCOMPARE(names.join(' '), QString("step_cycles step_ns stages/1/forward_cycles"));
        const Answer text = workbench.run({"verify", "1"});
        QVERIFY2(text.out.contains("stages/1/forward_cycles"), text.out);
    }

    void aConstantThatChangedIsNamedWithWhatItMoves() {
        const Workbench workbench;
        const char* target = R"({"format": "ipu-workbench-target", "version": 1, "name": "mine",
                                 "based_on": "ipu2", "superstep_overhead_cycles": %1})";
        const auto writeTarget = [&](const char* overhead) {
            workbench.write("mine.json", QString(target).arg(overhead).toStdString());
        };
        writeTarget("700");
        workbench.writeProject("p.ipuproj");
        const QStringList run{"run",   "p.ipuproj", "--no-numerics", "--set", "system.target=mine.json",
                              "--json"};
        const core::Json before = workbench.run(run).json();
        writeTarget("900");
        const Answer answer = workbench.run({"verify", "1", "--database", "p.profiles.sqlite", "--json"});
        QVERIFY2(answer.code == 1, answer.out + answer.err);
        const core::Json constants = answer.json()["constants"];
        QCOMPARE(constants.size(), std::size_t(1));
        QCOMPARE(constants[0]["key"].get<std::string>(), std::string("superstep_overhead_cycles"));
        QCOMPARE(constants[0]["stored"].get<int>(), 700);
        QCOMPARE(constants[0]["now"].get<int>(), 900);
        const core::Json after = workbench.run(run).json();
        QCOMPARE(constants[0]["step_cycles_moved"].get<std::int64_t>(),
                 after["step_cycles"].get<std::int64_t>() - before["step_cycles"].get<std::int64_t>());
    }

    void aTargetFileThatIsGoneIsTakenFromTheRun() {
        const Workbench workbench;
        workbench.write("mine.json", R"({"format": "ipu-workbench-target", "version": 1, "name": "mine",
                                         "based_on": "bow", "superstep_overhead_cycles": 700})");
        workbench.writeProject("p.ipuproj");
        QCOMPARE(workbench.run({"run", "p.ipuproj", "--set", "system.target=mine.json"}).code, 0);
        QVERIFY(std::filesystem::remove(workbench.path("mine.json")));
        const QStringList verify{"verify", "last", "--database", "p.profiles.sqlite"};
        const Answer answer = workbench.run(verify);
        QVERIFY2(answer.code == 0, answer.out + answer.err);
        QVERIFY2(answer.err.contains("the target file mine.json is not there"), answer.err);
        // What is stored is still held against what comes out.
        {
            SQLite::Database database(workbench.path("p.profiles.sqlite").string(), SQLite::OPEN_READWRITE);
            database.exec("UPDATE run SET step_cycles = step_cycles + 1000");
        }
        QCOMPARE(workbench.run(verify).code, 1);
    }

    void nothingIsWrittenByAVerification() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const QStringList run{
            "run", "p.ipuproj", "--set",
            R"(training.callbacks=[{"class_name": "CSVLogger", "config": {"filename": "log.csv"}}])"};
        QCOMPARE(workbench.run(run).code, 0);
        QVERIFY(std::filesystem::remove(workbench.path("log.csv")));
        QCOMPARE(workbench.run({"verify", "last"}).code, 0);
        QVERIFY(!std::filesystem::exists(workbench.path("log.csv")));
    }
};

REGISTER_TEST("verify_verb", VerifyVerbTest)
#include "verify_verb_test.moc"
