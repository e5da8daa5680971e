#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QtTest/QTest>
#include <filesystem>

using tests::Answer;
using tests::Workbench;

/// What every verb promises: exit codes, what goes to stdout and to stderr, files.
class BatchTest : public QObject {
    Q_OBJECT

private slots:
    void namesItsVersions() {
        const Answer answer = Workbench().run({"--version"});
        QCOMPARE(answer.code, 0);
        for (const char* what : {"ipu-workbench ", "engine ", "cost model ", "database schema "})
            QVERIFY2(answer.out.contains(what), what);
        QVERIFY(answer.err.isEmpty());
    }

    void startsTheHelpOfEveryVerbWithExamples() {
        const Workbench workbench;
        const Answer general = workbench.run({"--help"});
        QCOMPARE(general.code, 0);
        int verbs = 0;
        bool isList = false;
        for (const QByteArray& line : general.out.split('\n')) {
            if (isList && line.startsWith("  ")) {
                const QString verb = QString::fromUtf8(line.mid(2).split(' ').first());
                const Answer help = workbench.run({verb, "--help"});
                QCOMPARE(help.code, 0);
                QVERIFY2(help.out.startsWith("Examples:\n  ipu-workbench " + verb.toUtf8()), line);
                ++verbs;
            }
            isList = line == "Verbs:" || (isList && !line.isEmpty());
        }
        QVERIFY(verbs >= 13);
    }

    void answersUsageErrorsWithTwo_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("hint");
        QTest::newRow("unknown verb")
            << QStringList{"validat", "--json"} << QByteArray("did you mean \"validate\"?");
        QTest::newRow("unknown option") << QStringList{"devices", "--ipu", "--json"} << QByteArray("--ipus");
        QTest::newRow("not a number") << QStringList{"devices", "--ipus", "many", "--json"}
                                      << QByteArray("a whole number from 1 to 65536");
        QTest::newRow("out of range") << QStringList{"devices", "--ipus", "0", "--json"}
                                      << QByteArray("a whole number from 1 to 65536");
        QTest::newRow("negative") << QStringList{"run", "p.ipuproj", "--seed", "-1", "--json"}
                                  << QByteArray("a whole number from 0");
        QTest::newRow("no such choice")
            << QStringList{"run", "p.ipuproj", "--mode", "tran", "--json"}
            << QByteArray("did you mean \"train\"? allowed: train, evaluate, predict");
        QTest::newRow("not finite") << QStringList{"check", "p.ipuproj", "--max-step-ns", "nan", "--json"}
                                    << QByteArray("--max-step-ns: error: cannot be \"nan\"");
        QTest::newRow("no value") << QStringList{"devices", "--json", "--ipus"}
                                  << QByteArray("--ipus: error: needs a value");
        QTest::newRow("twice") << QStringList{"devices", "--ipus", "1", "--ipus", "2", "--json"}
                               << QByteArray("--ipus: error: is given more than once");
        QTest::newRow("one argument too many")
            << QStringList{"validate", "p.ipuproj", "q.ipuproj", "--json"}
            << QByteArray("q.ipuproj: error: `ipu-workbench validate` takes no further");
        QTest::newRow("an option without a verb")
            << QStringList{"--window", "--json"} << QByteArray("--window: error: ");
        QTest::newRow("missing argument") << QStringList{"validate", "--json"} << QByteArray("--help");
        QTest::newRow("not a setting") << QStringList{"validate", "p.ipuproj", "--set", "x", "--json"}
                                       << QByteArray("--set pipeline.schedule=Interleaved");
        QTest::newRow("json and csv") << QStringList{"devices", "--json", "--csv"} << QByteArray("keep one");
    }

    void answersUsageErrorsWithTwo() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, hint);
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const Answer answer = workbench.run(arguments);
        QCOMPARE(answer.code, 2);
        QVERIFY2(answer.err.contains(hint), answer.err);
        QVERIFY(answer.err.contains(": error: ") || answer.err.startsWith("error: "));
        QCOMPARE(answer.json().value("schema", ""), std::string("ipu-workbench/error"));
    }

    void answersTroubleWithFilesWithFour() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        std::filesystem::create_directory(workbench.path("folder"));
        QCOMPARE(workbench.run({"validate", "missing.ipuproj"}).code, 4);
        QCOMPARE(workbench.run({"validate", "folder"}).code, 4);
        QCOMPARE(workbench.run({"devices", "-o", "p.ipuproj"}).code, 4);
        QCOMPARE(workbench.run({"devices", "-o", "folder"}).code, 4);
        QCOMPARE(workbench.run({"devices", "-o", "nowhere/x"}).code, 4);
        QCOMPARE(workbench.run({"devices", "-o", "/dev/full"}).code, 4);
        const Answer answer = workbench.run({"validate", "missing.ipuproj", "--json"});
        QCOMPARE(answer.codes(), "file/missing");
        QCOMPARE(answer.json()["diagnostics"][0]["file"].get<std::string>(), std::string("missing.ipuproj"));
        QVERIFY(!answer.json()["diagnostics"][0]["hint"].get<std::string>().empty());
    }

    void looksBeforeItWorks() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const Answer answer = workbench.run({"check", "p.ipuproj", "--junit", "nowhere/report.xml"});
        QCOMPARE(answer.code, 4);
        QVERIFY2(!answer.err.contains(" % "), answer.err);
        QCOMPARE(workbench.run({"runs"}).code, 4);
        QCOMPARE(workbench.run({"import", "p.ipuproj", "--json"}).codes(), "import/is-a-project");
    }

    void coloursOnlyATerminalThatWantsIt() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj", {{"[0, 1]", "[0, 2]"}});
        const QByteArray coloured = workbench.runOnTerminal({"validate", "p.ipuproj"}, {});
        QVERIFY2(coloured.contains("\x1b[31merror:\x1b[0m"), coloured);
        const QByteArray plain = workbench.runOnTerminal({"validate", "p.ipuproj"}, {"NO_COLOR=1"});
        QVERIFY2(plain.contains(" error: ") && !plain.contains('\x1b'), plain);
    }

    void showsProgressInOneLineOfATerminal() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        const QStringList arguments{"run", "p.ipuproj", "--no-numerics"};
        const QByteArray terminal = workbench.runOnTerminal(arguments, {});
        QVERIFY2(terminal.contains("\r\x1b[K100 % "), terminal);
        QVERIFY2(terminal.endsWith("\r\x1b[K"), terminal);
        QVERIFY(workbench.run(arguments).err.contains("100 % done\n"));
        QVERIFY(workbench.run(arguments + QStringList{"--quiet"}).err.isEmpty());
    }

    void opensNoWindowWithoutADisplay() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        QCOMPARE(workbench.run({"p.ipuproj"}).code, 4);
        QCOMPARE(workbench.run({}).code, 4);
    }

    void replacesFilesOnlyWhenForced() {
        const Workbench workbench;
        QCOMPARE(workbench.run({"devices", "--json", "-o", "d.json"}).code, 0);
        QCOMPARE(workbench.run({"devices", "--json", "-o", "d.json"}).code, 4);
        const Answer forced = workbench.run({"devices", "--json", "-o", "d.json", "--force"});
        QCOMPARE(forced.code, 0);
        QVERIFY(forced.out.isEmpty());
        QVERIFY(workbench.run({"devices", "--json", "-o", "-"}).json().contains("devices"));
    }

    void keepsWarningsOffWhenQuiet() {
        const Workbench workbench;
        workbench.writeProject(
            "p.ipuproj", {{"\"loss\": \"mse\",\n    \"dataset\": {\"kind\": \"synthetic\", \"samples\": 64, "
                           "\"seed\": 1}",
                           "\"seed\": 1"}});
        QVERIFY(workbench.run({"validate", "p.ipuproj"}).err.contains("warning"));
        QVERIFY(workbench.run({"validate", "p.ipuproj", "--quiet"}).err.isEmpty());
    }

    void escapesWhatAHostileFileMightForge() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj", {{"\"system\"", "\"a\\nerror: forged\""}});
        const Answer answer = workbench.run({"validate", "p.ipuproj"});
        QCOMPARE(answer.code, 3);
        QVERIFY(!answer.err.contains("\nerror: forged"));
    }
};

REGISTER_TEST("batch", BatchTest)
#include "batch_test.moc"
