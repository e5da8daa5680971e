#pragma once

#include "views/graph/model/canvas_geometry.h"
#include "views/graph/model/canvas_model.h"

#include <QLineF>
#include <optional>
#include <vector>

namespace views {

/// A place to which the boundary between two stages can be moved: entries before `entry` go to the earlier
/// stage.
struct CutPoint {
    std::size_t entry = 0;
    /// Stage in whose column the place is shown, and how far along its flow: a height, or a distance from the
    /// left where columns are read from left to right.
    std::size_t column = 0;
    double at = 0;
    /// In the free layout: from edge to edge of the box or row that it is before.
    QLineF across = {};
    /// No group, and no copy of a repeated block, has layers on both sides.
    bool isBorder = true;

    bool operator==(const CutPoint&) const = default;
};

/// Every legal place of the cut between stage `cut` and `cut` + 1, in post-order. Both stages keep a layer.
[[nodiscard]] std::vector<CutPoint> cutPoints(const CanvasModel& model, const CanvasGeometry& geometry,
                                              std::size_t cut);

/// Where the cuts are in the free layout: before the first layer of the stage behind each, from edge to edge
/// of its box. Null for a cut whose layer is not drawn.
[[nodiscard]] std::vector<QLineF> cutLines(const CanvasModel& model, const CanvasGeometry& geometry);

/// The place nearest to a point of the canvas, of those between blocks alone unless `takesLayers`. Near the
/// gutter itself, where columns are read from above, a way up it goes along the places of the stage before
/// the cut, a way down along those of the stage behind it, and nothing where the cut was taken hold of
/// (`from`). The free layout has no gutters: there it is the nearest.
[[nodiscard]] std::optional<CutPoint> cutPointAt(const std::vector<CutPoint>& points,
                                                 const CanvasGeometry& geometry, std::size_t cut,
                                                 const QPointF& point, const QPointF& from, bool takesLayers);

/// Nodes that change their stage when the cut moves to `entry`.
[[nodiscard]] std::vector<int> movedNodes(const CanvasModel& model, std::size_t cut, std::size_t entry);

/// What flows over the cut between stage `cut` and `cut` + 1: every tensor that is made at or before it and
/// used after it, as (node, output).
[[nodiscard]] std::vector<std::pair<int, int>> cutTensors(const CanvasModel& model, std::size_t cut);

} // namespace views
