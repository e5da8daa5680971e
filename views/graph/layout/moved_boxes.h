#pragma once

#include "views/graph/model/canvas_geometry.h"
#include "views/graph/model/canvas_model.h"

#include <QRectF>
#include <map>
#include <string>
#include <vector>

namespace views {

/// Puts outer boxes, by their id, where the person moved them (top left corner). Their lines follow around
/// all boxes, and lines of others make way.
void moveBoxes(CanvasGeometry& geometry, const CanvasModel& model,
               const std::map<std::string, QPointF>& moved);

/// Lines that would run through these outer boxes, where the person put them, are led around.
void makeWay(CanvasGeometry& geometry, const CanvasModel& model, const std::vector<QRectF>& boxes);

} // namespace views
