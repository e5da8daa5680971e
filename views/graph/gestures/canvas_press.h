#pragma once

#include "views/graph/gestures/canvas_gesture.h"

class QMouseEvent;

namespace views {

/// What a press of the left mouse button starts, by what is below it: a grip, a port, a line, empty canvas,
/// the frame of a group, a box. Selects what it takes hold of. Null where the press is all there is to it.
[[nodiscard]] std::unique_ptr<CanvasGesture> pressGesture(CanvasScene& scene, const QMouseEvent& event);

} // namespace views
