#include "app/window/main_window.h"

#include "app/services/plan/split_solver.h"
#include "app/window/action_table.h"
#include "app/window/dialogs/command_palette.h"
#include "app/window/dialogs/grant_question.h"
#include "app/window/dialogs/information.h"
#include "app/window/dialogs/run_finder.h"
#include "app/window/dialogs/settings_dialog.h"
#include "app/window/frame/dock_panel.h"
#include "app/window/frame/status_line.h"
#include "app/window/frame/top_bar.h"
#include "app/window/lessons/lesson_strip.h"
#include "app/window/lessons/manual.h"
#include "app/window/start/start_page.h"
#include "app/window/start/template_dialog.h"
#include "app/window/window_tour.h"
#include "core/config/proposed_loss.h"
#include "core/interchange/templates/template_catalogue.h"
#include "core/project/project_edit.h"
#include "views/common/text/finding_text.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/notice_bar.h"
#include "views/common/widgets/search_popup.h"
#include "views/diagnostics/diagnostics_view.h"
#include "views/graph/graph_view.h"
#include "views/plan/system_view.h"
#include "views/summary/summary_view.h"
#include "views/training/training_view.h"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QScreen>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace app {

using views::PanelId;
using views::toQString;
using views::WorkspaceId;

MainWindow::MainWindow(const QString& settingsFile, std::unique_ptr<Dialogs> dialogs)
    : m_settings(settingsFile)
    , m_appearance(m_settings)
    , m_dialogs(dialogs ? std::move(dialogs) : std::make_unique<WindowDialogs>(this))
    , m_exports(m_document, m_selection, m_source, m_settings, *m_dialogs)
    , m_recovery(m_document, m_settings)
    , m_files(m_document, m_settings, m_recovery, *m_dialogs)
    , m_reference(m_source, m_settings, *m_dialogs)
    , m_estimator(m_document, m_checks)
    , m_adviser(m_document, m_checks)
    , m_runs(m_checks.datasets()) {
    setWindowIcon(views::programIcon());
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    setAcceptDrops(true);
    m_document.setUnits(m_settings.units());
    auto* central = new QWidget(this);
    auto* layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_notice = new views::NoticeBar(central);
    m_notice->hide();
    connect(m_notice, &views::NoticeBar::closed, m_notice, &QWidget::hide);
    auto* pages = new QStackedWidget(central);
    // The window may be smaller than the widest view wants: a view that is not seen must not hold it open.
    pages->setMinimumSize(320, 240);
    layout->addWidget(m_notice);
    m_verdict = new views::VerdictStrip(m_document, m_selection, m_source, m_intents, central);
    m_verdict->hide();
    layout->addWidget(m_verdict);
    m_lessons = new LessonStrip(
        m_document,
        [this](const QString& failure, const auto& make) { return m_files.newMade(failure, make); },
        m_settings, central);
    layout->addWidget(m_lessons);
    layout->addWidget(pages, 1);
    setCentralWidget(central);
    m_workspaces = std::make_unique<Workspaces>(
        *this, *pages, ViewContext{m_document, m_selection, m_source, m_intents, m_checks}, m_settings);
    m_start = new StartPage(m_settings, m_recovery, pages);
    m_workspaces->setStartPage(m_start);
    makeActions(*this);
    fillMenuBar(*this, *menuBar());
    m_topBar = new TopBar(m_document, m_actions, this);
    addToolBar(m_topBar);
    m_status = new StatusLine(m_document, this);
    setStatusBar(m_status);
    m_advice.setPlaces(problems(), *m_verdict, m_source);
    connectDocument();
    connectFrame();
    connectStartPage();
    connectRuns();
    // With its frame, which is not known before it is shown, it has to have room on a small screen.
    constexpr QSize frame(8, 40);
    if (!restoreGeometry(m_settings.geometry()))
        resize((screen()->availableSize() - frame).boundedTo({1600, 1000}));
    followProject();
}

MainWindow::~MainWindow() {
    // What shows the document goes before it does; the base class would delete it afterwards.
    m_runs.cancel();
    m_runs.disconnect(this);
    m_document.disconnect(this);
    m_estimator.disconnect();
    m_adviser.disconnect();
    delete m_palette;
    for (DockPanel* dock : m_workspaces->docks())
        delete dock;
    delete takeCentralWidget();
    delete m_topBar;
    delete m_status;
}

views::GraphView& MainWindow::graph() {
    return m_workspaces->view<views::GraphView>();
}

views::DiagnosticsView& MainWindow::problems() {
    return m_workspaces->panel<views::DiagnosticsView>(PanelId::Problems);
}

void MainWindow::connectDocument() {
    m_document.keepSelection(m_selection);
    connect(&m_document, &views::Document::analysisChanged, this, &MainWindow::settleFailure);
    connect(&m_document, &views::Document::opened, this, &MainWindow::followProject);
    connect(&m_document, &views::Document::pathChanged, this, [this] {
        m_source.setPath(m_files.database());
        m_damage.look(m_files.database());
        m_runsWatch.watch(m_files.database());
        updateTitle();
    });
    connect(&m_document, &views::Document::dirtyChanged, this, &MainWindow::updateTitle);
    connect(&m_document, &views::Document::projectChanged, this, [this] {
        updateTitle();
        m_topBar->setMeasured(m_document.snapshot() == m_ranSnapshot);
        problems().setRepair(std::nullopt);
        m_verdict->setAdvice(std::nullopt);
        showVerdict();
    });
    connect(&m_document, &views::Document::refused, this, [this](const core::Diagnostics& why) {
        if (why.empty())
            return;
        QString text = views::findingText(toQString(why.front().message), &m_document.project().model,
                                          m_document.units().bytes);
        if (!why.front().hints.empty())
            text += QStringLiteral(" — ") + toQString(why.front().hints.front());
        m_status->tell(views::ChipTone::Error, text);
    });
    connect(&m_document, &views::Document::unitsChanged, this, [this] {
        m_settings.setUnits(m_document.units());
        m_actions.update();
        m_advice.showAgain();
    });
    connect(&m_estimator, &LiveEstimator::busyChanged, m_status, &StatusLine::setEstimating);
    connect(&m_adviser, &AdviceFinder::found, &m_advice, &AdviceDisplay::show);
    connect(&m_advice, &AdviceDisplay::bestChanged, this, &MainWindow::showBestChange);
    connect(&m_files, &ProjectFiles::failed, this, &MainWindow::fail);
    connect(&m_files, &ProjectFiles::noticed, this,
            [this](views::ChipTone tone, const QString& text) { m_intents.notify(tone, text); });
    connect(&m_reference, &ReferenceFile::failed, this, &MainWindow::fail);
    connect(&m_reference, &ReferenceFile::noticed, this,
            [this](views::ChipTone tone, const QString& text) { m_intents.notify(tone, text); });
    connect(&m_source, &views::ProfileSource::referenceChanged, this, [this] { m_actions.update(); });
    connect(&m_files, &ProjectFiles::settled, &m_recovery, &Recovery::forget);
    connect(&m_files, &ProjectFiles::changedOnDisk, this, &MainWindow::showChange);
    connect(&m_files, &ProjectFiles::changeSettled, m_notice, &QWidget::hide);
    connect(&m_recovery, &Recovery::refused, this,
            [this](const core::Diagnostics& why) { fail(tr("Unsaved work is not kept"), why); });
    connect(&m_recovery, &Recovery::damaged, this,
            [this](const core::Diagnostics& why) { fail(tr("Unsaved work cannot be read"), why); });
    connect(&m_damage, &DamageWatch::found, this, [this](const core::Diagnostics& damage) {
        fail(tr("The runs of this project may not be whole"), damage);
    });
    connect(&m_recovery, &Recovery::kept, this,
            [this] { m_status->tell(views::ChipTone::Info, tr("Autosaved %1").arg(m_document.title())); });
}

/// No question in the middle of the work: a notice that waits.
void MainWindow::showChange(bool isMissing) {
    const QString name = toQString(m_document.path().filename().string()).toHtmlEscaped();
    m_notice->setMessage(
        views::ChipTone::Warning,
        isMissing ? tr("<b>%1</b> is gone: another program renamed or removed it. Saving writes it again.")
                        .arg(name)
                  : tr("<b>%1</b> was changed on disk by another program.").arg(name));
    if (isMissing) {
        m_notice->addCloseButton();
    } else {
        connect(m_notice->addButton(tr("Compare …")), &QPushButton::clicked, &m_files,
                &ProjectFiles::settleChange);
        connect(m_notice->addButton(tr("Take theirs")), &QPushButton::clicked, &m_files,
                &ProjectFiles::takeTheirs);
        connect(m_notice->addButton(tr("Keep mine"), QStringLiteral("primary")), &QPushButton::clicked,
                &m_files, &ProjectFiles::keepMine);
    }
    m_notice->show();
}

/// Over the views of runs always; over the model while the run is of what is drawn.
void MainWindow::showVerdict() {
    const auto workspace = m_workspaces->current();
    const bool isOfRuns = workspace != WorkspaceId::Start && workspace != WorkspaceId::Model;
    const bool isOfModel =
        workspace == WorkspaceId::Model && m_ranSnapshot != nullptr && m_ranSnapshot == m_document.snapshot();
    // The page of a run says the same at length.
    const bool isSaid = workspace == WorkspaceId::Summary;
    m_verdict->setOneRow(isOfModel);
    m_verdict->setVisible(m_verdict->hasVerdict() && (isOfRuns || isOfModel) && !isSaid);
}

void MainWindow::showBestChange() {
    if (m_workspaces->current() != WorkspaceId::Summary)
        return;
    std::optional<views::SummaryAdvice> advice;
    std::function<void()> apply;
    if (const auto& best = m_advice.best()) {
        advice = {best->headline, best->detail, best->apply != nullptr};
        apply = best->apply;
    }
    m_workspaces->view<views::SummaryView>().setAdvice(std::move(advice), std::move(apply));
}

void MainWindow::followProject() {
    m_ranSnapshot.reset();
    m_advice.clear();
    m_notice->hide();
    m_source.setPath(m_files.database());
    m_damage.look(m_files.database());
    m_runsWatch.watch(m_files.database());
    m_selection.set({});
    if (!m_document.isOpen()) {
        m_start->refresh();
        m_workspaces->show(WorkspaceId::Start);
    } else if (m_workspaces->current() == WorkspaceId::Start) {
        m_workspaces->show(WorkspaceId::Model);
    }
    m_topBar->setVisible(m_document.isOpen());
    m_topBar->setMeasured(false);
    m_actions.update();
    m_status->setEstimating(m_estimator.isBusy());
    updateTitle();
}

void MainWindow::updateTitle() {
    setWindowModified(m_document.isDirty());
    setWindowTitle(m_document.isOpen() ? m_document.title() + QStringLiteral("[*] – IPU Workbench")
                                       : QStringLiteral("IPU Workbench"));
    setWindowFilePath(toQString(m_document.path().string()));
    m_actions.update();
}

void MainWindow::connectFrame() {
    connect(m_workspaces.get(), &Workspaces::shown, this, [this](WorkspaceId workspace) {
        m_topBar->showWorkspace(workspace);
        m_topBar->setVisible(m_document.isOpen());
        showVerdict();
        showBestChange();
        watchTraining();
    });
    connect(m_verdict, &views::VerdictStrip::verdictChanged, this, &MainWindow::showVerdict);
    connect(m_verdict, &views::VerdictStrip::adviceRequested, this, [this] {
        m_workspaces->showPanel(PanelId::Problems);
        problems().showPage(views::DiagnosticsView::Advice);
    });
    connect(&m_runsWatch, &RunsWatch::changed, &m_source, &views::ProfileSource::announceChange);
    connect(m_topBar, &TopBar::workspaceChosen, m_workspaces.get(), &Workspaces::show);
    connect(m_topBar, &TopBar::left, m_workspaces.get(), &Workspaces::focusView);
    connect(&m_exports, &Exports::failed, this, &MainWindow::fail);
    connect(&m_exports, &Exports::noticed, this,
            [this](views::ChipTone tone, const QString& text) { m_intents.notify(tone, text); });
    connect(&m_selection, &views::Selection::changed, this, [this](const views::SelectionState& before) {
        if (before.run.has_value() != m_selection.state().run.has_value())
            m_actions.update();
    });
    connect(m_status, &StatusLine::cancelRequested, &m_runs, &RunController::cancel);
    connect(m_status, &StatusLine::unitsChosen, &m_document, &views::Document::setUnits);
    connect(m_status, &StatusLine::panelRequested, m_workspaces.get(), &Workspaces::showPanel);
}

void MainWindow::connectStartPage() {
    connect(m_start, &StartPage::newRequested, &m_files, &ProjectFiles::newEmpty);
    connect(m_start, &StartPage::openRequested, &m_files, &ProjectFiles::openByDialog);
    connect(m_start, &StartPage::importRequested, &m_files, &ProjectFiles::importByDialog);
    connect(m_start, &StartPage::helpRequested, this, [this] { showManual(*this); });
    connect(m_start, &StartPage::settingsRequested, this, &MainWindow::showSettings);
    connect(m_start, &StartPage::tourRequested, this, [this] { startTour(*this); });
    connect(m_start, &StartPage::lessonChosen, m_lessons, &LessonStrip::begin);
    connect(m_start, &StartPage::projectChosen, this,
            [this](const QString& path) { m_files.open(path.toStdString()); });
    connect(m_start, &StartPage::templateChosen, this,
            [this](const QString& name) { openTemplate(name.toStdString()); });
    connect(m_start, &StartPage::exampleChosen, this, [this](const QString& path, bool runsAtOnce) {
        if (!m_files.openCopy(path.toStdString()) || !runsAtOnce)
            return;
        m_workspaces->show(WorkspaceId::Training);
        run();
    });
    connect(m_start, &StartPage::restoreRequested, &m_files, &ProjectFiles::restore);
}

void MainWindow::openTemplate(const std::string& name) {
    const core::ModelTemplate* row = core::findTemplate(name);
    if (row == nullptr)
        return;
    auto* dialog = new TemplateDialog(*row, m_document.units(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &TemplateDialog::projectWanted, this,
            [this](const std::string& wanted, const core::Json& arguments) {
                m_files.newFromTemplate(wanted, arguments);
            });
    dialog->open();
}

void MainWindow::connectRuns() {
    connect(&m_runs, &RunController::started, this, [this] {
        m_topBar->setRunning(true);
        m_actions.update();
        m_status->showProgress(0, tr("Compiling"), 0);
        m_source.announceChange();
        watchTraining();
    });
    connect(&m_runs, &RunController::progressed, this, [this](double fraction, const QString& activity) {
        m_status->showProgress(fraction, activity, m_runs.seconds());
    });
    connect(&m_runs, &RunController::finished, this, &MainWindow::finishRun);
}

/// The training view watches the run under way from when it is first seen.
void MainWindow::watchTraining() {
    if (m_workspaces->current() == WorkspaceId::Training)
        m_workspaces->view<views::TrainingView>().watch(m_runs.feed());
}

/// Without a loss nothing can be trained: the outputs say which, as a step that can be undone.
void MainWindow::proposeLoss() {
    const core::TrainingOptions& training = m_document.project().training;
    const std::vector<core::KerasObject> losses = core::proposedLosses(m_document.project().model);
    if (!training.dataset || !training.losses.empty() || losses.empty())
        return;
    const QString text = losses.size() == 1 ? tr("Use %1").arg(toQString(core::lossInWords(losses.front())))
                                            : tr("Use a loss for each output");
    m_document.apply(text, [&](const core::Project& project) -> core::Result<core::Project> {
        core::TrainingOptions with = project.training;
        with.losses = losses;
        return core::withTraining(project, with);
    });
    m_intents.notify(views::ChipTone::Info, tr("Training with the loss that the outputs ask for: %1")
                                                .arg(toQString(core::lossInWords(losses.front()))));
}

void MainWindow::run(core::RunMode mode, bool numerics) {
    if (!m_document.isOpen() || m_runs.isRunning())
        return;
    if (mode == core::RunMode::Train && numerics)
        proposeLoss();
    run(m_document.snapshot(), mode, numerics);
}

bool MainWindow::run(views::ProjectSnapshot project, core::RunMode mode, bool numerics) {
    SimulationOptions options;
    options.mode = mode;
    options.numerics = numerics;
    const auto grants =
        numerics ? askGrants(*project, m_document.folder(), *m_dialogs, m_settings) : core::ProjectGrants{};
    if (!grants)
        return false;
    options.grants = *grants;
    m_notice->hide();
    m_runs.start(
        {std::move(project), m_document.path().string(), m_document.folder(), m_files.database(), options});
    return true;
}

void MainWindow::finishRun(const RunOutcome& outcome) {
    m_topBar->setRunning(false);
    m_actions.update();
    m_status->endProgress();
    m_workspaces->view<views::TrainingView>().watch(nullptr);
    m_source.announceChange();
    for (const core::Diagnostic& finding : outcome.findings)
        problems().addMessage(views::severityTone(finding.severity), toQString(finding.message));
    if (outcome.run) {
        m_selection.selectRun(*outcome.run);
        if (outcome.project == m_document.snapshot()) {
            m_ranSnapshot = outcome.project;
            m_topBar->setMeasured(true);
            showVerdict();
        }
        const QString what = tr("Run #%1 finished in %2")
                                 .arg(outcome.run->value())
                                 .arg(outcome.seconds < 10 ? tr("%1 s").arg(outcome.seconds, 0, 'f', 2)
                                                           : views::durationText(outcome.seconds));
        m_intents.notify(outcome.fits ? views::ChipTone::Success : views::ChipTone::Warning,
                         outcome.fits ? what : tr("%1: it does not fit into memory").arg(what));
    } else if (outcome.isCancelled) {
        m_intents.notify(views::ChipTone::Info, tr("Run cancelled; it left nothing behind"));
    } else {
        fail(tr("The run failed"), outcome.findings);
        m_failedProject = outcome.project;
        for (const core::Diagnostic& finding : outcome.findings) {
            if (finding.severity == core::Severity::Error)
                m_failedCodes.insert(finding.code);
        }
    }
}

/// The notice of a failed run goes with its cause.
void MainWindow::settleFailure() {
    if (m_failedCodes.empty() || m_document.snapshot() == m_failedProject)
        return;
    const bool isCauseThere =
        std::ranges::any_of(m_document.analysis().diagnostics, [this](const core::Diagnostic& finding) {
            return finding.severity == core::Severity::Error && m_failedCodes.contains(finding.code);
        });
    if (isCauseThere)
        return;
    m_failedCodes.clear();
    m_notice->hide();
}

void MainWindow::fail(const QString& what, const core::Diagnostics& why) {
    m_failedCodes.clear();
    QString text = QStringLiteral("<b>%1.</b>").arg(what.toHtmlEscaped());
    const bool hasErrors = core::hasErrors(why);
    for (const core::Diagnostic& finding : why) {
        if (hasErrors && finding.severity != core::Severity::Error)
            continue;
        // "No such file" is no help without its name.
        const std::string& file = finding.location.file;
        const bool isNameless = finding.code.starts_with("file/") && !file.empty() &&
                                finding.message.find(file) == std::string::npos;
        text +=
            u' ' + views::findingText(toQString(isNameless ? file + ": " + finding.message : finding.message),
                                      m_document.isOpen() ? &m_document.project().model : nullptr,
                                      m_document.units().bytes)
                       .toHtmlEscaped();
        if (!finding.hints.empty())
            text += QStringLiteral(" — ") + toQString(finding.hints.front()).toHtmlEscaped();
        break;
    }
    const auto errors = std::count_if(why.begin(), why.end(), [](const core::Diagnostic& finding) {
        return finding.severity == core::Severity::Error;
    });
    if (errors > 1)
        text += u' ' + tr("(and %1 more)").arg(errors - 1);
    m_notice->setMessage(hasErrors || why.empty() ? views::ChipTone::Error : views::ChipTone::Warning, text);
    for (const core::Diagnostic& finding : why)
        offerToFind(finding);
    m_notice->addCloseButton();
    m_notice->show();
    for (const core::Diagnostic& finding : why)
        problems().addMessage(views::severityTone(finding.severity), toQString(finding.message));
    m_status->tell(views::ChipTone::Error, what);
}

/// Where a file of the dataset is missed: a button that asks where it is.
void MainWindow::offerToFind(const core::Diagnostic& finding) {
    if (!m_document.isOpen() || !finding.code.starts_with("file/") || !m_document.project().training.dataset)
        return;
    const std::filesystem::path missed = finding.location.file;
    for (const auto& [key, value] : m_document.project().training.dataset->parameters.items()) {
        if (!value.is_string() || missed.empty())
            continue;
        const std::filesystem::path named = value.get<std::string>();
        if (named != missed && (m_document.folder() / named).lexically_normal() !=
                                   std::filesystem::absolute(missed).lexically_normal())
            continue;
        connect(m_notice->addButton(tr("Find …")), &QPushButton::clicked, this, [this, key = key, named] {
            const QString path =
                m_dialogs->chooseFile(tr("Find %1").arg(toQString(named.filename().string())),
                                      toQString(m_document.folder().string()), tr("All files (*)"));
            if (path.isEmpty())
                return;
            m_document.apply(tr("Take the data from %1").arg(path),
                             [&](const core::Project& project) -> core::Result<core::Project> {
                                 core::TrainingOptions training = project.training;
                                 if (training.dataset)
                                     training.dataset->parameters[key] = path.toStdString();
                                 return core::withTraining(project, training);
                             });
        });
        return;
    }
}

void MainWindow::showStatus(views::ChipTone tone, const QString& text) {
    m_status->tell(tone, text);
}

void MainWindow::saveDrawing() {
    const views::CanvasView& canvas = graph().canvas();
    m_exports.save({m_document.title(), canvas.pictureSize(),
                    [&canvas](QPainter& painter) { canvas.paintPicture(painter, views::themeOf(&canvas)); }});
}

PaletteSources MainWindow::paletteSources() {
    return {m_document,    m_selection, m_actions, graph().canvasActions(),
            *m_workspaces, m_intents,   m_source,  *m_finder};
}

void MainWindow::openPalette() {
    if (m_palette == nullptr) {
        m_finder = new RunFinder(this);
        m_palette =
            new views::SearchPopup(tr("Search or run a command"),
                                   tr("# layers   > commands   ↑↓ choose   Enter go   Esc leave"), this);
        m_palette->setEntrySource(
            [this](QString& pattern) { return paletteEntries(paletteSources(), pattern); });
        connect(m_finder, &RunFinder::found, m_palette, [this] {
            if (m_palette->isVisible())
                m_palette->refresh();
        });
        connect(m_palette, &views::SearchPopup::chosen, this,
                [this](const QString& id) { choosePaletteEntry(paletteSources(), id); });
    }
    QString pattern;
    m_palette->setEntries(paletteEntries(paletteSources(), pattern));
    m_palette->openAt(mapToGlobal(QPoint(width() / 2, height() / 8)), true);
}

void MainWindow::openSolver() {
    if (!m_document.isOpen())
        return;
    m_workspaces->showPanel(PanelId::Solver);
    m_workspaces->panel<SplitSolver>(PanelId::Solver).solve();
}

void MainWindow::showSystem() {
    m_workspaces->showPanel(PanelId::Problems);
    if (auto* board = problems().findChild<views::SystemView*>())
        problems().showPage(*board);
}

void MainWindow::showShortcuts() {
    const auto rows = workspaceRows();
    const auto row = std::ranges::find(rows, m_workspaces->current(), &WorkspaceRow::id);
    showShortcutPage(*this, {m_actions, graph().canvasActions(),
                             row == rows.end() ? QString() : QString::fromLatin1(row->title)});
}

void MainWindow::showSettings() {
    SettingsDialog(m_appearance, m_settings, m_document, *m_workspaces, this).exec();
}

void MainWindow::toggleFullScreen() {
    setWindowState(windowState() ^ Qt::WindowFullScreen);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (m_runs.isRunning() &&
        !m_dialogs->confirm(tr("A run is under way. Stop it and leave?"),
                            tr("A stopped run leaves no results."), tr("Stop and leave")))
        return event->ignore();
    if (!m_files.mayLeave())
        return event->ignore();
    m_runs.cancel();
    m_recovery.forget();
    m_workspaces->keepDocks();
    m_settings.setGeometry(saveGeometry());
    event->accept();
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::WindowStateChange)
        m_actions.update();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().front().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QString path = event->mimeData()->urls().front().toLocalFile();
    event->acceptProposedAction();
    if (QFileInfo(path).suffix() == QStringLiteral("ipuproj"))
        m_files.open(path.toStdString());
    else if (ReferenceFile::isTrace(path.toStdString()))
        m_reference.open(path.toStdString());
    else
        m_files.importModel(path.toStdString());
}

} // namespace app
