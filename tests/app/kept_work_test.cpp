#include "app/window/start/start_page.h"
#include "core/base/file.h"
#include "core/interchange/project/project_file.h"
#include "core/platform/process_identity.h"
#include "core/profile/schema/profile_database.h"
#include "tests/app/window_bench.h"
#include "tests/support/test_registry.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/notice_bar.h"
#include "views/profile/tables/table_panel.h"

#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QMessageBox>
#include <QMimeData>
#include <QProcess>
#include <QProcessEnvironment>
#include <QPushButton>
#include <QSignalSpy>
#include <QTimer>
#include <QtTest/QTest>
#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>

using app::ChangedFileDialog;
using app::Dialogs;
using tests::WindowBench;

namespace fs = std::filesystem;

namespace {

std::string bytesOf(const fs::path& path) {
    return core::readFile(path).value_or("");
}

void put(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

/// As other programs save: another file takes the name.
void replaceByAnother(const fs::path& path, const std::string& text) {
    put(path.string() + ".new", text);
    fs::rename(path.string() + ".new", path);
}

/// The project of a file with another number of epochs; the text has the same length.
std::string withEpochs(const fs::path& path, int epochs) {
    std::string text = bytesOf(path);
    const auto at = text.find("\"epochs\": ");
    if (at != std::string::npos)
        text[at + 10] = char('0' + epochs);
    return text;
}

core::Result<void> edit(app::MainWindow& window, int batch) {
    return window.document().apply("edit", [&](const core::Project& project) -> core::Result<core::Project> {
        core::Project next = project;
        next.training.batchSize = batch;
        return next;
    });
}

/// What a program that was killed left beside `path`: the same project with another batch size.
fs::path leaveWork(const fs::path& path, int batch, const std::string& process = "1 1 gone",
                   const char* kept = "2026-01-02T03:04:05") {
    core::Project project = core::loadProject(path)->project;
    project.training.batchSize = batch;
    const core::Json json = {{"project_file", path.string()},
                             {"name", path.filename().string()},
                             {"kept", kept},
                             {"process", process},
                             {"project", core::toJson(project)}};
    fs::path file = path.parent_path() / ("." + path.filename().string() + ".autosave");
    put(file, core::toText(json));
    return file;
}

mode_t permissionsOf(const fs::path& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 0777U : 0;
}

QStringList ownAutosaves(const fs::path& path) {
    return app::autosaveFilesBeside(path).filter(QString::fromStdString(core::processTag()));
}

bool keep(WindowBench& bench) {
    QSignalSpy kept(&bench.window->recovery(), &app::Recovery::kept);
    bench.window->recovery().keepNow();
    return kept.wait(5000);
}

bool showsNotice(const WindowBench& bench, const QString& button) {
    const auto bars = bench.window->findChildren<views::NoticeBar*>();
    return std::ranges::any_of(bars, [&](const views::NoticeBar* bar) {
        const auto buttons = bar->findChildren<QPushButton*>();
        return !bar->isHidden() &&
               std::ranges::any_of(buttons, [&](const QPushButton* one) { return one->text() == button; });
    });
}

/// The real program with the project, all of its own files in the folder; what it asks is written to
/// asked.txt there, and `edits`: somebody duplicates the layers.
void startTyped(QProcess& program, const QTemporaryDir& folder, const fs::path& project, bool edits) {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "TMPDIR"})
        environment.insert(name, folder.path());
    environment.insert("QT_QPA_PLATFORM", "offscreen");
    environment.insert("QT_PLUGIN_PATH", TYPIST_PLUGINS);
    environment.insert("QT_QPA_GENERIC_PLUGINS", "typist");
    environment.insert("TYPIST_LOG", folder.filePath("asked.txt"));
    if (edits)
        environment.insert("TYPIST_EDITS", "1");
    program.setProcessEnvironment(environment);
    program.start(qEnvironmentVariable("IPU_WORKBENCH"), {QString::fromStdString(project.string())});
}

} // namespace

/// Work is never lost: what a crash leaves is offered, and what another program writes is noticed.
class KeptWorkTest : public QObject {
    Q_OBJECT

private slots:
    /// The real program in a process of its own, edited by keys and killed.
    void aKilledProgramOffersItsWorkWhenItIsStartedAgain() {
        const QTemporaryDir folder;
        WindowBench bench;
        const fs::path path = fs::path(folder.path().toStdString()) / "p.ipuproj";
        fs::copy_file(bench.writeProject(), path);
        const std::string before = bytesOf(path);
        const QString log = folder.filePath("asked.txt");
        const auto start = [&](QProcess& program, bool edits) { startTyped(program, folder, path, edits); };
        constexpr int patience = 30000;
        QProcess first;
        start(first, true);
        QVERIFY2(QTest::qWaitFor([&] { return !app::autosaveFilesBeside(path).isEmpty(); }, patience),
                 bytesOf(log.toStdString()).c_str());
        first.kill();
        QVERIFY(first.waitForFinished());
        QCOMPARE(bytesOf(path), before);
        QVERIFY(bytesOf(app::autosaveFilesBeside(path).front().toStdString()).find("hidden1_1") !=
                std::string::npos);
        QProcess second;
        start(second, false);
        const auto isAsked = [&] {
            return bytesOf(log.toStdString()).find("asked: p.ipuproj was not closed properly") !=
                   std::string::npos;
        };
        QVERIFY2(QTest::qWaitFor(isAsked, patience), bytesOf(log.toStdString()).c_str());
        second.kill();
        QVERIFY(second.waitForFinished());
        QCOMPARE(app::autosaveFilesBeside(path).size(), 1); // nobody answered: it is still there
    }

    /// A session that ends tells its programs so, and gives them little time.
    void aProgramThatIsAskedToEndKeepsItsWork() {
        const QTemporaryDir folder;
        WindowBench bench;
        const fs::path path = fs::path(folder.path().toStdString()) / "p.ipuproj";
        fs::copy_file(bench.writeProject(), path);
        const QString log = folder.filePath("asked.txt");
        QProcess program;
        startTyped(program, folder, path, true);
        const auto hasEdited = [&] { return bytesOf(log.toStdString()).find("edited") != std::string::npos; };
        QVERIFY2(QTest::qWaitFor(hasEdited, 30000), bytesOf(log.toStdString()).c_str());
        program.terminate();
        QVERIFY(program.waitForFinished());
        QCOMPARE(program.exitStatus(), QProcess::NormalExit);
        QCOMPARE(app::autosaveFilesBeside(path).size(), 1);
        QVERIFY(bytesOf(app::autosaveFilesBeside(path).front().toStdString()).find("hidden1_1") !=
                std::string::npos);
        QVERIFY(QDir(folder.path()).entryList({"ipu-workbench-*"}, QDir::AllEntries).isEmpty());
    }

    void oneWindowAtATimeDecidesAboutUnsavedWork() {
        WindowBench first;
        WindowBench second;
        const fs::path path = first.writeProject();
        const fs::path left = leaveWork(path, 48);
        const auto works = first.window->recovery().leftBehindOf(path);
        QCOMPARE(works.size(), std::size_t{1});
        QVERIFY(first.window->recovery().claim(works.front())); // as it does before it asks
        second.dialogs->leftBehind = Dialogs::LeftBehind::Restore;
        QVERIFY(second.window->files().open(path));
        QVERIFY(second.dialogs->asked.empty());
        QVERIFY(second.window->document().project().training.batchSize != 48);
        QVERIFY(!second.window->files().restore(works.front()));
        second.window->recovery().discard(works.front());
        QVERIFY(fs::exists(left));
        first.window->recovery().release(works.front());
        QVERIFY(second.window->files().open(path));
        QCOMPARE(second.window->document().project().training.batchSize, 48);
        QVERIFY(QTest::qWaitFor([&] { return !fs::exists(left); }, 5000));
        QVERIFY(!first.window->recovery().claim(works.front())); // it is gone
    }

    void offersUnsavedWorkHoweverAProjectIsOpened_data() {
        QTest::addColumn<QString>("way");
        for (const char* way : {"argument", "dialog", "recent", "drop"})
            QTest::newRow(way) << way;
    }

    void offersUnsavedWorkHoweverAProjectIsOpened() {
        QFETCH(const QString, way);
        WindowBench bench;
        app::MainWindow& window = *bench.window;
        const fs::path path = bench.writeProject();
        const fs::path left = leaveWork(path, 48);
        bench.dialogs->leftBehind = Dialogs::LeftBehind::Restore;
        if (way == "argument") {
            QVERIFY(window.files().open(path));
        } else if (way == "dialog") {
            bench.dialogs->file = QString::fromStdString(path.string());
            QVERIFY(window.files().openByDialog());
        } else if (way == "recent") {
            emit window.findChild<app::StartPage*>()->projectChosen(QString::fromStdString(path.string()));
        } else {
            QMimeData data;
            data.setUrls({QUrl::fromLocalFile(QString::fromStdString(path.string()))});
            QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            QCoreApplication::sendEvent(&window, &enter);
            QDropEvent drop(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            QCoreApplication::sendEvent(&window, &drop);
        }
        QCOMPARE(bench.dialogs->asked, QStringList("left behind small.ipuproj kept saved"));
        QVERIFY(window.document().isOpen());
        QCOMPARE(window.document().path(), path);
        QCOMPARE(window.document().project().training.batchSize, 48);
        QVERIFY(window.document().isDirty());
        // The file that was restored goes only when this window keeps the work itself.
        QVERIFY(QTest::qWaitFor([&] { return !fs::exists(left); }, 5000));
        QCOMPARE(ownAutosaves(path).size(), 1);
        QVERIFY(bytesOf(ownAutosaves(path).front().toStdString()).find("48") != std::string::npos);
        QVERIFY(window.files().save());
        QVERIFY(ownAutosaves(path).empty());
        QCOMPARE(core::loadProject(path)->project.training.batchSize, 48);
    }

    void unsavedWorkMayWaitOrBeGivenUp() {
        WindowBench bench;
        const fs::path path = bench.writeProject();
        const fs::path left = leaveWork(path, 48);
        const std::string before = bytesOf(left);
        QVERIFY(bench.window->files().open(path));
        QVERIFY(bench.window->document().project().training.batchSize != 48);
        QVERIFY(edit(*bench.window, 32).has_value());
        QVERIFY(keep(bench));
        QVERIFY(bench.window->files().save());
        QCOMPARE(bytesOf(left), before);
        bench.dialogs->leftBehind = Dialogs::LeftBehind::Discard;
        QVERIFY(bench.window->files().open(path));
        QCOMPARE(bench.window->document().project().training.batchSize, 32);
        QVERIFY(!fs::exists(left));
        QCOMPARE(bench.dialogs->asked.size(), 2);
    }

    void workThatIsSavedAlreadyIsNotOffered() {
        WindowBench bench;
        const fs::path path = bench.writeProject();
        const fs::path left = leaveWork(path, int(core::loadProject(path)->project.training.batchSize));
        QVERIFY(bench.window->files().open(path));
        QVERIFY(bench.dialogs->asked.empty());
        QVERIFY(!fs::exists(left));
    }

    void theWorkOfALivingProcessIsNeitherOfferedNorOverwritten() {
        WindowBench bench;
        const fs::path path = bench.writeProject();
        const fs::path theirs = leaveWork(path, 48, core::currentProcess());
        const std::string before = bytesOf(theirs);
        QVERIFY(bench.window->files().open(path));
        QVERIFY(bench.dialogs->asked.empty());
        QVERIFY(edit(*bench.window, 32).has_value());
        QVERIFY(keep(bench));
        QCOMPARE(bytesOf(theirs), before);
        QCOMPARE(ownAutosaves(path).size(), 1);
        QVERIFY(bench.window->files().save());
        QCOMPARE(bytesOf(theirs), before);
    }

    void startsWithAnyAutosaveFile_data() {
        QTest::addColumn<QByteArray>("content");
        const auto row = [](const char* name, const char* content) {
            QTest::newRow(name) << QByteArray(content);
        };
        row("number as process", R"({"project": {}, "process": 5})");
        row("number as time", R"({"project": {}, "kept": 7})");
        row("list as file", R"({"project": {}, "project_file": [1]})");
        row("object as name", R"({"project": {}, "name": {}})");
        row("text as project", R"({"project": "x"})");
        row("no project", R"({"process": "1 1 gone"})");
        row("list", "[1, 2]");
        row("no JSON", "{\"project\": ");
        row("nothing", "");
    }

    void startsWithAnyAutosaveFile() {
        QFETCH(const QByteArray, content);
        QTemporaryDir folder;
        const QString settings = folder.filePath("settings.ini");
        const QString file = folder.filePath("a.autosave");
        put(file.toStdString(), content.toStdString());
        app::WindowSettings(settings).setRecoveryFiles({file});
        WindowBench bench(settings);
        QVERIFY(!QFile::exists(file));
        QCOMPARE(bytesOf((file + ".damaged").toStdString()), content.toStdString());
        QVERIFY(bench.window->settings().recoveryFiles().empty());
        const auto bars = bench.window->findChildren<views::NoticeBar*>();
        QTRY_VERIFY(std::ranges::any_of(bars, [](const views::NoticeBar* bar) { return !bar->isHidden(); }));
    }

    void leavesFilesThatAreNoAutosaveAsTheyAre() {
        QTemporaryDir folder;
        const QString settings = folder.filePath("settings.ini");
        const QString thesis = folder.filePath("thesis.txt");
        const QString link = folder.filePath("link.autosave");
        put(thesis.toStdString(), "years of work");
        QVERIFY(QFile::link(thesis, link));
        app::WindowSettings(settings).setRecoveryFiles({thesis, link, "/dev/zero"});
        WindowBench bench(settings);
        QVERIFY(QFile::exists(thesis));
        QVERIFY(QFile::exists(link));
        QVERIFY(bench.window->settings().recoveryFiles().empty());
    }

    void keepsWorkAsPrivateAsTheProject() {
        WindowBench bench;
        const fs::path path = bench.writeProject();
        for (const mode_t mode : {0600U, 0640U, 0644U}) {
            QCOMPARE(::chmod(path.c_str(), mode), 0);
            QVERIFY(bench.window->files().open(path));
            QVERIFY(edit(*bench.window, 48).has_value());
            QVERIFY(keep(bench));
            QCOMPARE(permissionsOf(ownAutosaves(path).front().toStdString()), mode);
            bench.dialogs->confirms = true;
            QVERIFY(bench.window->files().revert());
        }
        QVERIFY(bench.window->files().newEmpty());
        bench.window->document().markUnsaved();
        QVERIFY(keep(bench));
        QCOMPARE(permissionsOf(app::autosaveFile({}).toStdString()), mode_t{0600});
        bench.window->recovery().forget();
    }

    void noticesWhatOtherProgramsWrite() {
        WindowBench bench;
        app::MainWindow& window = *bench.window;
        const fs::path path = bench.writeProject("small.ipuproj", 4);
        QVERIFY(window.files().open(path));
        QSignalSpy noticed(&window.files(), &app::ProjectFiles::changedOnDisk);
        put(path, withEpochs(path, 5));
        QVERIFY(noticed.wait(5000));
        QVERIFY(showsNotice(bench, "Take theirs"));
        // Twice in a row by a new file of the same name, as most editors write.
        for (const int epochs : {6, 7}) {
            replaceByAnother(path, withEpochs(path, epochs));
            QVERIFY(noticed.wait(5000));
        }
        put(path, withEpochs(path, 8));
        QVERIFY(noticed.wait(5000));
        QCOMPARE(window.document().project().training.epochs, 4);
        QVERIFY(window.files().takeTheirs());
        QVERIFY(!showsNotice(bench, "Take theirs"));
        QCOMPARE(window.document().project().training.epochs, 8);
        QVERIFY(!window.document().isDirty());
        window.document().undoStack().undo();
        QCOMPARE(window.document().project().training.epochs, 4);
        QVERIFY(window.document().isDirty());
        // What this window writes is no news.
        noticed.clear();
        QVERIFY(window.files().save());
        QVERIFY(!noticed.wait(1000));
        fs::remove(path);
        QVERIFY(noticed.wait(5000));
        QCOMPARE(noticed.front().front().toBool(), true);
        QVERIFY(window.document().isDirty());
        QVERIFY(window.files().save());
        QCOMPARE(core::loadProject(path)->project.training.epochs, 4);
    }

    void asksBeforeItSavesOverTheWorkOfAnother() {
        WindowBench bench;
        app::MainWindow& window = *bench.window;
        const fs::path path = bench.writeProject("small.ipuproj", 4);
        QVERIFY(window.files().open(path));
        QVERIFY(edit(window, 48).has_value());
        // The same size and time: only the content tells.
        struct stat status {};
        QCOMPARE(::stat(path.c_str(), &status), 0);
        const std::string theirs = withEpochs(path, 7);
        put(path, theirs);
        const std::array<timespec, 2> times{status.st_atim, status.st_mtim};
        QCOMPARE(::utimensat(AT_FDCWD, path.c_str(), times.data(), 0), 0);
        QVERIFY(!window.files().save());
        QCOMPARE(bench.dialogs->asked, QStringList("changed small.ipuproj"));
        QCOMPARE(bytesOf(path), theirs);
        QVERIFY(window.document().isDirty());
        const auto& options = bench.dialogs->changedFile.difference.options;
        QVERIFY(std::ranges::any_of(options, [](const core::OptionDifference& option) {
            return option.path == "training.epochs" && option.before == "4" && option.after == "7";
        }));
        bench.dialogs->changed = ChangedFileDialog::Choice::KeepMine;
        QVERIFY(window.files().save());
        QCOMPARE(core::loadProject(path)->project.training.epochs, 4);
        QCOMPARE(core::loadProject(path)->project.training.batchSize, 48);
        put(path, theirs);
        QVERIFY(edit(window, 16).has_value());
        bench.dialogs->changed = ChangedFileDialog::Choice::TakeTheirs;
        QVERIFY(window.files().save());
        QCOMPARE(bytesOf(path), theirs);
        QCOMPARE(window.document().project().training.epochs, 7);
        window.document().undoStack().undo();
        QCOMPARE(window.document().project().training.batchSize, 16);
    }

    void aProjectThatCannotBeReadCannotBeTaken() {
        WindowBench bench;
        const fs::path path = bench.writeProject();
        QVERIFY(bench.window->files().open(path));
        QVERIFY(edit(*bench.window, 48).has_value());
        put(path, "{\"format\": ");
        QVERIFY(!bench.window->files().save());
        QVERIFY(!bench.dialogs->changedFile.difference.trouble.empty());
        bench.dialogs->changed = ChangedFileDialog::Choice::KeepMine;
        QVERIFY(bench.window->files().save());
        QCOMPARE(core::loadProject(path)->project.training.batchSize, 48);
    }

    void tellsOfRunsThatAreNotWhole() {
        WindowBench bench;
        const fs::path path = bench.writeProject();
        const fs::path database = core::defaultDatabasePath(path);
        QVERIFY(core::ProfileDatabase::open(database).has_value());
        // A row of a run that is not there.
        SQLite::Database(database.string(), SQLite::OPEN_READWRITE)
            .exec(
                "PRAGMA foreign_keys = OFF; INSERT INTO idle_total (run_id, cause, cycles) VALUES (7, 0, 1)");
        QVERIFY(bench.window->files().open(path));
        const auto labels = bench.window->findChildren<views::NoticeBar*>();
        QTRY_VERIFY(std::ranges::any_of(labels, [](const views::NoticeBar* bar) {
            const auto texts = bar->findChildren<QLabel*>();
            return !bar->isHidden() && std::ranges::any_of(texts, [](const QLabel* label) {
                return label->text().contains("idle_total name rows of run that are missing");
            });
        }));
    }

    void theQuestionShowsWhatIsDifferent() {
        app::ChangedFile file;
        file.name = "small.ipuproj";
        file.changed = QDateTime(QDate(2026, 1, 2), QTime(3, 4));
        file.difference.options = {{"training.epochs", "4", "7"},
                                   {"pipeline.schedule", std::nullopt, "\"Grouped\""}};
        file.difference.layers = {{"dense_1", core::LayerChange::Changed, "config.units", "16", "32"},
                                  {"dense_2", core::LayerChange::Removed, "", "", ""}};
        ChangedFileDialog dialog(file);
        QCOMPARE(views::toPlainText(dialog.table().content()), "training.epochs | 4 | 7\n"
                                                               "pipeline.schedule | (default) | Grouped\n"
                                                               "layer dense_1 · config.units | 16 | 32\n"
                                                               "layer dense_2 | present | –\n");
        dialog.show();
        QVERIFY(dialog.table().isHidden());
        for (QPushButton* button : dialog.findChildren<QPushButton*>()) {
            if (button->text() == "Compare")
                button->click();
        }
        QVERIFY(!dialog.table().isHidden());
        for (QPushButton* button : dialog.findChildren<QPushButton*>()) {
            if (button->text() == "Take theirs")
                button->click();
        }
        QVERIFY(dialog.choice() == ChangedFileDialog::Choice::TakeTheirs);
    }
};

REGISTER_WIDGET_TEST("kept_work", KeptWorkTest)
#include "kept_work_test.moc"
