#include "views/graph/canvas/canvas_view.h"

#include "views/common/theme/control_painters.h"
#include "views/common/theme/widget_theme.h"
#include "views/graph/canvas/cut_overlay.h"
#include "views/graph/gestures/canvas_press.h"

#include <QBackingStore>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPaintEngine>
#include <QPainter>
#include <utility>

namespace views {

CanvasView::CanvasView(Document& document, Selection& selection, CanvasCommands& commands, QWidget* parent)
    : QWidget(parent)
    , m_scene(document, selection, commands, *this)
    , m_hover(m_scene, *this)
    , m_keys(m_scene, *this)
    , m_drop(m_scene) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAcceptDrops(true);
    setMinimumSize(200, 120);
    setAccessibleName(tr("Model canvas"));
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&m_scene, &CanvasScene::repaintNeeded, this, &CanvasView::followDrawing);
    connect(&m_scene, &CanvasScene::viewportChanged, this, &CanvasView::followDrawing);
    connect(&m_scene, &CanvasScene::projectReplaced, this, &CanvasView::endGesture);
    // The card goes with what it is about, and with the place it was shown at.
    connect(&document, &Document::projectChanged, this, [this] { m_hover.drop(); });
    for (const auto changed : {&Document::analysisChanged, &Document::estimateChanged})
        connect(&document, changed, this, [this] { m_hover.refresh(); });
    connect(&m_scene, &CanvasScene::viewportChanged, this, [this] { m_hover.card().hide(); });
    connect(&m_keys, &CanvasKeys::inspectorRequested, this, &CanvasView::inspectorRequested);
    m_scene.rebuild();
}

CanvasView::~CanvasView() = default;

void CanvasView::followDrawing() {
    if (m_gesture)
        return update();
    if (std::exchange(m_willLook, true))
        return;
    // Before the frame, which is drawn at a low priority.
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_willLook = false;
            update(m_damage.look(m_scene, m_hover.grip()));
        },
        Qt::QueuedConnection);
}

void CanvasView::paintEvent(QPaintEvent* event) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    // A part that became bare may be drawn while others wait for a change to be seen.
    const QRegion changed(m_damage.look(m_scene, m_hover.grip()));
    // A picture of the widget is not what is on the screen.
    const bool isOnScreen = painter.paintEngine() != nullptr && backingStore() != nullptr &&
                            painter.paintEngine()->paintDevice() == backingStore()->paintDevice();
    if (isOnScreen && ((changed & visibleRegion()) - event->region()).isEmpty())
        m_damage.noteDrawn();
    m_scene.paint(painter, theme, event->rect());
    paintCutOverlay(painter, m_scene, m_hover.grip(), theme);
    if (m_gesture)
        m_gesture->paint(painter, theme);
    if (m_scene.document().isPlanPreview())
        paintPreviewFrame(painter, theme);
    if (m_showsFocus)
        paintFocusRing(painter, QRectF(rect()).adjusted(2, 2, -2, -2), theme.px(4), theme);
}

/// What is drawn is no part of the project yet; the bar above says so in words, so that no box is covered.
void CanvasView::paintPreviewFrame(QPainter& painter, const Theme& theme) const {
    QPen pen(theme.color(Role::Accent), theme.px(2));
    pen.setDashPattern({5, 3});
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(rect()).adjusted(2, 2, -2, -2));
}

/// Who came by the keyboard sees where the keyboard is.
void CanvasView::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    m_showsFocus = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    update();
}

void CanvasView::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    m_showsFocus = false;
    update();
}

void CanvasView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_scene.resized(event->oldSize().width());
}

void CanvasView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        m_scene.rebuild();
}

void CanvasView::startGesture(std::unique_ptr<CanvasGesture> gesture) {
    if (!gesture)
        return;
    m_hover.card().hide();
    m_gesture = std::move(gesture);
    showGestureCursor();
}

void CanvasView::endGesture() {
    if (!m_gesture)
        return;
    const std::unique_ptr<CanvasGesture> ended = std::move(m_gesture);
    ended->cancel();
    m_scene.clearLeaving();
    unsetCursor();
    update();
}

void CanvasView::showGestureCursor() {
    if (const std::optional<Qt::CursorShape> shape = m_gesture->cursor())
        setCursor(*shape);
}

void CanvasView::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    if (m_gesture)
        return;
    const bool isLeft = event->button() == Qt::LeftButton;
    // What is drawn is no part of the project yet, so nothing of it can be taken hold of.
    if (isLeft && m_scene.document().isPlanPreview())
        return m_scene.document().setPreview(nullptr);
    if (event->button() == Qt::MiddleButton || (isLeft && m_keys.holdsSpace())) {
        m_keys.notePan();
        return startGesture(panGesture(m_scene, event->position()));
    }
    if (event->button() == Qt::RightButton && event->modifiers().testFlag(Qt::ControlModifier))
        return startGesture(knifeGesture(m_scene, event->position()));
    if (!isLeft)
        return;
    // On a box it selects the branch.
    if (event->modifiers().testFlag(Qt::AltModifier) && m_hover.card().isVisible() &&
        m_scene.state().hoveredBox < 0)
        return m_hover.card().pin();
    startGesture(pressGesture(m_scene, *event));
}

void CanvasView::mouseMoveEvent(QMouseEvent* event) {
    m_scene.notePointer(event->position());
    if (!m_gesture)
        return m_hover.moveTo(event->position(), m_keys.holdsSpace());
    m_gesture->hold(event->modifiers());
    m_gesture->move(event->position());
    showGestureCursor();
    update();
}

void CanvasView::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_gesture)
        return;
    // The gesture may change the project, and with it everything it refers to: let go of it first.
    const std::unique_ptr<CanvasGesture> done = std::move(m_gesture);
    done->hold(event->modifiers());
    done->finish(event->position());
    m_scene.clearLeaving();
    unsetCursor();
    m_hover.moveTo(event->position(), m_keys.holdsSpace());
    update();
}

void CanvasView::mouseDoubleClickEvent(QMouseEvent* event) {
    endGesture();
    if (event->button() != Qt::LeftButton)
        return;
    m_scene.notePointer(event->position());
    const QPointF canvas = viewport().toCanvas(event->position());
    const int box = geometry().boxAt(canvas);
    const bool isInFrame = m_scene.isFrame(box) &&
                           canvas.y() > m_scene.box(box).rect.top() + m_scene.options().metrics.groupHeader;
    if (const int note = noteAt(m_scene.state().notes, canvas); note >= 0 && (box < 0 || isInFrame)) {
        m_scene.select(m_scene.state().notes[std::size_t(note)].nodes);
        emit m_scene.noteRequested();
        return;
    }
    if (box < 0 || isInFrame) {
        emit m_scene.quickAddRequested(canvas, std::nullopt);
        return;
    }
    const BoxShape& shape = m_scene.box(box);
    if (shape.group >= 0)
        return m_scene.commands().setCollapsed(model().groups[std::size_t(shape.group)].id,
                                               !shape.isCollapsed);
    const int node = geometry().nodeAt(canvas);
    if (node >= 0)
        emit renameRequested(m_scene.node(node).key);
}

void CanvasView::wheelEvent(QWheelEvent* event) {
    m_scene.camera().wheel(*event);
    m_hover.moveTo(event->position(), m_keys.holdsSpace());
    event->accept();
}

void CanvasView::contextMenuEvent(QContextMenuEvent* event) {
    if (m_gesture || event->modifiers().testFlag(Qt::ControlModifier))
        return;
    if (event->reason() == QContextMenuEvent::Mouse) {
        const QPointF canvas = viewport().toCanvas(QPointF(event->pos()));
        const int box = geometry().boxAt(canvas);
        if (box >= 0) {
            const std::vector<int> clicked = m_scene.nodesAt(canvas, box);
            if (!m_scene.areSelected({clicked.front()}))
                m_scene.select(clicked);
        }
    }
    m_hover.card().hide();
    emit contextMenuRequested(event->globalPos());
}

void CanvasView::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    m_scene.notePointer({});
    m_hover.leave();
}

bool CanvasView::event(QEvent* event) {
    // Tab searches for a layer here, as in every node editor; Ctrl+Tab leaves the canvas.
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool isTab = key->key() == Qt::Key_Tab || key->key() == Qt::Key_Backtab;
        if (isTab && key->modifiers().testFlag(Qt::ControlModifier))
            return focusNextPrevChild(!key->modifiers().testFlag(Qt::ShiftModifier));
        if (key->key() == Qt::Key_Tab && key->modifiers() == Qt::NoModifier) {
            m_keys.requestQuickAdd();
            return true;
        }
    }
    return QWidget::event(event);
}

void CanvasView::keyPressEvent(QKeyEvent* event) {
    m_hover.card().hide();
    if (event->key() == Qt::Key_Escape && m_gesture)
        return endGesture();
    if (!m_keys.press(*event))
        QWidget::keyPressEvent(event);
}

void CanvasView::keyReleaseEvent(QKeyEvent* event) {
    if (!m_keys.release(*event))
        QWidget::keyReleaseEvent(event);
}

} // namespace views
