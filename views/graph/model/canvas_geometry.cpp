#include "views/graph/model/canvas_geometry.h"

#include <algorithm>
#include <cmath>

namespace views {

namespace {

double distanceTo(const QPointF& point, const QPointF& a, const QPointF& b) {
    const QPointF along = b - a;
    const double length = QPointF::dotProduct(along, along);
    const double t = length <= 0 ? 0 : std::clamp(QPointF::dotProduct(point - a, along) / length, 0.0, 1.0);
    const QPointF nearest = a + along * t;
    return std::hypot(point.x() - nearest.x(), point.y() - nearest.y());
}

} // namespace

QPointF stepAlong(FlowDirection flow) {
    switch (flow) {
    case FlowDirection::Down:
        return {0, 1};
    case FlowDirection::Up:
        return {0, -1};
    case FlowDirection::Right:
        return {1, 0};
    }
    return {};
}

int CanvasGeometry::boxAt(const QPointF& point) const {
    int best = -1;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (boxes[i].rect.contains(point) && (best < 0 || boxes[i].depth >= boxes[std::size_t(best)].depth))
            best = int(i);
    }
    return best;
}

int CanvasGeometry::nodeAt(const QPointF& point) const {
    const int box = boxAt(point);
    if (box < 0)
        return -1;
    const BoxShape& shape = boxes[std::size_t(box)];
    for (const auto& [node, rect] : shape.rows) {
        if (rect.contains(point))
            return node;
    }
    return shape.node;
}

int CanvasGeometry::edgeAt(const QPointF& point, double distance) const {
    int best = -1;
    double nearest = distance;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        for (const QPolygonF& piece : edges[i].pieces) {
            for (int p = 0; p + 1 < piece.size(); ++p) {
                const double d = distanceTo(point, piece[p], piece[p + 1]);
                if (d <= nearest) {
                    nearest = d;
                    best = int(i);
                }
            }
        }
    }
    return best;
}

} // namespace views
