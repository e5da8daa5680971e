#include "views/liveness/liveness_view.h"

#include "core/profile/queries/run_queries.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/segmented_control.h"
#include "views/document/view_intents.h"
#include "views/liveness/liveness_chart.h"
#include "views/liveness/liveness_painter.h"
#include "views/liveness/liveness_picture.h"
#include "views/liveness/remedy_list.h"
#include "views/profile/ipu_chooser.h"
#include "views/profile/legend_bar.h"
#include "views/profile/tables/table_tabs.h"
#include "views/profile/time/time_filter.h"
#include "views/profile/view_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QToolButton>
#include <algorithm>

namespace views {

namespace {

enum Tab { BlocksTab, LayersTab, CategoriesTab, ReasonTab, IpusTab };
constexpr std::array<const char*, 5> tabNames{"At A", "By layer", "By category", "Why this peak", "IPUs"};
constexpr std::array<const char*, 5> fileNames{"live-tensors", "live-layers", "live-categories", "peak",
                                               "ipus"};

std::vector<core::IpuId> ipusOf(const LivenessData& data) {
    std::vector<core::IpuId> ipus;
    for (const core::IpuMemorySummary& memory : data.memory)
        ipus.push_back(memory.ipu);
    return ipus;
}

QToolButton* toggle(const QString& text, const QString& toolTip, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setText(text);
    button->setToolTip(toolTip);
    button->setCheckable(true);
    button->setProperty("small", true);
    return button;
}

} // namespace

LivenessView::LivenessView(Document& document, Selection& selection, ProfileSource& source,
                           ViewIntents& intents, QWidget* parent)
    : ProfileViewOf(document, selection, source, intents, parent) {
    setPromise(
        QStringLiteral("memory"),
        tr("The curve of live memory, the lifetime of every tensor and the tiles appear after a run."));
    QSplitter* content = makeSplitter(Qt::Vertical, this);
    m_chart = new LivenessChart(content);
    content->addWidget(m_chart);
    content->addWidget(buildTables());
    content->setStretchFactor(0, 1);
    content->setSizes({520, 240});
    setContent(content);
    buildBar();
    m_chart->setUnits(document.units());
    connect(m_chart, &LivenessChart::columnsChanged, this, &LivenessView::showTables);
    connect(m_chart, &LivenessChart::columnsChanged, this, &LivenessView::tellStep);
    connect(m_chart, &LivenessChart::pointed, this,
            [this](const std::optional<TimeCursor>& place) { this->selection().setCursor(place); });
    connect(&selection, &Selection::cursorMoved, this, &LivenessView::followCursor);
    connect(m_chart, &LivenessChart::selected, this, &LivenessView::showSelected);
    // The place may have been asked for before this view was made.
    if (selection.cursor() && selection.cursor()->isHeld)
        m_held = selection.cursor();
    reload();
}

void LivenessView::foldTables() {
    addFold(m_tabs, tr("Tables"), tr("What is live at the frozen steps, by block, layer and category"));
}

void LivenessView::buildBar() {
    addRunChooser();
    ViewBar* bar = &this->bar();
    m_ipuChooser = new IpuChooser(bar);
    bar->add(m_ipuChooser);
    bar->addLabel(tr("Axis"));
    m_axis = new SegmentedControl(tr("Horizontal axis"), bar);
    m_axis->addSegment(tr("Program order"), tr("Every step as wide as any other"));
    m_axis->addSegment(tr("Time"), tr("Steps as long as they take in a full slot"));
    bar->add(m_axis);
    m_alwaysLive = toggle(tr("Always live"), tr("Show what is live during the whole program"), bar);
    m_alwaysLive->setChecked(true);
    m_gaps = toggle(tr("Gaps"), tr("Hatch the memory between the blocks"), bar);
    bar->add(m_alwaysLive);
    bar->add(m_gaps);
    addTimeChip();
    m_legend = new LegendBar(tr("Memory categories"), m_chart);
    m_chart->setLegend(m_legend);
    bar->addStretch();
    m_headroom = new QLabel(bar);
    m_headroom->setTextFormat(Qt::RichText);
    bar->add(m_headroom);
    addPictureExport(tr("Save the picture"), [this]() -> std::optional<Picture> {
        if (!data())
            return std::nullopt;
        return pictureOf(m_chart->scene(), m_chart->size(), themeOf(this));
    });
    connect(m_ipuChooser, &IpuChooser::chosen, this, [this](core::IpuId ipu) { selection().selectIpu(ipu); });
    connect(m_axis, &SegmentedControl::chosen, this,
            [this](int index) { m_chart->setAxis(static_cast<LivenessAxis>(index)); });
    connect(m_alwaysLive, &QToolButton::toggled, m_chart, &LivenessChart::setAlwaysLive);
    connect(m_gaps, &QToolButton::toggled, m_chart, &LivenessChart::setGaps);
    connect(m_legend, &LegendBar::isolatedChanged, this, [this](const std::set<int>& ids) {
        std::set<core::MemoryCategory> categories;
        for (const int id : ids)
            categories.insert(static_cast<core::MemoryCategory>(id));
        m_chart->setIsolated(categories);
    });
}

QWidget* LivenessView::buildTables() {
    m_tabs = new TableTabs(this);
    for (std::size_t i = 0; i < m_tables.size(); ++i) {
        const QString fileName = QString::fromLatin1(fileNames[i]);
        if (i == ReasonTab)
            m_tabs->addTablePage(buildReason(), m_tables[i], tr(tabNames[i]), fileName);
        else
            m_tables[i] = m_tabs->addTable(tr(tabNames[i]), fileName);
    }
    connect(m_tabs, &TableTabs::tableRequested, this,
            [this](const QString& name, const QString& csv) { intents().saveTable(name, csv); });
    connect(m_tables[BlocksTab], &TablePanel::rowChosen, this, &LivenessView::chooseRow);
    connect(m_tables[LayersTab], &TablePanel::rowChosen, this, [this](int index) {
        const TableCell& cell = m_tables[LayersTab]->content().rows[static_cast<std::size_t>(index)].front();
        if (cell.isLink)
            selection().selectLayer(cell.text.toStdString());
    });
    connect(m_tables[IpusTab], &TablePanel::rowChosen, this, [this](int index) {
        selection().selectIpu(data()->memory[static_cast<std::size_t>(index)].ipu);
    });
    return m_tabs;
}

/// Why the peak is what it is, and what would lower it.
QWidget* LivenessView::buildReason() {
    auto* page = new QWidget(m_tabs);
    auto* row = new QHBoxLayout(page);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    m_tables[ReasonTab] = new TablePanel(tr(tabNames[ReasonTab]), page);
    row->addWidget(m_tables[ReasonTab], 1);
    auto* scroll = new QScrollArea(page);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFixedWidth(themeOf(this).ipx(300));
    auto* remedies = new RemedyList(scroll);
    scroll->setWidget(remedies);
    row->addWidget(scroll);
    remedies->setRemedies(source().remedies());
    connect(&source(), &ProfileSource::remediesChanged, remedies,
            [this, remedies] { remedies->setRemedies(source().remedies()); });
    connect(remedies, &RemedyList::tried, this, [this] { intents().run(); });
    connect(m_tables[ReasonTab], &TablePanel::rowActivated, this, [this](int index) {
        const auto stage = peakReasonStage(m_tables[ReasonTab]->content(), static_cast<std::size_t>(index));
        if (stage)
            intents().explainFigure("stages." + std::to_string(stage->value()) + ".stash_bytes");
    });
    return page;
}

void LivenessView::followSelection(const SelectionState& before) {
    const SelectionState& now = selection().state();
    if (now.run != before.run || (now.ipu != before.ipu && now.ipu))
        reload();
    if (now.time != before.time)
        filterByTime();
    if (now.memoryStep != before.memoryStep)
        showWantedStep();
    if (now.tensor && now.tensor != before.tensor) {
        m_wantedTensor = now.tensor;
        showWantedTensor();
    }
    if (now.invocations != before.invocations) {
        std::set<std::string> layers;
        for (const InvocationKey& key : now.invocations)
            layers.insert(key.path);
        m_chart->setLayers(std::move(layers));
    }
}

LivenessView::Query LivenessView::query() const {
    const std::optional<core::RunId> run = chosenRun();
    if (!run)
        return {};
    return [run, ipu = selection().state().ipu](
               const core::ProfileDatabase& database) -> core::Result<LivenessData> {
        const core::Result<core::IpuId> fullest = fullestIpu(database, *run);
        if (!fullest)
            return core::failure(fullest.error());
        auto memory = loadLiveness(database, *run, ipu.value_or(*fullest));
        // An IPU chosen in a run with more of them.
        if (memory && memory->summary() == nullptr)
            memory = loadLiveness(database, *run, *fullest);
        return memory;
    };
}

void LivenessView::dataChanged() {
    {
        // Nobody froze the peak that the chart begins with.
        const QSignalBlocker quiet(m_chart);
        m_chart->setData(data());
        showWantedStep();
    }
    filterByTime();
    showHeldPlace();
    // The view may be younger than the wish.
    if (!m_wantedTensor)
        m_wantedTensor = selection().state().tensor;
    showWantedTensor();
}

/// At the step at which the block begins, if it is on the IPU that is shown.
void LivenessView::showWantedTensor() {
    if (!m_wantedTensor || !data() || (selection().state().ipu && data()->ipu != *selection().state().ipu))
        return;
    const std::string name = *m_wantedTensor;
    m_wantedTensor.reset();
    const auto& ranges = data()->ranges;
    const auto range = std::ranges::find(
        ranges, name, [](const auto& live) -> const std::string& { return live.name.str(); });
    if (range == ranges.end())
        return;
    if (!range->alwaysLive)
        m_chart->setColumns({range->firstStep});
    m_chart->select(static_cast<std::size_t>(range - ranges.begin()));
}

/// The step that was frozen elsewhere; without one the peak, unless more columns than one are compared.
void LivenessView::showWantedStep() {
    if (!data() || m_chart->state().columns.empty())
        return;
    const auto& wanted = selection().state().memoryStep;
    if (wanted && wanted->ipu != data()->ipu)
        return;
    const std::int64_t step = wanted ? wanted->step : data()->peakStep();
    if (m_chart->state().columns.front() != step && step >= 0 && step < data()->steps())
        m_chart->setColumns({step});
}

/// The first column is the step that other views show.
void LivenessView::tellStep() {
    if (!data() || m_chart->state().columns.empty())
        return;
    const std::int64_t step = m_chart->state().columns.front();
    const bool isPeak = step == data()->peakStep();
    const auto& told = selection().state().memoryStep;
    // The peak is where views are without being told; the peak of one tile may be at another step.
    if (isPeak && !(told && told->ipu == data()->ipu))
        return;
    selection().selectMemoryStep(isPeak ? std::nullopt : std::optional(MemoryStepKey{data()->ipu, step}));
}

void LivenessView::followCursor(const std::optional<TimeCursor>& place) {
    m_chart->setCursorPlace(place);
    if (place && place->isHeld) {
        m_held = place;
        showHeldPlace();
    }
}

/// Memory at the time that was asked for, as soon as it is that of its IPU.
void LivenessView::showHeldPlace() {
    if (!m_held || !data() || (m_held->ipu.isValid() && data()->ipu != m_held->ipu))
        return;
    const auto step = m_held->isInProgram() ? m_chart->scene().stepAt(*m_held) : std::nullopt;
    m_held.reset();
    if (step)
        m_chart->setColumns({*step});
}

void LivenessView::setUnits(const Units& units) {
    m_chart->setUnits(units);
}

/// A block that is chosen in the chart is chosen in the table too, and its layer everywhere.
void LivenessView::showSelected(std::optional<std::size_t> range) {
    if (!data() || !range)
        return;
    const std::vector<int> rows = columnTableRanges(*data(), m_chart->state().columns);
    const auto row = std::find(rows.begin(), rows.end(), static_cast<int>(*range));
    m_tables[BlocksTab]->setCurrentRow(row == rows.end() ? -1 : static_cast<int>(row - rows.begin()));
    if (!data()->ranges[*range].layer.empty())
        selection().selectLayer(data()->ranges[*range].layer);
}

/// Steps that do not run in the time that is selected in the timeline are veiled.
void LivenessView::filterByTime() {
    const std::optional<TimeRange> time = selection().state().time;
    if (!data() || !time) {
        m_timeQuery.cancel();
        showTimeChip(std::nullopt, {});
        return m_chart->setPrograms(std::nullopt);
    }
    struct Filter {
        std::set<StageProgram> programs;
        core::Cycles step;
    };
    m_timeQuery.request<Filter>(
        source().path(),
        [run = data()->run, time](const core::ProfileDatabase& database) -> core::Result<Filter> {
            const auto summary = core::loadRun(database, run);
            if (!summary)
                return core::failure(summary.error());
            auto programs = programsWithin(database, run, summary->step, *time);
            if (!programs)
                return core::failure(programs.error());
            return Filter{*std::move(programs), summary->step};
        },
        [this, time](core::Result<Filter> answer) {
            if (!data() || selection().state().time != time || !answer)
                return;
            showTimeChip(time, {data()->clockHz, answer->step});
            m_chart->setPrograms(std::move(answer->programs));
        });
}

void LivenessView::clearData() {
    m_headroom->clear();
}

void LivenessView::showData() {
    m_ipuChooser->setIpus(ipusOf(*data()), data()->ipu);
    m_axis->setEnabled(!data()->stepTimes.empty());
    m_legend->setEntries([data = data()](const Theme& theme) { return livenessLegend(*data, theme); });
    showHeadroom();
    showTables();
}

void LivenessView::showHeadroom() {
    const core::IpuMemorySummary* summary = data()->summary();
    if (summary == nullptr)
        return;
    const core::Bytes headroom = summary->limit - summary->peak;
    const Role role = headroom.value() < 0                           ? Role::Error
                      : ratio(summary->peak, summary->limit) >= 0.85 ? Role::Warning
                                                                     : Role::Success;
    m_headroom->setText(tr("Headroom <b style='color:%1'>%2</b> %3")
                            .arg(themeOf(this).color(role).name(),
                                 bytesText(headroom, document().units().bytes).joined(),
                                 percentText(ratio(headroom, summary->limit), 1)));
}

/// Hatching the gaps shows where they are; how much they are is said without.
void LivenessView::showGaps() {
    const QString said = fragmentationText(m_chart->scene());
    m_gaps->setToolTip(tr("Hatch the memory between the blocks") + (said.isEmpty() ? said : u'\n' + said));
    m_gaps->setAccessibleDescription(said);
}

void LivenessView::showTables() {
    if (!data())
        return;
    showGaps();
    const std::vector<std::int64_t>& columns = m_chart->state().columns;
    const Units units = document().units();
    m_tables[BlocksTab]->setContent(columnTable(*data(), columns, units));
    m_tables[LayersTab]->setContent(liveLayerTable(*data(), columns, units));
    m_tables[CategoriesTab]->setContent(liveCategoryTable(*data(), columns, units));
    m_tables[ReasonTab]->setContent(peakReasonTable(*data(), units));
    m_tables[IpusTab]->setContent(ipuMemoryTable(*data(), units));
    const bool isPeak = columns.size() == 1 && columns.front() == data()->peakStep();
    m_tabs->setTabText(BlocksTab, isPeak                ? tr("At the peak")
                                  : columns.size() == 1 ? tr("At A")
                                                        : tr("Columns"));
}

void LivenessView::chooseRow(int row) {
    const std::vector<int> rows = columnTableRanges(*data(), m_chart->state().columns);
    if (row < 0 || row >= static_cast<int>(rows.size()) || rows[static_cast<std::size_t>(row)] < 0)
        return m_chart->select(std::nullopt);
    m_chart->select(static_cast<std::size_t>(rows[static_cast<std::size_t>(row)]));
}

} // namespace views
