#include "core/base/file.h"
#include "core/platform/process_identity.h"
#include "tests/support/shared_data.h"
#include "tests/support/test_registry.h"
#include "tests/support/watched_program.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QtTest/QTest>
#include <filesystem>
#include <fstream>

using namespace tests;
namespace fs = std::filesystem;

namespace {

/// A chain of as many layers.
std::string chainOf(int layers) {
    std::string text = R"({"format": "ipu-workbench-project", "version": 1, "name": "chain", "model":
        {"class_name": "Sequential", "config": {"name": "m", "layers": [
        {"class_name": "InputLayer", "config": {"batch_input_shape": [null, 8], "name": "in"}})";
    for (int i = 0; i < layers; ++i)
        text += fmt::format(R"(, {{"class_name": "Dense", "config": {{"name": "d{}", "units": 8}}}})", i);
    return text + R"(]}}, "training": {"loss": "mse", "dataset": {"kind": "synthetic"}}})";
}

/// Numbers of a schedule, one for each epoch.
std::string projectWithRates(int rates) {
    std::string text = chainOf(2);
    text.resize(text.rfind('}') - 1);
    text += R"(, "callbacks": [{"class_name": "LearningRateScheduler", "config": {"schedule": [0.1)";
    for (int i = 0; i < rates; ++i)
        text += ", 0.1";
    return text + "]}}]}}";
}

} // namespace

/// Input of strangers that is stopped, refused, or left alone.
class RefusedInputTest : public QObject {
    Q_OBJECT

private slots:
    void everyVerbEndsSoonWhenItIsStopped_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("plan") << QStringList{"plan", "chain.ipuproj", "--stages", "64"};
        QTest::newRow("advise") << QStringList{"advise", "chain.ipuproj"};
        QTest::newRow("check") << QStringList{"check", "chain.ipuproj"};
        QTest::newRow("compile") << QStringList{"compile", "chain.ipuproj", "-o", "x.ipuexe"};
        QTest::newRow("run") << QStringList{"run", "chain.ipuproj", "--no-numerics"};
        QTest::newRow("rates") << QStringList{"validate", "rates.ipuproj"};
    }

    void everyVerbEndsSoonWhenItIsStopped() {
        QFETCH(QStringList, arguments);
        const Kitchen kitchen;
        kitchen.workbench().write("chain.ipuproj", chainOf(5000));
        kitchen.workbench().write("rates.ipuproj", projectWithRates(1'000'000));
        // The signal comes half a second after the start.
        const Outcome outcome = kitchen.run({arguments, SIGINT});
        // The machine may be busy; without an end at once it is several seconds.
        QVERIFY2(outcome.seconds < 2, describe(outcome).c_str());
        QVERIFY2(outcome.code == 130 || outcome.code == 0 || outcome.code == 1, describe(outcome).c_str());
        QVERIFY(!fs::exists(kitchen.path("x.ipuexe")) || outcome.code != 130);
    }

    void theStandardInputHasALimit() {
        const Workbench workbench;
        QProcess shell;
        shell.setWorkingDirectory(QString::fromStdString(workbench.path(".").string()));
        shell.start("/bin/sh", {"-c", "ulimit -v 2000000; exec \"$IPU_WORKBENCH\" import - </dev/zero"});
        QVERIFY(shell.waitForFinished(60'000));
        const QByteArray errors = shell.readAllStandardError();
        QVERIFY2(shell.exitCode() == 4 && errors.contains("file/too-large"), errors.constData());
        QVERIFY2(errors.contains("put it into a file"), errors.constData());
    }

    void whatASystemMakesUpIsNoInput() {
        const Kitchen kitchen;
        kitchen.workbench().writeProject("p.ipuproj");
        for (const QStringList& arguments :
             {QStringList{"validate", "/proc/kmsg"}, QStringList{"runs", "--database", "/proc/kmsg"},
              QStringList{"run", "p.ipuproj", "--database", "/proc/kmsg"},
              QStringList{"benchmark-dataset", "/proc/kmsg"},
              QStringList{"import", "/sys/kernel/uevent_seqnum"}}) {
            const Outcome outcome = kitchen.run({arguments});
            QVERIFY2(outcome.code == 4 || outcome.code == 2, describe(outcome).c_str());
            QVERIFY2(outcome.seconds < 2, describe(outcome).c_str());
        }
    }

    void aProgramOfNothingButStatementsIsRefused() {
        const Kitchen kitchen;
        std::string program;
        for (int i = 0; i < 300'000; ++i)
            program += "x=1\n";
        kitchen.workbench().write("long.py", program);
        const Outcome outcome = kitchen.run({{"import", "long.py", "--summary"}});
        QVERIFY2(outcome.code == 3 && outcome.errors.find("python/too-long") != std::string::npos,
                 describe(outcome).c_str());
        QVERIFY2(outcome.peak < 20 * program.size() + 64 * mebibyte, describe(outcome).c_str());
    }

    void metricsWithoutNumberAreRefused() {
        const Kitchen kitchen;
        std::string metrics = R"("mse")";
        for (int i = 0; i < 200'000; ++i)
            metrics += R"(, "mse")";
        std::string project = chainOf(2);
        project.insert(project.find(R"("loss")"), R"("metrics": [)" + metrics + "], ");
        kitchen.workbench().write("p.ipuproj", project);
        const Outcome outcome = kitchen.run({{"run", "p.ipuproj", "--no-numerics"}});
        QVERIFY2(outcome.code == 3 && outcome.errors.find("value/metrics") != std::string::npos,
                 describe(outcome).c_str());
        QVERIFY2(outcome.peak < 20 * project.size() + 64 * mebibyte && outcome.seconds < 5,
                 describe(outcome).c_str());
    }

    void anOlderDatabaseBehindALinkIsReadAndStays() {
        const Workbench workbench;
        QProcess older;
        older.start(
            "python3",
            {"-c",
             "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(open(sys.argv[2]).read())",
             QString::fromStdString(workbench.path("real.sqlite").string()),
             QString::fromStdString((projectRoot() / "tests/core/profile/versions/version_1.sql").string())});
        if (!older.waitForFinished() || older.exitCode() != 0)
            QSKIP("there is no python3 with sqlite3 here");
        fs::create_directory(workbench.path("net"));
        fs::create_symlink("../real.sqlite", workbench.path("net/link.sqlite"));
        const std::string before = core::readFile(workbench.path("real.sqlite")).value_or("");
        for (const char* name : {"net/link.sqlite", "net/hard.sqlite"}) {
            if (!fs::exists(workbench.path(name)))
                fs::create_hard_link(workbench.path("real.sqlite"), workbench.path(name));
            const Answer answer = workbench.run({"runs", "--database", name, "--json"});
            QVERIFY2(answer.code == 0 && answer.json()["runs"].size() == 3, answer.err.constData());
            QVERIFY(core::readFile(workbench.path("real.sqlite")).value_or("") == before);
        }
        QVERIFY(!fs::exists(workbench.path("net/link.version-1.sqlite")));
    }

    void filesOfTheDeadGoWithEveryVerb() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        QCOMPARE(workbench.run({"run", "p.ipuproj", "--no-numerics"}).code, 0);
        // A process that never was.
        std::string tag = core::processTag();
        tag.replace(0, tag.find('-'), "999999999");
        for (const QStringList& arguments :
             {QStringList{"validate", "p.ipuproj"}, QStringList{"runs", "--database", "p.profiles.sqlite"}}) {
            const std::string name = fmt::format(".p.ipuproj.{}.abcdef", tag);
            workbench.write(name.c_str(), "half");
            QCOMPARE(workbench.run(arguments).code, 0);
            QVERIFY2(!fs::exists(workbench.path(name.c_str())), name.c_str());
        }
    }

    void aLogThatKerasWroteIsNobodysOwn() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj",
                               {{"\"steps_per_epoch\": 8", R"("steps_per_epoch": 8, "callbacks": [
            {"class_name": "CSVLogger", "config": {"filename": "log.csv"}}])"}});
        const std::string keras = "epoch,loss,accuracy\n0,2.3,0.1\n1,2.1,0.2\n";
        workbench.write("log.csv", keras);
        const Answer refused = workbench.run({"run", "p.ipuproj"});
        QCOMPARE(refused.code, 4);
        QVERIFY(core::readFile(workbench.path("log.csv")).value_or("") == keras);
        fs::remove(workbench.path("log.csv"));
        QCOMPARE(workbench.run({"run", "p.ipuproj"}).code, 0);
        // Its own is.
        QCOMPARE(workbench.run({"run", "p.ipuproj"}).code, 0);
    }

    void aSweepStoresNothingElsewhereWithoutAWord() {
        const Workbench workbench;
        fs::create_directory(workbench.path("sweeps"));
        workbench.writeProject("p.ipuproj");
        workbench.write("sweeps/s.json", R"({"format": "ipu-workbench-sweep", "version": 1,
            "project": "../p.ipuproj", "grid": {"training.epochs": [1, 2]}})");
        const Answer refused = workbench.run({"sweep", "sweeps/s.json"});
        QCOMPARE(refused.code, 3);
        QVERIFY2(refused.err.contains("sweep/outside") && refused.err.contains("--allow-outside"),
                 refused.err.constData());
        QVERIFY(!fs::exists(workbench.path("p.profiles.sqlite")));
        const Answer allowed = workbench.run({"sweep", "sweeps/s.json", "--allow-outside"});
        QVERIFY2(allowed.code == 0 && allowed.err.contains("p.profiles.sqlite"), allowed.err.constData());
        QCOMPARE(workbench.run({"sweep", "sweeps/s.json", "--database", "own.sqlite"}).code, 0);
    }

    void aPictureIsTheSameWhereACommaIsThePoint_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("flame") << QStringList{"render", "last", "--view", "flame"};
        QTest::newRow("liveness") << QStringList{"render", "last", "--view", "liveness"};
        QTest::newRow("html") << QStringList{"export", "last", "--format", "html"};
    }

    void aPictureIsTheSameWhereACommaIsThePoint() {
        QFETCH(QStringList, arguments);
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        QCOMPARE(workbench.run({"run", "p.ipuproj", "--profile", "tile", "--no-numerics"}).code, 0);
        const QString locales = QString::fromStdString(workbench.path("locales").string());
        fs::create_directory(workbench.path("locales"));
        // Warnings have the code 1.
        if (QProcess::execute("localedef", {"-i", "de_DE", "-f", "UTF-8", locales + "/de_DE.UTF-8"}) > 1)
            QSKIP("no locale can be made here");
        const auto made = [&](const char* file, const QStringList& environment) {
            const QByteArray told = workbench.runOnTerminal(arguments + QStringList{"-o", file}, environment);
            const auto content = core::readFile(workbench.path(file));
            return content ? QByteArray::fromStdString(*content) : told;
        };
        const char* ending = arguments[0] == "render" ? "svg" : "html";
        const QByteArray point = made(fmt::format("point.{}", ending).c_str(), {"LC_ALL=C.UTF-8"});
        const QByteArray comma =
            made(fmt::format("comma.{}", ending).c_str(), {"LC_ALL=de_DE.UTF-8", "LOCPATH=" + locales});
        QVERIFY2(point.size() > 1000, point.constData());
        QVERIFY(point == comma);
    }

    void aFullDiskLeavesNoHalfDatabase() {
        const Workbench workbench;
        workbench.writeProject("p.ipuproj");
        QCOMPARE(workbench.run({"run", "p.ipuproj", "--no-numerics"}).code, 0);
        fs::copy_file(workbench.path("p.profiles.sqlite"), workbench.path("q.sqlite"));
        const fs::path small = workbench.path("small");
        fs::create_directory(small);
        QProcess shell;
        shell.setWorkingDirectory(QString::fromStdString(workbench.path(".").string()));
        shell.start("unshare",
                    {"-m", "/bin/sh", "-c",
                     "mount -t tmpfs -o size=400k tmpfs small || exit 99; cd small; "
                     "\"$IPU_WORKBENCH\" merge ../p.profiles.sqlite ../q.sqlite -o m.sqlite 2>../merge.txt; "
                     "echo $? >../code.txt; head -c 380000 /dev/zero >fill; "
                     "\"$IPU_WORKBENCH\" run ../p.ipuproj --no-numerics --database n.sqlite 2>../run.txt; "
                     "ls -a >../left.txt"});
        QVERIFY(shell.waitForFinished(60'000));
        if (shell.exitCode() != 0)
            QSKIP("no file system can be mounted here");
        const auto text = [&](const char* name) {
            return QByteArray::fromStdString(core::readFile(workbench.path(name)).value_or(""));
        };
        QCOMPARE(text("code.txt"), QByteArray("4\n"));
        QCOMPARE(text("merge.txt").count("error:"), 1);
        QVERIFY2(text("merge.txt").contains("m.sqlite"), text("merge.txt").constData());
        QCOMPARE(text("run.txt").count("error:"), 1);
        QCOMPARE(text("left.txt"), QByteArray(".\n..\nfill\n"));
    }
};

REGISTER_TEST("refused_input", RefusedInputTest)
#include "refused_input_test.moc"
