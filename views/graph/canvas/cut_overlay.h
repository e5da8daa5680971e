#pragma once

#include "views/graph/scene/canvas_scene.h"

#include <QRectF>
#include <QString>
#include <vector>

namespace views {

/// What flows over a cut, on the surface.
struct CutChip {
    QRectF rect;
    QString what;
    QString bytes;
    bool isHovered = false;
};

/// The chips of the cuts between columns that have room.
[[nodiscard]] std::vector<CutChip> cutChips(const CanvasScene& scene, int hoveredCut, const Theme& theme);

/// Between the columns, over the drawing and at the size of the view: the grip of each cut, and a chip with
/// what flows over it. `hoveredCut`: the cut whose grip is below the pointer; −1 for none.
void paintCutOverlay(QPainter& painter, const CanvasScene& scene, int hoveredCut, const Theme& theme);

} // namespace views
