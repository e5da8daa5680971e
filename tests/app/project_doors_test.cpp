#include "core/base/file.h"
#include "core/interchange/project/project_file.h"
#include "tests/app/window_bench.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QDir>
#include <QtTest/QTest>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;
using tests::Answer;
using tests::WindowBench;
using tests::Workbench;

namespace {

QString callbackSetting(const char* className, const char* config) {
    return QString("training.callbacks=[{\"class_name\": \"%1\", \"config\": %2}]").arg(className, config);
}

Answer runWithSetting(const Workbench& workbench, const QString& setting, const QStringList& more = {}) {
    return workbench.run(
        QStringList{"run", "net/p.ipuproj", "--database", "net/runs.sqlite", "--json", "--set", setting} +
        more);
}

std::string writtenText(const fs::path& path) {
    return core::readFile(path).value_or("missing");
}

/// A folder with a project in a folder of its own.
struct Bench {
    Bench() {
        fs::create_directory(workbench.path("net"));
        workbench.writeProject("net/p.ipuproj");
    }
    Workbench workbench;
};

/// The small project with one more layer, of the example library copied beside it.
QString withUserOperation(const char* library) {
    return QString(R"({"class_name": "Sequential", "config": {"name": "m", "layers": [
        {"class_name": "InputLayer", "config": {"batch_input_shape": [null, 8], "name": "in"}},
        {"class_name": "UserOperation", "config": {"name": "user", "library_path": "%1",
            "op_name": "scaled_square", "attributes": "0.5", "flops": 10}},
        {"class_name": "Dense", "config": {"name": "out", "units": 4}}]}})")
        .arg(library);
}

} // namespace

/// A project is data of somebody: what it may touch.
class ProjectDoorsTest : public QObject {
    Q_OBJECT

private slots:
    void aRunWritesOnlyBelowTheFolderOfItsProject_data() {
        QTest::addColumn<QString>("className");
        QTest::addColumn<QString>("config");
        const QString absolute = QDir::temp().filePath("ipu-workbench-nobody-writes-this");
        for (const auto& [className, key] :
             {std::pair("CSVLogger", "filename"), std::pair("ModelCheckpoint", "filepath"),
              std::pair("BackupAndRestore", "backup_dir")}) {
            QTest::addRow("%s above", className) << className << QString(R"({"%1": "../x.npz"})").arg(key);
            QTest::addRow("%s absolute", className)
                << className << QString(R"({"%1": "%2"})").arg(key, absolute);
            QTest::addRow("%s through a link", className)
                << className << QString(R"({"%1": "link/x.npz"})").arg(key);
        }
    }

    void aRunWritesOnlyBelowTheFolderOfItsProject() {
        QFETCH(QString, className);
        QFETCH(QString, config);
        const Bench bench;
        fs::create_directory(bench.workbench.path("elsewhere"));
        fs::create_directory_symlink(bench.workbench.path("elsewhere"), bench.workbench.path("net/link"));
        const QString setting = callbackSetting(qPrintable(className), qPrintable(config));
        const Answer answer = runWithSetting(bench.workbench, setting);
        QCOMPARE(answer.code, 3);
        QCOMPARE(answer.codes(), "project/outside");
        QVERIFY(answer.err.contains("--allow-outside"));
        QVERIFY(fs::is_empty(bench.workbench.path("elsewhere")));
        QVERIFY(!fs::exists(bench.workbench.path("x.npz")));
        if (config.contains("link")) {
            const Answer allowed = runWithSetting(bench.workbench, setting, {"--allow-outside"});
            QVERIFY2(allowed.code == 0, allowed.err.constData());
            QVERIFY(className == "BackupAndRestore" || !fs::is_empty(bench.workbench.path("elsewhere")));
        }
    }

    void aRunNeverWritesOverAFileThatNoRunMade_data() {
        QTest::addColumn<QString>("className");
        QTest::addColumn<QString>("config");
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("code");
        QTest::newRow("log") << "CSVLogger"
                             << R"({"filename": "mine.txt"})"
                             << "mine.txt"
                             << "file/exists";
        QTest::newRow("log, appending") << "CSVLogger"
                                        << R"({"filename": "mine.txt", "append": true})"
                                        << "mine.txt"
                                        << "file/exists";
        QTest::newRow("checkpoint") << "ModelCheckpoint"
                                    << R"({"filepath": "mine.txt"})"
                                    << "mine.txt"
                                    << "file/exists";
        QTest::newRow("backup") << "BackupAndRestore"
                                << R"({"backup_dir": "."})"
                                << "backup.npz"
                                << "file/exists";
        QTest::newRow("project") << "CSVLogger"
                                 << R"({"filename": "p.ipuproj"})"
                                 << "p.ipuproj"
                                 << "project/own-file";
        QTest::newRow("database") << "ModelCheckpoint"
                                  << R"({"filepath": "runs.sqlite"})"
                                  << ""
                                  << "project/own-file";
        QTest::newRow("beside the database") << "ModelCheckpoint"
                                             << R"({"filepath": "runs.sqlite-journal"})"
                                             << ""
                                             << "project/own-file";
    }

    void aRunNeverWritesOverAFileThatNoRunMade() {
        QFETCH(QString, className);
        QFETCH(QString, config);
        QFETCH(QString, file);
        QFETCH(QString, code);
        const Bench bench;
        const std::string name = "net/" + file.toStdString();
        if (!file.isEmpty() && file != "p.ipuproj")
            bench.workbench.write(name.c_str(), "PK mine");
        const std::string before = writtenText(bench.workbench.path(name.c_str()));
        const Answer answer = runWithSetting(
            bench.workbench, callbackSetting(qPrintable(className), qPrintable(config)), {"--allow-outside"});
        QCOMPARE(answer.code, code == "file/exists" ? 4 : 3);
        QCOMPARE(answer.codes(), code);
        QCOMPARE(writtenText(bench.workbench.path(name.c_str())), before);
    }

    void whatARunMadeTheNextOneReplaces_data() {
        QTest::addColumn<QString>("className");
        QTest::addColumn<QString>("config");
        QTest::addColumn<QString>("file");
        QTest::newRow("log") << "CSVLogger"
                             << R"({"filename": "logs/log.csv", "separator": ";"})"
                             << "logs/log.csv";
        QTest::newRow("archive") << "ModelCheckpoint"
                                 << R"({"filepath": "ck/w.npz"})"
                                 << "ck/w.npz";
        QTest::newRow("hdf5") << "ModelCheckpoint"
                              << R"({"filepath": "ck/deep/w.h5"})"
                              << "ck/deep/w.h5";
        QTest::newRow("backup") << "BackupAndRestore"
                                << R"({"backup_dir": "b", "delete_checkpoint": false})"
                                << "b/backup.npz";
    }

    void whatARunMadeTheNextOneReplaces() {
        QFETCH(QString, className);
        QFETCH(QString, config);
        QFETCH(QString, file);
        const Bench bench;
        const QString setting = callbackSetting(qPrintable(className), qPrintable(config));
        for (int i = 0; i < 2; ++i) {
            const Answer answer = runWithSetting(bench.workbench, setting);
            QVERIFY2(answer.code == 0, answer.err.constData());
            // The second run of the backup has nothing left to do.
            const bool writes = i == 0 || className != "BackupAndRestore";
            QCOMPARE(answer.err.contains(("/" + file).toUtf8()), writes);
        }
        QVERIFY(fs::exists(bench.workbench.path(("net/" + file).toStdString().c_str())));
    }

    void theFolderOfACheckpointIsLookedForBeforeTraining() {
        const Bench bench;
        bench.workbench.write("net/taken", "a file where a folder should be");
        const Answer answer = runWithSetting(
            bench.workbench, callbackSetting("ModelCheckpoint", R"({"filepath": "taken/w.h5"})"));
        QCOMPARE(answer.code, 4);
        QCOMPARE(answer.codes(), "file/missing-folder");
        QVERIFY(!answer.err.contains("epoch"));
    }

    /// A shell runs what stands in its hidden files, and a log may be made to look like commands.
    void aRunWritesNoHiddenFiles() {
        const Bench bench;
        for (const char* name : {".bash_profile", ".ssh/rc", "logs/.envrc"}) {
            const QString setting =
                callbackSetting("CSVLogger", qPrintable(QString(R"({"filename": "%1"})").arg(name)));
            const Answer answer = runWithSetting(bench.workbench, setting);
            QCOMPARE(answer.code, 3);
            QCOMPARE(answer.codes(), "project/hidden");
            QVERIFY(answer.err.contains("--allow-outside"));
            QVERIFY(!fs::exists(bench.workbench.path("net") / name));
        }
    }

    void namesAndSeparatorsOfFilesAreBounded() {
        const Bench bench;
        const auto codes = [&](const char* className, const char* config) {
            return runWithSetting(bench.workbench, callbackSetting(className, config)).codes();
        };
        QCOMPARE(codes("ModelCheckpoint", R"({"filepath": "w{epoch:999999999d}.h5"})"),
                 "value-error/file-name");
        QCOMPARE(codes("ModelCheckpoint", R"({"filepath": "w{epoch:2d}-{loss:.21f}.h5"})"),
                 "value-error/file-name");
        for (const char* separator : {"", ";;", R"(\ntouch x\n)", "x", "`", "$", "\\u0000"})
            QCOMPARE(codes("CSVLogger",
                           qPrintable(QString(R"({"filename": "l.csv", "separator": "%1"})").arg(separator))),
                     "value-error/separator");
        QCOMPARE(codes("CSVLogger", R"({"filename": "a\u0000b"})"), "project/name");
        QVERIFY(!fs::exists(bench.workbench.path("net/l.csv")));
        const Answer validated = bench.workbench.run(
            {"validate", "net/p.ipuproj", "--json", "--set",
             callbackSetting("CSVLogger", R"({"filename": "l.csv", "separator": "::"})")});
        QVERIFY(validated.codes().contains("value-error/separator"));
    }

    void namesOfCheckpointsThatMakeFoldersAreRefusedBeforeAnythingIsMade() {
        const Bench bench;
        for (const char* name : {"new.h5/", "{loss:/>9.3f}.h5"}) {
            const Answer answer = runWithSetting(
                bench.workbench,
                callbackSetting("ModelCheckpoint", qPrintable(QString(R"({"filepath": "%1"})").arg(name))));
            QVERIFY2(answer.code == 3, answer.err.constData());
            QVERIFY2(!answer.err.contains("epoch 1"), answer.err.constData());
        }
        for (const auto& entry : fs::directory_iterator(bench.workbench.path("net")))
            QVERIFY2(!entry.is_directory(), entry.path().c_str());
    }

    void nothingIsWrittenThroughALinkThatCameAfterTheDoor() {
        const Workbench workbench;
        fs::create_directory(workbench.path("real"));
        fs::create_directory(workbench.path("elsewhere"));
        const fs::path file = fs::canonical(workbench.path("real")) / "w.npz";
        QVERIFY(core::writeFileAtomically(file, "1", core::Overwrite::Replace, core::Links::Refuse));
        fs::rename(workbench.path("real"), workbench.path("moved"));
        fs::create_directory_symlink(workbench.path("elsewhere"), workbench.path("real"));
        QVERIFY(!core::writeFileAtomically(file, "2", core::Overwrite::Replace, core::Links::Refuse));
        QVERIFY(fs::is_empty(workbench.path("elsewhere")));
    }

    void theKeptPointsOfASweepNameTheProjectThatWritesOutside() {
        const Bench bench;
        bench.workbench.write("net/s.json", R"({"format": "ipu-workbench-sweep", "version": 1,
            "project": "p.ipuproj", "numerics": true, "grid": {"training.callbacks": [[
                {"class_name": "CSVLogger", "config": {"filename": "../x.csv"}}]]}})");
        const Answer answer = bench.workbench.run({"sweep", "net/s.json", "--keep", "best:1"});
        QVERIFY2(answer.err.contains("p.ipuproj") && answer.err.contains("/training/callbacks/0"),
                 answer.err.constData());
        QVERIFY(!fs::exists(bench.workbench.path("x.csv")));
    }

    void aProjectRunsNoCodeUnlessAllowed() {
        const Bench bench;
        bench.workbench.write("net/m.json", withUserOperation("./user.so").toStdString());
        QCOMPARE(bench.workbench.run({"import", "net/m.json", "-o", "net/u.ipuproj"}).code, 0);
        fs::copy_file(EXAMPLE_OPERATION, bench.workbench.path("net/user.so"));
        const QStringList run{"run",
                              "net/u.ipuproj",
                              "--json",
                              "--database",
                              "net/u.sqlite",
                              "--set",
                              R"(training.dataset={"kind": "synthetic"})",
                              "--set",
                              R"(training.loss="mse")"};
        const Answer refused = bench.workbench.run(run);
        QCOMPARE(refused.code, 3);
        QCOMPARE(refused.codes(), "project/user-code");
        QVERIFY(refused.err.contains("--allow-user-code"));
        // The library is found from the project, wherever the program was started.
        const Answer allowed = bench.workbench.run(run + QStringList{"--allow-user-code"});
        QVERIFY2(allowed.code == 0, allowed.err.constData());
        QVERIFY(allowed.json()["metrics"].contains("loss"));
        // A bare name is a file of the project too, never a library of the system.
        QString model = withUserOperation("libc.so.6");
        bench.workbench.write("net/m.json", model.toStdString());
        QCOMPARE(bench.workbench.run({"import", "net/m.json", "-o", "net/u.ipuproj", "--force"}).code, 0);
        const Answer bare = bench.workbench.run(run + QStringList{"--allow-user-code"});
        QCOMPARE(bare.code, 3);
        QVERIFY2(bare.err.contains("net/libc.so.6"), bare.err.constData());
    }

    void dataOutsideOfTheFolderIsAnnounced() {
        const Bench bench;
        std::string rows;
        for (int i = 0; i < 4096; ++i)
            rows += "1,2,3,4,5,6,7,8,0\n";
        bench.workbench.write("data.csv", rows);
        fs::copy_file(bench.workbench.path("data.csv"), bench.workbench.path("net/data.csv"));
        const auto errors = [&](const char* file) {
            return runWithSetting(bench.workbench,
                                  QString(R"(training.dataset={"kind": "csv", "file": "%1"})").arg(file),
                                  {"--set", "training.loss=sparse_categorical_crossentropy"})
                .err;
        };
        const QByteArray above = errors("../data.csv");
        QVERIFY2(above.contains("reads data outside the project's folder"), above);
        const QByteArray beside = errors("data.csv");
        QVERIFY2(!beside.contains(": error: ") && !beside.contains("outside the project's folder"), beside);
    }

    void pipesAndDevicesAreRefusedBeforeTheyAreOpened_data() {
        QTest::addColumn<QStringList>("arguments");
        for (const char* file : {"pipe", "/dev/zero"}) {
            QTest::addRow("project %s", file) << QStringList{"validate", file};
            QTest::addRow("model %s", file) << QStringList{"import", file, "--summary"};
            QTest::addRow("measurements %s", file) << QStringList{"calibrate", file};
            QTest::addRow("executable %s", file) << QStringList{"run", "net/p.ipuproj", "--executable", file};
            QTest::addRow("weights %s", file) << QStringList{
                "run", "net/p.ipuproj", "--set",
                QString("training.weights=%1").arg(file == QString("pipe") ? "../pipe" : file)};
        }
    }

    void pipesAndDevicesAreRefusedBeforeTheyAreOpened() {
        QFETCH(QStringList, arguments);
        const Bench bench;
        QCOMPARE(::mkfifo(bench.workbench.path("pipe").c_str(), 0600), 0);
        const Answer answer = bench.workbench.run(arguments + QStringList{"--json"});
        QCOMPARE(answer.code, 4);
        QVERIFY2(answer.codes().startsWith("file/unreadable"), qPrintable(answer.codes()));
    }

    void everyVerbThatReadsDataOutsideTheFolderSaysSo() {
        const Bench bench;
        bench.workbench.write("data.csv", "a,b,label\n1,2,0\n3,4,1\n5,6,0\n7,8,1\n");
        auto file = core::loadProject(bench.workbench.path("net/p.ipuproj"));
        QVERIFY(file.has_value());
        file->project.training.dataset =
            core::DatasetSpec{"csv", core::Json{{"file", "../data.csv"}, {"header", true}}};
        QVERIFY(
            core::saveProject(file->project, bench.workbench.path("net/p.ipuproj"), core::Overwrite::Replace)
                .has_value());
        for (const QStringList& verb :
             {QStringList{"validate"}, QStringList{"check"}, QStringList{"compile", "-o", "p.ipuexe"},
              QStringList{"plan", "--stages", "2"}, QStringList{"compare", "--schedulers"},
              QStringList{"run", "--no-numerics", "--database", "d.sqlite"},
              QStringList{"benchmark-dataset", "--epochs", "1"}}) {
            const Answer answer = bench.workbench.run(verb + QStringList{"net/p.ipuproj"});
            QVERIFY2(answer.err.contains("[project/data-outside]") && answer.err.contains("data.csv"),
                     verb.front().toUtf8() + answer.err);
        }
    }

    void anOutputRefusesALinkThatLeadsNowhere() {
        const Bench bench;
        fs::create_symlink("target.json", bench.workbench.path("dangling"));
        fs::create_symlink("loop", bench.workbench.path("loop"));
        QCOMPARE(bench.workbench.run({"validate", "net/p.ipuproj", "--json", "-o", "dangling"}).code, 4);
        QVERIFY(fs::is_symlink(bench.workbench.path("dangling")));
        QVERIFY(!fs::exists(bench.workbench.path("target.json")));
        QCOMPARE(bench.workbench.run({"validate", "net/p.ipuproj", "--json", "-o", "loop"}).code, 4);
        QVERIFY(fs::is_symlink(fs::symlink_status(bench.workbench.path("loop"))));
    }

    void theWindowAsksBeforeARunLeavesItsFolderAndRemembersTheAnswer() {
        WindowBench bench;
        const fs::path path = bench.writeProject();
        auto file = core::loadProject(path);
        QVERIFY(file.has_value());
        const QTemporaryDir elsewhere;
        const std::string log = elsewhere.filePath("log.csv").toStdString();
        file->project.training.callbacks = {{"CSVLogger", {{"filename", log}}}};
        QVERIFY(core::saveProject(file->project, path, core::Overwrite::Replace).has_value());
        bench.window->show();
        QVERIFY(bench.window->files().open(path));
        bench.dialogs->confirms = false;
        bench.window->run();
        QVERIFY(!bench.window->runs().isRunning());
        QCOMPARE(bench.dialogs->asked.size(), 1);
        QVERIFY(!fs::exists(log));
        bench.dialogs->confirms = true;
        QVERIFY(bench.run());
        QCOMPARE(bench.dialogs->asked.size(), 2);
        QVERIFY(fs::exists(log));
        QVERIFY(bench.run());
        QCOMPARE(bench.dialogs->asked.size(), 2);
    }

    void theWindowAsksForEachContentOfALibrary() {
        WindowBench bench;
        const fs::path folder = bench.folder.path().toStdString();
        fs::copy_file(EXAMPLE_OPERATION, folder / "user.so");
        const auto model = core::parseJson(withUserOperation("user.so").toStdString(), "m");
        QVERIFY(model.has_value());
        const core::Json document = {{"format", "ipu-workbench-project"},
                                     {"version", 1},
                                     {"name", "u"},
                                     {"model", *model},
                                     {"training", {{"loss", "mse"}, {"dataset", {{"kind", "synthetic"}}}}}};
        QVERIFY(
            core::writeFileAtomically(folder / "u.ipuproj", core::toText(document), core::Overwrite::Refuse)
                .has_value());
        bench.window->show();
        QVERIFY(bench.window->files().open(folder / "u.ipuproj"));
        bench.window->run();
        QVERIFY(!bench.window->runs().isRunning());
        QVERIFY(bench.dialogs->asked.front().contains("user.so"));
        bench.dialogs->confirms = true;
        QVERIFY(bench.run());
        QVERIFY(bench.window->selection().state().run.has_value());
        QVERIFY(bench.run());
        QCOMPARE(bench.dialogs->asked.size(), 2);
        std::ofstream(folder / "user.so", std::ios::app) << "changed";
        QVERIFY(bench.run());
        QCOMPARE(bench.dialogs->asked.size(), 3);
        // What was shown is what is loaded.
        std::ofstream(folder / "user.so", std::ios::app) << "changed again";
        const auto before = bench.window->selection().state().run;
        bench.dialogs->whileAsked = [&] { std::ofstream(folder / "user.so", std::ios::app) << "and now"; };
        QVERIFY(bench.run());
        QCOMPARE(bench.dialogs->asked.size(), 4);
        QVERIFY(bench.window->selection().state().run == before);
    }
};

REGISTER_WIDGET_TEST("project_doors", ProjectDoorsTest)
#include "project_doors_test.moc"
