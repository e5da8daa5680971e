#include "views/graph/scene/canvas_handles.h"

#include "views/common/theme/widget_theme.h"
#include "views/graph/model/cut_points.h"

#include <QLineF>
#include <QWidget>
#include <algorithm>
#include <cmath>

namespace views {

namespace {

constexpr double portReach = 9;
constexpr double portsFromZoom = 0.3;
constexpr QSizeF gripSize(10, 44);
constexpr QSizeF freeGripSize(26, 10);
constexpr double gripDistance = 4;

double reachOf(const CanvasScene& scene) {
    return portReach / std::min(1.0, scene.viewport().zoom);
}

/// Beside the box that the cut is before, along the line of the cut.
QRectF gripBeside(const CanvasScene& scene, const QLineF& line) {
    if (line.isNull())
        return {};
    const double scale = themeOf(&scene.surface()).scale();
    const QSizeF size = freeGripSize * scale;
    const QPointF begin = scene.viewport().toView(line.p1());
    if (line.dx() == 0)
        return {begin - QPointF(size.height() / 2, size.width() + gripDistance), size.transposed()};
    return {begin - QPointF(size.width() + gripDistance, size.height() / 2), size};
}

} // namespace

std::size_t gripCount(const CanvasScene& scene) {
    const std::size_t columns = scene.geometry().columns.size();
    const std::size_t stages = columns > 0 ? columns : scene.model().stageCount;
    return stages > 0 ? stages - 1 : 0;
}

std::vector<QRectF> gripRects(const CanvasScene& scene) {
    std::vector<QRectF> rects;
    if (scene.geometry().columns.empty()) {
        for (const QLineF& line : cutLines(scene.model(), scene.geometry()))
            rects.push_back(gripBeside(scene, line));
        return rects;
    }
    const QSizeF size = gripSize * themeOf(&scene.surface()).scale();
    for (std::size_t cut = 0; cut < gripCount(scene); ++cut) {
        const ColumnShape& before = scene.geometry().columns[cut];
        const ColumnShape& after = scene.geometry().columns[cut + 1];
        const double x = scene.viewport().toView(QPointF(after.left, 0)).x();
        // Columns of many stages are narrow: their boxes stay in view.
        const double column = std::min(before.width, after.width) * scene.viewport().zoom;
        const double width = std::clamp(column / 6, 3.0, size.width());
        rects.emplace_back(x - width / 2, scene.surface().height() / 2.0 - size.height() / 2, width,
                           size.height());
    }
    return rects;
}

QRectF gripRect(const CanvasScene& scene, std::size_t cut) {
    const std::vector<QRectF> rects = gripRects(scene);
    return cut < rects.size() ? rects[cut] : QRectF();
}

int gripAt(const CanvasScene& scene, const QPointF& view) {
    const std::vector<QRectF> rects = gripRects(scene);
    // Those of narrow columns lie closer together than one can point.
    int nearest = -1;
    for (std::size_t i = 0; i < rects.size(); ++i) {
        if (rects[i].isNull() || !rects[i].adjusted(-4, -4, 4, 4).contains(view))
            continue;
        const auto distance = [&](const QRectF& grip) { return QLineF(grip.center(), view).length(); };
        if (nearest < 0 || distance(rects[i]) < distance(rects[std::size_t(nearest)]))
            nearest = int(i);
    }
    return nearest;
}

Qt::CursorShape cutCursor(const CanvasGeometry& geometry) {
    const bool isUpAndDown = geometry.columns.empty() && geometry.flow != FlowDirection::Right;
    return isUpAndDown ? Qt::SplitVCursor : Qt::SplitHCursor;
}

std::pair<int, int> outPortAt(const CanvasScene& scene, const QPointF& canvas) {
    if (scene.viewport().zoom <= portsFromZoom)
        return {-1, 0};
    const double reach = reachOf(scene);
    for (std::size_t i = scene.geometry().boxes.size(); i-- > 0;) {
        if (scene.isFrame(int(i)))
            continue;
        const BoxShape& box = scene.geometry().boxes[i];
        for (std::size_t p = 0; p < box.outPorts.size(); ++p) {
            const QPointF offset = canvas - box.outPorts[p];
            if (std::hypot(offset.x(), offset.y()) < reach &&
                QPointF::dotProduct(offset, stepAlong(box.flow)) > -3)
                return {int(i), int(p)};
        }
    }
    return {-1, 0};
}

std::pair<int, int> inPortAt(const CanvasScene& scene, const QPointF& canvas) {
    const double reach = reachOf(scene);
    for (std::size_t i = scene.geometry().boxes.size(); i-- > 0;) {
        const BoxShape& box = scene.geometry().boxes[i];
        const QPointF before = -stepAlong(box.flow) * reach;
        const QRectF around = box.rect.adjusted(-2, -2, 2, 2);
        if (box.node < 0 || box.inPorts.empty() || !around.united(around.translated(before)).contains(canvas))
            continue;
        std::size_t best = 0;
        for (std::size_t p = 1; p < box.inPorts.size(); ++p) {
            if (QLineF(box.inPorts[p], canvas).length() < QLineF(box.inPorts[best], canvas).length())
                best = p;
        }
        return {int(i), int(best)};
    }
    return {-1, 0};
}

} // namespace views
