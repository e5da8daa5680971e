#include "views/plan/schedule/schedule_view.h"

#include "core/plan/schedule/schedule_catalogue.h"
#include "core/plan/schedule/schedule_cells.h"
#include "core/project/project_edit.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/empty_view.h"
#include "views/common/widgets/notice_bar.h"
#include "views/common/widgets/segmented_control.h"
#include "views/document/view_intents.h"
#include "views/plan/schedule/schedule_canvas.h"
#include "views/plan/schedule/schedule_details.h"
#include "views/profile/tables/table_panel.h"
#include "views/profile/view_bar.h"

#include <QKeyEvent>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <iterator>

namespace views {

ScheduleView::ScheduleView(Document& document, Selection& selection, ViewIntents& intents,
                           ScheduleSource source, ScheduleOutcomesSource outcomes, ScheduleMover mover,
                           QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection)
    , m_intents(intents)
    , m_source(std::move(source))
    , m_outcomesSource(std::move(outcomes))
    , m_mover(std::move(mover)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_stack = new QStackedWidget(this);
    m_empty = new EmptyView(m_stack);
    m_content = new QSplitter(Qt::Vertical, m_stack);
    m_content->setHandleWidth(1);
    m_content->setChildrenCollapsible(false);
    m_canvas = new ScheduleCanvas(m_content);
    m_canvas->installEventFilter(this);
    m_content->addWidget(m_canvas);
    m_content->addWidget(buildTable());
    m_content->setStretchFactor(0, 1);
    m_content->setSizes({460, 190});
    connect(m_content, &QSplitter::splitterMoved, this, [this] { m_isDivided = true; });
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_content);
    m_outcomes = new ScheduleOutcomesPanel(m_stack);
    m_outcomes->setUnits(document.units());
    connect(m_outcomes, &ScheduleOutcomesPanel::chosenChanged, this, &ScheduleView::showChoices);
    connect(m_outcomes, &ScheduleOutcomesPanel::activated, this, &ScheduleView::lookAt);
    m_stack->addWidget(m_outcomes);
    layout->addWidget(buildBar());
    m_notice = new NoticeBar(this);
    m_notice->hide();
    // What is said of a move that was refused stands in the place of what is asked of the others.
    connect(m_notice, &NoticeBar::closed, this, &ScheduleView::showDraft);
    layout->addWidget(m_notice);
    layout->addWidget(m_stack, 1);
    setFocusProxy(m_canvas);
    m_canvas->setUnits(document.units());
    connect(m_canvas, &ScheduleCanvas::moveWanted, this, &ScheduleView::move);
    connect(m_canvas, &ScheduleCanvas::microBatchChosen, &selection, &Selection::selectMicroBatch);
    connect(m_canvas, &ScheduleCanvas::selected, this, [this](const std::optional<ScheduleCellId>& cell) {
        if (!cell)
            return m_table->setCurrentRow(-1);
        const ScheduleCell& work = m_canvas->chart()->slotList[cell->slot].work[cell->row][cell->index];
        m_selection.selectStage(work.stage);
        const std::vector<ScheduleCellId> cells = scheduleTableCells(*m_canvas->chart());
        const auto row = std::find(cells.begin(), cells.end(), *cell) - cells.begin();
        m_table->setCurrentRow(row < std::ssize(m_table->content().rows) ? int(row) : -1);
    });
    connect(m_empty, &EmptyView::actionRequested, this, [this] {
        if (m_setting.isEmpty())
            lookAt(m_document.project().pipeline.schedule);
        else
            m_intents.showSetting(m_setting);
    });
    connect(&document, &Document::opened, this, [this] {
        m_lookedAt.reset();
        m_drafts.clear();
        showDraft();
    });
    for (const auto signal : {&Document::projectChanged, &Document::previewChanged, &Document::opened})
        connect(&document, signal, this, &ScheduleView::request);
    connect(&document, &Document::unitsChanged, this, [this] {
        m_canvas->setUnits(m_document.units());
        m_outcomes->setUnits(m_document.units());
    });
    connect(&document, &Document::estimateChanged, this,
            [this] { m_canvas->setEstimate(m_document.estimate()); });
    connect(&selection, &Selection::changed, this, &ScheduleView::followSelection);
    followSelection();
    request();
}

ViewBar* ScheduleView::buildBar() {
    auto* bar = new ViewBar(this);
    m_all = new QPushButton(tr("Side by side"), bar);
    m_all->setProperty("small", true);
    m_all->setCheckable(true);
    m_all->setVisible(m_outcomesSource != nullptr);
    m_all->setToolTip(tr("Every schedule on the same stages: time, idle share and memory"));
    bar->add(m_all);
    connect(m_all, &QPushButton::toggled, this, &ScheduleView::compareAll);
    m_schedule = new SegmentedControl(tr("Schedule to look at"), bar);
    for (const core::ScheduleDefinition& schedule : core::scheduleCatalogue())
        m_schedule->addSegment(toQString(schedule.name),
                               schedule.isWhatIf ? tr("What-if: %1").arg(toQString(schedule.meaning))
                                                 : toQString(schedule.meaning));
    bar->add(m_schedule);
    m_mode = new SegmentedControl(tr("Passes"), bar);
    m_mode->addSegment(tr("Training"), tr("Forward and backward passes, then the weight update"));
    m_mode->addSegment(tr("Inference"), tr("Forward passes only"));
    bar->add(m_mode);
    m_apply = new QPushButton(bar);
    m_apply->setProperty("small", true);
    m_apply->hide();
    bar->add(m_apply);
    m_chips = new FilterChips(bar);
    bar->add(m_chips);
    bar->addStretch();
    connect(bar->addButton(QStringLiteral("table"), tr("Save the slots as a table")), &QToolButton::clicked,
            this, [this] {
                if (isComparing())
                    m_intents.saveTable(QStringLiteral("schedules"), m_outcomes->table().toCsv());
                else if (m_canvas->chart())
                    m_intents.saveTable(QStringLiteral("schedule"), m_table->toCsv());
            });
    connect(bar->addButton(QStringLiteral("export"), tr("Save the picture")), &QToolButton::clicked, this,
            [this] {
                if (isComparing())
                    m_intents.savePicture(m_outcomes->picture());
                else if (m_canvas->chart())
                    m_intents.savePicture(m_canvas->picture());
            });
    connect(m_schedule, &SegmentedControl::chosen, this,
            [this](int index) { lookAt(std::string(core::scheduleCatalogue()[std::size_t(index)].name)); });
    connect(m_mode, &SegmentedControl::chosen, this, &ScheduleView::request);
    connect(m_apply, &QPushButton::clicked, this, &ScheduleView::applyShown);
    connect(m_chips, &FilterChips::removed, this, [this] { m_selection.selectMicroBatch(std::nullopt); });
    return bar;
}

/// The list twin of the picture.
QWidget* ScheduleView::buildTable() {
    m_table = new TablePanel(tr("Work by slot"), m_content);
    m_list = m_table;
    connect(m_table, &TablePanel::rowChosen, this, [this](int row) {
        const ScheduleCellId cell = scheduleTableCells(*m_canvas->chart())[std::size_t(row)];
        m_canvas->select(cell, true);
        m_selection.selectMicroBatch(
            m_canvas->chart()->slotList[cell.slot].work[cell.row][cell.index].microBatch);
    });
    return m_table;
}

std::string ScheduleView::shownSchedule() const {
    return m_lookedAt.value_or(m_document.isOpen() ? m_document.estimated()->pipeline.schedule
                                                   : core::PipelineOptions().schedule);
}

void ScheduleView::lookAt(std::string schedule) {
    m_lookedAt = std::move(schedule);
    const QSignalBlocker quiet(m_all);
    m_all->setChecked(false);
    showDraft();
    request();
}

bool ScheduleView::isComparing() const {
    return m_all->isChecked();
}

void ScheduleView::compareAll(bool isOn) {
    const QSignalBlocker quiet(m_all);
    m_all->setChecked(isOn);
    request();
}

std::string ScheduleView::offered() const {
    return isComparing() ? m_outcomes->chosen() : shownSchedule();
}

void ScheduleView::applyShown() {
    const std::string schedule = offered();
    m_document.apply(tr("Use the schedule %1").arg(toQString(schedule)),
                     [schedule](const core::Project& project) -> core::Result<core::Project> {
                         return core::withSchedule(project, schedule);
                     });
}

core::Project ScheduleView::shownProject() const {
    const core::Project& project = *m_document.estimated();
    if (!m_drafts.empty() && shownSchedule() == core::scheduleOfCells(m_drafts.back()).name)
        return core::withScheduleTable(project, {"slots.csv", "slots.csv", m_drafts.back()});
    return core::withSchedule(project, shownSchedule());
}

void ScheduleView::move(const ScheduleCellId& cell, std::size_t slot) {
    if (!m_mover || !m_canvas->chart() || m_moves.isBusy())
        return;
    if (!m_canvas->chart()->isTraining) {
        m_notice->setMessage(ChipTone::Info, tr("Work is moved in the slots of training."));
        m_notice->addCloseButton();
        return m_notice->show();
    }
    if (m_drafts.empty())
        m_draftedFrom = shownSchedule();
    const core::ScheduleMove wanted{cell.slot, m_canvas->chart()->rows[cell.row].ipu, cell.index, slot};
    m_moves.request([project = shownProject(), wanted, mover = m_mover, file = m_document.path().string(),
                     this](const core::JobContext&) -> LatestRunner::Deliver {
        auto answer = std::make_shared<core::Result<core::Project>>(mover(project, wanted, file));
        return [this, answer] { takeMove(std::move(*answer)); };
    });
}

void ScheduleView::takeMove(core::Result<core::Project> moved) {
    if (!moved) {
        const core::Diagnostic& first = moved.error().front();
        const QString text = toQString(first.message);
        m_notice->setMessage(ChipTone::Error, tr("Not moved: %1").arg(text.toHtmlEscaped()));
        if (!m_drafts.empty())
            addDraftButtons();
        m_notice->addCloseButton();
        return m_notice->show();
    }
    m_drafts.push_back(moved->pipeline.scheduleTable.text);
    m_canvas->select(std::nullopt, false);
    lookAt(std::string(core::scheduleOfCells(m_drafts.back()).name));
    showDraft();
}

void ScheduleView::undoMove() {
    m_drafts.pop_back();
    if (m_drafts.empty())
        return discardMoves();
    m_canvas->select(std::nullopt, false);
    request();
    showDraft();
}

void ScheduleView::discardMoves() {
    m_drafts.clear();
    m_canvas->select(std::nullopt, false);
    lookAt(m_draftedFrom);
    showDraft();
}

/// What becomes of the moves is asked above the slots as long as there are any.
void ScheduleView::showDraft() {
    if (m_drafts.empty())
        return m_notice->hide();
    m_notice->setMessage(
        ChipTone::Info,
        tr("A table of your own: %1 from %2. Each IPU does its list as soon as it can, a what-if.")
            .arg(countedText(std::int64_t(m_drafts.size()), tr("move"), tr("moves")),
                 toQString(m_draftedFrom)));
    addDraftButtons();
    m_notice->show();
}

void ScheduleView::addDraftButtons() {
    QPushButton* undo = m_notice->addButton(tr("Undo move"));
    undo->setToolTip(tr("Ctrl+Z in the slots"));
    connect(undo, &QPushButton::clicked, this, &ScheduleView::undoMove);
    connect(m_notice->addButton(tr("Discard")), &QPushButton::clicked, this, &ScheduleView::discardMoves);
    connect(m_notice->addButton(tr("Save and use…")), &QPushButton::clicked, this,
            [this] { m_intents.saveScheduleTable(m_drafts.back()); });
}

/// Undo in the slots takes a move back, as long as there is one that the project does not know of.
bool ScheduleView::eventFilter(QObject* watched, QEvent* event) {
    const bool isKey = event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress;
    if (watched != m_canvas || !isKey || m_drafts.empty() ||
        !static_cast<QKeyEvent*>(event)->matches(QKeySequence::Undo))
        return QWidget::eventFilter(watched, event);
    event->accept();
    if (event->type() == QEvent::KeyPress)
        undoMove();
    return true;
}

void ScheduleView::request() {
    // What was saved is the project's own table from then on.
    if (m_document.isOpen() && !m_drafts.empty() &&
        m_document.project().pipeline.scheduleTable.text == m_drafts.back()) {
        m_drafts.clear();
        showDraft();
    }
    // Another choice for the project itself is followed.
    if (m_document.isOpen() && m_document.project().pipeline.schedule != m_projectSchedule) {
        m_projectSchedule = m_document.project().pipeline.schedule;
        m_lookedAt.reset();
    }
    showChoices();
    m_isStale = true;
    if (!isVisible())
        return;
    m_isStale = false;
    if (!m_document.isOpen()) {
        m_runner.cancel();
        m_canvas->setChart(nullptr);
        m_empty->setContent(QStringLiteral("program"), tr("No project is open"),
                            tr("Open or create a project; the slots of its pipeline appear here."));
        return m_stack->setCurrentWidget(m_empty);
    }
    if (isComparing())
        return requestOutcomes();
    const core::PipelineOptions& pipeline = m_document.estimated()->pipeline;
    if (m_drafts.empty() && core::scheduleDefinition(shownSchedule()).takesTable &&
        !core::scheduleDefinition(pipeline.schedule).takesTable && pipeline.scheduleTable.text.empty()) {
        m_runner.cancel();
        m_setting.clear();
        m_canvas->setChart(nullptr);
        m_table->setContent({});
        m_empty->setContent(QStringLiteral("table"), tr("The project has no table of its own"),
                            tr("Move work in the slots of any schedule to make one: drag it to another slot, "
                               "or select it and "
                               "press Alt+Left or Alt+Right."),
                            tr("Begin with %1").arg(toQString(pipeline.schedule)));
        return m_stack->setCurrentWidget(m_empty);
    }
    const core::RunMode mode = m_mode->current() == 1 ? core::RunMode::Predict : core::RunMode::Train;
    m_runner.request([project = shownProject(), mode, source = m_source, file = m_document.path().string(),
                      this](const core::JobContext&) -> LatestRunner::Deliver {
        auto answer = std::make_shared<Answer>(source(project, mode, file));
        return [this, answer] { take(std::move(*answer)); };
    });
}

void ScheduleView::requestOutcomes() {
    // Moves that are not saved are a row of their own; what is the project's stays marked.
    const core::Project& estimated = *m_document.estimated();
    core::Project project =
        m_drafts.empty() ? estimated
                         : core::withScheduleTable(estimated, {"slots.csv", "slots.csv", m_drafts.back()});
    project.pipeline.schedule = estimated.pipeline.schedule;
    m_runner.request([project, source = m_outcomesSource, file = m_document.path().string(),
                      folder = m_document.folder(),
                      this](const core::JobContext& job) -> LatestRunner::Deliver {
        auto answer = std::make_shared<core::Result<std::vector<core::ScheduleOutcome>>>(
            source(project, file, folder, job));
        return [this, answer] { takeOutcomes(std::move(*answer)); };
    });
}

void ScheduleView::takeOutcomes(core::Result<std::vector<core::ScheduleOutcome>> outcomes) {
    if (!outcomes)
        return explain(outcomes.error());
    m_outcomes->setOutcomes(*std::move(outcomes), toQString(m_document.estimated()->name));
    m_stack->setCurrentWidget(m_outcomes);
}

void ScheduleView::take(Answer answer) {
    if (!answer) {
        m_canvas->setChart(nullptr);
        m_table->setContent({});
        return explain(answer.error());
    }
    m_stack->setCurrentWidget(m_content);
    m_canvas->setEstimate(m_document.estimate());
    m_canvas->setChart(std::make_shared<const ScheduleChart>(*std::move(answer)));
    m_table->setContent(scheduleTable(*m_canvas->chart()));
    showRoom();
}

void ScheduleView::explain(const core::Diagnostics& refusal) {
    const core::Diagnostic& first = refusal.front();
    const auto sentence = [](const QString& text) { return text.left(1).toUpper() + text.mid(1); };
    m_setting = toQString(first.location.place);
    const bool hasSetting = m_setting.startsWith(u'/');
    m_empty->setContent(QStringLiteral("error"),
                        isComparing() ? tr("There is nothing to put side by side")
                                      : tr("%1 does not run this project").arg(toQString(shownSchedule())),
                        sentence(toQString(first.message)) +
                            (first.hints.empty()
                                 ? QString()
                                 : QStringLiteral(". ") + sentence(toQString(first.hints.front()))),
                        hasSetting ? tr("Go to the option") : QString());
    m_stack->setCurrentWidget(m_empty);
}

void ScheduleView::followSelection() {
    m_canvas->setMicroBatch(m_selection.state().microBatch);
    showChips();
}

void ScheduleView::showChoices() {
    const bool isPipelined = m_document.isOpen() && m_document.estimated()->assignment.isPipelined();
    const std::string shown = shownSchedule();
    const auto row = std::ranges::find(core::scheduleCatalogue(), shown, &core::ScheduleDefinition::name);
    m_schedule->setCurrent(int(row - core::scheduleCatalogue().begin()));
    m_schedule->setEnabled(isPipelined);
    m_schedule->setToolTip(isPipelined ? QString() : tr("A model without stages has no schedule to choose"));
    m_all->setEnabled(m_document.isOpen());
    m_mode->setEnabled(m_document.isOpen() && !isComparing());
    const std::string taken = offered();
    // A table is taken by saving it.
    m_apply->setVisible(isPipelined && !taken.empty() && !core::scheduleDefinition(taken).takesTable &&
                        taken != m_document.project().pipeline.schedule);
    m_apply->setText(tr("Use %1").arg(toQString(taken)));
}

void ScheduleView::showChips() {
    std::vector<FilterChips::Chip> chips;
    if (const auto& microBatch = m_selection.state().microBatch)
        chips.push_back({0, tr("micro-batch %1").arg(*microBatch), QStringLiteral("flow")});
    m_chips->setChips(std::move(chips));
}

/// In a low dock the picture has all the space; else the table has what the picture does not fill, unless the
/// person divided them.
void ScheduleView::showRoom() {
    m_list->setVisible(height() >= themeOf(this).ipx(420));
    if (m_isDivided || !m_canvas->chart())
        return;
    constexpr double leastTable = 0.28;
    const int space = m_content->height();
    const int picture = std::min(m_canvas->tallest(), int((1 - leastTable) * space));
    m_content->setSizes({picture, space - picture});
}

void ScheduleView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_isStale)
        request();
}

void ScheduleView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    showRoom();
}

} // namespace views
