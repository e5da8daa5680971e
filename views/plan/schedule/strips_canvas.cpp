#include "views/plan/schedule/strips_canvas.h"

#include "views/common/theme/widget_theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <cmath>

namespace views {

StripsCanvas::StripsCanvas(QWidget* parent)
    : QWidget(parent)
    , m_toolTip(new ToolTipCard(this)) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Schedules side by side"));
}

void StripsCanvas::setScene(StripsScene scene) {
    m_scene = std::move(scene);
    m_toolTip->showAt({}, {});
    tell();
    grow();
    update();
}

void StripsCanvas::choose(std::optional<std::size_t> outcome) {
    m_scene.chosen = outcome;
    tell();
    update();
}

void StripsCanvas::tell() {
    const bool isKnown = m_scene.chosen && *m_scene.chosen < m_scene.outcomes.size();
    const core::ScheduleOutcome* outcome = isKnown ? &m_scene.outcomes[*m_scene.chosen] : nullptr;
    setAccessibleDescription(outcome == nullptr ? QString()
                                                : toQString(outcome->schedule) + QStringLiteral(": ") +
                                                      outcomeText(*outcome, m_scene.units));
}

/// As high as the strips, so that what holds it scrolls.
void StripsCanvas::grow() {
    m_scene.room = 0;
    setMinimumHeight(int(std::ceil(stripsHeight(m_scene, width(), themeOf(this)))));
    m_scene.room = height();
}

QRectF StripsCanvas::placeOf(std::size_t outcome) const {
    return stripPlaces(m_scene, width(), themeOf(this)).at(outcome);
}

std::optional<std::size_t> StripsCanvas::outcomeAt(const QPointF& point) const {
    return stripAt(m_scene, point, width(), themeOf(this));
}

void StripsCanvas::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    painter.fillRect(rect(), themeOf(this).color(Role::Canvas));
    paintStrips(painter, m_scene, width(), themeOf(this));
}

void StripsCanvas::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    if (event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    if (event->modifiers().testFlag(Qt::AltModifier))
        return m_toolTip->pin();
    if (const auto outcome = outcomeAt(event->position()))
        emit chosen(*outcome);
}

void StripsCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (const auto outcome = outcomeAt(event->position()); outcome && event->button() == Qt::LeftButton)
        emit activated(*outcome);
}

void StripsCanvas::mouseMoveEvent(QMouseEvent* event) {
    m_toolTip->showAt(event->position(), stripToolTip(m_scene, event->position(), width(), themeOf(this)));
    const auto hovered = outcomeAt(event->position());
    if (hovered == m_scene.hovered)
        return;
    m_scene.hovered = hovered;
    update();
}

void StripsCanvas::leaveEvent(QEvent* /*event*/) {
    m_toolTip->showAt({}, {});
    m_scene.hovered.reset();
    update();
}

void StripsCanvas::keyPressEvent(QKeyEvent* event) {
    const std::size_t count = m_scene.outcomes.size();
    if (count == 0)
        return QWidget::keyPressEvent(event);
    const std::size_t last = count - 1;
    switch (event->key()) {
    case Qt::Key_Down:
        emit chosen(m_scene.chosen ? std::min(last, *m_scene.chosen + 1) : 0);
        return;
    case Qt::Key_Up:
        emit chosen(m_scene.chosen && *m_scene.chosen > 0 ? *m_scene.chosen - 1 : 0);
        return;
    case Qt::Key_Home:
        emit chosen(0);
        return;
    case Qt::Key_End:
        emit chosen(last);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_scene.chosen)
            emit activated(*m_scene.chosen);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void StripsCanvas::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    grow();
}

void StripsCanvas::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        grow();
}

} // namespace views
