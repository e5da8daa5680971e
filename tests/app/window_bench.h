#pragma once

#include "app/window/main_window.h"
#include "core/interchange/project/project_file.h"
#include "core/interchange/templates/template_project.h"

#include <QTemporaryDir>
#include <QtTest/QTest>
#include <functional>
#include <memory>

namespace tests {

/// Answers the questions of a window by itself and remembers what was asked.
class ScriptedDialogs final : public app::Dialogs {
public:
    Unsaved unsaved = Unsaved::Cancel;
    LeftBehind leftBehind = LeftBehind::Later;
    app::ChangedFileDialog::Choice changed = app::ChangedFileDialog::Choice::Cancel;
    /// Of the last question about a changed file.
    app::ChangedFile changedFile;
    bool confirms = false;
    QString file;
    QString target;
    QStringList asked;

    Unsaved askUnsaved(const QString& title) override {
        asked << "unsaved " + title;
        return unsaved;
    }
    LeftBehind askLeftBehind(const QString& name, const QDateTime& kept, const QDateTime& saved) override {
        asked << "left behind " + name + (kept.isValid() ? " kept" : "") + (saved.isValid() ? " saved" : "");
        return leftBehind;
    }
    app::ChangedFileDialog::Choice askChanged(const app::ChangedFile& file) override {
        asked << "changed " + file.name;
        changedFile = file;
        return changed;
    }
    /// What happens while a question stands.
    std::function<void()> whileAsked = {};

    bool confirm(const QString& question, const QString&, const QString&) override {
        asked << question;
        if (whileAsked)
            whileAsked();
        return confirms;
    }
    QString chooseFile(const QString&, const QString&, const QString&) override { return file; }
    QString chooseTarget(const QString&, const QString&, const QString&) override { return target; }
};

/// A window with settings and a folder of its own.
class WindowBench {
public:
    explicit WindowBench(const QString& settings = {}) {
        auto scripted = std::make_unique<ScriptedDialogs>();
        dialogs = scripted.get();
        window = std::make_unique<app::MainWindow>(
            settings.isEmpty() ? folder.filePath("settings.ini") : settings, std::move(scripted));
        window->resize(1600, 1000);
    }

    /// A small pipelined project with made-up data, written into the folder.
    [[nodiscard]] std::filesystem::path writeProject(const QString& name = "small.ipuproj",
                                                     int epochs = 1) const {
        core::Json arguments = core::Json::object();
        arguments["stages"] = "2";
        core::Project project = core::newProject("mlp", arguments, "small").value();
        project.pipeline.gradientAccumulationSteps = 4;
        project.training.stepsPerExecution = 4;
        project.training.epochs = epochs;
        project.training.stepsPerEpoch = 16;
        std::filesystem::path path = folder.filePath(name).toStdString();
        const auto saved = core::saveProject(project, path, core::Overwrite::Replace);
        Q_ASSERT(saved.has_value());
        Q_UNUSED(saved)
        return path;
    }
    /// Waits until findings and estimate are of the present project.
    [[nodiscard]] bool waitForEstimate() const {
        return QTest::qWaitFor(
            [this] {
                return window->document().isAnalysisCurrent() && window->document().isEstimateCurrent();
            },
            20000);
    }
    /// Runs and waits for the end.
    [[nodiscard]] bool run() const {
        window->run();
        return QTest::qWaitFor([this] { return !window->runs().isRunning(); }, 60000);
    }

    QTemporaryDir folder;
    ScriptedDialogs* dialogs = nullptr;
    std::unique_ptr<app::MainWindow> window;
};

} // namespace tests
