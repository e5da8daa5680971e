#include "app/services/plan/split_solver.h"

#include "app/services/plan/live_estimator.h"
#include "core/plan/assignment_entries.h"
#include "core/project/choices/pipeline_choices.h"
#include "core/project/project_edit.h"
#include "simulator/planner/stage_plan.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/notice_bar.h"
#include "views/document/selection.h"
#include "views/graph/painting/gauge_rows.h"
#include "views/profile/tables/table_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QFrame>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <functional>

namespace app {

using views::toQString;

namespace {

constexpr std::size_t alternatives = 5;

/// "44 · 48 · 52 · 54": calls on each stage.
QString sizesText(const std::vector<std::size_t>& calls) {
    QStringList sizes;
    for (const std::size_t count : calls)
        sizes << QString::number(count);
    return sizes.join(QStringLiteral(" · "));
}

std::vector<std::size_t> callsOf(const simulator::Partition& plan) {
    std::vector<std::size_t> calls;
    for (const simulator::StageCost& stage : plan.stages)
        calls.push_back(stage.endLayer - stage.firstLayer);
    return calls;
}

std::vector<std::size_t> callsOf(const core::StageAssignment& assignment) {
    std::vector<std::size_t> calls(assignment.stageCount());
    for (const core::StageId stage : assignment.stages)
        ++calls[stage.index()];
    return calls;
}

/// The plan on the project, with the figures that the gauges will show for it.
SolvedPlan solvedPlan(const core::Project& project, simulator::Partition partition,
                      const std::filesystem::path& folder, simulator::CompilationCache& cache,
                      const core::JobContext& job) {
    SolvedPlan solved{std::move(partition), nullptr, std::nullopt};
    core::Result<core::Project> planned =
        core::withPipelineNeeds(project, simulator::withPlan(project, solved.partition));
    if (!planned)
        return solved;
    solved.project = std::make_shared<const core::Project>(std::move(*planned));
    auto estimate = estimateWithoutData(*solved.project, cache, job, folder);
    if (estimate && estimate->refusal.empty() && estimate->uncounted.empty())
        solved.estimate = std::move(estimate);
    return solved;
}

/// What is looked for, by the objective.
QString measureText(simulator::PartitionObjective objective) {
    switch (objective) {
    case simulator::PartitionObjective::Time:
        return SplitSolver::tr("Of all splits of the layers in their order, those with the shortest slot by "
                               "the price of every layer: slowest stage and slowest copy. The fastest in "
                               "simulation comes first.");
    case simulator::PartitionObjective::Memory:
        return SplitSolver::tr("Of all splits of the layers in their order, those with the least full IPU by "
                               "the price of every layer. The least full in simulation comes first.");
    case simulator::PartitionObjective::Blend:
        return SplitSolver::tr("Of all splits of the layers in their order, those whose stages have the "
                               "smallest share of time and memory by the price of every layer.");
    }
    return {};
}

/// Rate, slowest stage, fullest IPU and bytes cut of a plan.
struct PlanFigure {
    std::optional<double> samplesPerSecond;
    core::Cycles slowest;
    core::Bytes peak;
    core::Bytes cut;
};

PlanFigure figureOf(const core::PlanEstimate& estimate) {
    PlanFigure figure;
    figure.samplesPerSecond = estimate.samplesPerSecond;
    for (const core::StageEstimate& stage : estimate.stages) {
        figure.slowest = std::max(figure.slowest, views::stageTime(stage));
        figure.cut += stage.cut;
    }
    figure.peak = core::peakOf(estimate);
    return figure;
}

PlanFigure figureOf(const SolvedPlan& plan) {
    if (plan.estimate)
        return figureOf(*plan.estimate);
    return {std::nullopt, core::Cycles(plan.partition.bottleneckCycles()),
            core::Bytes(plan.partition.peakBytes()), core::Bytes(plan.partition.totalCutBytes)};
}

/// Plans that cost the same by the prices differ in simulation. A blend has no figure of its own there.
void rank(std::vector<SolvedPlan>& plans, simulator::PartitionObjective objective) {
    if (!std::ranges::all_of(plans, [](const SolvedPlan& plan) { return plan.estimate.has_value(); }))
        return;
    if (objective == simulator::PartitionObjective::Time)
        std::ranges::stable_sort(plans, std::greater(),
                                 [](const SolvedPlan& plan) { return plan.estimate->samplesPerSecond; });
    if (objective == simulator::PartitionObjective::Memory)
        std::ranges::stable_sort(plans, {}, [](const SolvedPlan& plan) { return figureOf(plan).peak; });
}

std::vector<views::TableCell> planRow(const views::TableCell& name, const std::vector<std::size_t>& calls,
                                      const PlanFigure& figure, const views::UnitChoice& time,
                                      const views::UnitChoice& memory) {
    const double rate = figure.samplesPerSecond.value_or(0);
    return {
        name,
        views::numberCell(figure.samplesPerSecond ? views::fixedText(rate, 1) : QStringLiteral("–"), rate),
        views::cyclesCell(figure.slowest, time),
        views::bytesCell(figure.peak, memory),
        views::bytesCell(figure.cut, memory),
        views::textCell(sizesText(calls))};
}

/// The plans, and what the project has now to hold them against.
views::TableContent planTable(const std::vector<SolvedPlan>& plans, const views::Document& document) {
    views::TableContent table;
    // The panel is narrow: what matters most is in view.
    table.columns = {{SplitSolver::tr("Plan"), views::ColumnKind::Number, {}, 40, {}, false},
                     views::numberColumn(SplitSolver::tr("Samples/s")),
                     views::numberColumn(SplitSolver::tr("Slowest"), SplitSolver::tr("Slowest stage")),
                     views::numberColumn(SplitSolver::tr("Fullest"), SplitSolver::tr("Fullest IPU")),
                     views::numberColumn(SplitSolver::tr("Cut"), SplitSolver::tr("Bytes over all cuts")),
                     {SplitSolver::tr("Layers per stage"), views::ColumnKind::Text, {}, 0, {}, true}};
    std::vector<PlanFigure> figures;
    for (const SolvedPlan& plan : plans)
        figures.push_back(figureOf(plan));
    const auto& now = document.estimate();
    const bool isNowKnown =
        !plans.empty() && now && document.areFiguresCurrent() && document.project().assignment.isPipelined();
    if (isNowKnown)
        figures.push_back(figureOf(*now));
    // Plans that are alike must read differently, however slow what there is now may be.
    const core::Cycles least =
        figures.empty() ? core::Cycles() : std::ranges::min(figures, {}, &PlanFigure::slowest).slowest;
    const core::Bytes most =
        figures.empty() ? core::Bytes() : std::ranges::max(figures, {}, &PlanFigure::peak).peak;
    const views::UnitChoice time = views::timeUnitFor(least, document.units().time, document.timeScale());
    const views::UnitChoice memory = views::byteUnitFor(most, document.units().bytes);
    if (!figures.empty()) {
        table.columns[2].unit = time.name;
        table.columns[3].unit = table.columns[4].unit = memory.name;
    }
    for (std::size_t i = 0; i < plans.size(); ++i)
        table.rows.push_back(planRow(views::numberCell(QString::number(i + 1), double(i + 1)),
                                     callsOf(plans[i].partition), figures[i], time, memory));
    if (isNowKnown)
        table.rows.push_back(planRow(views::numberCell(SplitSolver::tr("now"), double(plans.size() + 1)),
                                     callsOf(document.project().assignment), figures.back(), time, memory));
    return table;
}

} // namespace

SplitSolver::SplitSolver(views::Document& document, views::Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection)
    , m_measure(new QLabel)
    , m_stages(new QSpinBox)
    , m_objective(new QComboBox)
    , m_locks(new QCheckBox(tr("Keep the selected layers")))
    , m_locked(new QLabel)
    , m_ipus(new QLabel)
    , m_notice(new views::NoticeBar)
    , m_table(new views::TablePanel(tr("Splits")))
    , m_solve(new QPushButton(tr("Solve")))
    , m_stop(new QPushButton(tr("Stop")))
    , m_apply(new QPushButton(tr("Apply plan")))
    , m_leave(new QPushButton(tr("Leave preview")))
    , m_cache(std::make_shared<simulator::CompilationCache>()) {
    const views::Theme& theme = views::themeOf(this);
    setAccessibleName(tr("Solve split"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    auto* area = new QScrollArea(this);
    area->setFrameShape(QFrame::NoFrame);
    area->setAccessibleName(tr("Question and splits"));
    area->setWidgetResizable(true);
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(theme.ipx(8), theme.ipx(8), theme.ipx(8), theme.ipx(8));
    layout->setSpacing(theme.ipx(8));
    layout->addWidget(buildForm());
    m_notice->hide();
    layout->addWidget(m_notice);
    m_table->setMinimumHeight(theme.ipx(190));
    m_table->foldColumns();
    layout->addWidget(m_table, 1);
    area->setWidget(content);
    outer->addWidget(area, 1);
    outer->addWidget(buildButtons());
    setFocusProxy(m_stages);
    connect(m_table, &views::TablePanel::rowActivated, this, &SplitSolver::applyPlan);
    connect(m_table, &views::TablePanel::rowChosen, this, &SplitSolver::preview);
    // The row that is chosen already, once its preview was left.
    connect(&m_table->table(), &QTableView::clicked, this, &SplitSolver::preview);
    connect(&document, &views::Document::opened, this, &SplitSolver::forget);
    connect(&document, &views::Document::projectChanged, this, &SplitSolver::follow);
    connect(&document, &views::Document::previewChanged, this, &SplitSolver::updateButtons);
    connect(&document, &views::Document::unitsChanged, this, [this] {
        const int row = m_table->currentRow();
        m_table->setContent(planTable(m_plans, m_document));
        m_table->setCurrentRow(row);
    });
    connect(&selection, &views::Selection::changed, this, &SplitSolver::followSelection);
    connect(&m_runner, &views::LatestRunner::busyChanged, this, &SplitSolver::updateButtons);
    forget();
}

QWidget* SplitSolver::buildForm() {
    const views::Theme& theme = views::themeOf(this);
    auto* question = new QWidget;
    auto* form = new QFormLayout(question);
    form->setContentsMargins(0, 0, 0, 0);
    form->setVerticalSpacing(theme.ipx(6));
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    m_objective->addItems(
        {tr("Time of the slowest stage"), tr("Memory of the fullest IPU"), tr("Time and memory equally")});
    m_objective->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_locks->setToolTip(tr("On the stages that they are on"));
    form->addRow(tr("Stages"), m_stages);
    form->addRow(tr("By"), m_objective);
    form->addRow(m_locks);
    for (QLabel* label : {m_locked, m_ipus, m_measure}) {
        label->setWordWrap(true);
        label->setProperty("role", "text2");
        form->addRow(label);
    }
    auto* row = new QHBoxLayout;
    row->setSpacing(theme.ipx(6));
    row->addWidget(m_solve);
    row->addWidget(m_stop);
    row->addStretch(1);
    form->addRow(row);
    connect(m_solve, &QPushButton::clicked, this, &SplitSolver::solve);
    connect(m_stop, &QPushButton::clicked, this, &SplitSolver::stop);
    connect(m_stages, &QSpinBox::valueChanged, this, &SplitSolver::solve);
    connect(m_objective, &QComboBox::currentIndexChanged, this, &SplitSolver::solve);
    connect(m_locks, &QCheckBox::toggled, this, &SplitSolver::solve);
    return question;
}

QWidget* SplitSolver::buildButtons() {
    const views::Theme& theme = views::themeOf(this);
    auto* bar = new QFrame;
    bar->setProperty("surface", "panel2");
    bar->setProperty("line", "top");
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(theme.ipx(12), theme.ipx(6), theme.ipx(12), theme.ipx(6));
    layout->addWidget(m_apply);
    layout->addWidget(m_leave);
    layout->addStretch(1);
    m_apply->setProperty("kind", "primary");
    connect(m_apply, &QPushButton::clicked, this, &SplitSolver::applyPlan);
    connect(m_leave, &QPushButton::clicked, this, &SplitSolver::leavePreview);
    return bar;
}

void SplitSolver::forget() {
    m_runner.cancel();
    m_plans.clear();
    m_origins.clear();
    m_notice->hide();
    m_table->setContent(planTable(m_plans, m_document));
    setEnabled(m_document.isOpen());
    const QSignalBlocker quietStages(m_stages);
    const QSignalBlocker quietLocks(m_locks);
    const std::size_t calls =
        m_document.isOpen() ? core::countOf(core::assignmentEntries(m_document.project().model)) : 1;
    m_stages->setRange(1, std::max(1, int(calls)));
    m_stages->setValue(m_document.isOpen() ? std::max(2, int(m_document.project().assignment.stageCount()))
                                           : 2);
    m_locks->setChecked(false);
    m_measure->setText(measureText(simulator::PartitionObjective(m_objective->currentIndex())));
    followSelection();
    follow();
}

/// What the project says about the stages that are asked for.
void SplitSolver::follow() {
    const auto locked = m_document.isOpen() ? core::lockedStages(m_document.project())
                                            : std::vector<std::optional<std::size_t>>();
    const auto count = std::ranges::count_if(locked, [](const auto& stage) { return stage.has_value(); });
    m_locked->setText(tr("Locked: %1").arg(views::countedText(count, tr("layer call"), tr("layer calls"))));
    m_locked->setVisible(count > 0);
    m_ipus->setText(m_document.isOpen() ? ipusText() : QString());
    m_ipus->setVisible(!m_ipus->text().isEmpty());
    followSelection();
    if (!m_origins.empty() && !arePlansCurrent()) {
        m_runner.cancel();
        say(views::ChipTone::Info, tr("The project has changed. Solve again."));
    } else if (!isSolving()) {
        m_notice->hide();
    }
    updateButtons();
}

void SplitSolver::followSelection() {
    m_locks->setEnabled(m_document.isOpen() && !m_selection.state().invocations.empty() &&
                        m_document.project().assignment.isPipelined());
    m_locks->setVisible(m_locks->isEnabled() || m_locks->isChecked());
}

simulator::PartitionRequest SplitSolver::request() const {
    const core::Project& project = m_document.project();
    simulator::PartitionRequest request;
    request.stages = std::size_t(m_stages->value());
    request.objective = simulator::PartitionObjective(m_objective->currentIndex());
    request.alternatives = alternatives;
    request.locks = core::lockedStages(project);
    if (!m_locks->isChecked() || !m_locks->isEnabled())
        return request;
    const auto entries = core::flattened(core::assignmentEntries(project.model));
    request.locks.resize(entries.size());
    for (const core::AssignmentEntry& entry : entries) {
        if (m_selection.contains({entry.path, entry.call}) && entry.index < project.assignment.stages.size())
            request.locks[entry.index] = project.assignment.stages[entry.index].index();
    }
    return request;
}

const SolvedPlan* SplitSolver::chosen() const {
    const int row = m_table->currentRow();
    return row >= 0 && std::size_t(row) < m_plans.size() ? &m_plans[std::size_t(row)] : nullptr;
}

bool SplitSolver::arePlansCurrent() const {
    return std::ranges::find(m_origins, m_document.snapshot()) != m_origins.end();
}

QString SplitSolver::ipusText() const {
    const std::vector<core::IpuId>& ipus = m_document.project().deviceMapping.ipus;
    if (ipus.empty())
        return {};
    if (ipus.size() != std::size_t(m_stages->value()))
        return tr("The IPUs that were chosen for %1 stages are given up: every stage gets one of its own.")
            .arg(ipus.size());
    QStringList names;
    for (const core::IpuId ipu : ipus)
        names << QString::number(ipu.index());
    return tr("The stages stay on the IPUs that were chosen for them: %1.")
        .arg(names.join(QStringLiteral(", ")));
}

void SplitSolver::solve() {
    if (!m_document.isOpen())
        return;
    leavePreview();
    m_origins = {m_document.snapshot()};
    m_plans.clear();
    follow();
    m_measure->setText(measureText(simulator::PartitionObjective(m_objective->currentIndex())));
    say(views::ChipTone::Info, tr("Solving …"));
    m_runner.request([project = m_document.snapshot(), file = m_document.path().string(),
                      folder = m_document.folder(), request = request(), cache = m_cache,
                      this](const core::JobContext& job) -> views::LatestRunner::Deliver {
        auto found = simulator::planStages(*project, file, folder, request, *cache, job);
        auto plans = std::make_shared<core::Result<std::vector<SolvedPlan>>>();
        if (!found)
            *plans = core::failure(std::move(found.error()));
        else
            for (simulator::Partition& plan : *found)
                (*plans)->push_back(solvedPlan(*project, std::move(plan), folder, *cache, job));
        if (*plans)
            rank(**plans, request.objective);
        return [this, plans] { show(std::move(*plans)); };
    });
    updateButtons();
}

void SplitSolver::stop() {
    if (!isSolving())
        return;
    m_runner.cancel();
    m_origins.clear();
    say(views::ChipTone::Info, tr("Stopped."));
    updateButtons();
}

void SplitSolver::show(core::Result<std::vector<SolvedPlan>> plans) {
    m_plans = plans ? std::move(*plans) : std::vector<SolvedPlan>();
    m_table->setContent(planTable(m_plans, m_document));
    m_table->setCurrentRow(m_plans.empty() ? -1 : 0);
    m_notice->setVisible(!plans);
    if (!plans)
        say(views::ChipTone::Error, toQString(plans.error().front().message).toHtmlEscaped());
    if (isVisible())
        preview();
    updateButtons();
}

/// The canvas shows the chosen plan; the project itself where that is what is chosen.
void SplitSolver::preview() {
    const SolvedPlan* plan = chosen();
    if (plan == nullptr || !arePlansCurrent() || !plan->project || *plan->project == m_document.project())
        leavePreview();
    else
        m_document.setPlanPreview(plan->project);
    updateButtons();
}

void SplitSolver::leavePreview() {
    if (m_document.isPlanPreview())
        m_document.setPreview(nullptr);
}

void SplitSolver::applyPlan() {
    const SolvedPlan* plan = chosen();
    if (plan == nullptr || !arePlansCurrent())
        return;
    const views::ProjectSnapshot solved = m_origins.front();
    const QString name = tr("Split into %1 stages").arg(plan->partition.stages.size());
    const auto done = m_document.apply(name, [&](const core::Project&) -> core::Result<core::Project> {
        return core::withPipelineNeeds(*solved, simulator::withPlan(*solved, plan->partition));
    });
    if (!done)
        return;
    // Others of the same question may still be tried.
    m_origins.push_back(m_document.snapshot());
    say(views::ChipTone::Success, tr("Applied. Undo takes it back."));
    updateButtons();
}

void SplitSolver::updateButtons() {
    const SolvedPlan* plan = m_document.isOpen() ? chosen() : nullptr;
    m_solve->setEnabled(!isSolving());
    m_stop->setEnabled(isSolving());
    m_apply->setEnabled(plan != nullptr && arePlansCurrent() &&
                        (!plan->project || *plan->project != m_document.project()));
    m_leave->setEnabled(m_document.isPlanPreview());
}

void SplitSolver::say(views::ChipTone tone, const QString& text) {
    m_notice->setMessage(tone, text);
    m_notice->show();
}

void SplitSolver::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    leavePreview();
}

void SplitSolver::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Escape)
        return QWidget::keyPressEvent(event);
    if (m_document.isPlanPreview())
        return leavePreview();
    if (isSolving())
        return stop();
    QWidget::keyPressEvent(event);
}

} // namespace app
