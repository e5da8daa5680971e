#include "views/plan/planner_view.h"

#include "core/project/project_edit.h"
#include "views/common/text/finding_text.h"
#include "views/common/theme/widget_theme.h"
#include "views/profile/pareto/pareto_hover.h"
#include "views/profile/tables/table_panel.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <qcustomplot.h>

namespace views {

namespace {

/// As many as the verb takes.
constexpr int mostIpus = 1024;
constexpr int largestBatch = 1 << 30;
/// Thousandths of the bar.
constexpr int progressSteps = 1000;

} // namespace

PlannerView::PlannerView(Document& document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_ipus(new QSpinBox)
    , m_batch(new QSpinBox)
    , m_memory(new QSpinBox)
    , m_locks(new QLabel)
    , m_search(new QPushButton(tr("Search")))
    , m_stop(new QPushButton(tr("Stop")))
    , m_progress(new QProgressBar)
    , m_state(new QLabel)
    , m_plot(new QCustomPlot)
    , m_table(new TablePanel(tr("Plans of the front")))
    , m_stages(new TablePanel(tr("Stages of the plan")))
    , m_apply(new QPushButton(tr("Apply plan")))
    , m_leave(new QPushButton(tr("Leave preview"))) {
    const Theme& theme = themeOf(this);
    setAccessibleName(tr("Plan for me"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    auto* area = new QScrollArea(this);
    area->setFrameShape(QFrame::NoFrame);
    area->setAccessibleName(tr("Question and plans"));
    area->setWidgetResizable(true);
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(theme.ipx(8), theme.ipx(8), theme.ipx(8), theme.ipx(8));
    layout->setSpacing(theme.ipx(8));
    layout->addWidget(buildQuestion());
    m_plot->setAccessibleName(tr("Throughput and memory of the plans"));
    m_plot->setToolTip(tr("A click chooses a plan, a double click applies it"));
    m_plot->setMinimumHeight(theme.ipx(190));
    layout->addWidget(m_plot, 3);
    m_table->setMinimumHeight(theme.ipx(110));
    m_table->foldColumns();
    layout->addWidget(m_table, 2);
    m_stages->setMinimumHeight(theme.ipx(120));
    m_stages->foldColumns();
    layout->addWidget(m_stages, 2);
    area->setWidget(content);
    outer->addWidget(area, 1);
    outer->addWidget(buildButtons());
    setFocusProxy(m_ipus);
    connect(m_table, &TablePanel::rowChosen, this, [this](int row) { choose(m_front[std::size_t(row)]); });
    // The row that is chosen already, once its preview was left.
    connect(&m_table->table(), &QTableView::clicked, this, [this] {
        if (const int row = m_table->currentRow(); row >= 0 && !m_document.isPlanPreview())
            choose(m_front[std::size_t(row)]);
    });
    connect(m_table, &TablePanel::rowActivated, this, [this](int row) {
        choose(m_front[std::size_t(row)]);
        apply();
    });
    const auto scene = [this] { return plansScene(m_plans, m_front, m_limit, m_document.units()); };
    const auto planAt = [this, scene](const QMouseEvent& event) {
        return paretoPointAt(*m_plot, scene(), event.position().x(), event.position().y());
    };
    new ParetoHover(*m_plot, scene, [this](std::int64_t id) {
        const PlannedProject& plan = m_plans[std::size_t(id)];
        return planName(plan) + QStringLiteral(", ") + planDetails(plan);
    });
    connect(m_plot, &QCustomPlot::mousePress, this, [this, planAt](QMouseEvent* event) {
        if (const auto plan = planAt(*event))
            choose(std::size_t(*plan));
    });
    connect(m_plot, &QCustomPlot::mouseDoubleClick, this, [this, planAt](QMouseEvent* event) {
        if (planAt(*event))
            apply();
    });
    connectDocument();
    setSearching(false);
    forget();
}

QWidget* PlannerView::buildQuestion() {
    const Theme& theme = themeOf(this);
    auto* question = new QWidget;
    auto* form = new QFormLayout(question);
    form->setContentsMargins(0, 0, 0, 0);
    form->setVerticalSpacing(theme.ipx(6));
    // The panel is as narrow as a window leaves it.
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    m_ipus->setRange(1, mostIpus);
    m_ipus->setToolTip(tr("IPUs of all replicas together, at most"));
    m_batch->setRange(0, largestBatch);
    m_batch->setSpecialValueText(tr("as it is"));
    m_batch->setToolTip(tr("Samples per weight update, kept exactly"));
    m_memory->setRange(1, 100);
    m_memory->setValue(100);
    m_memory->setPrefix(tr("at most "));
    m_memory->setSuffix(tr(" %"));
    m_memory->setToolTip(tr("Of the memory of an IPU, for the fullest one"));
    form->addRow(tr("IPUs"), m_ipus);
    form->addRow(tr("Effective batch"), m_batch);
    form->addRow(tr("Memory"), m_memory);
    auto* parts = new QWidget;
    auto* grid = new QGridLayout(parts);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(theme.ipx(2));
    for (std::size_t i = 0; i < planPartCount; ++i) {
        m_parts[i] = new QCheckBox(planPartName(PlanPart(i)));
        m_parts[i]->setChecked(true);
        grid->addWidget(m_parts[i], int(i / 2), int(i % 2));
    }
    auto* partsLabel = new QLabel(tr("May change"));
    partsLabel->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    form->addRow(partsLabel, parts);
    m_locks->setWordWrap(true);
    m_locks->setProperty("role", "text2");
    form->addRow(tr("Locked"), m_locks);
    auto* row = new QHBoxLayout;
    row->setSpacing(theme.ipx(6));
    row->addWidget(m_search);
    row->addWidget(m_stop);
    m_progress->setRange(0, progressSteps);
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(theme.ipx(6));
    row->addWidget(m_progress, 1);
    form->addRow(row);
    m_state->setWordWrap(true);
    m_state->setTextFormat(Qt::PlainText);
    form->addRow(m_state);
    connect(m_search, &QPushButton::clicked, this, &PlannerView::search);
    connect(m_stop, &QPushButton::clicked, this, &PlannerView::stop);
    return question;
}

QWidget* PlannerView::buildButtons() {
    const Theme& theme = themeOf(this);
    auto* bar = new QFrame;
    bar->setProperty("surface", "panel2");
    bar->setProperty("line", "top");
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(theme.ipx(12), theme.ipx(6), theme.ipx(12), theme.ipx(6));
    layout->addWidget(m_apply);
    layout->addWidget(m_leave);
    layout->addStretch(1);
    m_apply->setProperty("kind", "primary");
    connect(m_apply, &QPushButton::clicked, this, &PlannerView::apply);
    connect(m_leave, &QPushButton::clicked, this, &PlannerView::leavePreview);
    return bar;
}

void PlannerView::connectDocument() {
    connect(&m_document, &Document::opened, this, &PlannerView::forget);
    connect(&m_document, &Document::projectChanged, this, &PlannerView::follow);
    connect(&m_document, &Document::previewChanged, this, [this] {
        updateButtons();
        showStages();
    });
    connect(&m_document, &Document::estimateChanged, this, [this] {
        showStages();
        if (m_plans.empty())
            replot();
    });
    connect(&m_document, &Document::unitsChanged, this, &PlannerView::showPlans);
}

void PlannerView::forget() {
    if (m_isSearching)
        stop();
    m_plans.clear();
    m_front.clear();
    m_origins.clear();
    m_chosen.reset();
    setEnabled(m_document.isOpen());
    m_ipus->setValue(
        m_document.isOpen() ? int(std::min<std::int64_t>(mostIpus, m_document.project().system.ipus)) : 1);
    m_batch->setValue(0);
    m_state->setText(
        tr("Searches split, replicas, schedule, micro-batch, recomputation, offloading and memory "
           "proportion together for the highest throughput that fits."));
    showLocks();
    showPlans();
}

void PlannerView::follow() {
    showLocks();
    if (m_isSearching && !arePlansCurrent()) {
        stop();
        m_state->setText(tr("Stopped: the project has changed. Search again."));
    } else if (!m_plans.empty() && !arePlansCurrent()) {
        m_state->setText(tr("The project has changed since these plans were found. Search again."));
    } else if (const auto origin = originNow(); origin != m_origins.end() && !m_isSearching) {
        m_state->setText(origin->state);
    }
    updateButtons();
    showStages();
}

void PlannerView::showLocks() {
    const auto stages = m_document.isOpen() ? core::lockedStages(m_document.project())
                                            : std::vector<std::optional<std::size_t>>();
    const auto count = std::ranges::count_if(stages, [](const auto& stage) { return stage.has_value(); });
    const std::size_t locked = m_document.isOpen() ? core::lockedLayers(m_document.project()).size() : 0;
    m_locks->setText(
        count == 1   ? tr("1 layer call on its stage")
        : count > 1  ? tr("%1 on their stages").arg(countedText(count, tr("layer call"), tr("layer calls")))
        : locked > 0 ? tr("%1, as soon as the model has stages")
                           .arg(countedText(std::int64_t(locked), tr("layer"), tr("layers")))
                     : tr("nothing: Ctrl+Shift+K locks the selected layers to their stages"));
}

PlannerQuestion PlannerView::question() const {
    PlannerQuestion question;
    question.ipus = m_ipus->value();
    if (m_batch->value() > 0)
        question.effectiveBatch = m_batch->value();
    const std::optional<core::Bytes> whole = memoryOfIpu();
    if (m_memory->value() < 100 && whole)
        question.memoryLimit = whole->value() / 100 * m_memory->value();
    for (std::size_t i = 0; i < planPartCount; ++i)
        question.mayChange[i] = m_parts[i]->isChecked();
    return question;
}

std::optional<core::Bytes> PlannerView::memoryOfIpu() const {
    if (!m_document.estimate() || m_document.estimate()->ipus.empty())
        return std::nullopt;
    return m_document.estimate()->ipus.front().limit;
}

std::vector<PlannerView::Origin>::const_iterator PlannerView::originNow() const {
    return std::ranges::find(m_origins, m_document.snapshot(), &Origin::project);
}

bool PlannerView::arePlansCurrent() const {
    return originNow() != m_origins.end();
}

void PlannerView::search() {
    if (!m_document.isOpen() || m_isSearching)
        return;
    leavePreview();
    m_plans.clear();
    m_front.clear();
    m_chosen.reset();
    m_origins = {{m_document.snapshot(), {}}};
    const PlannerQuestion asked = question();
    m_limit = asked.memoryLimit ? std::optional(core::Bytes(*asked.memoryLimit)) : memoryOfIpu();
    setSearching(true);
    m_state->setText(tr("Looking at the choices …"));
    showPlans();
    emit searchWanted(asked);
}

void PlannerView::stop() {
    if (!m_isSearching)
        return;
    setSearching(false);
    m_state->setText(tr("Stopped. What was found until then is below."));
    if (!m_origins.empty())
        m_origins.front().state = m_state->text();
    emit stopWanted();
    updateButtons();
}

void PlannerView::addPlans(std::vector<PlannedProject> plans) {
    if (!m_isSearching)
        return;
    for (PlannedProject& plan : plans)
        m_plans.push_back(std::move(plan));
    showPlans();
}

void PlannerView::setProgress(double fraction, const QString& activity) {
    if (!m_isSearching)
        return;
    m_progress->setValue(int(std::clamp(fraction, 0.0, 1.0) * progressSteps));
    m_state->setText(activity);
}

void PlannerView::finish(const PlannerOutcome& outcome) {
    setSearching(false);
    m_state->setText(proofText(outcome, !m_plans.empty()));
    if (!m_origins.empty())
        m_origins.front().state = m_state->text();
    showPlans();
    if (!m_front.empty() && !m_chosen && isVisible())
        choose(m_front.front());
}

void PlannerView::fail(const core::Diagnostics& why) {
    setSearching(false);
    if (why.empty())
        return;
    QString text =
        findingText(toQString(why.front().message), &m_document.project().model, m_document.units().bytes);
    if (!why.front().hints.empty())
        text += QStringLiteral(" — ") + toQString(why.front().hints.front());
    m_state->setText(text);
    showPlans();
}

void PlannerView::setSearching(bool isSearching) {
    m_isSearching = isSearching;
    m_search->setEnabled(!isSearching);
    m_stop->setEnabled(isSearching);
    m_progress->setVisible(isSearching);
    m_progress->setValue(0);
}

void PlannerView::choose(std::optional<std::size_t> plan) {
    m_chosen = plan;
    const auto row = plan ? std::ranges::find(m_front, *plan) : m_front.end();
    m_table->setCurrentRow(row == m_front.end() ? -1 : int(row - m_front.begin()));
    if (plan && arePlansCurrent())
        m_document.setPlanPreview(m_plans[*plan].project == m_document.snapshot() ? nullptr
                                                                                  : m_plans[*plan].project);
    updateButtons();
    showStages();
    replot();
}

void PlannerView::leavePreview() {
    if (m_document.isPlanPreview())
        m_document.setPreview(nullptr);
}

void PlannerView::apply() {
    if (!m_chosen || !m_apply->isEnabled())
        return;
    const PlannedProject& plan = m_plans[*m_chosen];
    const auto applied =
        m_document.apply(tr("Plan %1").arg(planName(plan)),
                         [&](const core::Project&) -> core::Result<core::Project> { return *plan.project; });
    if (!applied)
        return;
    // Others of the same search may still be tried.
    m_state->setText(tr("Applied: %1. Undo takes it back.").arg(planName(plan)));
    m_origins.push_back({m_document.snapshot(), m_state->text()});
    updateButtons();
}

void PlannerView::showPlans() {
    m_front = planFront(m_plans);
    m_table->setContent(plansTable(m_plans, m_front, m_document.units()));
    const auto row = m_chosen ? std::ranges::find(m_front, *m_chosen) : m_front.end();
    m_table->setCurrentRow(row == m_front.end() ? -1 : int(row - m_front.begin()));
    showStages();
    updateButtons();
    replot();
}

/// Of the plan that is previewed; of the project once it is applied.
void PlannerView::showStages() {
    const auto& estimate = m_document.isPlanPreview() ? m_document.previewEstimate() : m_document.estimate();
    const bool isKnown = m_document.isOpen() && estimate && estimate->refusal.empty();
    m_stages->setContent(isKnown ? planStagesTable(*estimate, m_document.units()) : TableContent{});
}

void PlannerView::updateButtons() {
    const bool isUsable = m_chosen.has_value() && m_document.isOpen() && arePlansCurrent();
    m_apply->setEnabled(isUsable && *m_plans[*m_chosen].project != m_document.project());
    m_leave->setEnabled(m_document.isPlanPreview());
}

void PlannerView::replot() {
    ParetoScene scene = plansScene(m_plans, m_front, m_limit ? m_limit : memoryOfIpu(), m_document.units());
    if (m_chosen)
        scene.chosen = std::int64_t(*m_chosen);
    fillParetoPlot(*m_plot, scene, themeOf(this));
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void PlannerView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    replot();
}

void PlannerView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    leavePreview();
}

void PlannerView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::StyleChange)
        replot();
}

void PlannerView::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Escape)
        return QWidget::keyPressEvent(event);
    if (m_document.isPlanPreview())
        return leavePreview();
    stop();
}

} // namespace views
