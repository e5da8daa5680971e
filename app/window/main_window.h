#pragma once

#include "app/services/plan/advice_finder.h"
#include "app/services/plan/live_estimator.h"
#include "app/services/run/project_check.h"
#include "app/services/run/run_controller.h"
#include "app/window/advice_display.h"
#include "app/window/damage_watch.h"
#include "app/window/dialogs/dialogs.h"
#include "app/window/exports.h"
#include "app/window/frame/action_set.h"
#include "app/window/frame/appearance.h"
#include "app/window/frame/window_settings.h"
#include "app/window/frame/workspaces.h"
#include "app/window/project_files.h"
#include "app/window/reference_file.h"
#include "app/window/runs_watch.h"
#include "app/window/start/recovery.h"
#include "app/window/window_intents.h"
#include "views/document/document.h"
#include "views/document/selection.h"
#include "views/profile/profile_source.h"
#include "views/profile/verdict_strip.h"

#include <QMainWindow>
#include <memory>
#include <set>
#include <string>

namespace views {
class DiagnosticsView;
class GraphView;
class NoticeBar;
class SearchPopup;
} // namespace views

namespace app {

class LessonStrip;
struct PaletteSources;
class RunFinder;
class StartPage;
class StatusLine;
class TopBar;

/// The window: owns what all parts meet in, and connects them. What each part does is written in its own
/// file.
class MainWindow final : public QMainWindow {
    Q_OBJECT

public:
    /// `settingsFile`: empty for the person's own. `dialogs`: the real ones where null.
    explicit MainWindow(const QString& settingsFile = {}, std::unique_ptr<Dialogs> dialogs = {});
    ~MainWindow() override;

    [[nodiscard]] views::Document& document() { return m_document; }
    [[nodiscard]] const views::Document& document() const { return m_document; }
    [[nodiscard]] views::Selection& selection() { return m_selection; }
    [[nodiscard]] const views::Selection& selection() const { return m_selection; }
    [[nodiscard]] views::ProfileSource& source() { return m_source; }
    [[nodiscard]] ProjectFiles& files() { return m_files; }
    [[nodiscard]] ReferenceFile& reference() { return m_reference; }
    [[nodiscard]] Recovery& recovery() { return m_recovery; }
    [[nodiscard]] RunController& runs() { return m_runs; }
    [[nodiscard]] const RunController& runs() const { return m_runs; }
    [[nodiscard]] Workspaces& workspaces() { return *m_workspaces; }
    [[nodiscard]] const Workspaces& workspaces() const { return *m_workspaces; }
    [[nodiscard]] Appearance& appearance() { return m_appearance; }
    [[nodiscard]] const Appearance& appearance() const { return m_appearance; }
    [[nodiscard]] WindowSettings& settings() { return m_settings; }
    [[nodiscard]] const WindowSettings& settings() const { return m_settings; }
    [[nodiscard]] ActionSet& actions() { return m_actions; }
    [[nodiscard]] views::ViewIntents& intents() { return m_intents; }
    [[nodiscard]] ProjectChecks& checks() { return m_checks; }
    [[nodiscard]] Dialogs& dialogs() { return *m_dialogs; }
    [[nodiscard]] Exports& exports() { return m_exports; }
    [[nodiscard]] LessonStrip& lessons() { return *m_lessons; }
    [[nodiscard]] views::GraphView& graph();
    [[nodiscard]] views::DiagnosticsView& problems();

    // What the actions do that is not a part's own matter.
    void run(core::RunMode mode = core::RunMode::Train, bool numerics = true);
    /// Runs a project that is not the open one, beside it. False where a question was answered with no.
    bool run(views::ProjectSnapshot project, core::RunMode mode, bool numerics);
    void openPalette();
    /// The whole canvas, whatever of it is seen.
    void saveDrawing();
    void openSolver();
    [[nodiscard]] TopBar& topBar() { return *m_topBar; }
    /// The board of the system, in the panel of problems and runs.
    void showSystem();
    void showShortcuts();
    void showSettings();
    void toggleFullScreen();
    /// In the status line; an empty text clears it.
    void showStatus(views::ChipTone tone, const QString& text);
    /// Says above the workspace what could not be done, and why.
    void fail(const QString& what, const core::Diagnostics& why);

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void connectDocument();
    void connectFrame();
    void connectStartPage();
    /// Its parameters first.
    void openTemplate(const std::string& name);
    void connectRuns();
    void followProject();
    void updateTitle();
    void watchTraining();
    [[nodiscard]] PaletteSources paletteSources();
    void proposeLoss();
    void finishRun(const RunOutcome& outcome);
    void settleFailure();
    void offerToFind(const core::Diagnostic& finding);
    void showChange(bool isMissing);
    void showVerdict();
    /// On the page of the run.
    void showBestChange();

    WindowSettings m_settings;
    Appearance m_appearance;
    std::unique_ptr<Dialogs> m_dialogs;
    views::Document m_document;
    views::Selection m_selection;
    views::ProfileSource m_source;
    WindowIntents m_intents{*this};
    Exports m_exports;
    Recovery m_recovery;
    ProjectFiles m_files;
    ReferenceFile m_reference;
    DamageWatch m_damage;
    RunsWatch m_runsWatch;
    /// Before what asks it from threads of its own.
    ProjectChecks m_checks;
    LiveEstimator m_estimator;
    AdviceFinder m_adviser;
    AdviceDisplay m_advice{m_document};
    RunController m_runs;
    /// What the last complete run was of: its figures are no estimates.
    views::ProjectSnapshot m_ranSnapshot;
    /// What the last run failed of, and why: codes of its errors, empty once they are mended.
    views::ProjectSnapshot m_failedProject;
    std::set<std::string> m_failedCodes;
    std::unique_ptr<Workspaces> m_workspaces;
    ActionSet m_actions;
    TopBar* m_topBar = nullptr;
    StatusLine* m_status = nullptr;
    StartPage* m_start = nullptr;
    views::NoticeBar* m_notice = nullptr;
    views::VerdictStrip* m_verdict = nullptr;
    LessonStrip* m_lessons = nullptr;
    views::SearchPopup* m_palette = nullptr;
    RunFinder* m_finder = nullptr;
};

} // namespace app
