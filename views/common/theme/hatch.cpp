#include "views/common/theme/hatch.h"

#include "views/common/theme/color_mix.h"

#include <QPaintEngine>
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace views {

namespace {

/// The part of a diagonal that lies in `area`; rising: x + y = c, falling: x − y = c. SVG has no clipping
/// here, so a line ends where the area does.
void drawDiagonal(QPainter& painter, const QRectF& area, bool rising, double c) {
    const double top = std::max(area.top(), rising ? c - area.right() : area.left() - c);
    const double bottom = std::min(area.bottom(), rising ? c - area.left() : area.right() - c);
    if (top < bottom)
        painter.drawLine(QPointF(rising ? c - top : c + top, top),
                         QPointF(rising ? c - bottom : c + bottom, bottom));
}

/// Lines of the pattern over `area`, anchored to the origin.
void drawPattern(QPainter& painter, const QRectF& area, HatchPattern pattern, const QColor& color) {
    const double step = hatchSpacing;
    const QPen pen(color, pattern == HatchPattern::Cross ? 0.8 : 1.1);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    const auto first = [step](double edge) { return std::floor(edge / step) * step; };
    // Diagonals are at multiples of `step` measured across them, so along an axis they are √2 apart.
    const double along = step * 2;
    const auto diagonals = [&](bool rising) {
        const double reach = area.height();
        const double from = std::floor((area.left() - area.bottom() - reach) / along) * along;
        for (double c = from; c <= area.right() + area.bottom() + reach; c += along)
            drawDiagonal(painter, area, rising, c);
    };
    switch (pattern) {
    case HatchPattern::None:
        break;
    case HatchPattern::Slash:
        diagonals(true);
        break;
    case HatchPattern::Backslash:
        diagonals(false);
        break;
    case HatchPattern::Cross:
        diagonals(true);
        diagonals(false);
        break;
    case HatchPattern::Vertical:
        for (double x = first(area.left()) + step / 2; x < area.right(); x += step)
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        break;
    case HatchPattern::Horizontal:
        for (double y = first(area.top()) + step / 2; y < area.bottom(); y += step)
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        break;
    case HatchPattern::Dots:
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        for (double y = first(area.top()) + step / 2; y < area.bottom(); y += step)
            for (double x = first(area.left()) + step / 2; x < area.right(); x += step)
                painter.drawEllipse(QPointF(x, y), 1.0, 1.0);
        break;
    }
}

/// Lays the tile of a texture piece by piece: of a large area Qt would wake threads of its own, also where
/// lanes are painted on several already. False where pieces are not what a fill is: on a painter that is
/// scaled, turned, moved by parts of a pixel, or smooths edges.
bool layTiles(QPainter& painter, const QRectF& rect, const QImage& tile) {
    const QTransform& to = painter.deviceTransform();
    const QPointF moved(to.dx(), to.dy());
    if (to.type() > QTransform::TxTranslate || moved != QPointF(moved.toPoint()) ||
        painter.testRenderHint(QPainter::Antialiasing) || painter.opacity() != 1)
        return false;
    // As a fill rounds its edges, on the device.
    QRect area(QPoint(qRound(rect.left() + moved.x()), qRound(rect.top() + moved.y())),
               QPoint(qRound(rect.right() + moved.x()) - 1, qRound(rect.bottom() + moved.y()) - 1));
    // One without width would become one that has some.
    if (area.isEmpty())
        return true;
    area &= QRect(0, 0, painter.device()->width(), painter.device()->height());
    area.translate(-moved.toPoint());
    if (painter.hasClipping())
        area &= painter.clipBoundingRect().toAlignedRect();
    const auto before = [](int edge, int size) { return edge - (edge % size + size) % size; };
    for (int y = before(area.top(), tile.height()); y <= area.bottom(); y += tile.height())
        for (int x = before(area.left(), tile.width()); x <= area.right(); x += tile.width()) {
            const QRect piece = QRect(QPoint(x, y), tile.size()) & area;
            painter.drawImage(piece.topLeft(), tile, piece.translated(-x, -y));
        }
    return true;
}

} // namespace

bool isVectorDevice(const QPainter& painter) {
    const QPaintEngine* engine = painter.paintEngine();
    return engine != nullptr && engine->type() != QPaintEngine::Raster &&
           engine->type() != QPaintEngine::OpenGL2;
}

QBrush hatchBrush(HatchPattern pattern, const QColor& color, double devicePixelRatio) {
    // Lanes are painted on several threads: each keeps its own.
    using Key = std::tuple<HatchPattern, QRgb, double>;
    thread_local std::map<Key, QBrush> brushes;
    QBrush& brush = brushes[Key(pattern, color.rgba(), devicePixelRatio)];
    if (brush.style() == Qt::TexturePattern)
        return brush;
    const int side = static_cast<int>(std::lround(hatchSpacing * 2 * devicePixelRatio));
    QImage period(side, side, QImage::Format_ARGB32_Premultiplied);
    period.fill(Qt::transparent);
    QPainter painter(&period);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(side / (hatchSpacing * 2), side / (hatchSpacing * 2));
    drawPattern(painter, QRectF(0, 0, hatchSpacing * 2, hatchSpacing * 2), pattern, color);
    painter.end();
    // Textures are laid row by row and piece by piece, so a wide tile is laid faster.
    constexpr int across = 24;
    constexpr int down = 6;
    QImage tile(side * across, side * down, QImage::Format_ARGB32_Premultiplied);
    tile.fill(Qt::transparent);
    QPainter pieces(&tile);
    for (int y = 0; y < down; ++y)
        for (int x = 0; x < across; ++x)
            pieces.drawImage(x * side, y * side, period);
    pieces.end();
    tile.setDevicePixelRatio(devicePixelRatio);
    brush = QBrush(tile);
    return brush;
}

void fillHatch(QPainter& painter, const QRectF& rect, HatchPattern pattern, const QColor& color) {
    if (pattern == HatchPattern::None || rect.isEmpty())
        return;
    if (!isVectorDevice(painter)) {
        const double ratio = painter.device()->devicePixelRatioF();
        const QBrush brush = hatchBrush(pattern, color, ratio);
        if (ratio != 1 || !layTiles(painter, rect, brush.textureImage()))
            painter.fillRect(rect, brush);
        return;
    }
    painter.save();
    // PDF clips, and what was clipped around stays so; SVG does not.
    const QRectF visible = painter.hasClipping() ? rect & painter.clipBoundingRect() : rect;
    drawPattern(painter, visible, pattern, color);
    painter.restore();
}

QColor hatchOn(const QColor& fill, const Theme& theme) {
    const bool lightText = relativeLuminance(fill) < 0.18;
    return lightText ? mix(fill, Qt::white, 0.28) : mix(fill, theme.color(Role::OnFill), 0.26);
}

} // namespace views
