#include "views/flame/flame_canvas.h"

#include "views/common/theme/widget_theme.h"
#include "views/flame/flame_painter.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>

namespace views {

FlameCanvas::FlameCanvas(QWidget* parent)
    : QWidget(parent)
    , m_toolTip(new ToolTipCard(this)) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Flame graph"));
}

void FlameCanvas::setScene(FlameScene scene) {
    m_scene = std::move(scene);
    QString words;
    if (m_scene.data && m_scene.chosen) {
        const core::TimeNode* node = nodeAt(m_scene.data->root, *m_scene.chosen);
        words = flameWay(m_scene.data->root, *m_scene.chosen) + QStringLiteral(", ") +
                timeText(node->cycles, m_scene.units.time, m_scene.data->timeScale()).joined() +
                QStringLiteral(", ") + percentText(m_scene.data->shareOf(*node), 2);
    }
    setAccessibleDescription(words);
    grow();
    update();
}

/// As high as its rows, so that what holds it scrolls.
void FlameCanvas::grow() {
    setMinimumHeight(int(flameHeight(m_scene, themeOf(this).scale())) + themeOf(this).ipx(4));
}

std::vector<FlameBox> FlameCanvas::boxes() const {
    return flameBoxes(m_scene, rect(), themeOf(this).scale());
}

void FlameCanvas::focusOn(const FlamePath& path) {
    if (!m_scene.data || nodeAt(m_scene.data->root, path) == nullptr)
        return;
    m_scene.focus = path;
    m_scene.hovered.reset();
    m_toolTip->showAt({}, {});
    grow();
    update();
    emit focused(path);
}

void FlameCanvas::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    paintFlame(painter, m_scene, rect(), themeOf(this));
}

void FlameCanvas::choose(const std::optional<FlamePath>& path) {
    emit chosen(path);
}

void FlameCanvas::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    if (!m_scene.data || event->button() != Qt::LeftButton)
        return QWidget::mousePressEvent(event);
    if (event->modifiers().testFlag(Qt::AltModifier))
        return m_toolTip->pin();
    const std::vector<FlameBox> all = boxes();
    const FlameBox* box = flameBoxAt(all, event->position());
    choose(box == nullptr ? std::nullopt : std::optional(box->path));
}

void FlameCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (!m_scene.data)
        return;
    const std::vector<FlameBox> all = boxes();
    const FlameBox* box = flameBoxAt(all, event->position());
    m_toolTip->showAt(event->position(),
                      box == nullptr ? ToolTipContent() : flameToolTip(*m_scene.data, *box, m_scene.units));
    const auto hovered = box == nullptr ? std::nullopt : std::optional(box->path);
    setCursor(box == nullptr ? Qt::ArrowCursor : Qt::PointingHandCursor);
    if (hovered == m_scene.hovered)
        return;
    m_scene.hovered = hovered;
    update();
    emit pointed(hovered);
}

void FlameCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (!m_scene.data || event->button() != Qt::LeftButton)
        return;
    const std::vector<FlameBox> all = boxes();
    if (const FlameBox* box = flameBoxAt(all, event->position()))
        focusOn(box->path);
}

void FlameCanvas::leaveEvent(QEvent* /*event*/) {
    m_toolTip->showAt({}, {});
    m_scene.hovered.reset();
    update();
    emit pointed(std::nullopt);
}

void FlameCanvas::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    grow();
}

void FlameCanvas::goAside(int by) {
    if (!m_scene.chosen || m_scene.chosen->empty())
        return choose(FlamePath(m_scene.focus));
    FlamePath path = *m_scene.chosen;
    const core::TimeNode* parent = nodeAt(m_scene.data->root, FlamePath(path.begin(), path.end() - 1));
    const auto last = std::ptrdiff_t(parent->children.size()) - 1;
    path.back() = std::size_t(std::clamp<std::ptrdiff_t>(std::ptrdiff_t(path.back()) + by, 0, last));
    choose(path);
}

void FlameCanvas::goInside() {
    FlamePath path = m_scene.chosen.value_or(m_scene.focus);
    if (m_scene.chosen && !nodeAt(m_scene.data->root, path)->children.empty())
        path.push_back(0);
    choose(path);
}

bool FlameCanvas::goBack() {
    if (m_scene.focus.empty())
        return false;
    focusOn(FlamePath(m_scene.focus.begin(), m_scene.focus.end() - 1));
    return true;
}

bool FlameCanvas::event(QEvent* event) {
    // Keys that the window would take for shortcuts belong to the boxes while they have the focus.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const auto modifiers = key->modifiers() & ~Qt::KeypadModifier;
        if (modifiers == Qt::NoModifier && key->key() != Qt::Key_Question && key->key() < Qt::Key_F1) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

void FlameCanvas::keyPressEvent(QKeyEvent* event) {
    if (!m_scene.data || (event->modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier)
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left:
        return goAside(-1);
    case Qt::Key_Right:
        return goAside(1);
    case Qt::Key_Up:
        if (m_scene.chosen && !m_scene.chosen->empty())
            return choose(FlamePath(m_scene.chosen->begin(), m_scene.chosen->end() - 1));
        return choose(FlamePath());
    case Qt::Key_Down:
        return goInside();
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_F:
        return focusOn(m_scene.chosen.value_or(m_scene.focus));
    case Qt::Key_Home:
    case Qt::Key_0:
        return focusOn({});
    case Qt::Key_Backspace:
        if (goBack())
            return;
        break;
    case Qt::Key_Escape:
        if (m_scene.chosen)
            return choose(std::nullopt);
        if (goBack())
            return;
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

} // namespace views
