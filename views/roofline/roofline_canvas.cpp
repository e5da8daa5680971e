#include "views/roofline/roofline_canvas.h"

#include "views/common/theme/widget_theme.h"
#include "views/profile/time/key_place.h"
#include "views/roofline/roofline_painter.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace views {

namespace {

/// One step of the wheel, or one key.
constexpr double zoomStep = 0.8;

} // namespace

RooflineCanvas::RooflineCanvas(QWidget* parent)
    : QWidget(parent)
    , m_toolTip(new ToolTipCard(this)) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Roofline"));
}

void RooflineCanvas::setScene(RooflineScene scene) {
    m_scene = std::move(scene);
    QString words;
    if (m_scene.data && m_scene.chosen) {
        const ToolTipContent content =
            rooflineToolTip(*m_scene.data, m_scene.points()[*m_scene.chosen], m_units);
        words = content.title;
        for (const ToolTipContent::Row& row : content.rows)
            words += QStringLiteral(", ") + row.name + QLatin1Char(' ') + row.value;
    }
    setAccessibleDescription(words);
    update();
}

RooflinePlane RooflineCanvas::plane() const {
    return planeOf(m_scene, rect(), themeOf(this).scale());
}

void RooflineCanvas::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    paintRoofline(painter, m_scene, rect(), themeOf(this));
}

void RooflineCanvas::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    if (!m_scene.data)
        return;
    if (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::AltModifier)) {
        m_toolTip->pin();
        return;
    }
    m_press = m_last = event->position();
    m_isMoving = event->button() == Qt::MiddleButton ||
                 (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ShiftModifier));
    m_isFraming = false;
}

void RooflineCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (!m_scene.data)
        return;
    if (!m_press)
        return hover(event->position());
    if (m_isMoving) {
        show(plane().moved(event->position() - m_last));
        m_last = event->position();
        return;
    }
    const QPointF way = event->position() - *m_press;
    if (!m_isFraming && way.manhattanLength() < QApplication::startDragDistance())
        return;
    m_isFraming = true;
    m_toolTip->showAt({}, {});
    m_scene.frame = frameOf(plane(), QRectF(*m_press, event->position()));
    update();
}

void RooflineCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_press)
        return;
    const bool wasMoving = std::exchange(m_isMoving, false);
    const bool wasFraming = std::exchange(m_isFraming, false);
    m_press.reset();
    if (wasFraming)
        return setFrame(m_scene.frame);
    if (wasMoving || event->button() != Qt::LeftButton)
        return;
    emit chosen(pointAt(m_scene, plane(), event->position(), themeOf(this).scale()));
}

void RooflineCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (m_scene.data && !pointAt(m_scene, plane(), event->position(), themeOf(this).scale()))
        show(std::nullopt);
}

void RooflineCanvas::wheelEvent(QWheelEvent* event) {
    if (!m_scene.data || event->angleDelta().y() == 0)
        return;
    constexpr double notch = 120;
    show(plane().zoomed(std::pow(zoomStep, event->angleDelta().y() / notch), event->position()));
    event->accept();
}

void RooflineCanvas::leaveEvent(QEvent* /*event*/) {
    m_toolTip->showAt({}, {});
    m_scene.hovered.reset();
    update();
    emit pointed(std::nullopt);
}

void RooflineCanvas::hover(const QPointF& at) {
    const auto point = pointAt(m_scene, plane(), at, themeOf(this).scale());
    m_toolTip->showAt(at, point ? rooflineToolTip(*m_scene.data, m_scene.points()[*point], m_units)
                                : ToolTipContent());
    if (point == m_scene.hovered)
        return;
    m_scene.hovered = point;
    setCursor(point ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
    emit pointed(point);
}

void RooflineCanvas::show(const std::optional<RooflineWindow>& window) {
    m_scene.shown = window;
    update();
}

void RooflineCanvas::setFrame(const std::optional<RooflineFrame>& frame) {
    m_scene.frame = frame;
    update();
    emit framed(frame);
}

bool RooflineCanvas::takeBack() {
    if (m_scene.frame)
        setFrame(std::nullopt);
    else if (m_scene.chosen)
        emit chosen(std::nullopt);
    else if (m_scene.shown)
        show(std::nullopt);
    else
        return false;
    return true;
}

/// To the next point from left to right.
void RooflineCanvas::goAlong(int by) {
    std::vector<std::size_t> order = m_scene.drawOrder();
    const RooflinePlane now = plane();
    std::ranges::stable_sort(
        order, {}, [&](std::size_t i) { return now.place(m_scene.points()[i], m_scene.data->clockHz).x(); });
    if (order.empty())
        return;
    const auto place = m_scene.chosen ? std::ranges::find(order, *m_scene.chosen) : order.end();
    const auto last = std::ptrdiff_t(order.size()) - 1;
    const std::ptrdiff_t next = place == order.end() ? (by > 0 ? 0 : last) : place - order.begin() + by;
    emit chosen(order[std::size_t(std::clamp<std::ptrdiff_t>(next, 0, last))]);
}

void RooflineCanvas::zoom(double factor) {
    show(plane().zoomed(factor, plane().area.center()));
}

bool RooflineCanvas::event(QEvent* event) {
    // Keys that the window would take for shortcuts belong to the plane while it has the focus.
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

void RooflineCanvas::keyPressEvent(QKeyEvent* event) {
    if (!m_scene.data || (event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) != Qt::NoModifier)
        return QWidget::keyPressEvent(event);
    constexpr double step = 40;
    switch (placeOfKey(*event)) {
    case Qt::Key_Left:
        return goAlong(-1);
    case Qt::Key_Right:
        return goAlong(1);
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoom(zoomStep);
    case Qt::Key_S:
    case Qt::Key_Minus:
        return zoom(1 / zoomStep);
    case Qt::Key_A:
        return show(plane().moved({step, 0}));
    case Qt::Key_D:
        return show(plane().moved({-step, 0}));
    case Qt::Key_F:
        if (m_scene.frame)
            show(m_scene.frame->window);
        return;
    case Qt::Key_Home:
    case Qt::Key_0:
        return show(std::nullopt);
    case Qt::Key_Escape:
        if (takeBack())
            return;
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

} // namespace views
