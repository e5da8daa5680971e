#include "app/window/frame/window_settings.h"
#include "app/window/start/recovery.h"
#include "app/window/start/unsaved_work.h"
#include "core/base/file.h"
#include "core/interchange/project/project_file.h"
#include "core/project/project_edit.h"
#include "tests/app/faults/faulty_run.h"
#include "tests/support/test_registry.h"
#include "tests/support/workbench.h"

#include <QSettings>
#include <QSignalSpy>
#include <QtTest/QTest>
#include <algorithm>
#include <fmt/format.h>
#include <string>

namespace fs = std::filesystem;

namespace {

constexpr const char* oldTheme = "light";
constexpr const char* newTheme = "dark";

fs::path settingsFile(const fs::path& folder) {
    return folder / "settings.ini";
}

} // namespace

/// What the window writes by itself, done once in the folder FAULT_FOLDER by a process whose calls fail: the
/// work is kept twice, then the settings change.
class WindowFilesWriter : public QObject {
    Q_OBJECT

private slots:
    void keepsWorkTwiceAndChangesASetting() {
        const fs::path folder = qgetenv("FAULT_FOLDER").toStdString();
        const fs::path path = folder / "p.ipuproj";
        const auto text = core::readFile(path);
        auto file = text ? core::readProject(*text, path.string())
                         : core::Result<core::ProjectFile>(core::failure(text.error()));
        if (!file)
            return; // refused in one line, before there is any work
        views::Document document;
        document.open(std::move(file->project), path);
        app::WindowSettings settings(QString::fromStdString(settingsFile(folder).string()));
        // It stays as a crash leaves it.
        auto* recovery = new app::Recovery(document, settings);
        const QSignalSpy kept(recovery, &app::Recovery::kept);
        const QSignalSpy refused(recovery, &app::Recovery::refused);
        for (const char* name : {"first", "second"}) {
            QVERIFY(document.apply(
                "name", [&](const core::Project& project) { return core::withName(project, name); }));
            const auto answers = kept.size() + refused.size();
            recovery->keepNow();
            QTRY_COMPARE_WITH_TIMEOUT(kept.size() + refused.size(), answers + 1, 30'000);
        }
        for (const QList<QVariant>& why : refused)
            QCOMPARE(why.front().value<core::Diagnostics>().size(), std::size_t{1});
        settings.setTheme(newTheme);
    }
};

/// Autosaves and settings with every call failing in turn: what is there can be read and is the old or the
/// new, and nothing else stays.
class WindowFilesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        if (tests::isSanitized())
            QSKIP("a sanitizer answers the calls itself");
        QVERIFY(m_home.isValid());
    }

    void aFaultLeavesOldOrNewFiles_data() {
        QTest::addColumn<QByteArray>("call");
        for (const char* call : tests::faultyCalls)
            QTest::newRow(call) << QByteArray(call);
    }

    void aFaultLeavesOldOrNewFiles() {
        QFETCH(QByteArray, call);
        const tests::FaultyRun whole = run({call});
        QVERIFY2(whole.code == 0, whole.errors.c_str());
        QCOMPARE(workNames(), std::vector<std::string>{"second"});
        QCOMPARE(theme(), QString(newTheme));
        for (const tests::Fault& fault : tests::faultsOf(call, whole.calls)) {
            const tests::FaultyRun faulty = run(fault);
            const std::string what = fmt::format("{} {} of {}{}: ", call.toStdString(), fault.at, whole.calls,
                                                 fault.lasts ? " and all after it" : "");
            // A window without memory ends; its files are sound all the same.
            QVERIFY2(faulty.code == 0 || call == "allocate", (what + faulty.errors).c_str());
            for (const std::string& name : workNames())
                QVERIFY2(name == "first" || name == "second", (what + name).c_str());
            QVERIFY2(theme() == oldTheme || theme() == newTheme, (what + qPrintable(theme())).c_str());
            for (const std::string& name : tests::namesIn(folder()))
                QVERIFY2(faulty.code != 0 || name == "p.ipuproj" || name == "settings.ini" ||
                             name.ends_with(".autosave") || fs::is_directory(folder() / name),
                         (what + "left: " + name).c_str());
            QCOMPARE(tests::bytesOf(folder() / "p.ipuproj"), m_project);
        }
    }

private:
    [[nodiscard]] fs::path folder() const { return fs::path(m_home.path().toStdString()) / "work"; }

    /// In a fresh folder with a project and settings.
    [[nodiscard]] tests::FaultyRun run(const tests::Fault& fault) {
        fs::remove_all(folder());
        fs::create_directories(folder());
        const tests::Workbench workbench;
        workbench.writeProject("p.ipuproj");
        fs::copy(workbench.path("p.ipuproj"), folder() / "p.ipuproj");
        m_project = tests::bytesOf(folder() / "p.ipuproj");
        app::WindowSettings(QString::fromStdString(settingsFile(folder()).string())).setTheme(oldTheme);
        return tests::runWithFault(QCoreApplication::applicationFilePath(), folder(), {"window_files_writer"},
                                   fault);
    }

    /// Of the projects in all autosave files; "unreadable" for one that says none.
    [[nodiscard]] std::vector<std::string> workNames() const {
        std::vector<std::string> names;
        for (const std::string& file : tests::namesIn(folder())) {
            if (!file.ends_with(".autosave"))
                continue;
            const auto work = app::readUnsavedWork(QString::fromStdString((folder() / file).string()));
            const auto project = work ? core::readProject(work->text, file)
                                      : core::Result<core::ProjectFile>(core::failure(work.error()));
            names.push_back(project ? project->project.name : "unreadable");
        }
        return names;
    }

    [[nodiscard]] QString theme() const {
        return app::WindowSettings(QString::fromStdString(settingsFile(folder()).string())).theme();
    }

    QTemporaryDir m_home;
    std::string m_project;
};

REGISTER_WIDGET_TEST("window_files_writer", WindowFilesWriter)
REGISTER_WIDGET_TEST("window_files", WindowFilesTest)

#include "window_files_test.moc"
