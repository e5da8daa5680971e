#include "views/comparison/comparison_canvas.h"

#include "core/profile/records/span_label.h"
#include "views/common/theme/widget_theme.h"
#include "views/comparison/comparison_painter.h"
#include "views/comparison/difference_lane.h"
#include "views/profile/time/key_place.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <cmath>

namespace views {

namespace {

constexpr double keyZoom = 1.35;
constexpr double keyPan = 0.15;
/// In pixels: less is a click.
constexpr double leastDrag = 5;

} // namespace

ComparisonCanvas::ComparisonCanvas(QWidget* parent)
    : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Timelines of the compared runs"));
}

void ComparisonCanvas::setData(std::shared_ptr<const ComparisonData> comparison) {
    m_scene.data = std::move(comparison);
    if (m_scene.data)
        m_scene.view = m_scene.whole();
    m_chosen.reset();
    m_scene.difference.reset();
    describeDifferences();
    updateGeometry();
    update();
    emit axisChanged();
}

void ComparisonCanvas::setState(const ComparisonState& state) {
    ComparisonState before = m_scene.state;
    before.units = state.units;
    before.range = state.range;
    const bool isMoved = before != state;
    m_scene.state = state;
    if (m_scene.data && isMoved)
        m_scene.view = m_scene.whole();
    describeDifferences();
    update();
    emit axisChanged();
}

/// What is painted is said, too: the differences of every run, and the one that is pointed at.
void ComparisonCanvas::describeDifferences() {
    QStringList sentences;
    if (m_scene.data && !m_scene.data->pieces.pieces.empty())
        for (std::size_t run = 1; run < m_scene.data->count(); ++run)
            sentences.append(differenceSummary(m_scene, run));
    if (m_scene.difference)
        sentences.prepend(differenceText(m_scene, m_scene.difference->run, m_scene.difference->piece)
                              .replace(QLatin1Char('\n'), QStringLiteral("; ")));
    setAccessibleDescription(sentences.join(QStringLiteral(". ")));
}

void ComparisonCanvas::showDifference(const std::optional<ComparisonScene::Difference>& difference) {
    if (m_scene.difference == difference)
        return;
    m_scene.difference = difference;
    describeDifferences();
    update();
}

std::optional<ComparisonScene::Difference> ComparisonCanvas::differenceUnder(const QPointF& point) const {
    const ComparisonLayout layout = layoutNow();
    for (std::size_t run = 1; run < m_scene.data->count(); ++run)
        if (const auto piece = differenceAt(m_scene, layout, run, point))
            return ComparisonScene::Difference{run, *piece};
    return std::nullopt;
}

void ComparisonCanvas::walk(int pieces, int runs) {
    const auto count = static_cast<std::ptrdiff_t>(m_scene.data->pieces.pieces.size());
    const auto last = static_cast<std::ptrdiff_t>(m_scene.data->count()) - 1;
    if (count == 0 || last < 1)
        return;
    const auto run = m_chosen ? static_cast<std::ptrdiff_t>(m_chosen->run) + runs : 1;
    const auto piece = m_chosen     ? static_cast<std::ptrdiff_t>(m_chosen->piece) + pieces
                       : pieces < 0 ? count - 1
                                    : 0;
    choose({static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(run, 1, last)),
            static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(piece, 0, count - 1))});
    const QRectF lane = layoutNow().differences(m_chosen->run);
    const auto rect = differenceRect(m_scene, layoutNow(), m_chosen->run, m_chosen->piece);
    const double x = rect ? std::clamp(rect->center().x(), lane.left(), lane.right()) : lane.left();
    QToolTip::showText(mapToGlobal(QPointF(x, lane.bottom()).toPoint()),
                       differenceText(m_scene, m_chosen->run, m_chosen->piece), this);
}

/// Goes there where it is out of sight.
void ComparisonCanvas::choose(const ComparisonScene::Difference& difference) {
    m_chosen = difference;
    showDifference(m_chosen);
    const auto rect = differenceRect(m_scene, layoutNow(), difference.run, difference.piece);
    const QRectF lane = layoutNow().differences(difference.run);
    if (rect && (rect->left() < lane.left() || rect->right() > lane.right()) && !m_scene.state.fitsEach)
        pan(rect->center().x() - lane.center().x());
}

void ComparisonCanvas::chooseDifference(std::size_t piece) {
    if (m_scene.data && m_scene.data->count() > 1 && piece < m_scene.data->pieces.pieces.size())
        choose({m_chosen ? m_chosen->run : 1, piece});
}

void ComparisonCanvas::setView(const TimelineViewport& view) {
    m_scene.view = view;
    update();
    emit axisChanged();
}

void ComparisonCanvas::resizeEvent(QResizeEvent* /*event*/) {
    emit axisChanged();
}

QSize ComparisonCanvas::sizeHint() const {
    const double height = m_scene.data ? timelinesHeight(*m_scene.data, themeOf(this).scale()) : 300;
    return {800, static_cast<int>(height)};
}

QSize ComparisonCanvas::minimumSizeHint() const {
    const double scale = themeOf(this).scale();
    const double height = m_scene.data ? views::layOut(*m_scene.data, 0, 0, scale).bottom() : 80;
    return {300, static_cast<int>(height)};
}

ComparisonLayout ComparisonCanvas::layoutNow() const {
    return views::layOut(*m_scene.data, width(), height(), themeOf(this).scale());
}

TimeToPixel ComparisonCanvas::axis() const {
    const QRectF ruler = layoutNow().ruler();
    return m_scene.axis(ruler.left(), ruler.width());
}

void ComparisonCanvas::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    if (m_scene.data)
        paintComparisonTimelines(painter, m_scene, layoutNow(), themeOf(this));
}

void ComparisonCanvas::zoom(double factor, double x) {
    setView(zoomed(m_scene.view, factor, axis().time(x) - m_scene.origin()));
}

void ComparisonCanvas::pan(double pixels) {
    setView(panned(m_scene.view, core::Cycles(std::llround(pixels / axis().pixelsPerCycle()))));
}

bool ComparisonCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool isMine = key->key() < Qt::Key_Escape || (key->key() == Qt::Key_Escape && m_chosen);
        if (key->modifiers() == Qt::NoModifier && isMine) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::ToolTip && m_scene.data) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), describe(help->pos()), this);
        return true;
    }
    return QWidget::event(event);
}

void ComparisonCanvas::keyPressEvent(QKeyEvent* event) {
    if (!m_scene.data || event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return QWidget::keyPressEvent(event);
    const QRectF ruler = layoutNow().ruler();
    const double x = m_mouse.x() > ruler.left() ? m_mouse.x() : ruler.center().x();
    switch (placeOfKey(*event)) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoom(keyZoom, x);
    case Qt::Key_S:
    case Qt::Key_Minus:
        return zoom(1 / keyZoom, x);
    case Qt::Key_A:
    case Qt::Key_Left:
        return pan(-keyPan * ruler.width());
    case Qt::Key_D:
    case Qt::Key_Right:
        return pan(keyPan * ruler.width());
    case Qt::Key_Home:
    case Qt::Key_0:
        return setView(m_scene.whole());
    case Qt::Key_Period:
        return walk(1, 0);
    case Qt::Key_Comma:
        return walk(-1, 0);
    case Qt::Key_Up:
        return walk(0, -1);
    case Qt::Key_Down:
        return walk(0, 1);
    case Qt::Key_Escape:
        m_chosen.reset();
        return showDifference(std::nullopt);
    default:
        return QWidget::keyPressEvent(event);
    }
}

void ComparisonCanvas::wheelEvent(QWheelEvent* event) {
    const double steps = (event->angleDelta().y() + event->angleDelta().x()) / 120.0;
    if (m_scene.data && event->modifiers().testFlag(Qt::ControlModifier))
        return zoom(std::pow(keyZoom, steps), event->position().x());
    if (m_scene.data && (event->modifiers().testFlag(Qt::ShiftModifier) || event->angleDelta().x() != 0))
        return pan(-steps * keyPan * layoutNow().ruler().width());
    event->ignore(); // scrolls the runs
}

void ComparisonCanvas::mousePressEvent(QMouseEvent* event) {
    if (!m_scene.data)
        return;
    const bool isPan = event->button() == Qt::MiddleButton ||
                       (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ShiftModifier));
    if (isPan) {
        m_dragged = event->position();
        return setCursor(Qt::ClosedHandCursor);
    }
    const auto run = layoutNow().runAt(event->position());
    if (event->button() != Qt::LeftButton || !run)
        return;
    if (layoutNow().lanes(*run).contains(event->position()))
        m_pressed = event->position();
    if (const auto difference = differenceUnder(event->position())) {
        m_chosen = difference;
        showDifference(difference);
        const core::ComparedPieces& pieces = m_scene.data->pieces;
        const std::int64_t index = pieces.pieces[difference->piece].index;
        if (pieces.cut == core::StepCut::MicroBatches && index >= 0)
            emit microBatchChosen(index);
    } else if (const auto span = spanAt(event->position(), *run); span && span->microBatch >= 0)
        emit microBatchChosen(span->microBatch);
    emit runChosen(m_scene.data->comparison.runs[*run]);
}

void ComparisonCanvas::mouseMoveEvent(QMouseEvent* event) {
    m_mouse = event->position();
    if (m_pressed && m_scene.data && std::abs(m_mouse.x() - m_pressed->x()) >= leastDrag) {
        const core::Cycles from = timeAt(std::min(m_mouse.x(), m_pressed->x()));
        const core::Cycles to = timeAt(std::max(m_mouse.x(), m_pressed->x()));
        m_scene.state.range = TimeRange{std::max(core::Cycles(), from), std::max(core::Cycles(1), to)};
        return update();
    }
    if (!m_dragged) {
        emit pointed(m_scene.data ? cursorAt(m_scene, layoutNow(), m_mouse) : std::nullopt);
        const auto under = m_scene.data ? differenceUnder(m_mouse) : std::nullopt;
        return showDifference(under ? under : m_chosen);
    }
    const double moved = m_dragged->x() - m_mouse.x();
    m_dragged = m_mouse;
    pan(moved);
}

/// Of the baseline.
core::Cycles ComparisonCanvas::timeAt(double x) const {
    const QRectF ruler = layoutNow().ruler();
    return m_scene.axisOf(m_scene.data->comparison.baseline, ruler.left(), ruler.width()).time(x);
}

void ComparisonCanvas::mouseReleaseEvent(QMouseEvent* /*event*/) {
    if (m_pressed && m_scene.data && std::abs(m_mouse.x() - m_pressed->x()) >= leastDrag)
        emit rangeChosen(*m_scene.state.range);
    m_pressed.reset();
    m_dragged.reset();
    unsetCursor();
}

void ComparisonCanvas::leaveEvent(QEvent* /*event*/) {
    showDifference(m_chosen);
    emit pointed(std::nullopt);
}

void ComparisonCanvas::setCursorPlace(const std::optional<TimeCursor>& place, core::RunId selected) {
    if (place == m_scene.cursor && selected == m_scene.selected)
        return;
    m_scene.cursor = place;
    m_scene.selected = selected;
    update();
}

void ComparisonCanvas::contextMenuEvent(QContextMenuEvent* event) {
    if (!m_scene.data)
        return;
    if (const auto run = layoutNow().runAt(event->pos()))
        emit menuRequested(m_scene.data->comparison.runs[*run], event->globalPos());
}

std::optional<core::SpanRecord> ComparisonCanvas::spanAt(const QPointF& point, std::size_t run) const {
    const ComparisonLayout layout = layoutNow();
    const QRectF lanes = layout.lanes(run);
    if (!lanes.contains(point))
        return std::nullopt;
    const MiniTimeline& timeline = m_scene.data->timelines[run];
    const core::Cycles time = m_scene.axisOf(run, lanes.left(), lanes.width()).time(point.x());
    for (std::size_t i = 0; i < timeline.lanes.size(); ++i) {
        const QRectF lane = miniLane(lanes, i, timeline.lanes.size());
        if (!timeline.lanes[i].compute || point.y() < lane.top() || point.y() >= lane.bottom())
            continue;
        for (const core::SpanRecord& span : timeline.window.lanes[*timeline.lanes[i].compute].spans) {
            if (span.start <= time && time < span.start + span.duration)
                return span;
        }
    }
    return std::nullopt;
}

QString ComparisonCanvas::describe(const QPointF& point) const {
    const auto run = layoutNow().runAt(point);
    if (!run)
        return {};
    if (const auto difference = differenceUnder(point))
        return differenceText(m_scene, difference->run, difference->piece);
    QString text = runLetter(*run) + QStringLiteral(" · ") + runName(*m_scene.data, *run);
    if (const auto span = spanAt(point, *run)) {
        const MiniTimeline& timeline = m_scene.data->timelines[*run];
        const TimeScale scale{timeline.clockHz, timeline.step};
        text += QStringLiteral("\n%1, %2 from %3")
                    .arg(toQString(core::spanLabel(*span)),
                         timeText(span->duration, m_scene.state.units.time, scale).joined(),
                         timeText(span->start, m_scene.state.units.time, scale).joined());
        if (span->stage.isValid())
            text += QStringLiteral(", stage %1").arg(span->stage.value());
    }
    return text;
}

} // namespace views
