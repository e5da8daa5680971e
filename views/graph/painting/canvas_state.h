#pragma once

#include "core/base/diagnostic.h"

#include <QString>
#include <optional>
#include <vector>

namespace views {

/// A figure of one node for the overlay: what it says, and how much of the largest it is (0 … 1).
struct NodeFigure {
    QString text;
    double share = 0;
};

/// What the painter knows beside model and geometry.
struct CanvasState {
    /// By node.
    std::vector<bool> selected;
    std::vector<std::optional<core::Severity>> findings;
    /// Empty when the overlay is off.
    std::vector<NodeFigure> figures;
    /// By group: "12 layers · 383.2 k · 158 µs", and the figure of the group as a whole.
    std::vector<QString> groupTexts;
    std::vector<NodeFigure> groupFigures;
    int hoveredNode = -1;
    int hoveredBox = -1;
    int focusedNode = -1;
    int hoveredEdge = -1;
    int selectedEdge = -1;
    /// Fill nodes by their figure.
    bool showsHeat = false;
    /// Nodes that would come to another stage: dashed where they are.
    std::vector<bool> leaving;
};

} // namespace views
