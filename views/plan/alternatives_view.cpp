#include "views/plan/alternatives_view.h"

#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/empty_view.h"
#include "views/document/view_intents.h"
#include "views/plan/alternatives_tables.h"
#include "views/profile/ipu_chooser.h"
#include "views/profile/legend_bar.h"
#include "views/profile/tables/table_panel.h"
#include "views/profile/time/plot_style.h"
#include "views/profile/time/time_axis.h"
#include "views/profile/view_bar.h"

#include <QEvent>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <qcustomplot.h>

namespace views {

namespace {

/// Curves of one plot, in colours that are easy to tell apart.
QColor curveColour(std::size_t index, const Theme& theme) {
    constexpr std::array<std::size_t, 5> stages{0, 2, 3, 1, 7};
    return theme.stage(stages[index % stages.size()]);
}

/// Curves often lie on one another, so the later ones are dashed.
Qt::PenStyle curveStyle(std::size_t index) {
    constexpr std::array styles{Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine,
                                Qt::DashDotDotLine};
    return styles[index % styles.size()];
}

} // namespace

AlternativesView::AlternativesView(Document& document, ViewIntents& intents, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_intents(intents) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(buildBar());
    m_stack = new QStackedWidget(this);
    m_empty = new EmptyView(m_stack);
    m_content = new QSplitter(Qt::Vertical, m_stack);
    m_content->setHandleWidth(1);
    m_content->setChildrenCollapsible(false);
    m_plot = new QCustomPlot(m_content);
    m_plot->setAccessibleName(tr("Liveness by scheduling algorithm"));
    m_plot->setMinimumHeight(themeOf(this).ipx(120));
    m_schedulers = new TablePanel(tr("Scheduling algorithms"), m_content);
    m_executions = new TablePanel(tr("Graph and eager execution"), m_content);
    m_content->addWidget(m_plot);
    m_content->addWidget(m_schedulers);
    m_content->addWidget(m_executions);
    m_content->setStretchFactor(0, 3);
    m_content->setSizes({260, 180, 100});
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_content);
    layout->addWidget(m_stack, 1);
    connect(m_empty, &EmptyView::actionRequested, this, &AlternativesView::alternativesWanted);
    connect(&document, &Document::projectChanged, this, &AlternativesView::forget);
    connect(&document, &Document::opened, this, &AlternativesView::forget);
    connect(&document, &Document::unitsChanged, this, &AlternativesView::showAlternatives);
    showAlternatives();
}

ViewBar* AlternativesView::buildBar() {
    auto* bar = new ViewBar(this);
    m_ipus = new IpuChooser(bar);
    bar->add(m_ipus);
    m_legend = new LegendBar(tr("Scheduling algorithms"), bar);
    bar->add(m_legend, 1);
    connect(bar->addButton(QStringLiteral("export"), tr("Save the table")), &QToolButton::clicked, this,
            [this] {
                if (m_alternatives)
                    m_intents.saveTable(QStringLiteral("schedulers"), m_schedulers->toCsv());
            });
    connect(m_ipus, &IpuChooser::chosen, this, [this](core::IpuId ipu) {
        m_ipu = ipu;
        showAlternatives();
    });
    connect(m_legend, &LegendBar::isolatedChanged, this, &AlternativesView::replot);
    return bar;
}

void AlternativesView::setAlternatives(core::ProgramAlternatives alternatives, double clockHz) {
    m_alternatives = std::move(alternatives);
    m_clockHz = clockHz;
    showAlternatives();
}

void AlternativesView::setTrouble(const core::Diagnostics& trouble) {
    m_alternatives.reset();
    showAlternatives();
    if (!trouble.empty())
        m_empty->setContent(QStringLiteral("memory"), tr("This project cannot be compiled"),
                            toQString(trouble.front().message), tr("Try again"));
}

void AlternativesView::setBusy() {
    if (!m_alternatives)
        m_empty->setContent(QStringLiteral("memory"), tr("Scheduling algorithms"),
                            tr("Compiling the model with each of them …"));
}

void AlternativesView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!m_alternatives && m_document.isOpen())
        emit alternativesWanted();
}

void AlternativesView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::StyleChange)
        replot();
}

void AlternativesView::forget() {
    m_alternatives.reset();
    showAlternatives();
    if (isVisible() && m_document.isOpen())
        emit alternativesWanted();
}

void AlternativesView::showAlternatives() {
    const bool isFilled = m_alternatives && !m_alternatives->schedulers.empty();
    m_stack->setCurrentWidget(isFilled ? static_cast<QWidget*>(m_content) : m_empty);
    if (!isFilled) {
        m_empty->setContent(QStringLiteral("memory"), tr("Scheduling algorithms"),
                            tr("Each orders the operations of the model in its own way, and so decides what "
                               "lives at the same time."),
                            m_document.isOpen() ? tr("Compare") : QString());
        return;
    }
    std::vector<core::IpuId> ipus;
    for (const core::AlternativeIpu& ipu : m_alternatives->schedulers.front().ipus)
        ipus.push_back(ipu.ipu);
    if (std::ranges::find(ipus, m_ipu) == ipus.end() && !ipus.empty())
        m_ipu = ipus.front();
    m_ipus->setIpus(ipus, m_ipu);
    const auto index = static_cast<std::size_t>(std::ranges::find(ipus, m_ipu) - ipus.begin());
    m_schedulers->setContent(schedulerTable(*m_alternatives, index, m_document.units()));
    m_executions->setContent(executionTable(*m_alternatives, m_document.units(), m_clockHz));
    m_legend->setEntries([names = [this] {
        std::vector<QString> list;
        for (const core::SchedulerAlternative& scheduler : m_alternatives->schedulers)
            list.push_back(toQString(scheduler.algorithm));
        return list;
    }()](const Theme& theme) {
        std::vector<LegendEntry> entries;
        for (std::size_t i = 0; i < names.size(); ++i)
            entries.push_back({int(i), names[i], curveColour(i, theme)});
        return entries;
    });
    replot();
}

void AlternativesView::replot() {
    if (!m_alternatives)
        return;
    const Theme& theme = themeOf(this);
    m_plot->clearGraphs();
    stylePlot(*m_plot, theme);
    std::int64_t most = 1;
    std::size_t steps = 1;
    for (std::size_t i = 0; i < m_alternatives->schedulers.size(); ++i) {
        const auto& ipus = m_alternatives->schedulers[i].ipus;
        const auto found = std::ranges::find(ipus, m_ipu, &core::AlternativeIpu::ipu);
        const bool isShown = m_legend->isolated().empty() || m_legend->isolated().contains(int(i));
        if (found == ipus.end() || found->live.empty() || !isShown)
            continue;
        QVector<QCPGraphData> points;
        for (std::size_t step = 0; step < found->live.size(); ++step) {
            points.append({static_cast<double>(step), static_cast<double>(found->live[step])});
            most = std::max(most, found->live[step]);
        }
        points.append({static_cast<double>(found->live.size()), points.last().value});
        steps = std::max(steps, found->live.size());
        QCPGraph* graph = m_plot->addGraph();
        graph->setLineStyle(QCPGraph::lsStepLeft);
        graph->setPen(
            QPen(curveColour(i, theme), m_alternatives->schedulers[i].isChosen ? 2.4 : 1.4, curveStyle(i)));
        graph->data()->set(points, true);
    }
    const UnitChoice unit = byteUnitFor(core::Bytes(most), m_document.units().bytes);
    std::vector<std::pair<double, QString>> ticks;
    for (const double value : valueTicks(0, static_cast<double>(most) * unit.factor * 1.05, 4))
        ticks.emplace_back(value / unit.factor, compactText(value) + QStringLiteral(" ") + unit.name);
    setTicks(*m_plot->yAxis, ticks);
    m_plot->xAxis->setLabel(tr("Operations in program order, then the update"));
    m_plot->xAxis->setRange(0, static_cast<double>(steps));
    m_plot->yAxis->setRange(0, static_cast<double>(most) * 1.05);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

} // namespace views
