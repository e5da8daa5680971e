#include "views/timeline/timeline_canvas.h"

#include "core/profile/records/span_label.h"
#include "views/common/theme/widget_theme.h"
#include "views/timeline/painting/counter_texts.h"
#include "views/timeline/painting/timeline_painter.h"
#include "views/timeline/timeline_tables.h"

#include <QApplication>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>
#include <algorithm>
#include <array>
#include <cmath>

// The mouse on the canvas; the bindings are those of the timelines people know.

namespace views {

namespace {

/// Sensitive width of grips and edges.
constexpr double gripReach = 7;

} // namespace

core::Cycles TimelineCanvas::timeAt(double x) const {
    return std::clamp(m_scene.axis().time(x), core::Cycles(), m_state.view.end);
}

TimelineHit TimelineCanvas::hit(const QPointF& point) const {
    return hitTest(m_scene.layout, m_scene.scroll, point.x(), point.y());
}

std::optional<PlacedSpan> TimelineCanvas::spanUnder(const QPointF& point) const {
    const TimelineHit under = hit(point);
    if (under.part != TimelineHit::Part::Lane || !under.lane || !under.row || !m_scene.window)
        return std::nullopt;
    const auto lane = m_scene.frame->ipus[under.row->ipu].lane(*under.lane);
    const std::int64_t step = m_scene.frame->step.value();
    const core::Cycles time = timeAt(point.x());
    const std::int64_t update = std::min(time.value() / step, m_scene.frame->updates - 1);
    const core::Cycles local = time - update * m_scene.frame->step;
    const double reach = 3 / m_scene.axis().pixelsPerCycle();
    for (const core::LaneWindow& window : m_scene.window->lanes) {
        if (window.lane.id != lane)
            continue;
        // The nearest span within a few pixels: thin ones can be hit too.
        const auto next =
            std::upper_bound(window.spans.begin(), window.spans.end(), local,
                             [](core::Cycles at, const core::SpanRecord& span) { return at < span.start; });
        const core::SpanRecord* best = nullptr;
        double bestDistance = reach;
        const auto consider = [&](const core::SpanRecord& span) {
            const double before = static_cast<double>((span.start - local).value());
            const double after = static_cast<double>((local - span.start - span.duration).value());
            const double distance = std::max({before, after, 0.0});
            if (distance <= bestDistance) {
                best = &span;
                bestDistance = distance;
            }
        };
        if (next != window.spans.end())
            consider(*next);
        if (next != window.spans.begin())
            consider(*std::prev(next));
        return best != nullptr ? std::optional(PlacedSpan{*best, update}) : std::nullopt;
    }
    return std::nullopt;
}

std::set<std::size_t> TimelineCanvas::ipusBetween(double y1, double y2) const {
    std::set<std::size_t> ipus;
    const double top = std::min(y1, y2);
    const double bottom = std::max(y1, y2);
    for (const std::vector<TimelineRow>* rows : {&m_scene.layout.pinnedRows, &m_scene.layout.rows}) {
        for (const TimelineRow& row : *rows) {
            const double rowTop = m_scene.rowTop(row);
            if (row.kind != RowKind::ReplicaHeader && row.replica == 0 && rowTop <= bottom &&
                rowTop + row.height >= top)
                ipus.insert(row.ipu);
        }
    }
    return ipus;
}

std::optional<TimelineCanvas::Drag> TimelineCanvas::areaEdgeAt(const QPointF& point) const {
    if (!m_state.area || point.y() < m_scene.layout.lanesTop())
        return std::nullopt;
    const TimeToPixel axis = m_scene.axis();
    if (std::abs(point.x() - axis.x(m_state.area->from)) <= gripReach)
        return Drag::AreaLeft;
    if (std::abs(point.x() - axis.x(m_state.area->to)) <= gripReach)
        return Drag::AreaRight;
    return std::nullopt;
}

void TimelineCanvas::mousePressEvent(QMouseEvent* event) {
    if (!isReady())
        return;
    setFocus(Qt::MouseFocusReason);
    m_toolTip->showAt({}, {});
    m_pressed = event->position();
    m_viewAtPress = m_state.view;
    m_scrollAtPress = m_scene.scroll;
    m_areaAtPress = m_state.area;
    if (event->button() == Qt::MiddleButton)
        m_drag = Drag::Pan;
    else if (event->button() == Qt::LeftButton)
        beginDrag(event->position(), event->modifiers());
    if (event->modifiers().testFlag(Qt::AltModifier)) {
        m_toolTip->showAt(event->position(), toolTipAt(event->position()));
        m_toolTip->pin();
        m_drag = Drag::None;
    }
}

void TimelineCanvas::beginDrag(const QPointF& point, Qt::KeyboardModifiers modifiers) {
    const TimelineHit under = hit(point);
    if (under.part == TimelineHit::Part::Overview) {
        const TimeToPixel axis = overviewAxis(m_scene);
        m_drag = std::abs(point.x() - axis.x(m_state.view.from)) <= gripReach ? Drag::OverviewLeft
                 : std::abs(point.x() - axis.x(m_state.view.to)) <= gripReach ? Drag::OverviewRight
                                                                              : Drag::Overview;
        const core::Cycles time = axis.time(point.x());
        if (m_drag == Drag::Overview && (time < m_state.view.from || time >= m_state.view.to)) {
            setView(centred(m_state.view, time, time));
            m_viewAtPress = m_state.view;
        }
        return;
    }
    const bool isInTime = under.part == TimelineHit::Part::Lane || under.part == TimelineHit::Part::Ruler;
    if (isInTime && modifiers.testFlag(Qt::ShiftModifier))
        m_drag = Drag::Pan;
    else if (const auto edge = areaEdgeAt(point); edge && isInTime)
        m_drag = *edge;
    else
        m_drag = Drag::Pending;
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event) {
    m_mouse = event->position();
    if (!isReady())
        return;
    if (m_drag == Drag::None)
        return hover(event->position());
    dragTo(event->position());
}

void TimelineCanvas::dragTo(const QPointF& point) {
    switch (m_drag) {
    case Drag::None:
        return;
    case Drag::Pending: {
        const TimelineHit::Part part = hit(m_pressed).part;
        const bool isInTime = part == TimelineHit::Part::Lane || part == TimelineHit::Part::Ruler;
        if (!isInTime || (point - m_pressed).manhattanLength() < QApplication::startDragDistance())
            return;
        m_drag = Drag::Area;
        return dragArea(point);
    }
    case Drag::Area:
    case Drag::AreaLeft:
    case Drag::AreaRight:
        return dragArea(point);
    case Drag::Pan: {
        const double perPixel = 1 / m_scene.axis().pixelsPerCycle();
        const core::Cycles by(std::llround((m_pressed.x() - point.x()) * perPixel));
        setView(panned(m_viewAtPress, by));
        m_scrollBar->setValue(static_cast<int>(m_scrollAtPress + m_pressed.y() - point.y()));
        return;
    }
    case Drag::Overview:
    case Drag::OverviewLeft:
    case Drag::OverviewRight:
        return dragOverview(point);
    }
}

void TimelineCanvas::dragArea(const QPointF& point) {
    TimelineArea area;
    if (m_drag == Drag::Area) {
        const bool isRuler = hit(m_pressed).part == TimelineHit::Part::Ruler;
        area.from = timeAt(std::min(m_pressed.x(), point.x()));
        area.to = timeAt(std::max(m_pressed.x(), point.x()));
        area.ipus = isRuler ? ipusBetween(-1e9, 1e9) : ipusBetween(m_pressed.y(), point.y());
    } else {
        area = *m_areaAtPress;
        const core::Cycles time = timeAt(point.x());
        const core::Cycles other = m_drag == Drag::AreaLeft ? area.to : area.from;
        area.from = std::min(time, other);
        area.to = std::max(time, other);
    }
    if (area.to > area.from && !area.ipus.empty())
        setArea(area);
}

void TimelineCanvas::dragOverview(const QPointF& point) {
    const TimeToPixel axis = overviewAxis(m_scene);
    const core::Cycles time = std::clamp(axis.time(point.x()), core::Cycles(), m_state.view.end);
    if (m_drag == Drag::Overview)
        setView(panned(m_viewAtPress, time - axis.time(m_pressed.x())));
    else if (m_drag == Drag::OverviewLeft)
        setView(clamped(std::min(time, m_viewAtPress.to - TimelineViewport::shortest), m_viewAtPress.to,
                        m_state.view.end));
    else
        setView(clamped(m_viewAtPress.from, std::max(time, m_viewAtPress.from + TimelineViewport::shortest),
                        m_state.view.end));
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent* event) {
    const bool wasClick = m_drag == Drag::Pending;
    m_drag = Drag::None;
    if (isReady() && wasClick)
        click(event->position(), event->modifiers());
    update();
}

void TimelineCanvas::click(const QPointF& point, Qt::KeyboardModifiers modifiers) {
    const TimelineHit under = hit(point);
    if (under.part == TimelineHit::Part::Chevron || under.part == TimelineHit::Part::Pin ||
        under.part == TimelineHit::Part::Header)
        return clickHeader(under, modifiers);
    if (under.part != TimelineHit::Part::Lane)
        return;
    const std::optional<PlacedSpan> span = spanUnder(point);
    const bool isInArea =
        m_state.area && timeAt(point.x()) >= m_state.area->from && timeAt(point.x()) <= m_state.area->to;
    if (!span && !isInArea)
        setArea(std::nullopt);
    const auto inside = span ? depthUnder(*span, point) : std::nullopt;
    std::optional<SelectedPiece> chosen;
    if (inside && inside->level)
        if (const auto& piece = inside->pieces[static_cast<std::size_t>(*inside->level)])
            chosen = SelectedPiece{*inside->level, piece->name, piece->start, piece->duration};
    select(span, false, true, chosen);
    if (inside && inside->level)
        if (const auto& layer = inside->pieces[static_cast<std::size_t>(DepthLevel::Layer)];
            layer && layer->hasOperation)
            emit layerChosen(QString::fromStdString(layer->name));
    if (span && span->span.microBatch >= 0)
        setMicroBatch(span->span.microBatch);
}

void TimelineCanvas::clickHeader(const TimelineHit& under, Qt::KeyboardModifiers modifiers) {
    const TimelineRow& row = *under.row;
    if (row.kind == RowKind::ReplicaHeader) {
        if (row.replica > 0)
            m_state.showsReplicas = !m_state.showsReplicas;
        return layOutAgain();
    }
    if (row.replica != 0)
        return;
    const auto toggle = [&](std::set<std::size_t>& set) {
        if (set.erase(row.ipu) == 0)
            set.insert(row.ipu);
    };
    if (modifiers.testFlag(Qt::ControlModifier) && m_state.area) {
        TimelineArea area = *m_state.area;
        toggle(area.ipus);
        return setArea(area);
    }
    if (under.part == TimelineHit::Part::Chevron && row.kind != RowKind::Counter)
        toggle(m_state.collapsed);
    else if (under.part == TimelineHit::Part::Pin && row.kind != RowKind::Counter)
        toggle(m_state.pinned);
    else
        emit ipuChosen(row.ipu);
    layOutAgain();
}

std::optional<DepthHit> TimelineCanvas::depthUnder(const PlacedSpan& placed, const QPointF& point) const {
    const auto box = placeOf(m_scene, placed);
    if (!m_scene.depths || !box || m_scene.frame->kindOfLane(placed.span.lane) != core::LaneKind::Compute)
        return std::nullopt;
    const core::Cycles offset = placed.update * m_scene.frame->step;
    const TimeToPixel axis = m_scene.axis();
    const DepthPlace place{&placed.span, axis.x(offset + placed.span.start),
                           axis.x(offset + placed.span.start + placed.span.duration), *box};
    return depthAt(*m_scene.depths, place, point, themeOf(this));
}

/// Live bytes of an IPU at the time under the mouse.
ToolTipContent TimelineCanvas::liveTip(std::size_t index, core::Cycles time) const {
    const TimelineIpu& ipu = m_scene.frame->ipus[index];
    if (ipu.liveness.empty())
        return {};
    const TimeCursor place = cursorAt(m_scene, index, time);
    const std::optional<core::Bytes> inside =
        place.isInProgram() ? ipu.liveInside(place.stage, place.phase, place.inside) : std::nullopt;
    const core::Bytes live = inside.value_or(ipu.liveBetween(*place.time));
    ToolTipContent content;
    content.title = tr("Live bytes of IPU %1").arg(ipu.ipu.value());
    content.rows.push_back(
        {tr("Time"), timeText(time, m_state.units.time, m_scene.frame->timeScale()).joined()});
    content.rows.push_back({tr("Live"), bytesText(live, m_state.units.bytes).joined()});
    content.rows.push_back({tr("Of limit"), percentText(ratio(live, ipu.limit), 1)});
    if (!inside)
        content.footer = ipu.isInFlight(*place.time)
                             ? tr("between programs: what waits for backward work stays")
                             : tr("no micro-batch is in flight");
    return content;
}

/// What a counter says at the time under the mouse.
ToolTipContent TimelineCanvas::counterTip(const QPointF& point) const {
    const TimelineHit under = hit(point);
    if (under.part != TimelineHit::Part::Lane || !under.row || under.row->kind != RowKind::Counter)
        return {};
    const core::Cycles time = timeAt(point.x());
    if (!under.row->counter)
        return liveTip(under.row->ipu, time);
    if (!m_scene.counters)
        return {};
    const core::Counter counter = *under.row->counter;
    const core::IpuId ipu = m_scene.frame->ipus[under.row->ipu].ipu;
    const core::Cycles at(time.value() % std::max<std::int64_t>(1, m_scene.frame->step.value()));
    ToolTipContent content;
    content.title = QStringLiteral("%1 of IPU %2").arg(counterName(counter)).arg(ipu.value());
    content.rows.push_back(
        {tr("Time"), timeText(time, m_state.units.time, m_scene.frame->timeScale()).joined()});
    content.rows.push_back(
        {tr("Mean"), counterText(*m_scene.frame, counter, counterAt(*m_scene.counters, ipu, counter, at))});
    content.footer = tr("over the time of one pixel");
    return content;
}

ToolTipContent TimelineCanvas::toolTipAt(const QPointF& point) const {
    const std::optional<PlacedSpan> placed = spanUnder(point);
    if (!placed)
        return counterTip(point);
    const core::SpanRecord& span = placed->span;
    const TimeScale scale = m_scene.frame->timeScale();
    ToolTipContent content;
    content.title = spanTitle(span);
    const auto ipu = m_scene.frame->ipuOfLane(span.lane);
    QString place = QStringLiteral("IPU %1").arg(ipu ? m_scene.frame->ipus[*ipu].ipu.value() : 0);
    if (span.stage.isValid())
        place = QStringLiteral("Stage %1 · ").arg(span.stage.value()) + place;
    if (span.slot >= 0)
        place += QStringLiteral(" · slot %1").arg(span.slot);
    content.rows.push_back({tr("Where"), place});
    // As on the ruler, which goes on from update to update.
    const core::Cycles start = placed->update * m_scene.frame->step + span.start;
    content.rows.push_back({tr("Start"), timeText(start, m_state.units.time, scale).joined()});
    content.rows.push_back({tr("Duration"), timeText(span.duration, m_state.units.time, scale).joined()});
    if (m_state.units.time != TimeUnit::Cycles)
        content.rows.push_back({tr("Cycles"), groupedText(span.duration.value())});
    if (span.bytes.value() > 0)
        content.rows.push_back({tr("Bytes"), bytesText(span.bytes, m_state.units.bytes).joined()});
    if (span.kind == core::SpanKind::Idle && span.blame.isValid())
        content.rows.push_back({tr("Waits for"), QStringLiteral("stage %1").arg(span.blame.value())});
    if (const auto inside = depthUnder(*placed, point)) {
        const std::array<QString, depthLevelCount> names{tr("Layer"), tr("Operation"), tr("Step")};
        for (std::size_t level = 0; level < depthLevelCount; ++level)
            if (const auto& piece = inside->pieces[level])
                content.rows.push_back(
                    {names[level], QStringLiteral("%1 · %2").arg(
                                       QString::fromStdString(piece->name),
                                       timeText(piece->duration, m_state.units.time, scale).joined())});
    }
    content.footer = tr("Alt+click pins this");
    return content;
}

void TimelineCanvas::hover(const QPointF& point) {
    const TimelineHit under = hit(point);
    const bool isEdge = areaEdgeAt(point).has_value() && under.part == TimelineHit::Part::Lane;
    const bool isButton = under.part == TimelineHit::Part::Chevron || under.part == TimelineHit::Part::Pin;
    setCursor(isEdge ? Qt::SizeHorCursor : isButton ? Qt::PointingHandCursor : Qt::ArrowCursor);
    m_toolTip->showAt(point, toolTipAt(point));
    const bool isInTime = under.part == TimelineHit::Part::Lane || under.part == TimelineHit::Part::Ruler;
    const bool isOnIpu = under.part == TimelineHit::Part::Lane && under.row && under.row->replica == 0;
    emit pointed(isInTime
                     ? std::optional(cursorAt(m_scene, isOnIpu ? std::optional(under.row->ipu) : std::nullopt,
                                              timeAt(point.x())))
                     : std::nullopt);
    update();
}

void TimelineCanvas::leaveEvent(QEvent* /*event*/) {
    m_mouse = {-1, -1};
    m_toolTip->showAt({}, {});
    emit pointed(std::nullopt);
    update();
}

void TimelineCanvas::wheelEvent(QWheelEvent* event) {
    if (!isReady())
        return;
    const double steps = event->angleDelta().y() / 120.0;
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        zoom(std::pow(1.25, steps), event->position().x());
    } else if (event->modifiers().testFlag(Qt::ShiftModifier) || event->angleDelta().x() != 0) {
        const double sideways = event->angleDelta().x() != 0 ? event->angleDelta().x() / 120.0 : steps;
        pan(-0.1 * sideways);
    } else {
        m_scrollBar->setValue(m_scrollBar->value() - static_cast<int>(steps * 3 * m_scrollBar->singleStep()));
    }
    event->accept();
}

} // namespace views
