#pragma once

#include "core/base/diagnostic.h"
#include "views/graph/painting/canvas_notes.h"

#include <QPointF>
#include <QString>
#include <optional>
#include <vector>

namespace views {

/// A figure of one node for the overlay: what it says, and how much of the largest it is (0 … 1).
struct NodeFigure {
    QString text;
    double share = 0;
    /// Of an earlier state of the project, because the present one has none.
    bool isOld = false;
};

/// What the painter knows beside model and geometry.
struct CanvasState {
    /// By node.
    std::vector<bool> selected;
    std::vector<std::optional<core::Severity>> findings;
    /// Nodes whose shapes cannot be known before a layer is mended; empty where all are known.
    std::vector<bool> unknown;
    /// By box; empty when the overlay is off. That of a group is the sum of what the box holds: a group that
    /// is split over stages has a box, and a sum, in each.
    std::vector<NodeFigure> figures;
    /// By box: of a group "12 layers · 383.2 k", empty for others.
    std::vector<QString> boxTexts;
    int hoveredNode = -1;
    int hoveredBox = -1;
    int focusedNode = -1;
    int hoveredEdge = -1;
    int selectedEdge = -1;
    /// Fill nodes by their figure.
    bool showsHeat = false;
    /// Frames with texts of the person, the largest first.
    std::vector<NoteShape> notes;
    /// How far each box is from its place while the drawing becomes another; empty at rest. Lines come as it
    /// does.
    std::vector<QPointF> shifts;
    double arrived = 1;
    /// Nodes that would come to another stage: dashed where they are.
    std::vector<bool> leaving;
};

} // namespace views
