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

namespace app {

using views::toQString;

namespace {

constexpr std::size_t alternatives = 5;

/// "44 · 48 · 52 · 54": calls on each stage.
QString sizesText(const simulator::Partition& plan) {
    QStringList sizes;
    for (const simulator::StageCost& stage : plan.stages)
        sizes << QString::number(stage.endLayer - stage.firstLayer);
    return sizes.join(QStringLiteral(" · "));
}

/// The figures that the gauges show once the plan is applied; nothing where it breaks a rule as it stands.
std::optional<core::PlanEstimate> estimateOf(const core::Project& project, const simulator::Partition& plan,
                                             const std::filesystem::path& folder,
                                             simulator::CompilationCache& cache,
                                             const core::JobContext& job) {
    core::Project planned = simulator::withPlan(project, plan);
    planned.training.dataset.reset();
    planned.training.validationDataset.reset();
    const auto validated = core::validate(planned, core::RunMode::Train);
    if (!validated)
        return std::nullopt;
    core::PlanEstimate estimate = simulator::estimate(*validated, cache, job, folder);
    return estimate.refusal.empty() ? std::optional(std::move(estimate)) : std::nullopt;
}

/// Slowest stage, fullest IPU and bytes cut of a plan.
struct PlanFigure {
    core::Cycles slowest;
    core::Bytes peak;
    core::Bytes cut;
};

PlanFigure figureOf(const SolvedPlan& plan) {
    PlanFigure figure{core::Cycles(plan.partition.bottleneckCycles()),
                      core::Bytes(plan.partition.peakBytes()), core::Bytes(plan.partition.totalCutBytes)};
    if (!plan.estimate)
        return figure;
    figure = {};
    for (const core::StageEstimate& stage : plan.estimate->stages) {
        figure.slowest = std::max(figure.slowest, views::stageTime(stage));
        figure.cut += stage.cut;
    }
    for (const core::IpuEstimate& ipu : plan.estimate->ipus)
        figure.peak = std::max(figure.peak, ipu.peak);
    return figure;
}

views::TableContent planTable(const std::vector<SolvedPlan>& plans, const views::Document& document) {
    const views::Units& units = document.units();
    views::TableContent table;
    table.columns = {{SolveDialog::tr("Plan"), views::ColumnKind::Number, {}, 44, {}, false},
                     {SolveDialog::tr("Layers per stage"), views::ColumnKind::Text, {}, 0, {}, true},
                     {SolveDialog::tr("Slowest stage"), views::ColumnKind::Number, {}, 110, {}, false},
                     {SolveDialog::tr("Fullest IPU"), views::ColumnKind::Number, {}, 110, {}, false},
                     {SolveDialog::tr("Cut"), views::ColumnKind::Number, {}, 110, {}, false}};
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const PlanFigure figure = figureOf(plans[i]);
        const views::NumberText slowest = views::timeText(figure.slowest, units.time, document.timeScale());
        table.rows.push_back({views::numberCell(QString::number(i + 1), double(i + 1)),
                              views::textCell(sizesText(plans[i].partition)),
                              views::numberCell(slowest.joined(), double(figure.slowest.value())),
                              views::numberCell(views::bytesText(figure.peak, units.bytes).joined(),
                                                double(figure.peak.value())),
                              views::numberCell(views::bytesText(figure.cut, units.bytes).joined(),
                                                double(figure.cut.value()))});
    }
    return table;
}

} // namespace

SolveDialog::SolveDialog(views::Document& document, views::Selection& selection, QWidget* parent)
    : QDialog(parent)
    , m_document(document)
    , m_selection(selection)
    , m_stages(new QSpinBox(this))
    , m_objective(new QComboBox(this))
    , m_locks(new QCheckBox(tr("Keep the selected layers on their stages"), this))
    , m_notice(new views::NoticeBar(this))
    , m_table(new views::TablePanel(tr("Plans"), this))
    , m_solve(new QPushButton(tr("Solve"), this))
    , m_apply(new QPushButton(tr("Apply plan"), this))
    , m_cache(std::make_shared<simulator::CompilationCache>()) {
    const views::Theme& theme = views::themeOf(this);
    setWindowTitle(tr("Solve split"));
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(theme.ipx(10));
    auto* text =
        new QLabel(tr("Finds the best cuts exactly: no other split of the layers in their order has a "
                      "faster slowest stage, or a less full IPU."),
                   this);
    text->setWordWrap(true);
    text->setProperty("role", "text2");
    layout->addWidget(text);
    auto* form = new QFormLayout;
    const auto calls = core::countOf(core::assignmentEntries(document.project().model));
    m_stages->setRange(1, std::max(1, int(calls)));
    m_stages->setValue(std::max(2, int(document.project().assignment.stageCount())));
    m_objective->addItems(
        {tr("Time of the slowest stage"), tr("Memory of the fullest IPU"), tr("Time and memory equally")});
    form->addRow(tr("Stages"), m_stages);
    form->addRow(tr("By"), m_objective);
    form->addRow(QString(), m_locks);
    m_locks->setEnabled(!selection.state().invocations.empty() &&
                        document.project().assignment.isPipelined());
    layout->addLayout(form);
    m_notice->hide();
    layout->addWidget(m_notice);
    m_table->setMinimumSize(theme.ipx(560), theme.ipx(170));
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

void SolveDialog::solve() {
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
        return [this, plans] { show(std::move(*plans)); };
    });
}

void SolveDialog::show(core::Result<std::vector<SolvedPlan>> plans) {
    m_solve->setEnabled(true);
    m_plans = plans ? std::move(*plans) : std::vector<SolvedPlan>();
    m_table->setContent(planTable(m_plans, m_document));
    m_table->setCurrentRow(m_plans.empty() ? -1 : 0);
    m_apply->setEnabled(!m_plans.empty());
    m_notice->setVisible(!plans);
    if (plans)
        return;
    const core::Diagnostic& first = plans.error().front();
    m_notice->setMessage(views::ChipTone::Error, toQString(first.message).toHtmlEscaped());
}

void SolveDialog::applyPlan() {
    if (m_plans.empty())
        return;
    const auto row = std::size_t(std::max(0, m_table->currentRow()));
    const auto applied = m_document.apply(
        tr("Split into %1 stages").arg(m_plans[row].partition.stages.size()),
        [&](const core::Project& project) -> core::Result<core::Project> {
            return core::withPipelineNeeds(project, simulator::withPlan(project, m_plans[row].partition));
        });
    if (applied)
        accept();
}

} // namespace app
