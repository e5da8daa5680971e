#pragma once

#include "views/graph/scene/canvas_scene.h"

#include <QPointF>
#include <QRectF>
#include <utility>
#include <vector>

namespace views {

// What the mouse can take hold of beside boxes and lines: the grips of the cuts and the ports.

/// Cuts that have a grip.
[[nodiscard]] std::size_t gripCount(const CanvasScene& scene);
/// Rectangles of their grips, in view coordinates: on the gutters, or in the free layout beside the first box
/// behind each cut; null where that is not drawn.
[[nodiscard]] std::vector<QRectF> gripRects(const CanvasScene& scene);
/// That of one cut; all are found for it.
[[nodiscard]] QRectF gripRect(const CanvasScene& scene, std::size_t cut);
/// Cut whose grip is at a point of the view; −1 for none.
[[nodiscard]] int gripAt(const CanvasScene& scene, const QPointF& view);
/// The pointer over a grip: the way that it goes.
[[nodiscard]] Qt::CursorShape cutCursor(const CanvasGeometry& geometry);
/// Output port of a box near a point of the canvas: (box, port); box −1 for none. None when the canvas is
/// zoomed out so far that ports cannot be distinguished.
[[nodiscard]] std::pair<int, int> outPortAt(const CanvasScene& scene, const QPointF& canvas);
/// Input port of the box at a point of the canvas that is nearest to it: (box, port); box −1 for none.
[[nodiscard]] std::pair<int, int> inPortAt(const CanvasScene& scene, const QPointF& canvas);

} // namespace views
