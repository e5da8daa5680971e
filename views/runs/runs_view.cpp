#include "views/runs/runs_view.h"

#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/empty_view.h"
#include "views/common/widgets/notice_bar.h"
#include "views/document/view_intents.h"
#include "views/profile/tables/table_panel.h"

#include <QDateTime>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <algorithm>
#include <filesystem>

namespace views {

namespace {

/// "14:03" today, "Tue 14:03" this week, else the day.
QString startedText(const std::string& iso) {
    const QDateTime started = QDateTime::fromString(toQString(iso), Qt::ISODate).toLocalTime();
    if (!started.isValid())
        return toQString(iso);
    const qint64 days = started.date().daysTo(QDate::currentDate());
    if (days == 0)
        return started.toString(QStringLiteral("HH:mm"));
    return started.toString(days < 7 ? QStringLiteral("ddd HH:mm") : QStringLiteral("yyyy-MM-dd"));
}

TableCell stateCell(const core::RunRow& run) {
    TableCell cell;
    switch (run.state) {
    case core::RunState::Complete:
        cell.text = run.fits.value_or(true) ? RunsView::tr("fits") : RunsView::tr("does not fit");
        cell.tone = run.fits.value_or(true) ? ChipTone::Success : ChipTone::Error;
        break;
    case core::RunState::Recording:
        cell.text = RunsView::tr("recording");
        cell.tone = ChipTone::Info;
        break;
    default:
        cell.text = toQString(core::toString(run.state));
        cell.tone = ChipTone::Warning;
        break;
    }
    return cell;
}

TableCell timeCell(const core::RunRow& run, TimeUnit unit) {
    if (!run.step)
        return dashCell();
    const NumberText text = timeText(*run.step, unit == TimeUnit::PercentOfStep ? TimeUnit::Time : unit,
                                     {run.clockHz, *run.step});
    return numberCell(text.joined(),
                      run.clockHz > 0 ? double(run.step->value()) / run.clockHz : double(run.step->value()));
}

/// "#3, by 29335 …": the number first, which is what people know a run by.
QString originText(const std::string& origin) {
    const std::size_t slash = origin.rfind('/');
    if (slash == std::string::npos)
        return toQString(origin);
    return RunsView::tr("#%1, recorded by %2")
        .arg(toQString(origin.substr(slash + 1)), toQString(origin.substr(0, slash)));
}

} // namespace

TableContent runsTable(const std::vector<core::RunRow>& runs, const Units& units) {
    TableContent table;
    table.columns = {{RunsView::tr("Run"), ColumnKind::Number, {}, 56, {}, false},
                     {RunsView::tr("Started"), ColumnKind::Text, {}, 84, {}, false},
                     {RunsView::tr("Mode"), ColumnKind::Text, {}, 64, {}, false},
                     {RunsView::tr("Schedule"), ColumnKind::Text, {}, 0, {}, true},
                     {RunsView::tr("System"), ColumnKind::Text, {}, 96, {}, false},
                     {RunsView::tr("N"),
                      ColumnKind::Number,
                      {},
                      44,
                      RunsView::tr("Micro-batches per weight update"),
                      false},
                     {RunsView::tr("Replicas"), ColumnKind::Number, {}, 64, {}, false},
                     {RunsView::tr("Samples/s"), ColumnKind::Number, {}, 92, {}, false},
                     {RunsView::tr("Step"), ColumnKind::Number, {}, 92, {}, false},
                     {RunsView::tr("Idle"), ColumnKind::Number, {}, 64, {}, false},
                     {RunsView::tr("Peak"), ColumnKind::Number, {}, 92, RunsView::tr("Fullest IPU"), false},
                     {RunsView::tr("State"), ColumnKind::Chip, {}, 104, {}, false}};
    // Most files hold what was recorded into them.
    const bool hasMerged =
        std::ranges::any_of(runs, [](const core::RunRow& run) { return !run.mergedFrom.empty(); });
    if (hasMerged)
        table.columns.push_back(
            {RunsView::tr("Merged from"),
             ColumnKind::Text,
             {},
             128,
             RunsView::tr("Number of the run in the file that it was merged from, and who "
                          "recorded it there"),
             false});
    for (const core::RunRow& run : runs) {
        std::vector<TableCell> row;
        row.push_back(numberCell(QStringLiteral("#%1").arg(run.run.value()), double(run.run.value())));
        TableCell started = textCell(startedText(run.started));
        started.sort = toQString(run.started);
        row.push_back(std::move(started));
        row.push_back(textCell(toQString(core::toString(run.mode))));
        row.push_back(
            textCell(run.schedule.empty() ? RunsView::tr("not pipelined") : toQString(run.schedule)));
        row.push_back(textCell(QStringLiteral("%1 × %2").arg(run.ipus).arg(toQString(run.target))));
        row.push_back(numberCell(groupedText(run.microBatches), double(run.microBatches)));
        row.push_back(numberCell(groupedText(run.replicas), double(run.replicas)));
        row.push_back(run.samplesPerSecond
                          ? numberCell(compactText(*run.samplesPerSecond), *run.samplesPerSecond)
                          : dashCell());
        row.push_back(timeCell(run, units.time));
        row.push_back(run.idleFraction ? numberCell(percentText(*run.idleFraction), *run.idleFraction)
                                       : dashCell());
        row.push_back(run.peak
                          ? numberCell(bytesText(*run.peak, units.bytes).joined(), double(run.peak->value()))
                          : dashCell());
        row.push_back(stateCell(run));
        if (hasMerged)
            row.push_back(run.mergedFrom.empty() ? textCell(RunsView::tr("recorded here"))
                                                 : textCell(originText(run.mergedFrom)));
        table.rows.push_back(std::move(row));
    }
    return table;
}

RunsView::RunsView(Document& document, Selection& selection, ProfileSource& source, ViewIntents& intents,
                   QWidget* parent)
    : ProfileViewOf(document, selection, source, intents, parent)
    , m_notice(new NoticeBar(this))
    , m_table(new TablePanel(RunsView::tr("Runs"), this)) {
    addAbove(m_notice);
    m_notice->hide();
    setContent(m_table);
    emptyView().button()->setProperty("kind", "primary");
    QTableView& table = m_table->table();
    table.setSelectionMode(QAbstractItemView::ExtendedSelection);
    table.setContextMenuPolicy(Qt::CustomContextMenu);
    connect(&table, &QWidget::customContextMenuRequested, this, &RunsView::openMenu);
    connect(m_table, &TablePanel::rowChosen, this, [this](int row) {
        if (row >= 0 && row < int(m_runs.size()))
            this->selection().selectRun(m_runs[std::size_t(row)].run);
    });
    connect(m_table, &TablePanel::rowActivated, this, [this](int row) {
        if (row < 0 || row >= int(m_runs.size()))
            return;
        this->selection().selectRun(m_runs[std::size_t(row)].run);
        this->intents().showWorkspace(WorkspaceId::Timeline);
    });
    auto* remove = new QAction(RunsView::tr("Delete…"), this);
    remove->setShortcut(QKeySequence::Delete);
    remove->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(remove, &QAction::triggered, this, [this] {
        if (const std::vector<core::RunId> runs = selectedRuns(); !runs.empty())
            this->intents().deleteRuns(runs);
    });
    addAction(remove);
    reload();
}

RunsView::Query RunsView::query() const {
    std::error_code error;
    if (source().path().empty() || !std::filesystem::exists(source().path(), error))
        return {};
    return [](const core::ProfileDatabase& database) { return core::listRuns(database); };
}

/// A database that cannot be read is said above the runs that were read before.
void RunsView::dataChanged() {
    m_notice->setVisible(!trouble().empty());
    if (!trouble().empty())
        return m_notice->setMessage(ChipTone::Error, toQString(trouble().front().message).toHtmlEscaped());
    m_runs = data() ? *data() : std::vector<core::RunRow>{};
    std::reverse(m_runs.begin(), m_runs.end());
}

void RunsView::showData() {
    m_table->setContent(runsTable(m_runs, document().units()));
}

void RunsView::explainNoData(EmptyView& view) const {
    const bool isOpen = document().isOpen();
    view.setContent(QStringLiteral("time"), RunsView::tr("No runs yet"),
                    isOpen ? RunsView::tr("Each run of this project is kept here, with its whole profile.")
                           : RunsView::tr("Open a project to see its runs."),
                    isOpen ? RunsView::tr("Run") : QString());
}

std::vector<core::RunId> RunsView::selectedRuns() const {
    std::vector<core::RunId> runs;
    const QTableView& table = m_table->table();
    for (const QModelIndex& index : table.selectionModel()->selectedRows()) {
        const QString text = index.siblingAtColumn(0).data().toString();
        runs.emplace_back(text.mid(1).toULongLong());
    }
    return runs;
}

void RunsView::openMenu(const QPoint& at) {
    const std::vector<core::RunId> runs = selectedRuns();
    if (runs.empty())
        return;
    QMenu menu(this);
    const auto addGoTo = [&](const QString& text, const QString& iconName, WorkspaceId workspace) {
        menu.addAction(icon(this, iconName), text, this, [this, workspace, run = runs.front()] {
            selection().selectRun(run);
            intents().showWorkspace(workspace);
        });
    };
    addGoTo(RunsView::tr("Show in timeline"), QStringLiteral("time"), WorkspaceId::Timeline);
    addGoTo(RunsView::tr("Show memory"), QStringLiteral("memory"), WorkspaceId::Memory);
    addGoTo(RunsView::tr("Show training"), QStringLiteral("train"), WorkspaceId::Training);
    menu.addAction(icon(this, QStringLiteral("compare")), RunsView::tr("Compare"), this, [this, runs] {
        intents().compareRuns(runs.size() > 1 ? runs : std::vector<core::RunId>());
    });
    menu.addSeparator();
    menu.addAction(icon(this, QStringLiteral("undo")), RunsView::tr("Restore the project of this run"), this,
                   [this, run = runs.front()] { intents().restoreProjectOf(run); });
    menu.addAction(icon(this, QStringLiteral("trash")), RunsView::tr("Delete…"), this,
                   [this, runs] { intents().deleteRuns(runs); });
    menu.exec(m_table->table().viewport()->mapToGlobal(at));
}

} // namespace views
