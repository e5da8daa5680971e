#include "app/window/dialogs/solve_dialog.h"

#include "core/plan/assignment_entries.h"
#include "core/project/choices/pipeline_choices.h"
#include "core/project/validate.h"
#include "simulator/planner/estimate.h"
#include "simulator/planner/stage_plan.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/notice_bar.h"
#include "views/document/selection.h"
#include "views/graph/painting/gauge_rows.h"
#include "views/profile/tables/table_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
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

/// The project once the plan is applied.
core::Result<core::Project> applied(const core::Project& project, const simulator::Partition& plan) {
    return core::withPipelineNeeds(project, simulator::withPlan(project, plan));
}

/// The figures that the gauges show once the plan is applied; nothing where it breaks a rule as it stands.
std::optional<core::PlanEstimate> estimateOf(const core::Project& project, const simulator::Partition& plan,
                                             const std::filesystem::path& folder,
                                             simulator::CompilationCache& cache,
                                             const core::JobContext& job) {
    core::Result<core::Project> planned = applied(project, plan);
    if (!planned)
        return std::nullopt;
    planned->training.dataset.reset();
    planned->training.validationDataset.reset();
    const auto validated = core::validate(*planned, core::RunMode::Train);
    if (!validated)
        return std::nullopt;
    core::PlanEstimate estimate = simulator::estimate(*validated, cache, job, folder);
    return estimate.refusal.empty() ? std::optional(std::move(estimate)) : std::nullopt;
}

/// What is found, by the objective.
QString proofText(simulator::PartitionObjective objective) {
    switch (objective) {
    case simulator::PartitionObjective::Time:
        return SolveDialog::tr("Of all splits of the layers in their order, those with the shortest slot by "
                               "the price of every layer: slowest stage and slowest copy. The fastest in "
                               "simulation comes first.");
    case simulator::PartitionObjective::Memory:
        return SolveDialog::tr("Of all splits of the layers in their order, those with the least full IPU by "
                               "the price of every layer. The least full in simulation comes first.");
    case simulator::PartitionObjective::Blend:
        return SolveDialog::tr("Of all splits of the layers in their order, those whose stages have the "
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
                                      const PlanFigure& figure, const views::Document& document) {
    const views::Units& units = document.units();
    const views::NumberText slowest = views::timeText(figure.slowest, units.time, document.timeScale());
    const double rate = figure.samplesPerSecond.value_or(0);
    return {
        name,
        views::textCell(sizesText(calls)),
        views::numberCell(figure.samplesPerSecond ? views::fixedText(rate, 1) : QStringLiteral("–"), rate),
        views::numberCell(slowest.joined(), double(figure.slowest.value())),
        views::numberCell(views::bytesText(figure.peak, units.bytes).joined(), double(figure.peak.value())),
        views::numberCell(views::bytesText(figure.cut, units.bytes).joined(), double(figure.cut.value()))};
}

/// The plans, and what the project has now to hold them against.
views::TableContent planTable(const std::vector<SolvedPlan>& plans, const views::Document& document) {
    views::TableContent table;
    table.columns = {{SolveDialog::tr("Plan"), views::ColumnKind::Number, {}, 44, {}, false},
                     {SolveDialog::tr("Layers per stage"), views::ColumnKind::Text, {}, 0, {}, true},
                     {SolveDialog::tr("Samples/s"), views::ColumnKind::Number, {}, 84, {}, false},
                     {SolveDialog::tr("Slowest stage"), views::ColumnKind::Number, {}, 104, {}, false},
                     {SolveDialog::tr("Fullest IPU"), views::ColumnKind::Number, {}, 104, {}, false},
                     {SolveDialog::tr("Cut"), views::ColumnKind::Number, {}, 104, {}, false}};
    for (std::size_t i = 0; i < plans.size(); ++i)
        table.rows.push_back(planRow(views::numberCell(QString::number(i + 1), double(i + 1)),
                                     callsOf(plans[i].partition), figureOf(plans[i]), document));
    const auto& now = document.estimate();
    const core::StageAssignment& assignment = document.project().assignment;
    if (!plans.empty() && now && now->refusal.empty() && document.areFiguresCurrent() &&
        assignment.isPipelined())
        table.rows.push_back(planRow(views::numberCell(SolveDialog::tr("now"), double(plans.size() + 1)),
                                     callsOf(assignment), figureOf(*now), document));
    return table;
}

} // namespace

SolveDialog::SolveDialog(views::Document& document, views::Selection& selection, QWidget* parent)
    : QDialog(parent)
    , m_document(document)
    , m_selection(selection)
    , m_proof(new QLabel(this))
    , m_stages(new QSpinBox(this))
    , m_objective(new QComboBox(this))
    , m_locks(new QCheckBox(tr("Keep the selected layers on their stages"), this))
    , m_ipus(new QLabel(this))
    , m_notice(new views::NoticeBar(this))
    , m_table(new views::TablePanel(tr("Plans"), this))
    , m_solve(new QPushButton(tr("Solve"), this))
    , m_apply(new QPushButton(tr("Apply plan"), this))
    , m_cache(std::make_shared<simulator::CompilationCache>()) {
    const views::Theme& theme = views::themeOf(this);
    setWindowTitle(tr("Solve split"));
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(theme.ipx(10));
    m_proof->setWordWrap(true);
    m_proof->setProperty("role", "text2");
    layout->addWidget(m_proof);
    auto* form = new QFormLayout;
    const auto calls = core::countOf(core::assignmentEntries(document.project().model));
    m_stages->setRange(1, std::max(1, int(calls)));
    m_stages->setValue(std::max(2, int(document.project().assignment.stageCount())));
    m_objective->addItems(
        {tr("Time of the slowest stage"), tr("Memory of the fullest IPU"), tr("Time and memory equally")});
    form->addRow(tr("Stages"), m_stages);
    form->addRow(tr("By"), m_objective);
    form->addRow(QString(), m_locks);
    m_ipus->setProperty("role", "text2");
    m_ipus->setWordWrap(true);
    form->addRow(QString(), m_ipus);
    m_locks->setEnabled(!selection.state().invocations.empty() &&
                        document.project().assignment.isPipelined());
    layout->addLayout(form);
    m_notice->hide();
    layout->addWidget(m_notice);
    m_table->setMinimumSize(theme.ipx(640), theme.ipx(190));
    layout->addWidget(m_table, 1);
    auto* buttons = new QDialogButtonBox(this);
    auto* leave = buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
    buttons->addButton(m_solve, QDialogButtonBox::ActionRole);
    buttons->addButton(m_apply, QDialogButtonBox::AcceptRole);
    m_apply->setProperty("kind", "primary");
    m_apply->setEnabled(false);
    m_solve->setDefault(true);
    layout->addWidget(buttons);
    connect(leave, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_solve, &QPushButton::clicked, this, &SolveDialog::solve);
    connect(m_apply, &QPushButton::clicked, this, &SolveDialog::applyPlan);
    connect(m_table, &views::TablePanel::rowActivated, this, &SolveDialog::applyPlan);
    connect(m_table, &views::TablePanel::rowChosen, this, [this] { m_apply->setEnabled(isPlan()); });
    connect(m_stages, &QSpinBox::valueChanged, this, &SolveDialog::solve);
    connect(m_objective, &QComboBox::currentIndexChanged, this, &SolveDialog::solve);
    connect(m_locks, &QCheckBox::toggled, this, &SolveDialog::solve);
    solve();
}

simulator::PartitionRequest SolveDialog::request() const {
    simulator::PartitionRequest request;
    request.stages = std::size_t(m_stages->value());
    request.objective = simulator::PartitionObjective(m_objective->currentIndex());
    request.alternatives = alternatives;
    if (!m_locks->isChecked() || !m_locks->isEnabled())
        return request;
    const core::Project& project = m_document.project();
    const auto entries = core::flattened(core::assignmentEntries(project.model));
    request.locks.assign(entries.size(), std::nullopt);
    for (const core::AssignmentEntry& entry : entries) {
        if (m_selection.contains({entry.path, entry.call}) && entry.index < project.assignment.stages.size())
            request.locks[entry.index] = project.assignment.stages[entry.index].index();
    }
    return request;
}

bool SolveDialog::isPlan() const {
    const int row = m_table->currentRow();
    return row >= 0 && std::size_t(row) < m_plans.size();
}

QString SolveDialog::ipusText() const {
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

void SolveDialog::solve() {
    m_ipus->setText(ipusText());
    m_ipus->setVisible(!m_ipus->text().isEmpty());
    m_proof->setText(proofText(simulator::PartitionObjective(m_objective->currentIndex())));
    m_solve->setEnabled(false);
    m_apply->setEnabled(false);
    m_notice->setMessage(views::ChipTone::Info, tr("Solving …"));
    m_notice->show();
    m_runner.request([project = m_document.snapshot(), file = m_document.path().string(),
                      folder = m_document.folder(), request = request(), cache = m_cache,
                      this](const core::JobContext& job) -> views::LatestRunner::Deliver {
        auto found = simulator::planStages(*project, file, folder, request, *cache, job);
        auto plans = std::make_shared<core::Result<std::vector<SolvedPlan>>>();
        if (!found)
            *plans = core::failure(std::move(found.error()));
        else
            for (simulator::Partition& plan : *found) {
                auto estimate = estimateOf(*project, plan, folder, *cache, job);
                (*plans)->push_back({std::move(plan), std::move(estimate)});
            }
        if (*plans)
            rank(**plans, request.objective);
        return [this, plans] { show(std::move(*plans)); };
    });
}

void SolveDialog::show(core::Result<std::vector<SolvedPlan>> plans) {
    m_solve->setEnabled(true);
    m_plans = plans ? std::move(*plans) : std::vector<SolvedPlan>();
    m_table->setContent(planTable(m_plans, m_document));
    m_table->setCurrentRow(m_plans.empty() ? -1 : 0);
    m_apply->setEnabled(isPlan());
    m_notice->setVisible(!plans);
    if (plans)
        return;
    const core::Diagnostic& first = plans.error().front();
    m_notice->setMessage(views::ChipTone::Error, toQString(first.message).toHtmlEscaped());
}

void SolveDialog::applyPlan() {
    if (!isPlan())
        return;
    const simulator::Partition& plan = m_plans[std::size_t(m_table->currentRow())].partition;
    const auto done = m_document.apply(
        tr("Split into %1 stages").arg(plan.stages.size()),
        [&](const core::Project& project) -> core::Result<core::Project> { return applied(project, plan); });
    if (done)
        accept();
}

} // namespace app
