#include "app/window/main_window.h"

#include "app/window/dialogs/command_palette.h"
#include "app/window/dialogs/information.h"
#include "app/window/dialogs/settings_dialog.h"
#include "app/window/dialogs/solve_dialog.h"
#include "app/window/frame/dock_panel.h"
#include "app/window/frame/status_line.h"
#include "app/window/frame/top_bar.h"
#include "app/window/start/start_page.h"
#include "core/interchange/project/project_file.h"
#include "core/profile/queries/run_queries.h"
#include "views/common/theme/icons.h"
#include "views/common/widgets/notice_bar.h"
#include "views/common/widgets/search_popup.h"
#include "views/comparison/comparison_view.h"
#include "views/diagnostics/diagnostics_view.h"
#include "views/graph/graph_view.h"
#include "views/inspector/inspector_view.h"
#include "views/inspector/option_view.h"
#include "views/inspector/property_form.h"
#include "views/inspector/setting_view.h"
#include "views/training/training_view.h"

#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenuBar>
#include <QMimeData>
#include <QScreen>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace app {

using views::toQString;

MainWindow::MainWindow(const QString& settingsFile, std::unique_ptr<Dialogs> dialogs)
    : m_settings(settingsFile)
    , m_appearance(m_settings)
    , m_dialogs(dialogs ? std::move(dialogs) : std::make_unique<WindowDialogs>(this))
    , m_exports(m_document, m_selection, m_source, m_settings, *m_dialogs)
    , m_files(m_document, m_settings, *m_dialogs)
    , m_recovery(m_document, m_settings)
    , m_estimator(m_document)
    , m_adviser(m_document) {
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
    layout->addWidget(pages, 1);
    setCentralWidget(central);
    m_workspaces =
        std::make_unique<Workspaces>(*this, *pages,
                                     WindowParts{m_document, m_selection, m_source, m_settings, *m_dialogs,
                                                 m_files, m_recovery, m_runs, m_appearance, m_intents});
    m_start = new StartPage(m_settings, m_recovery, pages);
    m_workspaces->setStartPage(m_start);
    m_actions = std::make_unique<ActionTable>(*this);
    m_actions->fillMenuBar(*menuBar());
    m_topBar = new TopBar(m_document, *m_actions, this);
    addToolBar(m_topBar);
    m_status = new StatusLine(m_document, this);
    setStatusBar(m_status);
    connectDocument();
    connectIntents();
    connectRuns();
    if (!restoreGeometry(m_settings.geometry()))
        resize(screen()->availableSize().boundedTo({1600, 1000}));
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
    return *static_cast<views::GraphView*>(m_workspaces->view(QStringLiteral("model")));
}

views::DiagnosticsView& MainWindow::problems() {
    return *static_cast<views::DiagnosticsView*>(m_workspaces->panel(QStringLiteral("problems")));
}

void MainWindow::connectDocument() {
    connect(&m_document, &views::Document::opened, this, &MainWindow::followProject);
    connect(&m_document, &views::Document::pathChanged, this, [this] {
        m_source.setPath(m_files.database());
        updateTitle();
    });
    connect(&m_document, &views::Document::dirtyChanged, this, &MainWindow::updateTitle);
    connect(&m_document, &views::Document::projectChanged, this, [this] {
        updateTitle();
        m_topBar->setMeasured(m_document.snapshot() == m_ranSnapshot);
    });
    connect(&m_document, &views::Document::refused, this, [this](const core::Diagnostics& why) {
        if (why.empty())
            return;
        QString text = toQString(why.front().message);
        if (!why.front().hints.empty())
            text += QStringLiteral(" — ") + toQString(why.front().hints.front());
        m_status->tell(views::ChipTone::Error, text);
    });
    connect(&m_document, &views::Document::unitsChanged, this,
            [this] { m_settings.setUnits(m_document.units()); });
    connect(&m_estimator, &LiveEstimator::busyChanged, m_status, &StatusLine::setEstimating);
    connect(&m_adviser, &AdviceFinder::found, this, &MainWindow::showAdvice);
    connect(&m_files, &ProjectFiles::failed, this, &MainWindow::fail);
    connect(&m_files, &ProjectFiles::told, this, &MainWindow::tell);
    connect(&m_files, &ProjectFiles::settled, &m_recovery, &Recovery::forget);
    connect(&m_recovery, &Recovery::kept, this,
            [this] { m_status->tell(views::ChipTone::Info, tr("Autosaved %1").arg(m_document.title())); });
}

void MainWindow::showAdvice(const views::ProjectSnapshot& of, const std::vector<Advice>& advice) {
    std::vector<views::NoteRow> rows;
    for (const Advice& one : advice) {
        views::NoteRow row;
        row.tone = views::ChipTone::Info;
        row.icon = QStringLiteral("bulb");
        const QString peak = views::bytesText(one.peak, m_document.units().bytes).joined();
        row.text = one.repairs ? tr("%1: fits, fullest IPU %2. Simulated.").arg(toQString(one.text), peak)
                               : tr("%1: %2 % samples/s, fullest IPU %3. Simulated.")
                                     .arg(toQString(one.text), views::signedText(one.gain * 100, 1), peak);
        row.action = tr("Apply");
        row.act = [this, of, one] {
            if (m_document.snapshot() == of)
                m_document.apply(
                    toQString(one.text),
                    [&](const core::Project&) -> core::Result<core::Project> { return one.project; });
        };
        rows.push_back(std::move(row));
    }
    problems().setAdvice(std::move(rows), tr("No single change that was simulated makes this plan faster."));
}

void MainWindow::followProject() {
    m_ranSnapshot.reset();
    problems().setAdvice({}, tr("Advice is simulated before it is shown; it appears shortly after an edit."));
    m_notice->hide();
    m_source.setPath(m_files.database());
    m_selection.set({});
    if (!m_document.isOpen()) {
        m_start->refresh();
        m_workspaces->show(Workspaces::startId);
    } else if (m_workspaces->current() == QLatin1String(Workspaces::startId)) {
        m_workspaces->show(QStringLiteral("model"));
    }
    m_topBar->setVisible(m_document.isOpen());
    m_topBar->setMeasured(false);
    m_actions->update();
    m_status->setEstimating(m_estimator.isBusy());
    updateTitle();
}

void MainWindow::updateTitle() {
    setWindowModified(m_document.isDirty());
    setWindowTitle(m_document.isOpen() ? m_document.title() + QStringLiteral("[*] – IPU Workbench")
                                       : QStringLiteral("IPU Workbench"));
    setWindowFilePath(toQString(m_document.path().string()));
    m_actions->update();
}

void MainWindow::connectIntents() {
    connect(m_workspaces.get(), &Workspaces::shown, this, [this](const QString& id) {
        m_topBar->showWorkspace(id);
        m_topBar->setVisible(m_document.isOpen());
        if (auto* training = qobject_cast<views::TrainingView*>(m_workspaces->view(id)))
            training->watch(m_runs.feed());
    });
    connect(m_topBar, &TopBar::workspaceChosen, m_workspaces.get(), &Workspaces::show);
    connect(&m_intents, &Intents::runRequested, this, [this] { run(); });
    connect(&m_intents, &Intents::cancelRequested, &m_runs, &RunController::cancel);
    connect(&m_intents, &Intents::workspaceRequested, m_workspaces.get(), &Workspaces::show);
    connect(&m_intents, &Intents::panelRequested, this, [this](const QString& name) {
        m_workspaces->showPanel(name == QStringLiteral("training") ? QStringLiteral("training_form")
                                : name == QStringLiteral("system") ? QStringLiteral("pipeline")
                                                                   : name);
        if (name == QStringLiteral("inspector"))
            static_cast<views::InspectorView*>(m_workspaces->panel(name))->focusFirst();
    });
    connect(&m_intents, &Intents::settingRequested, this, &MainWindow::showSetting);
    connect(&m_intents, &Intents::layerRequested, this, [this] {
        m_workspaces->show(QStringLiteral("model"));
        graph().canvas().fitSelection();
    });
    connect(&m_intents, &Intents::layerChosen, this, [this](const QString& className) {
        m_workspaces->show(QStringLiteral("model"));
        std::optional<views::TensorSource> from;
        if (const auto& current = m_selection.state().current;
            current && m_document.isOpen() && m_document.project().model.findLayer(current->path))
            from = views::TensorSource{*current, 0};
        graph().commands().addLayer(className, from, std::nullopt);
    });
    connect(&m_intents, &Intents::solveRequested, this, &MainWindow::openSolver);
    connect(&m_intents, &Intents::pictureRequested, &m_exports, &Exports::save);
    connect(&m_intents, &Intents::tableRequested, &m_exports, &Exports::saveTable);
    connect(&m_exports, &Exports::failed, this, &MainWindow::fail);
    connect(&m_exports, &Exports::told, this, &MainWindow::tell);
    connect(&m_selection, &views::Selection::changed, this, [this](const views::SelectionState& before) {
        if (before.run.has_value() != m_selection.state().run.has_value())
            m_actions->update();
    });
    connect(&m_intents, &Intents::deleteRequested, this, &MainWindow::deleteRuns);
    connect(&m_intents, &Intents::compareRequested, this, [this](const std::vector<core::RunId>& runs) {
        m_workspaces->show(QStringLiteral("compare"));
        static_cast<views::ComparisonView*>(m_workspaces->view(QStringLiteral("compare")))->compare(runs, {});
    });
    connect(&m_intents, &Intents::restoreRequested, this, &MainWindow::restoreRun);
    connect(&m_intents, &Intents::told, this,
            [this](views::ChipTone tone, const QString& text) { m_status->tell(tone, text); });
    connect(m_status, &StatusLine::cancelRequested, &m_runs, &RunController::cancel);
    connect(m_status, &StatusLine::unitsChosen, this, &MainWindow::setUnits);
    connect(m_status, &StatusLine::panelRequested, m_workspaces.get(), &Workspaces::showPanel);
    connect(m_start, &StartPage::newRequested, &m_files, &ProjectFiles::newEmpty);
    connect(m_start, &StartPage::openRequested, &m_files, &ProjectFiles::openByDialog);
    connect(m_start, &StartPage::importRequested, &m_files, &ProjectFiles::importByDialog);
    connect(m_start, &StartPage::helpRequested, this, &MainWindow::showHelp);
    connect(m_start, &StartPage::settingsRequested, this, &MainWindow::showSettings);
    connect(m_start, &StartPage::projectChosen, this,
            [this](const QString& path) { m_files.open(path.toStdString()); });
    connect(m_start, &StartPage::templateChosen, this,
            [this](const QString& name) { m_files.newFromTemplate(name.toStdString()); });
    connect(m_start, &StartPage::exampleChosen, this, [this](const QString& path, bool runsAtOnce) {
        if (!m_files.openCopy(path.toStdString()) || !runsAtOnce)
            return;
        m_workspaces->show(QStringLiteral("training"));
        run();
    });
    connect(m_start, &StartPage::restoreRequested, this, [this](const UnsavedWork& work) {
        if (m_files.openText(work.text, work.project, tr("The unsaved work could not be restored"))) {
            m_recovery.discard(work);
            m_recovery.keepNow();
        }
    });
}

void MainWindow::connectRuns() {
    connect(&m_runs, &RunController::started, this, [this] {
        m_topBar->setRunning(true);
        m_actions->update();
        m_status->showProgress(0, tr("Compiling"), 0);
        m_source.announceChange();
        if (auto* training = qobject_cast<views::TrainingView*>(m_workspaces->view(m_workspaces->current())))
            training->watch(m_runs.feed());
    });
    connect(&m_runs, &RunController::progressed, this, [this](double fraction, const QString& activity) {
        m_status->showProgress(fraction, activity, m_runs.seconds());
    });
    connect(&m_runs, &RunController::finished, this, &MainWindow::finishRun);
}

void MainWindow::run(core::RunMode mode, bool numerics) {
    if (!m_document.isOpen() || m_runs.isRunning())
        return;
    SimulationOptions options;
    options.mode = mode;
    options.numerics = numerics;
    m_notice->hide();
    m_runs.start({m_document.snapshot(), m_document.path().string(), m_document.folder(), m_files.database(),
                  options});
}

void MainWindow::finishRun(const RunOutcome& outcome) {
    m_topBar->setRunning(false);
    m_actions->update();
    m_status->endProgress();
    if (auto* training = qobject_cast<views::TrainingView*>(m_workspaces->view(QStringLiteral("training"))))
        training->watch(nullptr);
    m_source.announceChange();
    for (const core::Diagnostic& finding : outcome.findings)
        problems().addMessage(views::severityTone(finding.severity), toQString(finding.message));
    if (outcome.run) {
        m_selection.selectRun(*outcome.run);
        if (outcome.project == m_document.snapshot()) {
            m_ranSnapshot = outcome.project;
            m_topBar->setMeasured(true);
        }
        const QString what = tr("Run #%1 finished in %2")
                                 .arg(outcome.run->value())
                                 .arg(outcome.seconds < 10 ? tr("%1 s").arg(outcome.seconds, 0, 'f', 2)
                                                           : views::durationText(outcome.seconds));
        tell(outcome.fits ? views::ChipTone::Success : views::ChipTone::Warning,
             outcome.fits ? what : tr("%1: it does not fit into memory").arg(what));
    } else if (outcome.isCancelled) {
        tell(views::ChipTone::Info, tr("Run cancelled; it left nothing behind"));
    } else {
        fail(tr("The run failed"), outcome.findings);
    }
}

void MainWindow::fail(const QString& what, const core::Diagnostics& why) {
    QString text = QStringLiteral("<b>%1.</b>").arg(what.toHtmlEscaped());
    for (const core::Diagnostic& finding : why) {
        if (finding.severity != core::Severity::Error)
            continue;
        text += u' ' + toQString(finding.message).toHtmlEscaped();
        if (!finding.hints.empty())
            text += QStringLiteral(" — ") + toQString(finding.hints.front()).toHtmlEscaped();
        break;
    }
    const auto errors = std::count_if(why.begin(), why.end(), [](const core::Diagnostic& finding) {
        return finding.severity == core::Severity::Error;
    });
    if (errors > 1)
        text += u' ' + tr("(and %1 more)").arg(errors - 1);
    m_notice->setMessage(views::ChipTone::Error, text);
    m_notice->addCloseButton();
    m_notice->show();
    for (const core::Diagnostic& finding : why)
        problems().addMessage(views::severityTone(finding.severity), toQString(finding.message));
    m_status->tell(views::ChipTone::Error, what);
}

void MainWindow::tell(views::ChipTone tone, const QString& text) {
    emit m_intents.told(tone, text);
}

void MainWindow::showSetting(const QString& pointer) {
    const QString section = pointer.section(u'/', 1, 1);
    const QString key = pointer.section(u'/', 2, 2);
    if (section == QStringLiteral("ipu_config")) {
        m_workspaces->showPanel(QStringLiteral("options"));
        static_cast<views::OptionView*>(m_workspaces->panel(QStringLiteral("options")))
            ->filter()
            .setText(key);
        return;
    }
    const QString panel =
        section == QStringLiteral("training") ? QStringLiteral("training_form") : QStringLiteral("pipeline");
    m_workspaces->showPanel(panel);
    static_cast<views::SettingView*>(m_workspaces->panel(panel))->form().focusProperty(pointer.toStdString());
}

void MainWindow::deleteRuns(const std::vector<core::RunId>& runs) {
    const QString count = views::countedText(std::int64_t(runs.size()), tr("run"), tr("runs"));
    if (!m_dialogs->confirm(tr("Delete %1?").arg(count), tr("Undo cannot bring them back."), tr("Delete")))
        return;
    auto database = core::ProfileDatabase::open(m_files.database());
    if (!database)
        return fail(tr("The runs could not be deleted"), database.error());
    if (const auto deleted = core::deleteRuns(*database, runs); !deleted)
        return fail(tr("The runs could not be deleted"), deleted.error());
    if (const auto run = m_selection.state().run;
        run && std::find(runs.begin(), runs.end(), *run) != runs.end())
        m_selection.selectRun(std::nullopt);
    m_source.announceChange();
    tell(views::ChipTone::Info, tr("Deleted %1").arg(count));
}

void MainWindow::restoreRun(core::RunId run) {
    auto database = core::ProfileDatabase::open(m_files.database(), {core::DatabaseAccess::ReadOnly});
    const auto provenance = database ? core::loadProvenance(*database, run)
                                     : core::Result<core::RunProvenance>(core::failure(database.error()));
    const QString what = tr("The project of run #%1 could not be restored").arg(run.value());
    if (!provenance)
        return fail(what, provenance.error());
    auto file = core::readProject(provenance->projectText, m_document.path().string());
    if (!file)
        return fail(what, file.error());
    // One step of the history: what was there comes back with undo.
    m_document.apply(tr("Restore the project of run #%1").arg(run.value()),
                     [&](const core::Project&) -> core::Result<core::Project> { return file->project; });
    tell(views::ChipTone::Info, tr("Restored the project of run #%1").arg(run.value()));
}

void MainWindow::saveDrawing() {
    const views::CanvasView& canvas = graph().canvas();
    m_exports.save({m_document.title(), canvas.pictureSize(),
                    [&canvas](QPainter& painter) { canvas.paintPicture(painter); }});
}

void MainWindow::openPalette() {
    if (m_palette == nullptr) {
        m_palette =
            new views::SearchPopup(tr("Search or run a command"),
                                   tr("# layers   > commands   ↑↓ choose   Enter go   Esc leave"), this);
        m_palette->setEntrySource([this](QString& pattern) { return paletteEntries(*this, pattern); });
        connect(m_palette, &views::SearchPopup::chosen, this,
                [this](const QString& id) { choosePaletteEntry(*this, id); });
    }
    QString pattern;
    m_palette->setEntries(paletteEntries(*this, pattern));
    m_palette->openAt(mapToGlobal(QPoint(width() / 2, height() / 8)), true);
}

void MainWindow::openSolver() {
    if (!m_document.isOpen())
        return;
    SolveDialog(m_document, m_selection, this).exec();
}

void MainWindow::showShortcuts() {
    showShortcutPage(*this);
}

void MainWindow::showHelp() {
    showHelpPage(*this);
}

void MainWindow::showAbout() {
    showAboutPage(*this);
}

void MainWindow::showSettings() {
    SettingsDialog(*this).exec();
}

void MainWindow::setUnits(const views::Units& units) {
    m_document.setUnits(units);
    m_actions->update();
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
    if (event->type() == QEvent::WindowStateChange && m_actions)
        m_actions->update();
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
    else
        m_files.importModel(path.toStdString());
}

} // namespace app
