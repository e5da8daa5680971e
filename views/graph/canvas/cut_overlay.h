#pragma once

#include "views/graph/scene/canvas_scene.h"

namespace views {

/// Between the columns, over the drawing and at the size of the view: the grip of each cut, and a chip with
/// what flows over it. `hoveredCut`: the cut whose grip is below the pointer; −1 for none.
void paintCutOverlay(QPainter& painter, const CanvasScene& scene, int hoveredCut, const Theme& theme);

} // namespace views
