#include "views/program/program_view.h"

#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/empty_view.h"
#include "views/common/widgets/table_style.h"
#include "views/document/view_intents.h"
#include "views/profile/empty_reason.h"
#include "views/profile/run_chooser.h"
#include "views/profile/tables/table_panel.h"
#include "views/profile/view_bar.h"
#include "views/program/program_tree_model.h"

#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>

namespace views {

ProgramView::ProgramView(Document& document, Selection& selection, ProfileSource& source,
                         ViewIntents& intents, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection)
    , m_source(source)
    , m_intents(intents) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    buildBar();
    m_stack = new QStackedWidget(this);
    m_empty = new EmptyView(m_stack);
    buildContent();
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_content);
    layout->addWidget(m_stack, 1);
    connect(m_empty, &EmptyView::actionRequested, this, [this] { m_intents.run(); });
    connect(&document, &Document::unitsChanged, this, &ProgramView::showProgram);
    connect(&selection, &Selection::changed, this, &ProgramView::followSelection);
    connect(&source, &ProfileSource::changed, this, &ProgramView::reload);
    connect(m_runChooser, &RunChooser::listed, this, [this] {
        if (!m_program)
            showProgram();
    });
    reload();
}

void ProgramView::buildBar() {
    auto* bar = new ViewBar(this);
    layout()->addWidget(bar);
    m_runChooser = new RunChooser(m_source, m_selection, bar);
    bar->add(m_runChooser);
    m_chips = new FilterChips(bar);
    bar->add(m_chips);
    connect(m_chips, &FilterChips::removed, this, [this] { m_selection.selectTime(std::nullopt); });
    bar->addStretch();
    m_filter = new QLineEdit(bar);
    m_filter->setPlaceholderText(tr("Filter operations"));
    m_filter->setAccessibleName(tr("Filter operations"));
    m_filter->setToolTip(tr("Words that a row must hold: conv backward"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setProperty("small", true);
    m_filter->setFixedWidth(themeOf(this).ipx(220));
    bar->add(m_filter);
    connect(m_filter, &QLineEdit::textChanged, this,
            [this](const QString& text) { m_operations->setFilter(text); });
    connect(bar->addButton(QStringLiteral("export"), tr("Save the table of operations")),
            &QToolButton::clicked, this,
            [this] { m_intents.saveTable(QStringLiteral("operations"), m_operations->toCsv()); });
}

void ProgramView::buildContent() {
    m_content = new QSplitter(Qt::Horizontal, m_stack);
    m_content->setHandleWidth(1);
    m_content->setChildrenCollapsible(false);
    m_tree = new QTreeView(m_content);
    m_treeModel = new ProgramTreeModel(m_tree);
    m_tree->setModel(m_treeModel);
    styleTree(*m_tree);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setAccessibleName(tr("Program tree"));
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(ProgramTreeModel::StepColumn, QHeaderView::Stretch);
    for (const int column : {ProgramTreeModel::CountColumn, ProgramTreeModel::TimeColumn,
                             ProgramTreeModel::ShareColumn, ProgramTreeModel::BytesColumn})
        m_tree->setColumnWidth(column, themeOf(this).ipx(column == ProgramTreeModel::TimeColumn ? 78 : 70));
    auto* right = new QSplitter(Qt::Vertical, m_content);
    right->setHandleWidth(1);
    right->setChildrenCollapsible(false);
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
    timeline->setToolTip(tr("Show the stage programs that hold its layer"));
    timeline->setProperty("kind", "quiet");
    timeline->setProperty("small", true);
    row->addWidget(timeline);
    m_details = new TablePanel(tr("The chosen operation"), details);
    column->addWidget(head);
    column->addWidget(m_details, 1);
    right->addWidget(m_operations);
    right->addWidget(details);
    right->setStretchFactor(0, 1);
    right->setSizes({480, 240});
    m_content->addWidget(m_tree);
    m_content->addWidget(right);
    m_content->setStretchFactor(0, 2);
    m_content->setStretchFactor(1, 3);
    m_content->setSizes({560, 840});
    connect(timeline, &QToolButton::clicked, this,
            [this] { m_intents.showWorkspace(WorkspaceId::Timeline); });
    connect(m_operations, &TablePanel::rowChosen, this,
            [this](int index) { chooseOperation(m_rows[static_cast<std::size_t>(index)], true); });
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, &ProgramView::chooseStep);
}

void ProgramView::reload() {
    const std::optional<core::RunId> run = m_selection.state().run;
    if (!run || m_source.path().empty()) {
        m_query.cancel();
        m_program.reset();
        m_trouble.clear();
        return showProgram();
    }
    m_query.request<ProgramData>(
        m_source.path(),
        [run](const core::ProfileDatabase& database) { return loadProgramData(database, *run); },
        [this](core::Result<ProgramData> answer) {
            m_program.reset();
            m_trouble.clear();
            if (answer)
                m_program = std::make_shared<const ProgramData>(*std::move(answer));
            else
                m_trouble = answer.error();
            showProgram();
        });
}

void ProgramView::showProgram() {
    const QScopedValueRollback choosing(m_isChoosing, true);
    m_treeModel->setProgram(m_program, m_document.units());
    if (!m_program) {
        m_stack->setCurrentWidget(m_empty);
        return explainEmpty(
            *m_empty, QStringLiteral("program"),
            tr("The tree of the compiled program and the cost of every operation appear after a run."),
            m_source, m_selection.state().run.has_value(), m_trouble);
    }
    m_stack->setCurrentWidget(m_content);
    const bool hasBytes =
        std::any_of(m_program->steps.begin(), m_program->steps.end(),
                    [](const core::ProgramStepRecord& step) { return step.bytes.value() > 0; });
    m_tree->setColumnHidden(ProgramTreeModel::BytesColumn, !hasBytes);
    // The levels down to the stage programs.
    m_tree->expandToDepth(2);
    m_title->setText(tr("Choose an operation"));
    m_details->setContent({});
    showOperations();
    filterByTime();
}

/// The operations of the selected time, or all.
void ProgramView::showOperations() {
    const QScopedValueRollback choosing(m_isChoosing, true);
    ProgramData shown = *m_program;
    shown.operations.clear();
    m_rows.clear();
    for (std::size_t i = 0; i < m_program->operations.size(); ++i) {
        const core::OperationRecord& operation = m_program->operations[i];
        if (m_programs && !holds(*m_programs, operation.stage, operation.phase))
            continue;
        shown.operations.push_back(operation);
        m_rows.push_back(i);
    }
    m_operations->setContent(operationTable(shown, m_document.units()));
    std::vector<FilterChips::Chip> chips;
    if (const auto& time = m_selection.state().time; time && m_programs)
        chips.push_back(
            {0, timeChipText(*time, m_document.units(), m_program->timeScale()), QStringLiteral("time")});
    m_chips->setChips(std::move(chips));
}

void ProgramView::filterByTime() {
    const std::optional<TimeRange> time = m_selection.state().time;
    if (!m_program || !time) {
        m_timeQuery.cancel();
        if (m_program && m_programs.has_value()) {
            m_programs.reset();
            showOperations();
        }
        return;
    }
    m_timeQuery.request<std::set<StageProgram>>(
        m_source.path(),
        [run = m_program->run, step = m_program->step, time](const core::ProfileDatabase& database) {
            return programsWithin(database, run, step, *time);
        },
        [this](core::Result<std::set<StageProgram>> answer) {
            if (!m_program || !m_selection.state().time)
                return;
            m_programs = answer ? std::optional(*std::move(answer)) : std::nullopt;
            showOperations();
        });
}

int ProgramView::rowOf(std::size_t operation) const {
    const auto row = std::find(m_rows.begin(), m_rows.end(), operation);
    return row == m_rows.end() ? -1 : static_cast<int>(row - m_rows.begin());
}

void ProgramView::followSelection(const SelectionState& before) {
    const SelectionState& now = m_selection.state();
    if (now.run != before.run)
        return reload();
    if (now.time != before.time)
        filterByTime();
    if (m_isChoosing || !m_program || now.current == before.current || !now.current)
        return;
    for (std::size_t i = 0; i < m_program->operations.size(); ++i) {
        if (m_program->operations[i].layer == now.current->path) {
            m_operations->setCurrentRow(rowOf(i));
            return chooseOperation(i, true);
        }
    }
}

void ProgramView::chooseOperation(std::size_t index, bool scrollsTree) {
    const core::OperationRecord& operation = m_program->operations[index];
    m_title->setText(toQString(operation.name));
    m_details->setContent(operationDetails(*m_program, operation, m_document.units()));
    if (m_isChoosing)
        return;
    const QScopedValueRollback choosing(m_isChoosing, true);
    if (scrollsTree) {
        const QModelIndex step = m_treeModel->indexOf(operation.id);
        m_tree->setCurrentIndex(step);
        m_tree->scrollTo(step);
    }
    SelectionState state = m_selection.state();
    state.operation = operation.name;
    if (!operation.layer.empty()) {
        state.invocations = {{operation.layer, 0}};
        state.current = InvocationKey{operation.layer, 0};
    }
    if (operation.stage.isValid())
        state.stage = operation.stage;
    m_selection.set(state);
}

void ProgramView::chooseStep() {
    const core::ProgramStepRecord* step = m_treeModel->step(m_tree->currentIndex());
    if (m_isChoosing || step == nullptr || !step->operation.isValid())
        return;
    for (std::size_t i = 0; i < m_program->operations.size(); ++i) {
        if (m_program->operations[i].id == step->operation) {
            m_operations->setCurrentRow(rowOf(i));
            return chooseOperation(i, false);
        }
    }
}

} // namespace views
