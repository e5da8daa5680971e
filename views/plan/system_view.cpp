#include "views/plan/system_view.h"

#include "core/project/choices/pipeline_choices.h"
#include "core/project/project_edit.h"
#include "views/common/theme/widget_theme.h"
#include "views/document/selection.h"
#include "views/plan/target/target_strip.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <utility>

namespace views {

BoardCanvas::BoardCanvas(Document& document, Selection& selection, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection) {
    setAccessibleName(tr("System board"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    for (const auto signal : {&Document::opened, &Document::projectChanged, &Document::previewChanged,
                              &Document::estimateChanged, &Document::unitsChanged})
        connect(&document, signal, this, &BoardCanvas::refresh);
    connect(&selection, &Selection::changed, this, [this] {
        const auto& stage = m_selection.state().stage;
        if (stage && stage->index() < m_board.stages)
            m_state.current = stage->index();
        update();
    });
    refresh();
}

void BoardCanvas::refresh() {
    if (!m_document.isOpen()) {
        m_board = {};
        m_state = {};
    } else {
        const core::Project& shown = m_document.preview() ? *m_document.preview() : m_document.project();
        m_board =
            systemBoard(shown, m_document.preview() ? m_document.previewEstimate() : m_document.estimate());
        if (m_state.current && *m_state.current >= m_board.stages)
            m_state.current.reset();
    }
    layOut();
}

void BoardCanvas::layOut() {
    m_layout = m_document.isOpen() ? layOutBoard(m_board, width(), themeOf(this)) : BoardLayout{};
    setMinimumHeight(std::max(0, int(m_layout.size.height())));
    setAccessibleDescription(m_state.current       ? stageText(m_board, *m_state.current, m_document.units())
                             : m_document.isOpen() ? boardTitle(m_board)
                                                   : QString());
    update();
}

std::optional<std::size_t> BoardCanvas::stageAt(const QPointF& at) const {
    for (const BoardChip& chip : m_layout.chips)
        if (chip.rect.adjusted(-3, -3, 3, 3).contains(at))
            return chip.stage;
    return std::nullopt;
}

std::optional<std::size_t> BoardCanvas::ipuAt(const QPointF& at) const {
    for (const BoardCard& card : m_layout.cards)
        if (card.rect.contains(at))
            return card.ipu;
    return std::nullopt;
}

std::size_t BoardCanvas::ipuOfStage(std::size_t stage) const {
    return m_document.project().deviceMapping.ipuOf(core::StageId(stage)).index();
}

void BoardCanvas::choose(std::optional<std::size_t> stage) {
    m_state.current = stage;
    m_selection.selectStage(stage ? std::optional(core::StageId(*stage)) : std::nullopt);
    layOut();
}

void BoardCanvas::moveTo(std::size_t stage, std::size_t ipu) {
    if (ipu >= m_board.ipus.size() || ipuOfStage(stage) == ipu)
        return;
    m_document.apply(tr("Put stage %1 on IPU %2").arg(stage).arg(ipu), [&](const core::Project& project) {
        return core::withStageOnIpu(project, core::StageId(stage), core::IpuId(ipu));
    });
}

void BoardCanvas::toggleLock(std::size_t stage) {
    const std::vector<std::string> layers = core::layersOfStage(m_document.project(), core::StageId(stage));
    const bool isLocked = m_board.locked[stage];
    m_document.apply((isLocked ? tr("Unlock stage %1") : tr("Lock stage %1")).arg(stage),
                     [&](const core::Project& project) -> core::Result<core::Project> {
                         return core::withLocks(project, layers, !isLocked);
                     });
}

bool BoardCanvas::isOnGrip(const QPointF& at) const {
    return m_layout.grip.adjusted(-6, -4, 6, 4).contains(at);
}

void BoardCanvas::setReplicas(std::int64_t replicas) {
    if (replicas < 1 || replicas == std::int64_t(m_board.replicas))
        return;
    m_document.apply(
        tr("Use %1").arg(countedText(replicas, tr("replica"), tr("replicas"))),
        [&](const core::Project& project) { return core::withReplicaChoice(project, replicas); });
}

void BoardCanvas::drawGrip(const QPointF& at) {
    const auto more = std::int64_t(std::lround((at.y() - m_pressedAt.y()) / m_grip->step));
    const std::int64_t wanted = std::max<std::int64_t>(1, m_grip->before + more);
    if (wanted == m_grip->now)
        return;
    const auto next = core::withReplicaChoice(m_document.project(), wanted);
    if (!next)
        return;
    m_grip->now = wanted;
    m_document.setPreview(wanted == m_grip->before ? nullptr : std::make_shared<const core::Project>(*next));
}

void BoardCanvas::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    if (event->button() != Qt::LeftButton || !m_document.isOpen())
        return;
    if (m_document.isPlanPreview())
        return m_document.setPreview(nullptr);
    m_pressedAt = event->position();
    if (isOnGrip(event->position())) {
        const auto replicas = std::int64_t(m_board.replicas);
        m_grip = Grip{replicas, m_layout.replicaStep, replicas};
        return;
    }
    m_pressed = stageAt(event->position());
    if (m_pressed)
        choose(m_pressed);
}

void BoardCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (m_grip)
        return drawGrip(event->position());
    if (!m_pressed) {
        const bool isOn = isOnGrip(event->position());
        if (isOn != std::exchange(m_state.isOnGrip, isOn))
            update();
        setCursor(isOn                         ? Qt::SizeVerCursor
                  : stageAt(event->position()) ? Qt::OpenHandCursor
                                               : Qt::ArrowCursor);
        return;
    }
    if (!m_state.dragged &&
        (event->position() - m_pressedAt).manhattanLength() < QApplication::startDragDistance())
        return;
    m_state.dragged = m_pressed;
    m_state.mouse = event->position();
    setCursor(Qt::ClosedHandCursor);
    const auto target = ipuAt(event->position());
    if (target != m_state.target) {
        m_state.target = target;
        const auto moved =
            target && *target != ipuOfStage(*m_pressed)
                ? core::withStageOnIpu(m_document.project(), core::StageId(*m_pressed), core::IpuId(*target))
                : core::failure(core::Diagnostics());
        m_document.setPreview(moved ? std::make_shared<const core::Project>(*moved) : nullptr);
    }
    update();
}

void BoardCanvas::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && m_grip) {
        drawGrip(event->position());
        const Grip grip = *m_grip;
        endDrag();
        return setReplicas(grip.now);
    }
    if (event->button() != Qt::LeftButton || !m_pressed)
        return;
    const auto stage = m_state.dragged;
    const auto target = ipuAt(event->position());
    endDrag();
    if (stage && target)
        moveTo(*stage, *target);
}

void BoardCanvas::endDrag() {
    m_pressed.reset();
    m_grip.reset();
    m_state.isOnGrip = false;
    m_state.dragged.reset();
    m_state.target.reset();
    unsetCursor();
    if (m_document.preview() && !m_document.isPlanPreview())
        m_document.setPreview(nullptr);
    update();
}

void BoardCanvas::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    if (key == Qt::Key_Escape && (m_pressed || m_grip))
        return endDrag();
    if (m_document.isOpen() && !m_document.preview() && (key == Qt::Key_Plus || key == Qt::Key_Minus))
        return setReplicas(std::int64_t(m_board.replicas) + (key == Qt::Key_Plus ? 1 : -1));
    if (!m_document.isOpen() || m_board.stages == 0)
        return QWidget::keyPressEvent(event);
    const int step = key == Qt::Key_Right || key == Qt::Key_Down ? 1
                     : key == Qt::Key_Left || key == Qt::Key_Up  ? -1
                                                                 : 0;
    const std::size_t current = m_state.current.value_or(0);
    if (step != 0 && event->modifiers().testFlag(Qt::ControlModifier)) {
        const auto ipu = std::int64_t(ipuOfStage(current)) + step;
        choose(current);
        if (ipu >= 0)
            moveTo(current, std::size_t(ipu));
    } else if (step != 0) {
        const auto last = std::int64_t(m_board.stages) - 1;
        choose(m_state.current ? std::size_t(std::clamp<std::int64_t>(std::int64_t(current) + step, 0, last))
                               : std::size_t(0));
    } else if (m_state.current && key >= Qt::Key_0 && key <= Qt::Key_9) {
        moveTo(current, std::size_t(key - Qt::Key_0));
    } else if (m_state.current && key == Qt::Key_L && event->modifiers() == Qt::NoModifier) {
        toggleLock(current);
    } else {
        QWidget::keyPressEvent(event);
    }
}

bool BoardCanvas::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto stage = stageAt(help->pos());
    QToolTip::showText(
        help->globalPos(),
        isOnGrip(help->pos()) ? tr("Draw it down for more replicas, up for fewer; or press + and −.")
        : stage               ? stageText(m_board, *stage, m_document.units()) +
                      tr("\nDrag it to another IPU, or press a digit; L locks its layers to it.")
                : tr("Lines are links, as wide as the bytes that leave with each micro-batch."),
        this);
    return true;
}

void BoardCanvas::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Role::Canvas));
    if (m_document.isOpen())
        paintBoard(painter, m_board, m_layout, m_state, m_document.units(), theme);
}

void BoardCanvas::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        layOut();
}

void BoardCanvas::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
        layOut();
}

void BoardCanvas::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    m_state.hasFocus = true;
    update();
}

void BoardCanvas::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    m_state.hasFocus = false;
    update();
}

SystemView::SystemView(Document& document, Selection& selection, ViewIntents& intents,
                       TargetFigureSource figures, QWidget* parent)
    : QScrollArea(parent)
    , m_target(new TargetStrip(document, intents, std::move(figures)))
    , m_canvas(new BoardCanvas(document, selection)) {
    setAccessibleName(tr("System"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget;
    auto* rows = new QVBoxLayout(content);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    // The board first: it is looked at more often than the target is changed.
    rows->addWidget(m_canvas, 1);
    rows->addWidget(m_target);
    setWidget(content);
    setFocusProxy(m_canvas);
}

} // namespace views
