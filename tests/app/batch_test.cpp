#include "tests/app/workbench.h"
#include "tests/support/test_registry.h"

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
        QTest::newRow("not a number")
            << QStringList{"devices", "--ipus", "many", "--json"} << QByteArray("--help");
        QTest::newRow("out of range")
            << QStringList{"devices", "--ipus", "0", "--json"} << QByteArray("--help");
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
