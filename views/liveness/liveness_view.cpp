#include "views/liveness/liveness_view.h"

#include "core/profile/queries/run_queries.h"
#include "views/common/theme/active_theme.h"
#include "views/common/widgets/empty_view.h"
#include "views/common/widgets/segmented_control.h"
#include "views/document/view_intents.h"
#include "views/liveness/liveness_chart.h"
#include "views/liveness/liveness_picture.h"
#include "views/profile/empty_reason.h"
#include "views/profile/ipu_chooser.h"
#include "views/profile/legend_bar.h"
#include "views/profile/run_chooser.h"
#include "views/profile/tables/table_tabs.h"
#include "views/profile/time/time_filter.h"
#include "views/profile/view_bar.h"

#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
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

/// Categories that the IPU has at all.
std::set<core::MemoryCategory> categoriesOf(const LivenessData& data) {
    std::set<core::MemoryCategory> categories;
    for (const core::LiveRangeRecord& range : data.ranges)
        categories.insert(range.category);
    return categories;
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
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection)
    , m_source(source)
    , m_intents(intents) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_stack = new QStackedWidget(this);
    m_empty = new EmptyView(m_stack);
    m_content = new QSplitter(Qt::Vertical, m_stack);
    m_content->setHandleWidth(1);
    m_content->setChildrenCollapsible(false);
    m_chart = new LivenessChart(m_content);
    m_content->addWidget(m_chart);
    m_content->addWidget(buildTables());
    m_content->setStretchFactor(0, 1);
    m_content->setSizes({520, 240});
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_content);
    layout->addWidget(buildBar());
    layout->addWidget(m_stack, 1);
    m_chart->setUnits(document.units());
    connect(m_empty, &EmptyView::actionRequested, this, [this] { m_intents.run(); });
    connect(m_chart, &LivenessChart::columnsChanged, this, &LivenessView::showTables);
    connect(m_chart, &LivenessChart::selected, this, [this](std::optional<std::size_t> range) {
        if (!m_data || !range)
            return;
        const std::vector<int> rows = columnTableRanges(*m_data, m_chart->state().columns);
        const auto row = std::find(rows.begin(), rows.end(), static_cast<int>(*range));
        m_tables[BlocksTab]->setCurrentRow(row == rows.end() ? -1 : static_cast<int>(row - rows.begin()));
        if (!m_data->ranges[*range].layer.empty())
            m_selection.selectLayer(m_data->ranges[*range].layer);
    });
    connect(&document, &Document::unitsChanged, this, [this] {
        m_chart->setUnits(m_document.units());
        showData();
    });
    connect(&selection, &Selection::changed, this, &LivenessView::followSelection);
    connect(&source, &ProfileSource::changed, this, &LivenessView::reload);
    connect(m_runChooser, &RunChooser::listed, this, &LivenessView::showData);
    reload();
}

ViewBar* LivenessView::buildBar() {
    auto* bar = new ViewBar(this);
    m_runChooser = new RunChooser(m_source, m_selection, bar);
    bar->add(m_runChooser);
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
    m_chips = new FilterChips(bar);
    bar->add(m_chips);
    connect(m_chips, &FilterChips::removed, this, [this] { m_selection.selectTime(std::nullopt); });
    m_legend = new LegendBar(tr("Memory categories"), m_chart);
    m_chart->setLegend(m_legend);
    bar->addStretch();
    m_headroom = new QLabel(bar);
    m_headroom->setTextFormat(Qt::RichText);
    bar->add(m_headroom);
    connect(bar->addButton(QStringLiteral("export"), tr("Save the picture")), &QToolButton::clicked, this,
            [this] {
                if (m_data)
                    m_intents.savePicture(pictureOf(m_chart->scene(), m_chart->size(), activeTheme()));
            });
    connect(m_ipuChooser, &IpuChooser::chosen, this, [this](core::IpuId ipu) { m_selection.selectIpu(ipu); });
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
    return bar;
}

QWidget* LivenessView::buildTables() {
    m_tabs = new TableTabs(m_content);
    for (std::size_t i = 0; i < m_tables.size(); ++i)
        m_tables[i] = m_tabs->addTable(tr(tabNames[i]), QString::fromLatin1(fileNames[i]));
    connect(m_tabs, &TableTabs::tableRequested, this,
            [this](const QString& name, const QString& csv) { m_intents.saveTable(name, csv); });
    connect(m_tables[BlocksTab], &TablePanel::rowChosen, this, &LivenessView::chooseRow);
    connect(m_tables[LayersTab], &TablePanel::rowChosen, this, [this](int index) {
        const TableCell& cell = m_tables[LayersTab]->content().rows[static_cast<std::size_t>(index)].front();
        if (cell.isLink)
            m_selection.selectLayer(cell.text.toStdString());
    });
    connect(m_tables[IpusTab], &TablePanel::rowChosen, this, [this](int index) {
        m_selection.selectIpu(m_data->memory[static_cast<std::size_t>(index)].ipu);
    });
    return m_tabs;
}

void LivenessView::followSelection(const SelectionState& before) {
    const SelectionState& now = m_selection.state();
    if (now.run != before.run || (now.ipu != before.ipu && now.ipu))
        reload();
    if (now.time != before.time)
        filterByTime();
    if (now.invocations != before.invocations) {
        std::set<std::string> layers;
        for (const InvocationKey& key : now.invocations)
            layers.insert(key.path);
        m_chart->setLayers(std::move(layers));
    }
}

void LivenessView::reload() {
    const std::optional<core::RunId> run = m_selection.state().run;
    if (!run || m_source.path().empty()) {
        m_query.cancel();
        m_data.reset();
        m_trouble.clear();
        return showData();
    }
    const std::optional<core::IpuId> ipu = m_selection.state().ipu;
    m_query.request<LivenessData>(
        m_source.path(),
        [run, ipu](const core::ProfileDatabase& database) -> core::Result<LivenessData> {
            const core::Result<core::IpuId> fullest = fullestIpu(database, *run);
            if (!fullest)
                return core::failure(fullest.error());
            auto memory = loadLiveness(database, *run, ipu.value_or(*fullest));
            // An IPU chosen in a run with more of them.
            if (memory && memory->summary() == nullptr)
                memory = loadLiveness(database, *run, *fullest);
            return memory;
        },
        [this](core::Result<LivenessData> answer) {
            m_data.reset();
            m_trouble.clear();
            if (answer)
                m_data = std::make_shared<const LivenessData>(*std::move(answer));
            else
                m_trouble = answer.error();
            m_chart->setData(m_data);
            showData();
            filterByTime();
        });
}

/// Steps that do not run in the time that is selected in the timeline are veiled.
void LivenessView::filterByTime() {
    const std::optional<TimeRange> time = m_selection.state().time;
    if (!m_data || !time) {
        m_timeQuery.cancel();
        m_chips->setChips({});
        return m_chart->setPrograms(std::nullopt);
    }
    struct Filter {
        std::set<StageProgram> programs;
        core::Cycles step;
    };
    m_timeQuery.request<Filter>(
        m_source.path(),
        [run = m_data->run, time](const core::ProfileDatabase& database) -> core::Result<Filter> {
            const auto summary = core::loadRun(database, run);
            if (!summary)
                return core::failure(summary.error());
            auto programs = programsWithin(database, run, summary->step, *time);
            if (!programs)
                return core::failure(programs.error());
            return Filter{*std::move(programs), summary->step};
        },
        [this, time](core::Result<Filter> answer) {
            if (!m_data || m_selection.state().time != time || !answer)
                return;
            m_chips->setChips({{0, timeChipText(*time, m_document.units(), {m_data->clockHz, answer->step}),
                                QStringLiteral("time")}});
            m_chart->setPrograms(std::move(answer->programs));
        });
}

void LivenessView::showData() {
    if (!m_data) {
        m_stack->setCurrentWidget(m_empty);
        m_headroom->clear();
        return explainEmpty(
            *m_empty, QStringLiteral("memory"),
            tr("The curve of live memory, the lifetime of every tensor and the tiles appear after a "
               "run."),
            m_source, m_selection.state().run.has_value(), m_trouble);
    }
    m_stack->setCurrentWidget(m_content);
    m_ipuChooser->setIpus(ipusOf(*m_data), m_data->ipu);
    m_axis->setEnabled(!m_data->stepTimes.empty());
    const std::set<core::MemoryCategory> shown = categoriesOf(*m_data);
    m_legend->setEntries([shown](const Theme& theme) { return categoryLegend(theme, shown); });
    if (const core::IpuMemorySummary* summary = m_data->summary()) {
        const core::Bytes room = summary->limit - summary->peak;
        const Role role = room.value() < 0                               ? Role::Error
                          : ratio(summary->peak, summary->limit) >= 0.85 ? Role::Warning
                                                                         : Role::Success;
        m_headroom->setText(tr("Headroom <b style='color:%1'>%2</b> %3")
                                .arg(activeTheme().color(role).name(),
                                     bytesText(room, m_document.units().bytes).joined(),
                                     percentText(ratio(room, summary->limit), 1)));
    }
    showTables();
}

void LivenessView::showTables() {
    if (!m_data)
        return;
    const std::vector<std::int64_t>& columns = m_chart->state().columns;
    const Units units = m_document.units();
    m_tables[BlocksTab]->setContent(columnTable(*m_data, columns, units));
    m_tables[LayersTab]->setContent(liveLayerTable(*m_data, columns, units));
    m_tables[CategoriesTab]->setContent(liveCategoryTable(*m_data, columns, units));
    m_tables[ReasonTab]->setContent(peakReasonTable(*m_data, units));
    m_tables[IpusTab]->setContent(ipuMemoryTable(*m_data, units));
    const bool isPeak = columns.size() == 1 && columns.front() == m_data->peakStep();
    m_tabs->setTabText(BlocksTab, isPeak                ? tr("At the peak")
                                  : columns.size() == 1 ? tr("At A")
                                                        : tr("Columns"));
}

void LivenessView::chooseRow(int row) {
    const std::vector<int> rows = columnTableRanges(*m_data, m_chart->state().columns);
    if (row < 0 || row >= static_cast<int>(rows.size()) || rows[static_cast<std::size_t>(row)] < 0)
        return m_chart->select(std::nullopt);
    m_chart->select(static_cast<std::size_t>(rows[static_cast<std::size_t>(row)]));
}

} // namespace views
