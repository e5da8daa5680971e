#include "app/window/window_intents.h"

#include "app/services/plan/target_trial.h"
#include "app/services/run/moved_project.h"
#include "app/services/sweep/stored_sweep.h"
#include "app/window/main_window.h"
#include "core/base/file.h"
#include "core/interchange/project/project_file.h"
#include "core/profile/analysis/run_search.h"
#include "core/profile/notes/store/note_store.h"
#include "core/profile/queries/run_queries.h"
#include "core/profile/writer/sweep_store.h"
#include "core/project/project_edit.h"
#include "views/comparison/comparison_view.h"
#include "views/diagnostics/diagnostics_view.h"
#include "views/explain/explain_view.h"
#include "views/graph/graph_view.h"
#include "views/inspector/form/property_form.h"
#include "views/inspector/inspector_view.h"
#include "views/inspector/option_view.h"
#include "views/inspector/setting_view.h"
#include "views/timeline/timeline_view.h"

#include <QDir>
#include <QFileInfo>
#include <QLineEdit>
#include <algorithm>
#include <fmt/format.h>

namespace app {

using views::PanelId;
using views::toQString;
using views::WorkspaceId;

void WindowIntents::run() {
    m_window.run();
}

void WindowIntents::cancelRun() {
    m_window.runs().cancel();
}

void WindowIntents::showWorkspace(WorkspaceId workspace) {
    m_window.workspaces().show(workspace);
}

void WindowIntents::showInTimeline(const core::SearchHit& place) {
    showWorkspace(WorkspaceId::Timeline);
    m_window.workspaces().view<views::TimelineView>().showHit(place);
}

void WindowIntents::showPanel(PanelId panel) {
    m_window.workspaces().showPanel(panel);
    if (panel == PanelId::Inspector)
        m_window.workspaces().panel<views::InspectorView>(panel).focusFirst();
}

void WindowIntents::showSetting(const QString& pointer) {
    Workspaces& workspaces = m_window.workspaces();
    const QString section = pointer.section(u'/', 1, 1);
    if (section == QStringLiteral("ipu_config")) {
        workspaces.showPanel(PanelId::Options);
        workspaces.panel<views::OptionView>(PanelId::Options).filter().setText(pointer.section(u'/', 2, 2));
        return;
    }
    const PanelId panel =
        section == QStringLiteral("training") ? PanelId::TrainingOptions : PanelId::Pipeline;
    workspaces.showPanel(panel);
    workspaces.panel<views::SettingView>(panel).form().focusProperty(pointer.toStdString());
}

void WindowIntents::showSelectedLayers() {
    m_window.workspaces().show(WorkspaceId::Model);
    m_window.graph().scene().fitSelection();
}

void WindowIntents::openSolver() {
    m_window.openSolver();
}

void WindowIntents::addLayer(const QString& className) {
    m_window.workspaces().show(WorkspaceId::Model);
    std::optional<views::TensorSource> from;
    if (const auto& current = m_window.selection().state().current;
        current && m_window.document().isOpen() &&
        m_window.document().project().model.findLayer(current->path))
        from = views::TensorSource{*current, 0};
    m_window.graph().commands().addLayer(className, from, std::nullopt);
}

QStringList WindowIntents::recentLayers() const {
    return m_window.settings().recentLayers();
}

void WindowIntents::keepRecentLayers(const QStringList& classNames) {
    m_window.settings().setRecentLayers(classNames);
}

void WindowIntents::savePicture(const views::Picture& picture) {
    m_window.exports().save(picture);
}

void WindowIntents::saveTable(const QString& name, const QString& csv) {
    m_window.exports().saveTable(name, csv);
}

std::filesystem::path WindowIntents::chooseBesideProject(const QString& title, const QString& name,
                                                         const QString& filter) const {
    const views::Document& document = m_window.document();
    const QString folder = document.folder().empty() ? m_window.settings().folder()
                                                     : QString::fromStdString(document.folder().string());
    return m_window.dialogs()
        .chooseFileToWrite(title, QDir(folder).filePath(name), filter, QFileInfo(name).suffix())
        .toStdString();
}

void WindowIntents::saveForProject(const std::filesystem::path& file, const core::Result<std::string>& text,
                                   const QString& trouble, const QString& use,
                                   const views::ProjectEdit& edit) {
    if (!text)
        return m_window.fail(trouble, text.error());
    if (const auto written = core::writeFileAtomically(file, *text, core::Overwrite::Replace); !written)
        return m_window.fail(trouble, written.error());
    m_window.document().apply(use.arg(QString::fromStdString(file.filename().string())), edit);
    notify(views::ChipTone::Success,
           MainWindow::tr("Saved %1, which the project uses now").arg(QString::fromStdString(file.string())));
}

void WindowIntents::saveTarget() {
    const views::Document& document = m_window.document();
    if (!document.isOpen())
        return;
    const auto file = chooseBesideProject(MainWindow::tr("Save target file"), QStringLiteral("target.json"),
                                          MainWindow::tr("Target files (*.json)"));
    if (file.empty())
        return;
    saveForProject(file, targetFileText(document.project(), document.folder(), file.stem().string()),
                   MainWindow::tr("The target could not be saved"), MainWindow::tr("Use the target of %1"),
                   [&](const core::Project& project) -> core::Result<core::Project> {
                       return withTargetFile(project, file, document.folder());
                   });
}

void WindowIntents::saveScheduleTable(const std::string& cells) {
    const views::Document& document = m_window.document();
    if (!document.isOpen())
        return;
    const auto file = chooseBesideProject(MainWindow::tr("Save schedule"), QStringLiteral("schedule.csv"),
                                          MainWindow::tr("Tables (*.csv)"));
    if (file.empty())
        return;
    saveForProject(file, cells, MainWindow::tr("The schedule could not be saved"),
                   MainWindow::tr("Use the schedule of %1"),
                   [&](const core::Project& project) -> core::Result<core::Project> {
                       return core::withScheduleTable(
                           project, {pathFromFolder(file, document.folder()), file.string(), cells});
                   });
}

void WindowIntents::openReference() {
    m_window.reference().openByDialog();
}

void WindowIntents::explainFigure(const std::string& metric) {
    m_window.workspaces().showPanel(PanelId::Problems);
    auto& page = *m_window.problems().findChild<views::ExplainView*>();
    m_window.problems().showPage(page);
    page.showFigure(metric);
}

void WindowIntents::compareRuns(const std::vector<core::RunId>& runs) {
    m_window.workspaces().show(WorkspaceId::Compare);
    m_window.workspaces().view<views::ComparisonView>().compare(runs, {});
}

void WindowIntents::deleteRuns(const std::vector<core::RunId>& runs) {
    const QString count =
        views::countedText(std::int64_t(runs.size()), MainWindow::tr("run"), MainWindow::tr("runs"));
    if (!m_window.dialogs().confirm(MainWindow::tr("Delete %1?").arg(count),
                                    MainWindow::tr("Undo cannot bring them back."), MainWindow::tr("Delete")))
        return;
    auto database = core::ProfileDatabase::open(m_window.files().database());
    if (!database)
        return m_window.fail(MainWindow::tr("The runs could not be deleted"), database.error());
    if (const auto deleted = core::deleteRuns(*database, runs); !deleted)
        return m_window.fail(MainWindow::tr("The runs could not be deleted"), deleted.error());
    if (const auto run = m_window.selection().state().run;
        run && std::find(runs.begin(), runs.end(), *run) != runs.end())
        m_window.selection().selectRun(std::nullopt);
    m_window.source().announceChange();
    notify(views::ChipTone::Info, MainWindow::tr("Deleted %1").arg(count));
}

void WindowIntents::storeNotes(core::RunId run, const std::vector<core::NoteRecord>& notes) {
    const auto database = core::ProfileDatabase::open(m_window.files().database());
    const auto stored = database ? core::storeNotes(*database, run, notes)
                                 : core::Result<void>(core::failure(database.error()));
    if (!stored)
        m_window.fail(MainWindow::tr("The notes could not be stored"), stored.error());
}

void WindowIntents::storeQueries(const std::vector<core::QueryRecord>& queries) {
    const auto database = core::ProfileDatabase::open(m_window.files().database());
    const auto stored = database ? core::storeQueries(*database, queries)
                                 : core::Result<void>(core::failure(database.error()));
    if (!stored)
        m_window.fail(MainWindow::tr("The query could not be kept"), stored.error());
}

void WindowIntents::restoreProjectOf(core::RunId run) {
    auto database =
        core::ProfileDatabase::open(m_window.files().database(), {core::DatabaseAccess::ReadOnly});
    const auto provenance = database ? core::loadProvenance(*database, run)
                                     : core::Result<core::RunProvenance>(core::failure(database.error()));
    const QString what = MainWindow::tr("The project of run #%1 could not be restored").arg(run.value());
    if (!provenance)
        return m_window.fail(what, provenance.error());
    views::Document& document = m_window.document();
    auto file = core::readProject(provenance->projectText, document.path().string());
    if (!file)
        return m_window.fail(what, file.error());
    // One step of the history: what was there comes back with undo.
    document.apply(MainWindow::tr("Restore the project of run #%1").arg(run.value()),
                   [&](const core::Project&) -> core::Result<core::Project> { return file->project; });
    notify(views::ChipTone::Info, MainWindow::tr("Restored the project of run #%1").arg(run.value()));
}

std::optional<PointOfSweep> WindowIntents::readPoint(std::int64_t sweep, std::int64_t point) const {
    const auto refuse = [&](const core::Diagnostics& why) {
        m_window.fail(MainWindow::tr("Point %1 of the sweep could not be opened").arg(point), why);
        return std::nullopt;
    };
    const views::Document& document = m_window.document();
    const auto database =
        core::ProfileDatabase::open(m_window.files().database(), {core::DatabaseAccess::ReadOnly});
    if (!database)
        return refuse(database.error());
    auto read = projectOfPoint(*database, sweep, point, {document.project(), document.path()});
    if (!read)
        return refuse(read.error());
    return *std::move(read);
}

void WindowIntents::openSweepPoint(std::int64_t sweep, std::int64_t point) {
    const std::optional<PointOfSweep> opened = readPoint(sweep, point);
    if (!opened)
        return;
    m_window.document().apply(
        MainWindow::tr("Open point %1 of the sweep").arg(point),
        [&](const core::Project&) -> core::Result<core::Project> { return opened->project; });
    if (opened->isAsSwept)
        return notify(views::ChipTone::Info, MainWindow::tr("Opened point %1 of the sweep").arg(point));
    notify(views::ChipTone::Warning,
           MainWindow::tr(
               "Opened point %1 on the project as it is now, which is not the one that was swept: its "
               "figures are others")
               .arg(point));
}

void WindowIntents::compareSweepPoint(std::int64_t sweep, std::int64_t point) {
    std::optional<PointOfSweep> read = readPoint(sweep, point);
    if (!read)
        return;
    const std::optional<core::RunId> baseline = m_window.selection().state().run;
    const auto compareWith = [this, baseline](core::RunId run) {
        // The newest complete ones, where no run is looked at.
        compareRuns(baseline && *baseline != run ? std::vector{*baseline, run} : std::vector<core::RunId>());
    };
    if (read->run)
        return compareWith(*read->run);
    if (m_window.runs().isRunning())
        return notify(views::ChipTone::Warning,
                      MainWindow::tr("A run is under way: compare point %1 when it has ended").arg(point));
    read->project.name += fmt::format(" {}", point);
    if (!m_window.run(std::make_shared<const core::Project>(std::move(read->project)), core::RunMode::Train,
                      read->numerics))
        return;
    const auto keep = [this, isAsSwept = read->isAsSwept, file = m_window.files().database(), sweep,
                       point](core::RunId run) {
        if (!isAsSwept)
            return notify(views::ChipTone::Warning,
                          MainWindow::tr("Point %1 was run on the project as it is now, which is not the one "
                                         "that was swept: its figures are others")
                              .arg(point));
        const auto database = core::ProfileDatabase::open(file);
        const auto stored = database ? core::storeRunOfPoint(*database, sweep, point, run)
                                     : core::Result<void>(core::failure(database.error()));
        if (!stored)
            m_window.fail(MainWindow::tr("The run of point %1 could not be kept as such").arg(point),
                          stored.error());
    };
    QObject::connect(
        &m_window.runs(), &RunController::finished, &m_window,
        [compareWith, keep](const RunOutcome& outcome) {
            if (!outcome.run)
                return;
            keep(*outcome.run);
            compareWith(*outcome.run);
        },
        Qt::SingleShotConnection);
}

void WindowIntents::notify(views::ChipTone tone, const QString& text) {
    m_window.showStatus(tone, text);
    if (!text.isEmpty())
        m_window.problems().addMessage(tone, text);
}

} // namespace app
