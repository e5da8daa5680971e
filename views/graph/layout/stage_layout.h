#pragma once

#include "views/graph/layout/block_layout.h"

namespace views {

/// One column per stage, left to right, flow downward. A line to a later stage runs up the gutter between the
/// columns and into the next column from its left; one that skips stages crosses them above their boxes.
/// `availableWidth`: columns are widened evenly up to it. Calls without any line whose name has a place in
/// `dropped` (its middle) stand there, as near as other boxes and their column leave room.
[[nodiscard]] CanvasGeometry layOutStages(const CanvasModel& model, const BlockOptions& options,
                                          double availableWidth,
                                          const std::map<std::string, QPointF>& dropped = {});

/// All calls as one layered graph. Boxes whose name has a position in `moved` (top left corner, by id: path
/// of the call or id of the group) are placed there, and their lines take the simple way.
[[nodiscard]] CanvasGeometry layOutFreely(const CanvasModel& model, const BlockOptions& options,
                                          const std::map<std::string, QPointF>& moved = {});

/// The name under which a box is moved: path of the call ("dense", "dense:1" for a second call) or id of the
/// group.
[[nodiscard]] std::string boxId(const CanvasModel& model, const BoxShape& box);

} // namespace views
