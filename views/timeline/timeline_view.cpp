#include "views/timeline/timeline_view.h"

#include "core/profile/notes/store/note_store.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"
#include "views/common/widgets/segmented_control.h"
#include "views/document/view_intents.h"
#include "views/profile/legend_bar.h"
#include "views/profile/reference_lanes.h"
#include "views/profile/view_bar.h"
#include "views/timeline/painting/counter_texts.h"
#include "views/timeline/painting/timeline_painter.h"
#include "views/timeline/timeline_drawer.h"
#include "views/timeline/timeline_loader.h"

#include <QActionGroup>
#include <QLineEdit>
#include <QMenu>
#include <QShortcut>
#include <QSplitter>
#include <QToolButton>
#include <utility>

namespace views {

namespace {

enum ChipId { MicroBatchChip, AreaChip, LayerChip, LaneChip };

constexpr std::array<SpanColour, 4> colourChoices{SpanColour::Phase, SpanColour::Stage, SpanColour::Layer,
                                                  SpanColour::MicroBatch};
constexpr std::array<FlowMode, 3> flowChoices{FlowMode::Selected, FlowMode::All, FlowMode::Off};

} // namespace

TimelineView::TimelineView(Document& document, Selection& selection, ProfileSource& source,
                           ViewIntents& intents, FasterPartsSource faster, QWidget* parent)
    : ProfileView(document, selection, source, intents, parent)
    , m_loader(new TimelineLoader(source, this)) {
    m_loader->setFasterPartsSource(std::move(faster));
    setPromise(QStringLiteral("time"),
               tr("A timeline shows what every IPU does, and why it waits. It appears after a run."));
    buildBar();
    QSplitter* content = makeSplitter(Qt::Vertical, this);
    m_canvas = new TimelineCanvas(*m_loader, content);
    content->addWidget(m_canvas);
    m_reference = new ReferenceLanes(source, content);
    content->addWidget(m_reference);
    m_drawer = new TimelineDrawer(document, *m_loader, *m_canvas, content);
    content->addWidget(m_drawer);
    content->setStretchFactor(0, 1);
    content->setSizes({560, 96, 216});
    setContent(content);
    // Whoever shows this page gives it the focus: keys are for the lanes.
    setFocusProxy(m_canvas);
    connectCanvas();
    m_canvas->setUnits(document.units());
    connect(m_loader, &TimelineLoader::frameChanged, this, [this] {
        setReading(false);
        showLosses(m_loader->losses());
        m_drawer->forgetRun();
        if (m_wantedHit && m_loader->frame() && m_loader->frame()->run != m_wantedHit->run)
            m_wantedHit.reset();
        // What was selected before the programs were known is lit now.
        if (m_loader->programs())
            highlightLayers(this->selection().state());
        loadNotes();
        filterLanes(m_laneFilter);
        showAll();
        // Hits are spans of one run: those of the run before are none of this one.
        m_drawer->search(m_search->text(), false);
    });
    connect(m_loader, &TimelineLoader::dataChanged, m_drawer, [this] {
        showLosses(m_loader->losses());
        m_drawer->showLanes();
        showWantedHit();
        m_drawer->updateDetails();
        m_drawer->updateCriticalPath();
    });
    m_loader->setRun(selection.state().run);
    showAll();
}

TimelineView::~TimelineView() = default;

void TimelineView::foldTables() {
    m_tablesButton =
        addFold(m_drawer, tr("Tables"), tr("Tables of the area, gaps, layers, critical path, and details"));
}

void TimelineView::find(const QString& text) {
    m_search->setText(text);
    m_search->setFocus(Qt::OtherFocusReason);
}

void TimelineView::buildBar() {
    addRunChooser();
    ViewBar* bar = &this->bar();
    bar->addLabel(tr("Colour"));
    m_colours = new SegmentedControl(tr("Colour by"), bar);
    for (const QString& name : {tr("Phase"), tr("Stage"), tr("Layer"), tr("Micro-batch")})
        m_colours->addSegment(name, tr("Colour spans by %1").arg(name.toLower()));
    bar->add(m_colours);
    bar->addLabel(tr("Flows"));
    m_flows = new SegmentedControl(tr("Flows"), bar);
    for (const QString& name : {tr("Selected"), tr("All"), tr("Off")})
        m_flows->addSegment(name, tr("Way of micro-batches through the stages"));
    bar->add(m_flows);
    addLaneMenu();
    m_critical =
        bar->addButton(QStringLiteral("flow"), tr("Critical path: what makes the step as long as it is (K)"));
    m_critical->setCheckable(true);
    m_critical->setText(tr("Critical path"));
    m_critical->setAccessibleName(tr("Critical path"));
    auto* reference =
        bar->addButton(QStringLiteral("import"),
                       tr("A trace of hardware or another program as a reference below the lanes"));
    reference->setAccessibleName(tr("Reference"));
    connect(reference, &QToolButton::clicked, this, [this] { intents().openReference(); });
    m_chips = new FilterChips(bar);
    bar->add(m_chips);
    bar->addStretch();
    m_legend = new LegendBar(tr("Phases"), bar);
    m_legend->setEntries(activityLegend);
    bar->add(m_legend, 100);
    m_search = new QLineEdit(bar);
    m_search->setPlaceholderText(tr("Find"));
    m_search->setAccessibleName(tr("Find"));
    m_search->setToolTip(
        tr("The name of a layer, operation or tensor, with \"backward\", \"stage 1\" or \"B3\" to "
           "narrow it; or B3, slot 9, drain (Ctrl+F)"));
    m_search->setClearButtonEnabled(true);
    m_search->setFixedWidth(themeOf(this).ipx(150));
    m_search->setProperty("small", true);
    bar->add(m_search);
    addPictureExport(tr("Save the picture"), [this] { return picture(); });

    connect(m_colours, &SegmentedControl::chosen, this,
            [this](int index) { m_canvas->setColour(colourChoices[static_cast<std::size_t>(index)]); });
    connect(m_flows, &SegmentedControl::chosen, this,
            [this](int index) { m_canvas->setFlowMode(flowChoices[static_cast<std::size_t>(index)]); });
    connect(m_critical, &QToolButton::toggled, this, [this](bool isOn) { m_canvas->setCriticalPath(isOn); });
    connect(m_legend, &LegendBar::isolatedChanged, this, [this](const std::set<int>& ids) {
        std::set<Activity> activities;
        for (const int id : ids)
            activities.insert(static_cast<Activity>(id));
        m_canvas->setIsolated(activities);
    });
    connect(m_chips, &FilterChips::removed, this, [this](int id) {
        if (id == MicroBatchChip)
            m_canvas->setMicroBatch(std::nullopt);
        else if (id == AreaChip)
            m_canvas->setArea(std::nullopt);
        else if (id == LaneChip)
            filterLanes({});
        else
            clearLayers();
        updateChips();
    });
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) { m_drawer->search(text); });
    connect(m_search, &QLineEdit::returnPressed, this, [this] { m_drawer->goToHit(1); });
    const auto shortcut = [this](const QKeySequence& keys, auto action) {
        auto* made = new QShortcut(keys, this);
        made->setContext(Qt::WidgetWithChildrenShortcut);
        connect(made, &QShortcut::activated, this, action);
    };
    shortcut(QKeySequence::Find, [this] { m_search->setFocus(Qt::ShortcutFocusReason); });
    shortcut(QKeySequence(Qt::CTRL | Qt::Key_P), [this] { showLanes(); });
}

/// What the lanes are grouped by, and which counters are below them.
void TimelineView::addLaneMenu() {
    m_laneButton = bar().addButton(QStringLiteral("lanes"), tr("Lanes and counters"));
    m_laneButton->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_laneButton);
    m_laneButton->setMenu(menu);
    auto* group = new QActionGroup(menu);
    const auto addGrouping = [&](const QString& title, LaneGrouping grouping) {
        QAction* action = menu->addAction(title);
        action->setCheckable(true);
        action->setChecked(grouping == LaneGrouping::Ipu);
        group->addAction(action);
        connect(action, &QAction::triggered, this, [this, grouping] { m_canvas->setLaneGrouping(grouping); });
    };
    addGrouping(tr("A row for each IPU"), LaneGrouping::Ipu);
    addGrouping(tr("A row for each stage"), LaneGrouping::Stage);
    menu->addSeparator();
    for (std::size_t i = 0; i < core::counterCount; ++i) {
        const auto counter = core::Counter(i);
        QAction* action = menu->addAction(counterName(counter));
        action->setCheckable(true);
        connect(action, &QAction::toggled, this, [this, counter](bool isShown) {
            std::set<core::Counter> rates = m_canvas->state().rates;
            if (isShown)
                rates.insert(counter);
            else
                rates.erase(counter);
            m_canvas->setRates(std::move(rates));
        });
    }
}

void TimelineView::connectCanvas() {
    connect(m_canvas, &TimelineCanvas::selected, this, [this](const std::optional<PlacedSpan>& span) {
        m_drawer->updateDetails();
        if (!span)
            return;
        SelectionState state = selection().state();
        if (span->span.stage.isValid())
            state.stage = span->span.stage;
        if (const auto ipu = m_canvas->scene().frame->ipuOfLane(span->span.lane))
            state.ipu = m_canvas->scene().frame->ipus[*ipu].ipu;
        selection().set(state);
    });
    connect(m_canvas, &TimelineCanvas::criticalPathChanged, this, [this](bool isShown) {
        m_critical->setChecked(isShown);
        if (isShown)
            m_drawer->showCriticalPath();
    });
    connect(m_canvas, &TimelineCanvas::areaChanged, this, [this] {
        m_drawer->updateArea();
        updateChips();
        const auto& area = m_canvas->state().area;
        selection().selectTime(area ? std::optional(TimeRange{area->from, area->to}) : std::nullopt);
    });
    connect(m_canvas, &TimelineCanvas::viewChanged, this, [this] {
        placeReference();
        m_drawer->followView();
    });
    connect(m_canvas, &TimelineCanvas::resized, this, &TimelineView::placeReference);
    connect(m_canvas, &TimelineCanvas::microBatchChanged, this, [this] {
        updateChips();
        selection().selectMicroBatch(m_canvas->state().microBatch);
    });
    connect(m_canvas, &TimelineCanvas::ipuChosen, this,
            [this](std::size_t ipu) { selection().selectIpu(m_canvas->scene().frame->ipus[ipu].ipu); });
    connect(m_canvas, &TimelineCanvas::drawerToggled, this, [this] {
        if (m_tablesButton != nullptr)
            m_tablesButton->toggle();
        else
            m_drawer->setVisible(m_drawer->isHidden());
    });
    connect(m_canvas, &TimelineCanvas::pointed, this,
            [this](const std::optional<TimeCursor>& place) { selection().setCursor(place); });
    connect(&selection(), &Selection::cursorMoved, m_canvas, &TimelineCanvas::setCursorPlace);
    connect(m_canvas, &TimelineCanvas::layerChosen, this, &TimelineView::chooseLayer);
    connect(m_canvas, &TimelineCanvas::layersLeft, this, &TimelineView::clearLayers);
    connect(m_canvas, &TimelineCanvas::notesEdited, this, [this] {
        if (m_notesOf)
            intents().storeNotes(*m_notesOf, m_canvas->notes());
    });
    connect(m_drawer, &TimelineDrawer::hitChosen, this, &TimelineView::chooseHit);
    connect(m_canvas, &TimelineCanvas::lanesRequested, this, &TimelineView::showLanes);
    connect(m_canvas, &TimelineCanvas::hitRequested, m_drawer, &TimelineDrawer::goToHit);
    connect(m_drawer, &TimelineDrawer::layerChosen, this, &TimelineView::chooseLayer);
    connect(m_drawer, &TimelineDrawer::workspaceRequested, this, [this](WorkspaceId workspace) {
        if (workspace == WorkspaceId::Memory)
            holdCursor();
        intents().showWorkspace(workspace);
    });
    connect(m_drawer, &TimelineDrawer::tableRequested, this,
            [this](const QString& name, const QString& csv) { intents().saveTable(name, csv); });
}

bool TimelineView::hasData() const {
    return m_loader->frame() != nullptr;
}

bool TimelineView::isReading() const {
    return m_loader->run().has_value();
}

const core::Diagnostics& TimelineView::trouble() const {
    return m_loader->trouble();
}

void TimelineView::setUnits(const Units& units) {
    m_canvas->setUnits(units);
    placeReference();
}

void TimelineView::showData() {
    m_drawer->showRun();
    updateChips();
}

void TimelineView::followSelection(const SelectionState& before) {
    const SelectionState& now = selection().state();
    if (now.span && now.span != before.span)
        showSpan(*now.span);
    if (now.run != before.run) {
        setReading(now.run && hasData());
        m_loader->setRun(now.run);
    }
    if (now.microBatch != before.microBatch)
        m_canvas->setMicroBatch(now.microBatch);
    // Taken away in another view.
    if (!now.time && before.time && m_canvas->state().area)
        m_canvas->setArea(std::nullopt);
    if (now.ipu != before.ipu && now.ipu && m_loader->frame()) {
        const auto& ipus = m_loader->frame()->ipus;
        for (std::size_t i = 0; i < ipus.size(); ++i) {
            if (ipus[i].ipu == *now.ipu)
                m_canvas->scrollToIpu(i);
        }
    }
    if ((now.invocations != before.invocations || now.operation != before.operation) && m_loader->programs())
        highlightLayers(now);
}

/// On the axis of the lanes above.
void TimelineView::placeReference() {
    const TimelineScene& scene = m_canvas->scene();
    if (scene.frame)
        m_reference->setAxis(scene.axis(), scene.frame->timeScale(), scene.state.units);
}

/// The place that memory is looked at for the selected span: its end, when all that it makes is there.
void TimelineView::holdCursor() {
    const TimelineScene& scene = m_canvas->scene();
    if (!scene.frame || !scene.state.selected)
        return;
    const core::SpanRecord& span = scene.state.selected->span;
    const auto ipu = scene.frame->ipuOfLane(span.lane);
    const auto phase = core::programPhaseOf(span.kind);
    TimeCursor place;
    place.time = span.start + span.duration;
    place.isHeld = true;
    if (ipu)
        place.ipu = scene.frame->ipus[*ipu].ipu;
    if (phase) {
        place.stage = span.stage;
        place.phase = *phase;
        place.inside = span.offset + span.duration;
    } else if (ipu) {
        // Nothing runs: the place in the program that holds as much as is left.
        if (const auto& between = scene.frame->ipus[*ipu].placeBetween(span.start)) {
            place.stage = between->stage;
            place.phase = between->phase;
            place.inside = between->from;
        }
    }
    selection().setCursor(place);
}

/// A span that was asked for elsewhere.
void TimelineView::showSpan(const SpanKey& key) {
    const auto frame = m_loader->frame();
    if (!frame)
        return;
    m_loader->ask<std::optional<core::SpanRecord>>(
        m_spanQuery,
        [run = frame->run, key](const core::ProfileDatabase& database) {
            return core::spanAt(database, run, key.lane, key.start);
        },
        [this](core::Result<std::optional<core::SpanRecord>> answer) {
            if (answer && *answer)
                m_canvas->select(PlacedSpan{**answer, m_canvas->scene().updatesInView().first}, true, false);
        });
}

/// Keys go to the lanes as soon as the timeline is seen.
void TimelineView::showEvent(QShowEvent* event) {
    ProfileView::showEvent(event);
    const QWidget* focused = window()->focusWidget();
    if (hasData() && (focused == nullptr || !isAncestorOf(focused)))
        m_canvas->setFocus(Qt::OtherFocusReason);
}

/// The stage programs that hold one of the selected layers stand out, and in them the selected operation.
void TimelineView::highlightLayers(const SelectionState& selected) {
    std::set<std::pair<core::StageId, core::SpanKind>> programs;
    std::set<std::string> names;
    for (const auto& [program, layers] : *m_loader->programs()) {
        for (const core::LayerShare& layer : layers.layers) {
            for (const InvocationKey& key : selected.invocations) {
                if (layer.layer == key.path || layer.layer.starts_with(key.path + "/")) {
                    programs.insert(program);
                    names.insert(layer.layer);
                }
            }
        }
    }
    if (selected.operation && !programs.empty())
        names.insert(*selected.operation);
    m_canvas->setHighlighted(std::move(programs), std::move(names));
    updateChips();
}

void TimelineView::updateChips() {
    std::vector<FilterChips::Chip> chips;
    const TimelineState& state = m_canvas->state();
    if (state.microBatch)
        chips.push_back(
            {MicroBatchChip, tr("micro-batch %1").arg(*state.microBatch), QStringLiteral("flow")});
    if (state.area && m_loader->frame())
        chips.push_back({AreaChip,
                         tr("area ") + timeText(state.area->to - state.area->from, state.units.time,
                                                m_loader->frame()->timeScale())
                                           .joined(),
                         {}});
    if (!state.highlighted.empty())
        chips.push_back({LayerChip, tr("selected layers"), QStringLiteral("layers")});
    if (!state.hidden.empty() && m_loader->frame()) {
        const std::size_t all = m_loader->frame()->ipus.size();
        chips.push_back({LaneChip,
                         tr("%1 of %2 lanes: %3%4")
                             .arg(all - state.hidden.size())
                             .arg(all)
                             .arg(m_laneFilter.isInverted ? tr("not ") : QString(), m_laneFilter.text),
                         QStringLiteral("filter")});
    }
    m_chips->setChips(std::move(chips));
}

void TimelineView::chooseLayer(const QString& layer) {
    selection().selectLayer(layer.toStdString());
}

/// What is selected is one for all views: no other goes on showing the layers that are let go here.
void TimelineView::clearLayers() {
    SelectionState state = selection().state();
    state.invocations.clear();
    state.current.reset();
    state.operation.reset();
    state.tensor.reset();
    selection().set(state);
    m_canvas->setHighlighted({}, {});
    updateChips();
}

QStringList TimelineView::laneNames() const {
    QStringList names;
    if (const auto frame = m_loader->frame())
        for (const TimelineIpu& ipu : frame->ipus) {
            QString name = QStringLiteral("IPU %1").arg(ipu.ipu.value());
            for (const core::StageId stage : ipu.stages)
                name += QStringLiteral(" · stage %1").arg(stage.value());
            names.append(name);
        }
    return names;
}

void TimelineView::showLanes() {
    if (!m_loader->frame())
        return;
    auto* finder = new LaneFinder(laneNames(), m_laneFilter, this);
    connect(finder, &LaneFinder::chosen, this, [this](int index) {
        // A lane that one goes to is seen.
        if (m_canvas->state().hidden.contains(static_cast<std::size_t>(index)))
            filterLanes({});
        m_canvas->scrollToIpu(static_cast<std::size_t>(index));
        m_canvas->setFocus();
    });
    connect(finder, &LaneFinder::filtered, this, &TimelineView::filterLanes);
    finder->openAt(m_canvas->mapToGlobal(QPoint(themeOf(this).ipx(12), themeOf(this).ipx(110))));
}

/// Lanes that the filter does not admit have no row; one that admits none of this run is not applied.
void TimelineView::filterLanes(const LaneFilter& filter) {
    m_laneFilter = filter;
    std::set<std::size_t> hidden;
    const QStringList names = laneNames();
    const auto shown = admittedLanes(filter, names);
    if (!filter.isEmpty() && shown && !shown->empty())
        for (int i = 0; i < names.size(); ++i)
            if (std::ranges::find(*shown, i) == shown->end())
                hidden.insert(static_cast<std::size_t>(i));
    m_canvas->setHidden(std::move(hidden));
    updateChips();
}

void TimelineView::showHit(const core::SearchHit& hit) {
    chooseHit(hit);
    const auto& run = selection().state().run;
    m_wantedHit = run ? std::optional(WantedHit{*run, hit}) : std::nullopt;
    showWantedHit();
}

void TimelineView::showWantedHit() {
    // Until its run is there, what is shown is that of the run before.
    if (!m_wantedHit || !m_loader->window() || !m_loader->frame() ||
        m_loader->frame()->run != m_wantedHit->run)
        return;
    m_drawer->showHit(std::exchange(m_wantedHit, std::nullopt)->hit);
}

void TimelineView::chooseHit(const core::SearchHit& hit) {
    SelectionState state = selection().state();
    state.operation.reset();
    state.tensor.reset();
    if (!hit.layer.empty()) {
        state.current = InvocationKey{hit.layer, 0};
        state.invocations = {*state.current};
    }
    if (hit.kind == core::HitKind::Operation)
        state.operation = hit.name;
    if (hit.kind == core::HitKind::Tensor) {
        state.tensor = hit.name;
        state.ipu = hit.ipu;
    }
    if (hit.kind != core::HitKind::Event)
        selection().set(state);
}

/// Notes of another run than those that are shown; those of the same run are as this view stored them, or as
/// another program did.
void TimelineView::loadNotes() {
    const auto frame = m_loader->frame();
    if (m_notesOf && (!frame || frame->run != *m_notesOf))
        m_canvas->setNotes({});
    m_notesOf.reset();
    if (!frame)
        return;
    m_loader->ask<std::vector<core::NoteRecord>>(
        m_noteQuery,
        [run = frame->run](const core::ProfileDatabase& database) { return core::loadNotes(database, run); },
        [this, run = frame->run](core::Result<std::vector<core::NoteRecord>> answer) {
            if (!answer)
                return;
            m_notesOf = run;
            m_canvas->setNotes(*answer);
        });
}

std::optional<Picture> TimelineView::picture() const {
    if (!m_loader->frame())
        return std::nullopt;
    const auto scene = std::make_shared<TimelineScene>(m_canvas->scene());
    const Theme theme = themeOf(this);
    // All lanes, not only those that are scrolled into view.
    const double height =
        std::max(scene->layout.height, naturalHeight(*scene->frame, scene->state, theme.scale()));
    scene->layout = layOut(*scene->frame, scene->state, scene->layout.width, height, theme.scale());
    scene->scroll = 0;
    return Picture{tr("Timeline of run %1").arg(scene->frame->run.value()),
                   QSizeF(scene->layout.width, height),
                   [scene, theme](QPainter& painter) { paintTimeline(painter, *scene, theme); }};
}

} // namespace views
