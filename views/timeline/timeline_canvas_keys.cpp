#include "views/timeline/timeline_canvas.h"

#include "views/profile/time/key_place.h"

#include <QKeyEvent>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

// Keys of the canvas.

namespace views {

namespace {

constexpr double keyZoom = 1.35;
constexpr double keyPan = 0.15;

} // namespace

void TimelineCanvas::zoom(double factor, double x) {
    setView(zoomed(m_state.view, factor, m_scene.axis().time(x)));
}

void TimelineCanvas::pan(double share) {
    const double cycles = share * static_cast<double>(m_state.view.length().value());
    setView(panned(m_state.view, core::Cycles(std::llround(cycles))));
}

bool TimelineCanvas::event(QEvent* event) {
    // Keys that the window would take for shortcuts belong to the timeline while it has the focus.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool isPlain = key->modifiers() == Qt::NoModifier || key->modifiers() == Qt::ShiftModifier;
        if (isPlain && key->key() < Qt::Key_Escape && key->key() != Qt::Key_Question) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

void TimelineCanvas::keyPressEvent(QKeyEvent* event) {
    if (!isReady() || !(navigate(event) || act(event)))
        QWidget::keyPressEvent(event);
}

bool TimelineCanvas::navigate(QKeyEvent* event) {
    const QRectF lanes = m_scene.layout.lanes();
    const double x = lanes.contains(m_mouse) ? m_mouse.x() : lanes.center().x();
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return false;
    switch (placeOfKey(*event)) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom(keyZoom, x);
        return true;
    case Qt::Key_S:
    case Qt::Key_Minus:
        zoom(1 / keyZoom, x);
        return true;
    case Qt::Key_A:
    case Qt::Key_Left:
        pan(-keyPan);
        return true;
    case Qt::Key_D:
    case Qt::Key_Right:
        pan(keyPan);
        return true;
    case Qt::Key_Up:
        m_scrollBar->triggerAction(QAbstractSlider::SliderSingleStepSub);
        return true;
    case Qt::Key_Down:
        m_scrollBar->triggerAction(QAbstractSlider::SliderSingleStepAdd);
        return true;
    case Qt::Key_Home:
    case Qt::Key_0:
        fitAll();
        return true;
    case Qt::Key_F:
        focusSelection();
        return true;
    case Qt::Key_Period:
        selectNeighbour(true);
        return true;
    case Qt::Key_Comma:
        selectNeighbour(false);
        return true;
    case Qt::Key_BracketRight:
        followFlow(true, false);
        return true;
    case Qt::Key_BracketLeft:
        followFlow(false, false);
        return true;
    default:
        return false;
    }
}

bool TimelineCanvas::act(QKeyEvent* event) {
    const bool isShift = event->modifiers().testFlag(Qt::ShiftModifier);
    const bool isControl = event->modifiers().testFlag(Qt::ControlModifier);
    switch (event->key()) {
    case Qt::Key_M:
        mark(isShift);
        return true;
    case Qt::Key_K:
        setCriticalPath(!m_state.showsCriticalPath);
        return true;
    case Qt::Key_T:
        writeNote(markPlace());
        return true;
    case Qt::Key_Delete:
        deleteMarker();
        return true;
    case Qt::Key_R:
        if (const auto time = selectedTime())
            setArea(TimelineArea{time->from, time->to, ipusBetween(-1e9, 1e9)});
        return true;
    case Qt::Key_P:
        if (isControl) {
            emit lanesRequested();
        } else if (const auto row = hit(m_mouse).row) {
            if (m_state.pinned.erase(row->ipu) == 0)
                m_state.pinned.insert(row->ipu);
            layOutAgain();
        }
        return true;
    case Qt::Key_BracketRight:
        followFlow(true, true);
        return true;
    case Qt::Key_BracketLeft:
        followFlow(false, true);
        return true;
    case Qt::Key_Q:
        emit drawerToggled();
        return true;
    case Qt::Key_N:
        emit hitRequested(isShift ? -1 : 1);
        return true;
    case Qt::Key_Escape:
        leaveOneLevel();
        return true;
    default:
        return false;
    }
}

void TimelineCanvas::selectNeighbour(bool isForward) {
    if (!m_state.selected)
        return;
    const PlacedSpan from = *m_state.selected;
    const core::RunId run = m_scene.frame->run;
    m_loader.ask<std::optional<core::SpanRecord>>(
        m_neighbourQuery,
        [run, from, isForward](const core::ProfileDatabase& database) {
            return core::neighbourSpan(database, run, from.span.lane, from.span.start, isForward);
        },
        [this, from](core::Result<std::optional<core::SpanRecord>> answer) {
            if (!answer || !*answer)
                return;
            select(PlacedSpan{**answer, from.update}, true, false);
            // As after a click, the micro-batch that is followed is the one of what is selected.
            if ((*answer)->microBatch >= 0)
                setMicroBatch((*answer)->microBatch);
        });
}

void TimelineCanvas::followFlow(bool isForward, bool isOnBranch) {
    if (!m_state.selected || !m_scene.flows)
        return;
    const PlacedSpan& from = *m_state.selected;
    const auto isNext = [&](const core::SpanRecord& span) {
        return !isOnBranch || span.lane == from.span.lane;
    };
    for (const std::vector<core::SpanRecord>& spans : *m_scene.flows) {
        const auto at = std::find(spans.begin(), spans.end(), from.span);
        if (at == spans.end())
            continue;
        if (isForward) {
            const auto next = std::find_if(std::next(at), spans.end(), isNext);
            if (next != spans.end())
                select(PlacedSpan{*next, from.update}, true);
        } else {
            const auto last = std::find_if(std::make_reverse_iterator(at), spans.rend(), isNext);
            if (last != spans.rend())
                select(PlacedSpan{*last, from.update}, true);
        }
        return;
    }
}

void TimelineCanvas::leaveOneLevel() {
    if (m_toolTip->dismissPinned())
        return;
    if (m_state.area)
        setArea(std::nullopt);
    else if (m_state.microBatch)
        setMicroBatch(std::nullopt);
    else if (m_state.selected)
        select(std::nullopt, false);
    else if (!m_state.highlighted.empty())
        emit layersLeft();
    else
        setCriticalPath(false);
}

} // namespace views
