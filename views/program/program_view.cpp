#include "views/program/program_view.h"

#include "core/profile/analysis/run_search.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/table_style.h"
#include "views/document/view_intents.h"
#include "views/profile/tables/table_panel.h"
#include "views/profile/view_bar.h"
#include "views/program/program_tree_model.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>

namespace views {

ProgramView::ProgramView(Document& document, Selection& selection, ProfileSource& source,
                         ViewIntents& intents, QWidget* parent)
    : ProfileViewOf(document, selection, source, intents, parent) {
    setPromise(QStringLiteral("program"),
               tr("The tree of the compiled program and the cost of every operation appear after a run."));
    QSplitter* content = makeSplitter(Qt::Horizontal, this);
    content->addWidget(buildTree());
    content->addWidget(buildOperations());
    content->setStretchFactor(0, 1);
    content->setStretchFactor(1, 1);
    content->setSizes({700, 700});
    setContent(content);
    buildBar();
    reload();
}

void ProgramView::buildBar() {
    addRunChooser();
    addTimeChip();
    ViewBar* bar = &this->bar();
    bar->addStretch();
    m_filter = new QLineEdit(bar);
    m_filter->setPlaceholderText(tr("Filter operations"));
    m_filter->setAccessibleName(tr("Filter operations"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setProperty("small", true);
    m_filter->setFixedWidth(themeOf(this).ipx(220));
    bar->add(m_filter);
    filterTables(*m_filter, [this] { return std::vector<TablePanel*>{m_operations}; });
    addTableExport(tr("Save the table of operations"), QStringLiteral("operations"), *m_operations);
}

QWidget* ProgramView::buildTree() {
    m_tree = new QTreeView(this);
    m_treeModel = new ProgramTreeModel(m_tree);
    m_tree->setModel(m_treeModel);
    styleTree(*m_tree);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setAccessibleName(tr("Program tree"));
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(ProgramTreeModel::StepColumn, QHeaderView::Stretch);
    m_tree->setMouseTracking(true);
    m_tree->viewport()->installEventFilter(this);
    connect(m_tree, &QTreeView::entered, this, &ProgramView::pointAt);
    connect(m_tree, &QTreeView::viewportEntered, this, [this] { pointAt({}); });
    connect(&selection(), &Selection::cursorMoved, this, &ProgramView::followCursor);
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, &ProgramView::chooseStep);
    return m_tree;
}

QWidget* ProgramView::buildOperations() {
    QSplitter* right = makeSplitter(Qt::Vertical, this);
    m_operations = new TablePanel(tr("Operations"), right);
    auto* details = new QWidget(right);
    auto* column = new QVBoxLayout(details);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* head = new QFrame(details);
    head->setProperty("surface", "panel2");
    head->setProperty("line", "bottom");
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(12, 3, 8, 3);
    m_title = new QLabel(head);
    m_title->setFont(themeOf(this).font(12, QFont::DemiBold));
    row->addWidget(m_title, 1);
    auto* timeline = new QToolButton(head);
    timeline->setText(tr("Timeline"));
    timeline->setIcon(icon(this, QStringLiteral("time")));
    timeline->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    timeline->setToolTip(tr("Zoom the timeline to where the chosen step first runs"));
    timeline->setProperty("kind", "quiet");
    timeline->setProperty("small", true);
    row->addWidget(timeline);
    m_details = new TablePanel(tr("The chosen operation"), details);
    m_details->setEmptyText(
        tr("A row above, or a step of the tree, shows here what it computes, how long that takes "
           "and how it is spread over the tiles."));
    column->addWidget(head);
    column->addWidget(m_details, 1);
    right->addWidget(m_operations);
    right->addWidget(details);
    right->setStretchFactor(0, 1);
    right->setSizes({480, 240});
    connect(timeline, &QToolButton::clicked, this, &ProgramView::showInTimeline);
    connect(m_operations, &TablePanel::rowChosen, this,
            [this](int index) { chooseOperation(m_rows[static_cast<std::size_t>(index)], true); });
    return right;
}

ProgramView::Query ProgramView::query() const {
    const std::optional<core::RunId> run = chosenRun();
    if (!run)
        return {};
    return [run](const core::ProfileDatabase& database) { return loadProgramData(database, *run); };
}

void ProgramView::clearData() {
    const QScopedValueRollback choosing(m_isChoosing, true);
    m_treeModel->setProgram(nullptr, document().units());
}

void ProgramView::showData() {
    const QScopedValueRollback choosing(m_isChoosing, true);
    m_treeModel->setProgram(data(), document().units());
    const bool hasBytes =
        std::any_of(data()->steps.begin(), data()->steps.end(),
                    [](const core::ProgramStepRecord& step) { return step.bytes.value() > 0; });
    m_tree->setColumnHidden(ProgramTreeModel::BytesColumn, !hasBytes);
    fitNumbers();
    // The levels down to the stage programs.
    m_tree->expandToDepth(2);
    m_title->setText(tr("Choose an operation"));
    m_details->setContent({});
    showOperations();
    filterByTime();
}

/// A number is never cut.
void ProgramView::fitNumbers() {
    const QFontMetrics metrics(m_tree->font());
    for (const int column : {ProgramTreeModel::CountColumn, ProgramTreeModel::TimeColumn,
                             ProgramTreeModel::ShareColumn, ProgramTreeModel::BytesColumn})
        m_tree->setColumnWidth(column, metrics.horizontalAdvance(m_treeModel->widestText(column)) +
                                           themeOf(this).ipx(22));
}

/// The operations of the selected time, or all.
void ProgramView::showOperations() {
    const QScopedValueRollback choosing(m_isChoosing, true);
    ProgramData shown = *data();
    shown.operations.clear();
    m_rows.clear();
    // What is recomputed runs in other programs than those of its own phase.
    std::set<core::OperationId> running;
    for (const core::ProgramStepRecord& step : data()->steps)
        if (programsInTime() && step.operation.isValid() && step.phase &&
            holds(*programsInTime(), step.stage, *step.phase))
            running.insert(step.operation);
    for (std::size_t i = 0; i < data()->operations.size(); ++i) {
        const core::OperationRecord& operation = data()->operations[i];
        if (programsInTime() && !running.contains(operation.id) &&
            !holds(*programsInTime(), operation.stage, operation.phase))
            continue;
        shown.operations.push_back(operation);
        m_rows.push_back(i);
    }
    m_operations->setContent(operationTable(shown, document().units()));
    showTimeChip(programsInTime() ? selection().state().time : std::nullopt, data()->timeScale());
}

void ProgramView::filterByTime() {
    if (data())
        followTime(data()->run, data()->step, [this] { showOperations(); });
}

int ProgramView::rowOf(std::size_t operation) const {
    const auto row = std::find(m_rows.begin(), m_rows.end(), operation);
    return row == m_rows.end() ? -1 : static_cast<int>(row - m_rows.begin());
}

void ProgramView::followSelection(const SelectionState& before) {
    const SelectionState& now = selection().state();
    if (now.run != before.run)
        return reload();
    if (now.time != before.time)
        filterByTime();
    if (m_isChoosing || !data() || now.current == before.current || !now.current)
        return;
    for (std::size_t i = 0; i < data()->operations.size(); ++i) {
        if (data()->operations[i].layer == now.current->path) {
            m_operations->setCurrentRow(rowOf(i));
            return chooseOperation(i, true);
        }
    }
}

void ProgramView::chooseOperation(std::size_t index, bool scrollsTree) {
    const core::OperationRecord& operation = data()->operations[index];
    m_title->setText(toQString(operation.name));
    m_details->setContent(operationDetails(*data(), operation, document().units()));
    if (m_isChoosing)
        return;
    const QScopedValueRollback choosing(m_isChoosing, true);
    if (scrollsTree) {
        const QModelIndex step = m_treeModel->indexOf(operation.id);
        m_tree->setCurrentIndex(step);
        m_tree->scrollTo(step);
    }
    SelectionState state = selection().state();
    state.operation = operation.name;
    if (!operation.layer.empty()) {
        state.invocations = {{operation.layer, 0}};
        state.current = InvocationKey{operation.layer, 0};
    }
    if (operation.stage.isValid())
        state.stage = operation.stage;
    selection().set(state);
}

/// The step of the tree, which is that of the operation that was chosen last.
void ProgramView::showInTimeline() {
    const core::ProgramStepRecord* step = data() ? m_treeModel->step(m_tree->currentIndex()) : nullptr;
    if (step == nullptr || !step->stage.isValid() || !step->phase)
        return intents().showWorkspace(WorkspaceId::Timeline);
    m_placeQuery.request<std::optional<core::SearchHit>>(
        source().path(),
        [run = data()->run, part = core::ProgramPart{step->stage, *step->phase, step->operation}](
            const core::ProfileDatabase& database) { return core::firstRunOf(database, run, part); },
        [this, run = data()->run](core::Result<std::optional<core::SearchHit>> answer) {
            if (!data() || data()->run != run)
                return;
            if (answer && *answer)
                intents().showInTimeline(**answer);
            else
                intents().showWorkspace(WorkspaceId::Timeline);
        });
}

/// The step under the mouse is pointed at in every view.
void ProgramView::pointAt(const QModelIndex& index) {
    const core::ProgramStepRecord* step = m_treeModel->step(index);
    if (step == nullptr || !step->stage.isValid() || !step->phase)
        return selection().setCursor(std::nullopt);
    TimeCursor place;
    place.stage = step->stage;
    place.phase = *step->phase;
    place.inside = step->start;
    selection().setCursor(place);
}

/// The step that is pointed at elsewhere, or what it is folded into.
void ProgramView::followCursor(const std::optional<TimeCursor>& place) {
    QModelIndex index = place && data() ? m_treeModel->indexOf(*place) : QModelIndex();
    for (QModelIndex above = index.parent(); above.isValid(); above = above.parent())
        if (!m_tree->isExpanded(above))
            index = above;
    m_treeModel->setPointed(index);
    if (place && place->isHeld && index.isValid())
        m_tree->scrollTo(index);
}

bool ProgramView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_tree->viewport() && event->type() == QEvent::Leave)
        pointAt({});
    return ProfileViewOf::eventFilter(watched, event);
}

void ProgramView::chooseStep() {
    const core::ProgramStepRecord* step = m_treeModel->step(m_tree->currentIndex());
    if (m_isChoosing || step == nullptr || !step->operation.isValid())
        return;
    for (std::size_t i = 0; i < data()->operations.size(); ++i) {
        if (data()->operations[i].id == step->operation) {
            m_operations->setCurrentRow(rowOf(i));
            return chooseOperation(i, false);
        }
    }
}

} // namespace views
