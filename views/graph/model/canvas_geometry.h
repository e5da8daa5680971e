#pragma once

#include "core/base/ids.h"

#include <QPointF>
#include <QPolygonF>
#include <QRectF>
#include <cstdint>
#include <vector>

namespace views {

// Positions of everything on the canvas, in canvas coordinates (1 unit = 1 px at 100 %). Values only: painted
// and hit-tested by others.

/// The sizes of the drawing at 100 %, before scaling by the body font.
struct CanvasMetrics {
    double nodeWidth = 148;
    double nodeHeight = 34;
    double rowHeight = 16;
    /// Below the last row.
    double rowsBottom = 2;
    double groupHeader = 26;
    double groupPadding = 12;
    double gutter = 26;
    double columnPadding = 18;
    double columnTop = 14;
    double portRadius = 3;
    /// Width of a letter of a shape label.
    double labelLetter = 6.2;
};

/// Where lines go on from box to box.
enum class FlowDirection : std::uint8_t { Down, Up, Right };

/// One step in the direction.
[[nodiscard]] QPointF stepAlong(FlowDirection flow);

/// A box: a call with its docked followers, or a group (expanded or collapsed).
struct BoxShape {
    QRectF rect;
    /// The call; −1 for a group.
    int node = -1;
    /// The group; −1 for a call.
    int group = -1;
    bool isCollapsed = false;
    core::StageId stage;
    /// Calls inside in this stage: of a node itself and its followers, of a group its members here.
    std::vector<int> members;
    /// Followers from top to bottom and their rows.
    std::vector<std::pair<int, QRectF>> rows;
    std::vector<QPointF> inPorts;
    std::vector<QPointF> outPorts;
    /// In ports are on the side that it comes from, out ports on the one opposite.
    FlowDirection flow = FlowDirection::Down;
    /// Tensor that leaves through each out port: (node, output).
    std::vector<std::pair<int, int>> outTensors;
    /// Nesting, 0 at the top: outer boxes are drawn first.
    int depth = 0;

    /// A frame around the boxes of a group that is open.
    [[nodiscard]] bool isFrame() const { return group >= 0 && !isCollapsed; }
};

/// The drawn way of an edge, in pieces where it passes frames of groups.
struct EdgeShape {
    int edge = 0;
    std::vector<QPolygonF> pieces;
    /// Joins different stages.
    bool crossesStages = false;
    /// Skips at least one stage on its way.
    bool isPassThrough = false;
    /// Runs from a later to an earlier stage, which no pipeline can do.
    bool runsBackwards = false;
};

/// A shape label hangs right of a line, below the port it leaves.
struct LabelShape {
    /// Left middle of the text.
    QPointF anchor;
    int node = 0;
    int output = 0;
    double width = 0;
};

/// A stage as a column: from the top to the bottom of the canvas.
struct ColumnShape {
    core::StageId stage;
    double left = 0;
    double width = 0;
    /// Bottom of its content.
    double bottom = 0;
    std::size_t invocations = 0;

    [[nodiscard]] double right() const { return left + width; }
};

struct CanvasGeometry {
    QRectF bounds;
    /// Of the whole; single boxes may differ.
    FlowDirection flow = FlowDirection::Down;
    std::vector<BoxShape> boxes;
    std::vector<EdgeShape> edges;
    std::vector<LabelShape> labels;
    /// Left to right; empty in the free layout.
    std::vector<ColumnShape> columns;
    /// Box that shows each node: its own, its head's, or the collapsed group it is in. −1 when there is none.
    std::vector<int> boxOf;
    /// Place of each node: its box, or its row in it.
    std::vector<QRectF> placeOf;

    /// Topmost box at a point; −1 for none. A row answers its box.
    [[nodiscard]] int boxAt(const QPointF& point) const;
    /// The call at a point: a row's follower, or the box's call; −1 where there is only a group or nothing.
    [[nodiscard]] int nodeAt(const QPointF& point) const;
    /// The edge within `distance` of a point; −1 for none.
    [[nodiscard]] int edgeAt(const QPointF& point, double distance) const;
};

} // namespace views
