#pragma once

#include "views/common/theme/theme.h"
#include "views/graph/model/canvas_geometry.h"
#include "views/graph/model/canvas_model.h"

class QPainter;

namespace views {

/// Marks what the model gives: a filled port with the word "output" beside it where the tensor leaves a box,
/// and a filled square at the right edge of a call whose followers read the tensor too.
void paintOutputMarks(QPainter& painter, const BoxShape& box, const CanvasModel& model, const Theme& theme);

} // namespace views
