#include "views/comparison/comparison_view.h"

#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/segmented_control.h"
#include "views/comparison/compared_cells.h"
#include "views/comparison/comparison_canvas.h"
#include "views/comparison/comparison_painter.h"
#include "views/comparison/run_chips.h"
#include "views/comparison/trace_table.h"
#include "views/document/view_intents.h"
#include "views/profile/legend_bar.h"
#include "views/profile/pareto/pareto_hover.h"
#include "views/profile/pareto/pareto_zoom.h"
#include "views/profile/reference_lanes.h"
#include "views/profile/run_chooser.h"
#include "views/profile/tables/table_tabs.h"
#include "views/profile/view_bar.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollArea>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <qcustomplot.h>

namespace views {

namespace {

constexpr std::int64_t bins = 2400;
/// Runs that are compared when none are chosen.
constexpr std::size_t defaultRuns = 3;
constexpr std::array<const char*, 7> tabNames{"Metrics", "Waterfall", "Slots", "Stages",
                                              "Layers",  "Memory",    "Trace"};
constexpr std::array<const char*, 7> fileNames{"compared-metrics", "compared-step",   "compared-slots",
                                               "compared-stages",  "compared-layers", "compared-memory",
                                               "compared-trace"};

bool holds(const std::vector<core::RunId>& runs, core::RunId run) {
    return std::find(runs.begin(), runs.end(), run) != runs.end();
}

QFrame* titleBar(const QString& title, QLabel*& remark, QWidget* parent) {
    const Theme& theme = themeOf(parent);
    auto* bar = new QFrame(parent);
    bar->setProperty("surface", "panel2");
    bar->setProperty("line", "bottom");
    bar->setFixedHeight(theme.ipx(32));
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(theme.ipx(12), 0, theme.ipx(10), 0);
    auto* label = new QLabel(title, bar);
    label->setFont(theme.font(12, QFont::DemiBold));
    row->addWidget(label, 1);
    remark = new QLabel(bar);
    remark->setProperty("role", "text3");
    row->addWidget(remark);
    return bar;
}

/// "Run #6 · Grouped · resnet50 · 463 samples/s · 375.6 MiB": what tells runs of one project apart.
QString titleInMenu(const core::RunRow& row, const Units& units) {
    QStringList parts{runTitle(row), toQString(row.project)};
    if (row.samplesPerSecond)
        parts.append(fixedText(*row.samplesPerSecond, *row.samplesPerSecond < 100 ? 1 : 0) +
                     QStringLiteral(" samples/s"));
    if (row.peak)
        parts.append(bytesText(*row.peak, units.bytes).joined());
    return parts.join(QStringLiteral(" · "));
}

} // namespace

ComparisonView::ComparisonView(Document& document, Selection& selection, ProfileSource& source,
                               ViewIntents& intents, QWidget* parent)
    : ProfileViewOf(document, selection, source, intents, parent) {
    setPromise(QStringLiteral("compare"),
               tr("Runs side by side: metrics, timelines, and what differs between them."));
    QSplitter* content = makeSplitter(Qt::Vertical, this);
    auto* scroll = new QScrollArea(content);
    scroll->setAccessibleName(tr("Steps of the runs"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    m_canvas = new ComparisonCanvas(scroll);
    scroll->setWidget(m_canvas);
    QSplitter* bottom = makeSplitter(Qt::Horizontal, content);
    bottom->addWidget(buildTables());
    bottom->addWidget(buildDifferences());
    bottom->addWidget(buildPareto());
    bottom->setSizes({800, 440, 320});
    content->addWidget(scroll);
    m_reference = new ReferenceLanes(source, content);
    content->addWidget(m_reference);
    content->addWidget(bottom);
    content->setSizes({380, 96, 460});
    setContent(content);
    buildBar();
    m_state.units = document.units();
    connect(m_canvas, &ComparisonCanvas::runChosen, this,
            [this](core::RunId run) { this->selection().selectRun(run); });
    connect(m_canvas, &ComparisonCanvas::axisChanged, this, &ComparisonView::placeReference);
    connect(&source, &ProfileSource::referenceChanged, this, [this] {
        compareTrace();
        if (this->source().reference())
            m_tabs->setCurrentIndex(Trace);
    });
    connect(m_canvas, &ComparisonCanvas::rangeChosen, this,
            [this](const TimeRange& range) { this->selection().selectTime(range); });
    connect(m_canvas, &ComparisonCanvas::menuRequested, this, &ComparisonView::showRunMenu);
    connect(m_canvas, &ComparisonCanvas::pointed, this,
            [this](const std::optional<TimeCursor>& place) { this->selection().setCursor(place); });
    const auto followCursor = [this] {
        m_canvas->setCursorPlace(this->selection().cursor(),
                                 this->selection().state().run.value_or(core::RunId()));
    };
    connect(&selection, &Selection::cursorMoved, this, followCursor);
    connect(&selection, &Selection::changed, this, followCursor);
    followCursor();
    connect(m_canvas, &ComparisonCanvas::microBatchChosen, this,
            [this](std::int64_t microBatch) { this->selection().selectMicroBatch(microBatch); });
    reload();
}

void ComparisonView::buildBar() {
    ViewBar* bar = &this->bar();
    m_chips = new RunChips(bar);
    bar->add(m_chips);
    m_add = bar->addButton(QStringLiteral("plus"), tr("Compare with another run"));
    m_add->setPopupMode(QToolButton::InstantPopup);
    m_addMenu = new QMenu(m_add);
    m_add->setMenu(m_addMenu);
    bar->addLabel(tr("Align by"));
    m_align = new SegmentedControl(tr("Align by"), bar);
    m_align->addSegment(tr("Step"), tr("Every run begins with its update"));
    m_align->addSegment(tr("Micro-batch"), tr("The chosen micro-batch (or the first) starts at one place"));
    m_align->addSegment(tr("Stage"), tr("The chosen stage (or the first) starts at one place"));
    m_align->addSegment(tr("Layer"), tr("The chosen layer (or the first) starts at one place"));
    bar->add(m_align);
    bar->addLabel(tr("Scale"));
    m_scale = new SegmentedControl(tr("Scale"), bar);
    m_scale->addSegment(tr("Same"), tr("One axis for all runs"));
    m_scale->addSegment(tr("Each fits"), tr("Every run takes the whole width"));
    bar->add(m_scale);
    addTimeChip();
    bar->addStretch();
    auto* legend = new LegendBar(tr("Phases"), bar);
    legend->setEntries(smallActivityLegend);
    legend->setEnabled(false);
    bar->add(legend);
    addPictureExport(tr("Save the comparison as a picture"), [this]() -> std::optional<Picture> {
        if (!m_data)
            return std::nullopt;
        return pictureOf(m_canvas->scene(), {}, themeOf(this));
    });
    connect(m_addMenu, &QMenu::aboutToShow, this, &ComparisonView::fillAddMenu);
    connect(m_chips, &RunChips::baselineChosen, this, [this](core::RunId run) { compare(m_wanted, run); });
    connect(m_chips, &RunChips::removed, this, &ComparisonView::removeRun);
    connect(m_align, &SegmentedControl::chosen, this, &ComparisonView::align);
    connect(m_scale, &SegmentedControl::chosen, this, [this](int index) {
        m_state.fitsEach = index == 1;
        askForRange();
    });
}

QWidget* ComparisonView::buildTables() {
    m_tabs = new TableTabs(this);
    m_tabs->filter().setFixedWidth(themeOf(this).ipx(90));
    for (std::size_t i = 0; i < m_tables.size(); ++i)
        m_tables[i] = m_tabs->addTable(tr(tabNames[i]), QString::fromLatin1(fileNames[i]));
    m_onlyDifferent = new QCheckBox(tr("Differing only"), m_tabs);
    m_onlyDifferent->setChecked(true);
    m_onlyDifferent->hide();
    m_tabs->addToCorner(m_onlyDifferent);
    m_largestFirst = new QCheckBox(tr("Sort by Δ"), m_tabs);
    m_largestFirst->setToolTip(tr("The largest difference first, whatever its sign"));
    m_tabs->addToCorner(m_largestFirst);
    connect(m_largestFirst, &QCheckBox::toggled, this, &ComparisonView::showTables);
    m_tables[Trace]->setEmptyText(tr(
        "A trace of hardware or of another program that is opened as reference is held against run A here."));
    for (const Table table : {Step, Slots})
        m_tables[table]->setEmptyText(tr("A run without a timeline does not say where its step goes."));
    connect(m_tabs, &TableTabs::tableRequested, this,
            [this](const QString& name, const QString& csv) { intents().saveTable(name, csv); });
    connect(m_tabs, &QTabWidget::currentChanged, this,
            [this](int index) { m_onlyDifferent->setVisible(index == Layers); });
    connect(m_onlyDifferent, &QCheckBox::toggled, this, &ComparisonView::showTables);
    connect(m_tables[Metrics], &TablePanel::rowActivated, this, [this](int index) {
        explain(m_tables[Metrics]->content().rows[static_cast<std::size_t>(index)].front().text);
    });
    connect(m_tables[Layers], &TablePanel::rowChosen, this, [this](int index) {
        selection().selectLayer(
            m_tables[Layers]->content().rows[static_cast<std::size_t>(index)].front().text.toStdString());
    });
    connect(m_tables[Slots], &TablePanel::rowChosen, this, [this](int index) {
        m_canvas->chooseDifference(static_cast<std::size_t>(
            m_tables[Slots]->content().rows[static_cast<std::size_t>(index)].front().sort.toDouble()));
    });
    connect(m_tables[Stages], &TablePanel::rowChosen, this, [this](int index) {
        const auto& row = m_tables[Stages]->content().rows[static_cast<std::size_t>(index)];
        selection().selectStage(core::StageId(*row.front().stage));
    });
    return m_tabs;
}

QWidget* ComparisonView::buildDifferences() {
    auto* panel = new QWidget(this);
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(titleBar(tr("Differences"), m_differenceCount, panel));
    m_differences = new TablePanel(tr("Differences"), panel);
    column->addWidget(m_differences, 1000);
    m_reading = new QLabel(panel);
    m_reading->setWordWrap(true);
    m_reading->setTextFormat(Qt::PlainText);
    m_reading->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_reading->setMargin(themeOf(this).ipx(10));
    column->addWidget(m_reading);
    column->addStretch(1);
    return panel;
}

QWidget* ComparisonView::buildPareto() {
    auto* panel = new QWidget(this);
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(titleBar(tr("Pareto"), m_runCount, panel));
    m_pareto = new QCustomPlot(panel);
    m_pareto->setAccessibleName(tr("Throughput and memory of all runs"));
    m_pareto->setToolTip(
        tr("Click opens a run, Ctrl+click compares it; the wheel zooms, dragging moves, double "
           "click beside the points shows all"));
    m_zoom = new ParetoZoom(*m_pareto);
    column->addWidget(m_pareto, 1);
    connect(m_pareto, &QCustomPlot::mousePress, this, &ComparisonView::clickPareto);
    connect(m_pareto, &QCustomPlot::mouseDoubleClick, this, [this](QMouseEvent* event) {
        const QPointF at = event->position();
        if (!m_data || paretoPointAt(*m_pareto, shownPareto(), at.x(), at.y()))
            return;
        m_zoom->forget();
        replot();
    });
    new ParetoHover(
        *m_pareto, [this] { return m_data ? shownPareto() : ParetoScene(); },
        [this](std::int64_t id) {
            const auto row = std::ranges::find(m_data->runs, core::RunId(id), &core::RunRow::run);
            return row == m_data->runs.end() ? QString() : runTitle(*row);
        });
    return panel;
}

const ComparisonScene& ComparisonView::scene() const {
    return m_canvas->scene();
}

std::vector<core::RunId> ComparisonView::runs() const {
    return m_data ? m_data->comparison.runs : std::vector<core::RunId>{};
}

void ComparisonView::compare(std::vector<core::RunId> runs, std::optional<core::RunId> baseline) {
    m_wanted = std::move(runs);
    m_baseline = baseline;
    reload();
}

void ComparisonView::addRun(core::RunId run) {
    if (!holds(m_wanted, run))
        m_wanted.push_back(run);
    compare(m_wanted, m_baseline);
}

void ComparisonView::removeRun(core::RunId run) {
    std::erase(m_wanted, run);
    compare(m_wanted, m_baseline);
}

void ComparisonView::followSelection(const SelectionState& before) {
    const SelectionState& now = selection().state();
    // A run that is chosen elsewhere is compared only when nothing was before.
    if (now.run != before.run && !m_data)
        reload();
    if (m_state.alignment != TimelineAlignment::Step)
        align();
    else if (now.time != before.time)
        askForRange();
    if (now.current != before.current && now.current && m_data) {
        const auto& rows = m_tables[Layers]->content().rows;
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& cells) {
            return cells.front().text == toQString(now.current->path);
        });
        m_tables[Layers]->setCurrentRow(row == rows.end() ? -1 : static_cast<int>(row - rows.begin()));
    }
    if (now.stage != before.stage && m_data) {
        const auto& rows = m_tables[Stages]->content().rows;
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& cells) {
            return now.stage && cells.front().stage == now.stage->index();
        });
        m_tables[Stages]->setCurrentRow(row == rows.end() ? -1 : static_cast<int>(row - rows.begin()));
    }
}

/// By what is selected, or else by the first there is.
void ComparisonView::align() {
    const SelectionState& now = selection().state();
    m_state.alignment = TimelineAlignment(m_align->current());
    if (m_state.alignment == TimelineAlignment::MicroBatch)
        m_state.microBatch = now.microBatch.value_or(0);
    if (m_state.alignment == TimelineAlignment::Stage)
        m_state.stage = now.stage.value_or(core::StageId(0));
    if (m_state.alignment == TimelineAlignment::Layer && now.current)
        m_state.layer = now.current->path;
    else if (m_state.alignment == TimelineAlignment::Layer && m_data && !m_data->comparison.layers.empty())
        m_state.layer = m_data->comparison.layers.front().layer;
    askForRange();
}

void ComparisonView::askForRange() {
    m_state.range = m_data ? selection().state().time : std::nullopt;
    m_canvas->setState(m_state);
    m_rangeQuery.cancel();
    m_rangeParts.reset();
    if (!m_data)
        return;
    const MiniTimeline& base = m_data->timelines[m_data->comparison.baseline];
    showTimeChip(m_state.range, {base.clockHz, base.step});
    showTables();
    if (!m_state.range)
        return;
    std::vector<core::CycleRange> ranges;
    for (std::size_t run = 0; run < m_data->count(); ++run) {
        const TimeRange own = *m_canvas->scene().rangeOf(run);
        ranges.push_back({own.from, own.to});
    }
    m_rangeQuery.request<std::vector<core::ComparedStepPart>>(
        source().path(),
        [data = m_data, ranges](const core::ProfileDatabase& database) {
            return core::compareRanges(database, data->comparison, ranges);
        },
        [this](core::Result<std::vector<core::ComparedStepPart>> parts) {
            if (!parts)
                return intents().notify(ChipTone::Error, toQString(parts.error().front().message));
            m_rangeParts = *std::move(parts);
            showTables();
        });
}

ComparisonView::Query ComparisonView::query() const {
    if (source().path().empty())
        return {};
    return [wanted = m_wanted, baseline = m_baseline, chosen = selection().state().run](
               const core::ProfileDatabase& database) -> core::Result<ComparedRuns> {
        auto rows = core::listRuns(database);
        if (!rows)
            return core::failure(rows.error());
        ComparedRuns compared{*std::move(rows), nullptr};
        std::erase_if(compared.rows,
                      [](const core::RunRow& row) { return row.state != core::RunState::Complete; });
        const auto isThere = [&](core::RunId run) {
            return std::any_of(compared.rows.begin(), compared.rows.end(),
                               [&](const core::RunRow& row) { return row.run == run; });
        };
        std::vector<core::RunId> runs = wanted;
        std::erase_if(runs, [&](core::RunId run) { return !isThere(run); });
        if (runs.empty()) {
            if (chosen && isThere(*chosen))
                runs.push_back(*chosen);
            for (auto row = compared.rows.rbegin(); row != compared.rows.rend() && runs.size() < defaultRuns;
                 ++row) {
                if (!holds(runs, row->run))
                    runs.push_back(row->run);
            }
        }
        if (runs.empty())
            return compared;
        const bool hasBaseline = baseline && holds(runs, *baseline);
        auto comparison = loadComparison(database, runs, hasBaseline ? *baseline : runs.front(), bins);
        if (!comparison)
            return core::failure(comparison.error());
        compared.comparison = std::make_shared<const ComparisonData>(*std::move(comparison));
        return compared;
    };
}

void ComparisonView::dataChanged() {
    m_data = data() ? data()->comparison : nullptr;
    if (data())
        m_rows = data()->rows;
    if (source().path().empty()) {
        m_rows.clear();
        m_wanted.clear();
    }
    if (m_data) {
        m_wanted = m_data->comparison.runs;
        m_baseline = m_wanted.front();
    }
    m_canvas->setData(m_data);
    m_add->setEnabled(m_data != nullptr);
    compareTrace();
}

void ComparisonView::compareTrace() {
    const std::shared_ptr<const ReferenceTrace> reference = source().reference();
    m_traceQuery.cancel();
    if (!m_data || !reference)
        return m_tables[Trace]->setContent({});
    const core::RunId run = m_data->comparison.runs.front();
    m_traceQuery.request<std::vector<core::ComparedEvents>>(
        source().path(),
        [run, reference](
            const core::ProfileDatabase& database) -> core::Result<std::vector<core::ComparedEvents>> {
            const auto content = core::loadTrace(database, run);
            if (!content)
                return core::failure(content.error());
            return core::compareEvents(core::eventsOf(*content), reference->trace, core::EventGrouping::Name);
        },
        [this, run, reference](const core::Result<std::vector<core::ComparedEvents>>& events) {
            if (!events)
                return intents().notify(ChipTone::Error, toQString(events.error().front().message));
            m_tables[Trace]->setContent(
                traceTable(*events, tr("A: run #%1").arg(run.value()), tr("T: %1").arg(reference->name)));
        });
}

/// On the axis of the baseline.
void ComparisonView::placeReference() {
    if (!m_data)
        return;
    const std::size_t baseline = m_data->comparison.baseline;
    const MiniTimeline& timeline = m_data->timelines[baseline];
    m_reference->setAxis(m_canvas->axis(), {timeline.clockHz, timeline.step}, m_state.units);
}

void ComparisonView::setUnits(const Units& units) {
    m_state.units = units;
}

void ComparisonView::clearData() {
    m_chips->setChips({});
}

void ComparisonView::restyle() {
    showDifferences();
    replot();
}

void ComparisonView::showData() {
    std::vector<RunChips::Chip> chips;
    for (std::size_t i = 0; i < m_data->count(); ++i) {
        const QString number = runNumber(*m_data, i);
        const QString name = runName(*m_data, i);
        chips.push_back({m_data->comparison.runs[i],
                         name == number ? number : number.mid(4) + QLatin1Char(' ') + name,
                         i == m_data->comparison.baseline});
    }
    m_chips->setChips(std::move(chips));
    align();
    showDifferences();
    replot();
}

void ComparisonView::explain(const QString& label) {
    const core::RunComparison& compared = m_data->comparison;
    const auto metric = std::ranges::find_if(
        compared.metrics, [&](const core::ComparedMetric& one) { return toQString(one.label) == label; });
    if (metric == compared.metrics.end())
        return;
    // Of the chosen run, else of the baseline.
    const auto chosen = std::ranges::find(compared.runs, selection().state().run.value_or(core::RunId()));
    const std::size_t run = chosen == compared.runs.end()
                                ? compared.baseline
                                : static_cast<std::size_t>(chosen - compared.runs.begin());
    const std::string name = explainedName(*metric, compared.summaries[run]);
    if (name.empty())
        return intents().notify(
            ChipTone::Info, tr("%1 is a sum: its parts explain themselves on the page Figures").arg(label));
    selection().selectRun(compared.runs[run]);
    intents().explainFigure(name);
}

void ComparisonView::showTables() {
    if (!m_data)
        return;
    const Units& units = m_state.units;
    const bool isLargestFirst = m_largestFirst->isChecked();
    const bool isOnlyDifferent = m_onlyDifferent->isChecked() && m_data->count() > 1;
    const auto show = [&](Table table, TableContent content) {
        if (isLargestFirst)
            putLargestDifferenceFirst(content);
        m_tables[table]->setContent(std::move(content));
    };
    show(Metrics, metricTable(*m_data, units));
    m_tables[Step]->setContent(m_rangeParts ? rangeTable(*m_data, *m_rangeParts, units, isLargestFirst)
                                            : waterfallTable(*m_data, units, isLargestFirst));
    show(Slots, pieceTable(*m_data, units, m_canvas->scene().piecesInRange()));
    show(Stages, stageTable(*m_data, units));
    m_tables[Layers]->setEmptyText(
        isOnlyDifferent && !m_data->comparison.layers.empty()
            ? tr("All %1 layers have the same stage and take the same time in these runs.")
                  .arg(m_data->comparison.layers.size())
            : tr("No layer was recorded."));
    show(Layers, comparedLayerTable(*m_data, units, isOnlyDifferent));
    show(Memory, memoryTable(*m_data, units));
}

void ComparisonView::showDifferences() {
    const TableContent table = differenceTable(*m_data);
    m_differenceCount->setText(m_data->count() < 2 ? tr("one run")
                               : table.rows.empty()
                                   ? tr("none")
                                   : countedText(std::int64_t(table.rows.size()), tr("row"), tr("rows")));
    // As high as its rows, so that what it means is right below.
    const Theme& theme = themeOf(this);
    m_differences->setMaximumHeight(theme.ipx(24) * (int(table.rows.size()) + 1) + theme.ipx(14));
    m_differences->setVisible(!table.rows.empty());
    m_differences->setContent(table);
    QStringList lines;
    if (m_data->count() < 2) {
        lines.append(tr("Run the project again with other options, or add a run with +, to compare."));
    } else {
        for (const QString& sentence : sameness(*m_data))
            lines.append(QStringLiteral("✓  ") + sentence);
        for (const QString& sentence : reading(*m_data, m_state.units))
            lines.append(QStringLiteral("\n") + sentence);
    }
    m_reading->setText(lines.join(QLatin1Char('\n')));
}

ParetoScene ComparisonView::shownPareto() const {
    return paretoScene(m_data->runs, m_data->comparison.runs, m_state.units);
}

void ComparisonView::replot() {
    m_runCount->setText(countedText(std::int64_t(m_data->runs.size()), tr("run"), tr("runs")));
    m_zoom->fill(shownPareto(), themeOf(this));
}

void ComparisonView::fillAddMenu() {
    m_addMenu->clear();
    m_addMenu->addAction(tr("Trace of another program…"), this, [this] { intents().openReference(); });
    m_addMenu->addSeparator();
    constexpr int most = 40;
    for (auto row = m_rows.rbegin(); row != m_rows.rend() && m_addMenu->actions().size() < most; ++row) {
        if (holds(m_wanted, row->run))
            continue;
        const core::RunId run = row->run;
        m_addMenu->addAction(titleInMenu(*row, m_state.units), this, [this, run] { addRun(run); });
    }
}

void ComparisonView::showRunMenu(core::RunId run, const QPoint& at) {
    QMenu menu(this);
    menu.addAction(tr("Open run #%1").arg(run.value()), this, [this, run] { selection().selectRun(run); });
    QAction* baseline =
        menu.addAction(tr("Make it the baseline"), this, [this, run] { compare(m_wanted, run); });
    QAction* remove = menu.addAction(tr("Take it out"), this, [this, run] { removeRun(run); });
    baseline->setEnabled(m_baseline != run);
    remove->setEnabled(m_wanted.size() > 1 && m_baseline != run);
    menu.exec(at);
}

void ComparisonView::clickPareto(QMouseEvent* event) {
    if (!m_data || event->button() != Qt::LeftButton)
        return;
    const auto point = paretoPointAt(*m_pareto, shownPareto(), event->position().x(), event->position().y());
    if (!point)
        return;
    const core::RunId run(*point);
    if (event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier))
        return addRun(run);
    selection().selectRun(run);
}

} // namespace views
