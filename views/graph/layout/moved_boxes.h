#pragma once

#include "views/graph/model/canvas_geometry.h"
#include "views/graph/model/canvas_model.h"

#include <map>
#include <string>

namespace views {

/// Puts outer boxes, by their id, where the person moved them (top left corner). Their lines follow around
/// all boxes, and lines of others make way.
void moveBoxes(CanvasGeometry& geometry, const CanvasModel& model,
               const std::map<std::string, QPointF>& moved);

} // namespace views
