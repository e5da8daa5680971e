#include "views/graph/painting/canvas_painter.h"

#include "views/common/text/elided_text.h"
#include "views/common/theme/color_mix.h"
#include "views/common/theme/control_painters.h"
#include "views/common/theme/hatch.h"
#include "views/common/theme/icons.h"
#include "views/graph/painting/box_frame.h"
#include "views/graph/painting/output_marks.h"

#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace views {

namespace {

constexpr double labelsFrom = 0.7;
constexpr double detailsFrom = 0.5;
constexpr double boxesFrom = 0.3;
constexpr double linesFrom = 0.04;
constexpr double iconSide = 14;

/// An icon from the cache of pictures on the screen, as vectors elsewhere.
void drawIcon(QPainter& painter, const QRectF& rect, const QString& name, const QColor& color, double zoom) {
    const double ratio = painter.device()->devicePixelRatioF() * zoom;
    const int pixels = std::max(1, static_cast<int>(std::lround(rect.width() * ratio)));
    const QPixmap pixmap = iconPixmap(name, color, pixels, 1.0);
    painter.drawPixmap(rect, pixmap, QRectF(0, 0, pixmap.width(), pixmap.height()));
}

bool touches(const QPolygonF& piece, const QRectF& visible) {
    return piece.boundingRect().adjusted(-2, -2, 2, 2).intersects(visible);
}

/// One step from one corner of an orthogonal line to the next.
QPointF stepFrom(const QPointF& from, const QPointF& to) {
    const QPointF way = to - from;
    if (std::abs(way.x()) > std::abs(way.y()))
        return {way.x() < 0 ? -1.0 : 1.0, 0};
    return {0, way.y() < 0 ? -1.0 : 1.0};
}

/// The unfilled stretch of an edge between the stages: middle of its longest piece, and one step along it.
std::pair<QPointF, QPointF> middleOf(const QPolygonF& piece) {
    double longest = -1;
    std::pair<QPointF, QPointF> middle{QPointF(), QPointF(0, 1)};
    for (int i = 0; i + 1 < piece.size(); ++i) {
        const double length =
            std::abs(piece[i + 1].x() - piece[i].x()) + std::abs(piece[i + 1].y() - piece[i].y());
        if (length > longest) {
            longest = length;
            middle = {(piece[i] + piece[i + 1]) / 2, stepFrom(piece[i], piece[i + 1])};
        }
    }
    return middle;
}

} // namespace

QPainterPath roundedPath(const QPolygonF& points, double radius) {
    QPainterPath path;
    if (points.isEmpty())
        return path;
    path.moveTo(points.front());
    for (int i = 1; i + 1 < points.size(); ++i) {
        const QPointF before = points[i - 1] - points[i];
        const QPointF after = points[i + 1] - points[i];
        const double lengthBefore = std::hypot(before.x(), before.y());
        const double lengthAfter = std::hypot(after.x(), after.y());
        const double r = std::min({radius, lengthBefore / 2, lengthAfter / 2});
        if (r < 0.5) {
            path.lineTo(points[i]);
            continue;
        }
        path.lineTo(points[i] + before / lengthBefore * r);
        path.quadTo(points[i], points[i] + after / lengthAfter * r);
    }
    path.lineTo(points.back());
    return path;
}

QColor heatColor(const Theme& theme, double share) {
    return mix(theme.color(Role::Raised), theme.color(Role::Error), 0.05 + 0.30 * share);
}

CanvasPainter::CanvasPainter(const CanvasModel& model, const CanvasGeometry& geometry,
                             const CanvasState& state, const CanvasTexts& texts, const Theme& theme)
    : m_model(model)
    , m_geometry(geometry)
    , m_state(state)
    , m_texts(texts)
    , m_theme(theme) {}

void CanvasPainter::paint(QPainter& painter, const QRectF& visible, double zoom, const QRectF& part) const {
    // What reaches beyond its box: marks of outputs to the sides, shadows and ports above and below.
    const QRectF seen = part.isNull() ? visible : part;
    const QRectF wider = seen.adjusted(-72, -24, 72, 24);
    painter.setRenderHint(QPainter::Antialiasing);
    paintLanes(painter, visible, zoom);
    if (m_geometry.columns.empty() && m_model.stageCount > 1)
        paintStageRegions(painter, visible);
    paintNotes(painter, m_state.notes, visible, zoom, m_theme);
    for (std::size_t i = 0; i < m_geometry.boxes.size(); ++i) {
        if (!m_geometry.boxes[i].isFrame() || !placeOf(i).intersects(wider))
            continue;
        painter.translate(shiftOf(i));
        paintFrame(painter, i, zoom);
        painter.translate(-shiftOf(i));
    }
    painter.setOpacity(m_state.arrived);
    paintEdges(painter, seen.adjusted(-12, -12, 12, 12), zoom);
    painter.setOpacity(1);
    for (std::size_t i = 0; i < m_geometry.boxes.size(); ++i) {
        const BoxShape& box = m_geometry.boxes[i];
        if (box.isFrame() || !placeOf(i).intersects(wider))
            continue;
        painter.translate(shiftOf(i));
        if (zoom < boxesFrom)
            paintPlainBox(painter, box, isSelected(box), zoom);
        else
            paintBox(painter, i, zoom);
        painter.translate(-shiftOf(i));
    }
    if (zoom >= labelsFrom && m_state.shifts.empty())
        paintLabels(painter, seen);
}

void CanvasPainter::paintLanes(QPainter& painter, const QRectF& visible, double zoom) const {
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(visible, m_theme.color(Role::Canvas));
    for (const ColumnShape& column : m_geometry.columns) {
        const QRectF lane(column.left, visible.top(), column.width, visible.height());
        if (lane.intersects(visible))
            painter.fillRect(lane, m_theme.stageLane(column.stage.index()));
    }
    if (zoom >= detailsFrom) {
        const double step = 16;
        QVector<QPointF> dots;
        for (double y = std::ceil(visible.top() / step) * step; y < visible.bottom(); y += step) {
            for (double x = std::ceil(visible.left() / step) * step; x < visible.right(); x += step)
                dots.append({x, y});
        }
        painter.setPen(QPen(m_theme.color(Role::CanvasDot), 1));
        painter.drawPoints(dots.constData(), int(dots.size()));
    }
    for (std::size_t i = 1; i < m_geometry.columns.size(); ++i) {
        const ColumnShape& column = m_geometry.columns[i];
        QPen pen(mix(m_theme.color(Role::Canvas), m_theme.stage(column.stage.index()), 0.6), 1.2 / zoom);
        pen.setDashPattern({4, 3});
        painter.setPen(pen);
        painter.drawLine(QPointF(column.left, visible.top()), QPointF(column.left, visible.bottom()));
    }
    painter.setRenderHint(QPainter::Antialiasing);
}

void CanvasPainter::paintStageRegions(QPainter& painter, const QRectF& visible) const {
    // Broad strokes behind boxes and the lines within a stage run together into one region per stage.
    for (std::size_t stage = 0; stage < m_model.stageCount; ++stage) {
        const QColor tint =
            mix(m_theme.color(Role::Canvas), m_theme.stage(stage), m_theme.isDark() ? 0.13 : 0.10);
        painter.setPen(QPen(tint, 26, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.setBrush(Qt::NoBrush);
        for (const EdgeShape& shape : m_geometry.edges) {
            const CanvasEdge& edge = m_model.edges[std::size_t(shape.edge)];
            if (shape.crossesStages || m_model.nodes[std::size_t(edge.from)].stage != core::StageId(stage))
                continue;
            for (const QPolygonF& piece : shape.pieces) {
                if (touches(piece, visible))
                    painter.drawPolyline(piece);
            }
        }
        painter.setPen(Qt::NoPen);
        painter.setBrush(tint);
        for (const BoxShape& box : m_geometry.boxes) {
            if (box.stage == core::StageId(stage) && box.rect.intersects(visible))
                painter.drawRoundedRect(box.rect.adjusted(-13, -13, 13, 13), 14, 14);
        }
    }
}

void CanvasPainter::paintFrame(QPainter& painter, std::size_t index, double zoom) const {
    const BoxShape& box = m_geometry.boxes[index];
    const bool selected = isSelected(box);
    const QColor fill = withAlpha(m_theme.color(Role::Panel), m_theme.isDark() ? 0.45 : 0.6);
    paintCard(painter, box.rect, m_theme.px(8), fill,
              m_theme.color(selected ? Role::Accent : Role::BorderStrong),
              selected ? 1.9 : m_theme.frameWidth());
    const double header = m_theme.px(26);
    painter.setPen(QPen(m_theme.color(Role::Border), 1));
    painter.drawLine(QPointF(box.rect.left() + 1, box.rect.top() + header),
                     QPointF(box.rect.right() - 1, box.rect.top() + header));
    if (zoom < boxesFrom)
        return;
    const QRectF line(box.rect.left(), box.rect.top(), box.rect.width(), header);
    const double side = m_theme.px(10);
    drawIcon(painter, QRectF(line.left() + m_theme.px(9), line.center().y() - side / 2, side, side),
             QStringLiteral("chevron"), m_theme.color(Role::Text2), zoom);
    const CanvasTexts::BoxText& text = m_texts.box(index);
    painter.setPen(m_theme.color(Role::Text));
    painter.setFont(m_theme.font(11, QFont::DemiBold));
    painter.drawText(line.adjusted(m_theme.px(24), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text.name);
    if (zoom >= detailsFrom) {
        painter.setPen(m_theme.color(Role::Text3));
        painter.setFont(m_theme.font(10));
        painter.drawText(line.adjusted(0, 0, -m_theme.px(10), 0), Qt::AlignRight | Qt::AlignVCenter,
                         text.detail);
    }
    paintPorts(painter, box, false);
}

void CanvasPainter::paintEdges(QPainter& painter, const QRectF& visible, double zoom) const {
    if (zoom < linesFrom) // between boxes of a pixel
        return;
    const auto isLit = [this](const EdgeShape& shape) {
        const CanvasEdge& edge = m_model.edges[std::size_t(shape.edge)];
        return shape.edge == m_state.selectedEdge || shape.edge == m_state.hoveredEdge ||
               (!m_state.selected.empty() &&
                (m_state.selected[std::size_t(edge.from)] || m_state.selected[std::size_t(edge.to)]));
    };
    // Lit lines last, so that no other line crosses over them.
    for (const bool lit : {false, true}) {
        for (const EdgeShape& shape : m_geometry.edges) {
            if (isLit(shape) != lit)
                continue;
            const bool isSeen = std::any_of(shape.pieces.begin(), shape.pieces.end(),
                                            [&](const QPolygonF& piece) { return touches(piece, visible); });
            if (isSeen)
                paintEdge(painter, shape, zoom);
        }
    }
}

void CanvasPainter::paintEdge(QPainter& painter, const EdgeShape& shape, double zoom) const {
    const CanvasEdge& edge = m_model.edges[std::size_t(shape.edge)];
    const bool selected = !m_state.selected.empty() && (m_state.selected[std::size_t(edge.from)] ||
                                                        m_state.selected[std::size_t(edge.to)]);
    const bool lit = selected || shape.edge == m_state.selectedEdge;
    QColor color = m_theme.color(shape.crossesStages ? Role::Text2 : Role::Text3);
    double width = shape.crossesStages ? 1.6 : 1.3;
    if (shape.runsBackwards)
        color = m_theme.color(Role::Error);
    if (lit || shape.edge == m_state.hoveredEdge) {
        color = m_theme.color(shape.runsBackwards ? Role::Error : Role::Accent);
        width = 1.9;
    }
    QPen pen(color, std::max(width, 0.7 / zoom), Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    if (shape.isPassThrough)
        pen.setDashPattern({2, 2});
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    const bool plain = zoom < boxesFrom;
    painter.setRenderHint(QPainter::Antialiasing, !plain);
    for (const QPolygonF& piece : shape.pieces) {
        if (plain)
            painter.drawPolyline(piece);
        else
            painter.drawPath(roundedPath(piece, 7));
    }
    painter.setRenderHint(QPainter::Antialiasing);
    if (plain || !shape.crossesStages)
        return;
    if (m_geometry.columns.empty())
        paintCutMark(painter, shape);
    const QPolygonF& last = shape.pieces.back();
    const QPointF along = last.size() > 1 ? stepFrom(last[last.size() - 2], last.back()) : QPointF(0, 1);
    const QPointF across = along.transposed();
    const QPointF tip = last.back() - along * m_theme.px(2);
    QPolygonF arrow;
    arrow << tip << tip - along * 8 - across * 4 << tip - along * 8 + across * 4;
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(arrow);
}

void CanvasPainter::paintCutMark(QPainter& painter, const EdgeShape& shape) const {
    const CanvasEdge& edge = m_model.edges[std::size_t(shape.edge)];
    const core::StageId to = m_model.nodes[std::size_t(edge.to)].stage;
    const auto [middle, along] = middleOf(shape.pieces.front());
    QPen pen(m_theme.stage(to.index()), 2);
    pen.setDashPattern({2, 1.5});
    painter.setPen(pen);
    // Shapes stand right of lines that go down, and above those that go to the right.
    const bool isAcross = along.x() != 0;
    const QPointF across = isAcross ? QPointF(0, 1) : QPointF(1, 0);
    painter.drawLine(middle - across * (isAcross ? 4 : 11), middle + across * (isAcross ? 11 : 4));
}

QPointF CanvasPainter::shiftOf(std::size_t index) const {
    return index < m_state.shifts.size() ? m_state.shifts[index] : QPointF();
}

QRectF CanvasPainter::placeOf(std::size_t index) const {
    return m_geometry.boxes[index].rect.translated(shiftOf(index));
}

bool CanvasPainter::isSelected(const BoxShape& box) const {
    if (m_state.selected.empty())
        return false;
    if (box.node >= 0)
        return m_state.selected[std::size_t(box.node)];
    return std::all_of(box.members.begin(), box.members.end(),
                       [this](int node) { return m_state.selected[std::size_t(node)]; });
}

std::optional<core::Severity> CanvasPainter::findingOf(const BoxShape& box) const {
    std::optional<core::Severity> worst;
    if (m_state.findings.empty() || box.isFrame())
        return worst;
    for (const int node : box.members) {
        const std::optional<core::Severity>& finding = m_state.findings[std::size_t(node)];
        if (finding && (!worst || *finding > *worst))
            worst = finding;
    }
    return worst;
}

const NodeFigure* CanvasPainter::figureOf(std::size_t index) const {
    return index < m_state.figures.size() ? &m_state.figures[index] : nullptr;
}

bool CanvasPainter::isUnknown(const BoxShape& box) const {
    return !m_state.unknown.empty() &&
           std::ranges::any_of(box.members, [this](int node) { return m_state.unknown[std::size_t(node)]; });
}

QRectF visibleBox(const QRectF& rect, double zoom) {
    constexpr QSizeF least(6, 1); // pixels
    const QSizeF size = rect.size().expandedTo(least / zoom);
    return {rect.center() - QPointF(size.width(), size.height()) / 2, size};
}

void CanvasPainter::paintPlainBox(QPainter& painter, const BoxShape& box, bool selected, double zoom) const {
    const QColor stage = box.stage.isValid() ? m_theme.stage(box.stage.index()) : m_theme.color(Role::Text3);
    painter.setRenderHint(QPainter::Antialiasing, false);
    QRectF seen = visibleBox(box.rect, zoom);
    // Stages whose columns have no width here stand side by side all the same.
    const double besides = double(box.stage.index()) - double(m_model.stageCount - 1) / 2;
    if (box.stage.isValid() && !m_geometry.columns.empty() && m_geometry.columns.front().width < seen.width())
        seen.translate(besides * seen.width(), 0);
    painter.fillRect(seen,
                     selected ? m_theme.color(Role::Accent) : mix(m_theme.color(Role::Raised), stage, 0.55));
    painter.setRenderHint(QPainter::Antialiasing);
}

void CanvasPainter::paintBox(QPainter& painter, std::size_t index, double zoom) const {
    const BoxShape& box = m_geometry.boxes[index];
    const double radius = m_theme.px(6);
    const bool selected = isSelected(box);
    const bool hovered = m_state.hoveredBox == int(index);
    const bool isNode = box.node >= 0;
    const bool leaving = isNode && !m_state.leaving.empty() && m_state.leaving[std::size_t(box.node)];
    const bool muted = isNode && m_model.nodes[std::size_t(box.node)].isMuted;
    const std::optional<core::Severity> finding = findingOf(box);

    QColor border = m_theme.color(Role::BorderStrong);
    if (hovered)
        border = m_theme.color(Role::Text3);
    if (finding == core::Severity::Error)
        border = m_theme.color(Role::Error);
    else if (finding == core::Severity::Warning)
        border = m_theme.color(Role::WarningFill);
    QColor fill = m_theme.color(Role::Raised);
    const bool unknown = isUnknown(box);
    if (unknown)
        fill = m_theme.color(Role::Panel2);
    const NodeFigure* figure = figureOf(index);
    if (m_state.showsHeat && figure != nullptr)
        fill = heatColor(m_theme, figure->share);

    if (box.isCollapsed) {
        for (const double shift : {5.0, 2.5})
            BoxFrame{box.rect.translated(shift / 2 + 1.5, shift).adjusted(shift, 0, -shift, 0),
                     radius,
                     m_theme.frameWidth(),
                     0,
                     m_theme.color(Role::Raised),
                     m_theme.color(Role::BorderStrong)}
                .paint(painter);
    }
    BoxFrame frame;
    frame.rect = box.rect;
    frame.radius = radius;
    frame.borderWidth = m_theme.frameWidth();
    frame.stripeWidth = m_theme.px(3.5);
    frame.fill = leaving ? QColor(Qt::transparent) : fill;
    frame.border = leaving || muted ? QColor(Qt::transparent) : border;
    frame.shadow = m_theme.color(Role::Shadow);
    frame.stripe = box.stage.isValid() && !leaving ? m_theme.stage(box.stage.index()) : QColor();
    frame.paint(painter);
    if (box.isCollapsed && m_geometry.columns.empty())
        paintStageParts(painter, frame, box);
    if (leaving || muted) {
        QPen pen(leaving ? m_theme.color(Role::Accent) : border, 1.2);
        pen.setDashPattern({3, 2.5});
        painter.setPen(pen);
        painter.setBrush(leaving ? QBrush(m_theme.color(Role::Panel2)) : QBrush(Qt::NoBrush));
        painter.drawRoundedRect(box.rect.adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    }
    paintNodeText(painter, index, zoom);
    paintRows(painter, index, zoom);
    paintPorts(painter, box, hovered);
    if (selected || (isNode && m_state.focusedNode == box.node)) {
        QPen ring(m_theme.color(Role::Accent), 2);
        if (!selected)
            ring.setDashPattern({3, 2});
        painter.setPen(ring);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box.rect.adjusted(-2, -2, 2, 2), radius + 2, radius + 2);
    }
    if (finding && *finding != core::Severity::Note)
        paintBadge(painter, box);
}

/// The stripe of a closed block that is split over stages: as much of it as each has, where the cuts are.
void CanvasPainter::paintStageParts(QPainter& painter, const BoxFrame& frame, const BoxShape& box) const {
    const auto stageOf = [&](int node) { return m_model.nodes[std::size_t(node)].stage; };
    if (std::ranges::all_of(box.members, [&](int node) { return stageOf(node) == box.stage; }))
        return;
    QPainterPath inside;
    inside.addRoundedRect(frame.rect, frame.radius, frame.radius);
    painter.save();
    painter.setClipPath(inside, Qt::IntersectClip);
    const double share = frame.rect.height() / double(box.members.size());
    for (std::size_t i = 0; i < box.members.size(); ++i) {
        const core::StageId stage = stageOf(box.members[i]);
        const double top = box.flow == FlowDirection::Up ? frame.rect.bottom() - share * double(i + 1)
                                                         : frame.rect.top() + share * double(i);
        if (stage.isValid())
            painter.fillRect(QRectF(frame.rect.left(), top, frame.stripeWidth, share),
                             m_theme.stage(stage.index()));
    }
    painter.restore();
}

void CanvasPainter::paintNodeText(QPainter& painter, std::size_t index, double zoom) const {
    const BoxShape& box = m_geometry.boxes[index];
    const CanvasTexts::BoxText& text = m_texts.box(index);
    const bool isNode = box.node >= 0;
    const QColor stage = box.stage.isValid() && m_model.stageCount > 0 ? m_theme.stage(box.stage.index())
                                                                       : m_theme.color(Role::Text2);
    const double side = m_theme.px(iconSide);
    const QString iconName = isNode ? m_model.nodes[std::size_t(box.node)].icon : QStringLiteral("group");
    drawIcon(painter, QRectF(box.rect.left() + m_theme.px(11), box.rect.top() + m_theme.px(10), side, side),
             iconName, stage, zoom);
    const QFont nameFont = m_theme.font(11, QFont::DemiBold);
    const double left = box.rect.left() + m_theme.px(31);
    const bool withDetail = zoom >= detailsFrom && !(text.detail.isEmpty() && text.nameBelow.isEmpty());
    const QRectF nameLine(left, box.rect.top() + (withDetail ? m_theme.px(3.5) : m_theme.px(9)),
                          box.rect.right() - left - m_theme.px(6), m_theme.px(15));
    const bool muted = isNode && m_model.nodes[std::size_t(box.node)].isMuted;
    const bool unknown = isUnknown(box) || muted;
    painter.setPen(m_theme.color(unknown ? Role::Text3 : Role::Text));
    const bool isWrapped = withDetail && !text.nameAbove.isEmpty();
    paintLabel(painter, nameLine, isWrapped ? text.nameAbove : text.name, nameFont, Qt::AlignLeft);
    if (muted) {
        const double width = std::min(textWidth(text.name, nameFont), nameLine.width());
        painter.drawLine(QPointF(nameLine.left(), nameLine.center().y() + 0.5),
                         QPointF(nameLine.left() + width, nameLine.center().y() + 0.5));
    }
    const QRectF detailLine = nameLine.translated(0, m_theme.px(13.5));
    const NodeFigure* figure = figureOf(index);
    if (figure != nullptr && !figure->text.isEmpty() && (withDetail || !text.isFigureBelow)) {
        QFont mono = m_theme.mono(10);
        mono.setItalic(figure->isOld);
        painter.setPen(m_theme.color(figure->isOld ? Role::Text3 : Role::Text2));
        paintLabel(painter, text.isFigureBelow ? detailLine : nameLine, figure->text, mono, Qt::AlignRight);
    }
    if (isWrapped) {
        painter.setPen(m_theme.color(unknown ? Role::Text3 : Role::Text));
        paintLabel(painter, detailLine, text.nameBelow, nameFont, Qt::AlignLeft);
    } else if (withDetail) {
        painter.setPen(m_theme.color(unknown ? Role::Text3 : Role::Text2));
        paintLabel(painter, detailLine, text.detail, m_theme.font(10), Qt::AlignLeft);
    }
}

void CanvasPainter::paintRows(QPainter& painter, std::size_t index, double zoom) const {
    const BoxShape& box = m_geometry.boxes[index];
    const CanvasTexts::BoxText& text = m_texts.box(index);
    for (std::size_t i = 0; i < box.rows.size(); ++i) {
        const auto& [node, rect] = box.rows[i];
        const bool selected = !m_state.selected.empty() && m_state.selected[std::size_t(node)];
        const QRectF inside = rect.adjusted(m_theme.px(4), 0.5, -1, i + 1 == box.rows.size() ? -1.5 : 0);
        if (selected || m_state.hoveredNode == node)
            painter.fillRect(inside, m_theme.color(selected ? Role::AccentSoft : Role::Hover));
        painter.setPen(QPen(m_theme.color(Role::Border), 1));
        painter.drawLine(QPointF(rect.left() + m_theme.px(4), rect.top() + 0.5),
                         QPointF(rect.right() - 1, rect.top() + 0.5));
        if (zoom < detailsFrom)
            continue;
        const double side = m_theme.px(10);
        drawIcon(painter, QRectF(rect.left() + m_theme.px(13), rect.center().y() - side / 2, side, side),
                 m_model.nodes[std::size_t(node)].icon, m_theme.color(Role::Text3), zoom);
        const bool muted = m_model.nodes[std::size_t(node)].isMuted;
        const QFont font = m_theme.font(10);
        painter.setPen(m_theme.color(selected ? Role::AccentText : muted ? Role::Text3 : Role::Text2));
        const QRectF line = rect.adjusted(m_theme.px(31), 0, -m_theme.px(4), 0);
        paintLabel(painter, line, text.rows[i], font, Qt::AlignLeft);
        if (muted)
            painter.drawLine(QPointF(line.left(), line.center().y() + 0.5),
                             QPointF(line.left() + std::min(textWidth(text.rows[i], font), line.width()),
                                     line.center().y() + 0.5));
    }
}

/// A padlock on the corner of a box of which every call is locked to its stage.
void CanvasPainter::paintLock(QPainter& painter, const BoxShape& box) const {
    const bool isLocked = !box.members.empty() && std::ranges::all_of(box.members, [&](int node) {
        return m_model.nodes[std::size_t(node)].isLocked;
    });
    if (!isLocked)
        return;
    const double side = m_theme.px(12);
    const QRectF mark(box.rect.left() - side / 2, box.rect.top() - side / 2, side, side);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.color(Role::Canvas));
    painter.drawEllipse(mark.adjusted(-2, -2, 2, 2));
    paintIcon(painter, mark, QStringLiteral("lock"), m_theme.color(Role::AccentText));
}

void CanvasPainter::paintPorts(QPainter& painter, const BoxShape& box, bool hovered) const {
    const double radius = m_theme.px(hovered ? 4.5 : 3);
    painter.setPen(QPen(m_theme.color(hovered ? Role::Accent : Role::Text3), 1.3));
    painter.setBrush(m_theme.color(Role::Raised));
    const bool isInput = box.node >= 0 && m_model.nodes[std::size_t(box.node)].isInput;
    if (!isInput) {
        for (const QPointF& port : box.inPorts)
            painter.drawEllipse(port, radius, radius);
    }
    for (const QPointF& port : box.outPorts)
        painter.drawEllipse(port, radius, radius);
    paintOutputMarks(painter, box, m_model, m_theme);
    paintLock(painter, box);
}

void CanvasPainter::paintBadge(QPainter& painter, const BoxShape& box) const {
    const bool isError = findingOf(box) == core::Severity::Error;
    const double radius = m_theme.px(6.5);
    const QPointF center(box.rect.right() - 1, box.rect.top() + 1);
    painter.setPen(QPen(m_theme.color(Role::Canvas), 1.5));
    painter.setBrush(m_theme.color(isError ? Role::Error : Role::WarningFill));
    painter.drawEllipse(center, radius, radius);
    painter.setPen(isError && !m_theme.isDark() ? m_theme.color(Role::OnAccent)
                                                : m_theme.color(Role::OnFill));
    painter.setFont(m_theme.font(10, QFont::Bold));
    painter.drawText(QRectF(center.x() - radius, center.y() - radius, 2 * radius, 2 * radius),
                     Qt::AlignCenter, QStringLiteral("!"));
}

void CanvasPainter::paintLabels(QPainter& painter, const QRectF& visible) const {
    const QFont font = m_theme.mono(10);
    const double height = m_theme.px(14);
    for (const LabelShape& label : m_geometry.labels) {
        const std::vector<QString>& shapes = m_model.nodes[std::size_t(label.node)].outputShapes;
        if (std::size_t(label.output) >= shapes.size())
            continue;
        const QRectF rect(label.anchor.x(), label.anchor.y() - height / 2, label.width + m_theme.px(20),
                          height);
        if (!rect.intersects(visible))
            continue;
        const bool lit = !m_state.selected.empty() && m_state.selected[std::size_t(label.node)];
        painter.setPen(m_theme.color(lit ? Role::AccentText : Role::Text2));
        paintLabel(painter, rect, shapes[std::size_t(label.output)], font, Qt::AlignLeft);
    }
}

} // namespace views
