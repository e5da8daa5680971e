#include "views/timeline/timeline_drawer.h"

#include "core/profile/analysis/idle_gaps.h"
#include "views/common/theme/icons.h"
#include "views/common/theme/widget_theme.h"
#include "views/profile/tables/table_tabs.h"
#include "views/timeline/details_panel.h"
#include "views/timeline/timeline_loader.h"
#include "views/timeline/timeline_tables.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace views {

namespace {

enum Tab { AreaTab, GapTab, LayerTab, EventTab, CriticalTab, NoteTab };

core::Result<std::vector<AreaSpans>> loadAreaWork(const core::ProfileDatabase& database, core::RunId run,
                                                  core::Cycles from, core::Cycles to, core::Cycles step) {
    std::vector<AreaSpans> pieces;
    for (const core::UpdatePiece& piece : core::updatePieces(from, to, step)) {
        auto work = core::areaWork(database, run, piece.from, piece.to);
        if (!work)
            return core::failure(work.error());
        pieces.push_back({piece, *std::move(work)});
    }
    return pieces;
}

QToolButton* flatButton(const QString& iconName, const QString& text, const QString& toolTip,
                        QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setIcon(icon(button, iconName));
    button->setText(text);
    button->setToolTip(toolTip);
    button->setAccessibleName(toolTip);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setProperty("kind", "quiet");
    button->setProperty("small", true);
    return button;
}

QString eventHint() {
    return TimelineDrawer::tr("Type into “Find” above: the name of a layer, operation or tensor, B3, "
                              "recompute, stage 2, slot 9, drain.");
}

} // namespace

TimelineDrawer::TimelineDrawer(Document& document, TimelineLoader& loader, TimelineCanvas& canvas,
                               QWidget* parent)
    : QSplitter(Qt::Horizontal, parent)
    , m_document(document)
    , m_loader(loader)
    , m_canvas(canvas) {
    setHandleWidth(1);
    setChildrenCollapsible(false);
    constexpr int pauseMilliseconds = 120;
    m_viewPause.setSingleShot(true);
    m_viewPause.setInterval(pauseMilliseconds);
    addWidget(buildTables());
    addWidget(buildDetails());
    setStretchFactor(0, 7);
    setStretchFactor(1, 3);
    setSizes({1040, 450});
    connectTables();
}

QWidget* TimelineDrawer::buildTables() {
    m_tabs = new TableTabs(this);
    auto* area = new QWidget(m_tabs);
    auto* layout = new QVBoxLayout(area);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_areaTable = new TablePanel(tr("Time of each lane in the area"), area);
    m_reading = new QLabel(area);
    m_reading->setContentsMargins(10, 4, 10, 6);
    m_reading->setProperty("role", "text2");
    m_reading->setTextFormat(Qt::RichText);
    layout->addWidget(m_areaTable, 1);
    layout->addWidget(m_reading);
    m_tabs->addTablePage(area, m_areaTable, tr("Area"), QStringLiteral("area"));
    m_gapTable = m_tabs->addTable(tr("Idle gaps"), QStringLiteral("idle-gaps"));
    m_layerTable = m_tabs->addTable(tr("Layers"), QStringLiteral("layers"));
    m_eventTable = m_tabs->addTable(tr("Found"), QStringLiteral("found"));
    m_eventTable->setEmptyText(eventHint());
    QWidget* critical = buildCriticalPage();
    m_tabs->addTablePage(critical, m_criticalTable, tr("Critical path"), QStringLiteral("critical-path"));
    m_noteTable = m_tabs->addTable(tr("Notes"), QStringLiteral("notes"));
    m_noteTable->setEmptyText(
        tr("T writes a note at the mouse, Shift+M keeps a mark; both stay with the run."));
    connect(m_tabs, &QTabWidget::currentChanged, this, [this](int tab) {
        updateTitle();
        if (tab == CriticalTab) {
            m_loader.requestCriticalPath();
            updateCriticalPath();
        }
        askLayers();
    });
    m_areaTitle = new QLabel(m_tabs);
    m_areaTitle->setProperty("role", "text3");
    m_tabs->addToCorner(m_areaTitle);
    connect(m_tabs, &TableTabs::tableRequested, this, &TimelineDrawer::tableRequested);
    return m_tabs;
}

QWidget* TimelineDrawer::buildCriticalPage() {
    auto* page = new QWidget(m_tabs);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_criticalTable = new TablePanel(tr("What the critical path is made of"), page);
    m_fasterReading = new QLabel(page);
    m_fasterReading->setContentsMargins(10, 4, 10, 6);
    m_fasterReading->setProperty("role", "text2");
    m_fasterReading->setWordWrap(true);
    layout->addWidget(m_criticalTable, 1);
    layout->addWidget(m_fasterReading);
    return page;
}

QWidget* TimelineDrawer::buildDetails() {
    auto* side = new QWidget(this);
    auto* layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* head = new QFrame(side);
    head->setProperty("surface", "panel");
    head->setProperty("line", "bottom");
    head->setFixedHeight(m_tabs->tabBar()->sizeHint().height());
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(12, 0, 8, 0);
    auto* title = new QLabel(tr("Details"), head);
    title->setFont(themeOf(this).font(12, QFont::DemiBold));
    row->addWidget(title, 1);
    QToolButton* canvas = flatButton(QStringLiteral("graph"), tr("Show on canvas"),
                                     tr("Show the selected stage on the model"), head);
    QToolButton* memory = flatButton(QStringLiteral("memory"), tr("Memory at this time"),
                                     tr("Show what is live at this time"), head);
    row->addWidget(canvas);
    row->addWidget(memory);
    auto* scroll = new QScrollArea(side);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setAccessibleName(tr("Details"));
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_details = new DetailsPanel(scroll);
    scroll->setWidget(m_details);
    layout->addWidget(head);
    layout->addWidget(scroll, 1);
    connect(canvas, &QToolButton::clicked, this, [this] { emit workspaceRequested(WorkspaceId::Model); });
    connect(memory, &QToolButton::clicked, this, [this] { emit workspaceRequested(WorkspaceId::Memory); });
    return side;
}

void TimelineDrawer::connectTables() {
    connect(m_areaTable, &TablePanel::rowTicked, this,
            [this](int row, bool isTicked) { tick(static_cast<std::size_t>(row), isTicked); });
    connect(m_areaTable, &TablePanel::rowChosen, this,
            [this](int row) { m_canvas.scrollToIpu(static_cast<std::size_t>(row)); });
    connect(&m_viewPause, &QTimer::timeout, this, [this] {
        if (!m_canvas.state().area)
            updateArea();
    });
    connect(m_gapTable, &TablePanel::rowChosen, this,
            [this](int row) { choose(m_gaps[static_cast<std::size_t>(row)]); });
    connect(m_eventTable, &TablePanel::rowChosen, this, &TimelineDrawer::chooseHit);
    connect(m_eventTable, &TablePanel::rowActivated, this, [this](int row) {
        chooseHit(row);
        if (m_hits[static_cast<std::size_t>(row)].kind == core::HitKind::Tensor)
            emit workspaceRequested(WorkspaceId::Memory);
    });
    connect(m_noteTable, &TablePanel::rowChosen, this,
            [this](int row) { m_canvas.showTime(m_canvas.notes()[static_cast<std::size_t>(row)].at); });
    connect(m_noteTable, &TablePanel::rowActivated, this, [this](int row) {
        const core::Cycles at = m_canvas.notes()[static_cast<std::size_t>(row)].at;
        m_canvas.showTime(at);
        m_canvas.writeNote(at);
    });
    connect(&m_canvas, &TimelineCanvas::markersChanged, this, &TimelineDrawer::updateNotes);
    connect(m_layerTable, &TablePanel::rowChosen, this, [this](int row) {
        emit layerChosen(m_layerTable->content().rows[static_cast<std::size_t>(row)].front().text);
    });
    connect(m_details, &DetailsPanel::spanRequested, this,
            [this](const PlacedSpan& span) { m_canvas.select(span, true); });
    connect(m_details, &DetailsPanel::layerRequested, this, &TimelineDrawer::layerChosen);
}

void TimelineDrawer::forgetRun() {
    m_tickedOut.clear();
    m_hits.clear();
    m_hit = -1;
}

void TimelineDrawer::showLanes() {
    if (!m_waitsForLanes || !m_loader.window())
        return;
    m_waitsForLanes = false;
    updateGaps();
    updateArea();
}

void TimelineDrawer::showRun() {
    m_waitsForLanes = true;
    showLanes();
    updateDetails();
    updateNotes();
    m_critical.reset();
    m_faster.reset();
    m_criticalTable->setContent({});
    updateCriticalPath();
    if (m_tabs->currentIndex() == CriticalTab)
        m_loader.requestCriticalPath();
}

TimelineArea TimelineDrawer::tableArea() const {
    const TimelineState& state = m_canvas.state();
    if (state.area)
        return *state.area;
    TimelineArea area{state.view.from, state.view.to, {}};
    for (std::size_t ipu = 0; ipu < m_loader.frame()->ipus.size(); ++ipu) {
        if (!m_tickedOut.contains(ipu) && !state.hidden.contains(ipu))
            area.ipus.insert(ipu);
    }
    return area;
}

void TimelineDrawer::tick(std::size_t ipu, bool isTicked) {
    const auto change = [&](std::set<std::size_t>& set, bool isIn) {
        if (isIn)
            set.insert(ipu);
        else
            set.erase(ipu);
    };
    if (!m_canvas.state().area) {
        change(m_tickedOut, !isTicked);
        return updateArea();
    }
    TimelineArea changed = *m_canvas.state().area;
    change(changed.ipus, isTicked);
    m_canvas.setArea(changed);
}

void TimelineDrawer::followView() {
    m_viewPause.start();
}

void TimelineDrawer::updateArea() {
    m_viewPause.stop();
    const auto frame = m_loader.frame();
    // The lanes come first, and the tables with them.
    if (!frame || m_waitsForLanes || m_canvas.state().view.length().value() <= 0)
        return;
    if (m_gapArea != m_canvas.state().area || m_gapHidden != m_canvas.state().hidden)
        updateGaps();
    updateCriticalPath();
    const TimelineArea area = tableArea();
    const Units units = m_document.units();
    updateTitle();
    m_loader.ask<std::vector<core::LaneStatistics>>(
        m_areaQuery,
        [area, frame](const core::ProfileDatabase& database) {
            return core::areaStatistics(database, frame->run, area.from, area.to);
        },
        [this, area, frame, units](core::Result<std::vector<core::LaneStatistics>> answer) {
            if (!answer)
                return sayTrouble(answer.error());
            m_areaTable->setContent(areaTable(*frame, *answer, area.from, area.to, area.ipus, units));
            std::vector<core::LaneStatistics> counted;
            for (const core::LaneStatistics& lane : *answer) {
                if (const auto ipu = frame->ipuOfLane(lane.lane); ipu && area.ipus.contains(*ipu))
                    counted.push_back(lane);
            }
            const UnitChoice unit = timeUnitFor(area.to - area.from, units.time, frame->timeScale());
            m_reading->setText(areaEquation(counted, area.from, area.to, unit).toHtmlEscaped() +
                               QStringLiteral(". ") + areaReading(*frame, counted, units));
            askLayers();
        });
}

/// Sums of lanes are there at once; which layers work is read span by span, so only for who looks at it.
void TimelineDrawer::askLayers() {
    const auto frame = m_loader.frame();
    const auto programs = m_loader.programs();
    if (!frame || !programs || m_tabs->currentIndex() != LayerTab)
        return;
    const TimelineArea area = tableArea();
    const Units units = m_document.units();
    m_loader.ask<std::vector<AreaSpans>>(
        m_layerQuery,
        [area, frame](const core::ProfileDatabase& database) {
            return loadAreaWork(database, frame->run, area.from, area.to, frame->step);
        },
        [this, frame, programs, units](core::Result<std::vector<AreaSpans>> answer) {
            if (!answer)
                return sayTrouble(answer.error());
            m_layerTable->setContent(layerTable(*frame, *programs, *answer, units));
        });
}

void TimelineDrawer::updateTitle() {
    const auto frame = m_loader.frame();
    if (!frame || m_areaTitle == nullptr)
        return;
    const auto text = [&](core::Cycles time) {
        return timeText(time, m_document.units().time, frame->timeScale()).joined();
    };
    // The chain that makes the step as long as it is has no figures of what happens to be in view.
    if (m_tabs->currentIndex() == CriticalTab && !m_canvas.state().area)
        return m_areaTitle->setText(tr("whole step: ") + text(frame->step));
    const TimelineArea area = tableArea();
    m_areaTitle->setText((m_canvas.state().area ? tr("area of ") : tr("in view: ")) +
                         text(area.to - area.from));
}

/// Tables whose run has gone tell so instead of standing there empty.
void TimelineDrawer::sayTrouble(const core::Diagnostics& diagnostics) {
    m_reading->setText(diagnostics.empty() ? QString()
                                           : toQString(diagnostics.front().message).toHtmlEscaped());
}

void TimelineDrawer::updateCriticalPath() {
    if (m_tabs->currentIndex() == CriticalTab)
        m_loader.requestFasterParts(m_document.folder());
    const core::Diagnostics& trouble = m_loader.criticalTrouble();
    m_criticalTable->setEmptyText(
        trouble.empty() ? QString()
                        : tr("The critical path is not known: %1.").arg(toQString(trouble.front().message)));
    if (const QString reading = fasterReading(); reading != m_fasterReading->text())
        m_fasterReading->setText(reading);
    m_fasterReading->setVisible(!m_fasterReading->text().isEmpty());
    const std::optional<TimelineArea>& area = m_canvas.state().area;
    if (m_loader.critical() == m_critical && m_loader.fasterParts() == m_faster && m_criticalArea == area)
        return;
    m_critical = m_loader.critical();
    m_faster = m_loader.fasterParts();
    m_criticalArea = area;
    const auto frame = m_loader.frame();
    if (!m_critical || !frame)
        return m_criticalTable->setContent({});
    // What a faster part gives is simulated of whole steps.
    m_criticalTable->setContent(
        area ? criticalTable(
                   *frame,
                   core::partOf(m_critical->path, core::updatePieces(area->from, area->to, frame->step)),
                   nullptr, m_document.units())
             : criticalTable(*frame, m_critical->path, m_faster.get(), m_document.units()));
}

QString TimelineDrawer::fasterReading() const {
    if (!m_loader.critical() || !m_loader.simulatesFasterParts())
        return {};
    if (!m_loader.fasterTrouble().empty())
        return tr("What a faster part would give cannot be simulated: %1")
            .arg(toQString(m_loader.fasterTrouble().front().message));
    if (!m_loader.fasterParts())
        return tr("Simulating the step with each part 10 % faster…");
    return fasterPartsReading(*m_loader.frame(), *m_loader.fasterParts(), m_document.units());
}

void TimelineDrawer::showCriticalPath() {
    m_tabs->setCurrentIndex(CriticalTab);
}

void TimelineDrawer::updateDetails() {
    const auto& selected = m_canvas.state().selected;
    if (!m_loader.frame() || !selected)
        return m_details->setDetails(std::nullopt);
    // A part that was found by its name is known before its program is seen from near.
    if (m_canvas.state().piece)
        m_loader.requestDepths();
    m_details->setDetails(detailsOf(m_canvas.scene(), *selected));
}

void TimelineDrawer::updateGaps() {
    const auto frame = m_loader.frame();
    if (!frame)
        return;
    const Units units = m_document.units();
    m_gapArea = m_canvas.state().area;
    std::vector<core::UpdatePiece> pieces;
    std::vector<core::LaneId> lanes;
    m_gapHidden = m_canvas.state().hidden;
    const bool isPart = m_gapArea || !m_gapHidden.empty();
    if (isPart) {
        pieces = m_gapArea ? core::updatePieces(m_gapArea->from, m_gapArea->to, frame->step)
                           : core::updatePieces(core::Cycles(), frame->step, frame->step);
        for (std::size_t ipu = 0; ipu < frame->ipus.size(); ++ipu) {
            const bool isOut = m_gapHidden.contains(ipu) || (m_gapArea && !m_gapArea->ipus.contains(ipu));
            if (const auto lane = frame->ipus[ipu].lane(core::LaneKind::Compute); lane && !isOut)
                lanes.push_back(*lane);
        }
    }
    m_loader.ask<core::IdleGaps>(
        m_gapQuery,
        [frame, pieces, lanes](const core::ProfileDatabase& database) {
            return pieces.empty() ? core::idleGaps(database, frame->run)
                                  : core::idleGapsWithin(database, frame->run, pieces, lanes);
        },
        [this, frame, units, isFolded = pieces.size() > 1 || (!pieces.empty() && pieces.front().times > 1)](
            core::Result<core::IdleGaps> answer) {
            if (!answer)
                return sayTrouble(answer.error());
            m_gaps = std::move(answer->longest);
            m_gapTable->setContent(gapTable(*frame, m_gaps, units));
            const auto shown = static_cast<std::int64_t>(m_gaps.size());
            const QString title =
                shown < answer->count
                    ? tr("Idle gaps  %1 longest of %2").arg(groupedText(shown), groupedText(answer->count))
                    : tr("Idle gaps  %1").arg(groupedText(shown));
            // Every update has the same ones.
            m_tabs->setTabText(GapTab, m_gapArea && isFolded ? title + tr(" of an update, in the area")
                                       : m_gapArea           ? title + tr(" in the area")
                                       : m_gapHidden.empty() ? title
                                                             : title + tr(" of the lanes shown"));
            m_gapTable->setEmptyText(m_gapArea ? tr("No lane of the area is idle in it.")
                                               : tr("No lane is idle."));
        });
}

void TimelineDrawer::search(const QString& text, bool isShown) {
    const auto frame = m_loader.frame();
    m_hit = -1;
    if (!frame || text.trimmed().isEmpty()) {
        m_searchQuery.cancel();
        m_hits.clear();
        m_eventTable->setEmptyText(eventHint());
        m_eventTable->setContent({});
        m_tabs->setTabText(EventTab, tr("Found"));
        return;
    }
    const Units units = m_document.units();
    m_loader.ask<core::SearchHits>(
        m_searchQuery,
        [frame, words = text.toStdString()](const core::ProfileDatabase& database) {
            return core::searchRun(database, frame->run, words);
        },
        [this, frame, units, isShown](core::Result<core::SearchHits> answer) {
            if (!answer)
                return sayTrouble(answer.error());
            m_hits = std::move(answer->hits);
            m_eventTable->setEmptyText(tr("Nothing of this run is called so or happens in it."));
            m_eventTable->setContent(hitTable(*frame, m_hits, units));
            m_tabs->setTabText(EventTab,
                               tr("Found  %1%2").arg(m_hits.size()).arg(answer->isCut ? tr(" of more") : ""));
            if (isShown)
                m_tabs->setCurrentIndex(EventTab);
        });
}

void TimelineDrawer::goToHit(int direction) {
    if (m_hits.empty())
        return;
    const int count = static_cast<int>(m_hits.size());
    const int hit = m_hit < 0 ? (direction > 0 ? 0 : count - 1) : (m_hit + direction + count) % count;
    m_eventTable->setCurrentRow(hit);
    chooseHit(hit);
}

void TimelineDrawer::chooseHit(int row) {
    m_hit = row;
    const core::SearchHit hit = m_hits[static_cast<std::size_t>(row)];
    showHit(hit);
}

void TimelineDrawer::showHit(const core::SearchHit& hit) {
    if (hit.kind == core::HitKind::Event)
        choose(*hit.span);
    else if (hit.span) {
        // What was found is a part of the program, and the details are of that part.
        std::optional<SelectedPiece> piece;
        if (hit.kind != core::HitKind::Tensor && hit.to > hit.from)
            piece =
                SelectedPiece{hit.kind == core::HitKind::Layer ? DepthLevel::Layer : DepthLevel::Operation,
                              hit.name, hit.from - hit.span->start + hit.span->offset, hit.to - hit.from};
        m_canvas.showPiece({*hit.span, m_canvas.scene().updatesInView().first}, hit.from, hit.to, piece);
    }
    emit hitChosen(hit);
}

void TimelineDrawer::updateNotes() {
    const auto frame = m_loader.frame();
    if (!frame)
        return;
    const std::vector<core::NoteRecord> notes = m_canvas.notes();
    m_noteTable->setContent(noteTable(*frame, notes, m_document.units()));
    m_tabs->setTabText(NoteTab, notes.empty() ? tr("Notes") : tr("Notes  %1").arg(notes.size()));
}

void TimelineDrawer::choose(const core::SpanRecord& span) {
    m_canvas.select(PlacedSpan{span, m_canvas.scene().updatesInView().first}, true);
    if (span.microBatch >= 0)
        m_canvas.setMicroBatch(span.microBatch);
}

} // namespace views
