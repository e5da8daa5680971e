#include "views/graph/canvas/minimap.h"

#include "views/common/theme/color_mix.h"
#include "views/common/theme/control_painters.h"
#include "views/common/theme/widget_theme.h"
#include "views/graph/canvas/canvas_view.h"
#include "views/graph/painting/canvas_painter.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <ranges>

namespace views {

namespace {

constexpr double margin = 5;

}

Minimap::Minimap(CanvasView& canvas)
    : QWidget(&canvas)
    , m_canvas(canvas) {
    setAccessibleName(tr("Overview of the canvas"));
    setFixedSize(themeOf(this).ipx(108), themeOf(this).ipx(80));
    setToolTip(tr("Drag to move the view"));
    connect(&canvas.scene(), &CanvasScene::viewportChanged, this, qOverload<>(&QWidget::update));
    connect(&canvas.scene(), &CanvasScene::drawingChanged, this, qOverload<>(&QWidget::update));
}

double Minimap::scale() const {
    const QRectF bounds = m_canvas.geometry().bounds;
    if (bounds.isEmpty())
        return 1;
    return std::min((width() - 2 * margin) / bounds.width(), (height() - 2 * margin) / bounds.height());
}

QPointF Minimap::offset() const {
    const QSizeF drawn = m_canvas.geometry().bounds.size() * scale();
    return {(width() - drawn.width()) / 2, (height() - drawn.height()) / 2};
}

std::optional<QPoint> Minimap::freeCorner() const {
    const int gap = themeOf(this).ipx(10);
    const int right = m_canvas.width() - width() - gap;
    const int bottom = m_canvas.height() - height() - gap;
    const CanvasViewport& viewport = m_canvas.viewport();
    const double chipWidth = themeOf(this).px(120);
    const double chipSpace = themeOf(this).px(52);
    const double chipTop = m_canvas.height() - chipSpace;
    for (const QPoint& corner :
         {QPoint(right, bottom), QPoint(gap, bottom), QPoint(right, gap), QPoint(gap, gap)}) {
        const QRectF covered(viewport.toCanvas(QPointF(corner)), QSizeF(size()) / viewport.zoom);
        const QRectF place(corner, QSizeF(size()));
        // The chips of cuts are at the foot of their lines, or above a box in the way; space is kept at the
        // foot.
        const bool hasChip = std::ranges::any_of(
            m_canvas.geometry().columns | std::views::drop(1), [&](const ColumnShape& column) {
                const double x = viewport.toView(QPointF(column.left, 0)).x();
                return QRectF(x - chipWidth / 2, chipTop, chipWidth, chipSpace).intersects(place);
            });
        if (hasChip)
            continue;
        const bool isFree = std::ranges::none_of(m_canvas.geometry().boxes, [&](const BoxShape& box) {
            return box.rect.adjusted(-4, -4, 4, 18).intersects(covered);
        });
        if (isFree)
            return corner;
    }
    return std::nullopt;
}

void Minimap::place(bool isWanted) {
    const QRectF bounds = m_canvas.geometry().bounds;
    const bool isLarger = !bounds.isEmpty() && !m_canvas.viewport().visible(m_canvas.size()).contains(bounds);
    const std::optional<QPoint> corner = isWanted && isLarger ? freeCorner() : std::nullopt;
    setVisible(corner.has_value());
    if (corner)
        move(*corner);
}

void Minimap::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    paintCard(painter, rect(), theme.px(6), theme.color(Role::Panel), theme.color(Role::BorderStrong),
              theme.frameWidth());
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.translate(offset());
    painter.scale(scale(), scale());
    painter.translate(-m_canvas.geometry().bounds.topLeft());
    const CanvasGeometry& geometry = m_canvas.geometry();
    const bool isPipelined = m_canvas.model().stageCount > 0;
    for (const ColumnShape& column : geometry.columns) {
        if (isPipelined)
            painter.fillRect(
                QRectF(column.left, geometry.bounds.top(), column.width, geometry.bounds.height()),
                theme.stageLane(column.stage.index()));
    }
    for (const BoxShape& box : geometry.boxes) {
        if (box.isFrame())
            continue;
        painter.fillRect(visibleBox(box.rect, scale()), isPipelined && box.stage.isValid()
                                                            ? theme.stage(box.stage.index())
                                                            : theme.color(Role::Text3));
    }
    painter.resetTransform();
    const QRectF seen = m_canvas.viewport().visible(m_canvas.size());
    const QRectF frame(offset() + (seen.topLeft() - geometry.bounds.topLeft()) * scale(),
                       seen.size() * scale());
    painter.setPen(QPen(theme.color(Role::Accent), 1.2));
    painter.setBrush(withAlpha(theme.color(Role::Accent), 0.08));
    painter.drawRect(frame.intersected(QRectF(rect()).adjusted(1, 1, -2, -2)));
}

void Minimap::centreOn(const QPointF& at) {
    CanvasViewport next = m_canvas.viewport();
    const QPointF point = (at - offset()) / scale() + m_canvas.geometry().bounds.topLeft();
    next.origin = point - QPointF(m_canvas.width(), m_canvas.height()) / (2 * next.zoom);
    m_canvas.setViewport(next);
}

void Minimap::mousePressEvent(QMouseEvent* event) {
    centreOn(event->position());
}

void Minimap::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons().testFlag(Qt::LeftButton))
        centreOn(event->position());
}

} // namespace views
