#pragma once

#include "views/graph/model/canvas_geometry.h"

#include <QPointF>
#include <QPolygonF>
#include <QRectF>
#include <vector>

namespace views {

/// Where a line begins or ends, and how it goes on there.
struct DetourEnd {
    QPointF port;
    FlowDirection flow = FlowDirection::Down;
};

/// The orthogonal way from an out port to an in port that is short, has few corners, goes through no box of
/// `boxes` and as little as possible along a line of `others`. Empty where there is none.
[[nodiscard]] QPolygonF wayAround(const DetourEnd& from, const DetourEnd& to,
                                  const std::vector<QRectF>& boxes, const std::vector<QPolygonF>& others);

} // namespace views
