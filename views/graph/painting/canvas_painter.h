#pragma once

#include "core/base/diagnostic.h"
#include "views/common/theme/theme.h"
#include "views/graph/model/canvas_geometry.h"
#include "views/graph/model/canvas_model.h"

#include <QPainter>
#include <QPainterPath>
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

/// Texts of the boxes, elided once for their width.
class CanvasTexts {
public:
    struct BoxText {
        QString name;
        QString detail;
        std::vector<QString> rows;
    };

    void prepare(const CanvasModel& model, const CanvasGeometry& geometry, const CanvasState& state,
                 const Theme& theme);
    void clear() { m_boxes.clear(); }
    [[nodiscard]] bool isPrepared() const { return !m_boxes.empty(); }
    [[nodiscard]] const BoxText& box(std::size_t index) const { return m_boxes[index]; }

private:
    std::vector<BoxText> m_boxes;
};

/// Draws the canvas: lanes, frames, lines, boxes, labels. The painter is scaled by `zoom` already; `visible`
/// is the part to draw, in canvas coordinates. Below 70 % labels are left out, below 50 % second lines, below
/// 30 % boxes are plain.
class CanvasPainter {
public:
    CanvasPainter(const CanvasModel& model, const CanvasGeometry& geometry, const CanvasState& state,
                  const CanvasTexts& texts, const Theme& theme);

    void paint(QPainter& painter, const QRectF& visible, double zoom) const;

private:
    void paintLanes(QPainter& painter, const QRectF& visible, double zoom) const;
    void paintStageRegions(QPainter& painter, const QRectF& visible) const;
    void paintFrame(QPainter& painter, std::size_t index, double zoom) const;
    void paintEdges(QPainter& painter, const QRectF& visible, double zoom) const;
    void paintEdge(QPainter& painter, const EdgeShape& shape, double zoom) const;
    void paintCutMark(QPainter& painter, const EdgeShape& shape) const;
    void paintBox(QPainter& painter, std::size_t index, double zoom) const;
    void paintPlainBox(QPainter& painter, const BoxShape& box, bool selected) const;
    void paintNodeText(QPainter& painter, std::size_t index, double zoom) const;
    void paintRows(QPainter& painter, std::size_t index, double zoom) const;
    void paintPorts(QPainter& painter, const BoxShape& box, bool hovered) const;
    void paintBadge(QPainter& painter, const BoxShape& box) const;
    void paintLabels(QPainter& painter, const QRectF& visible) const;
    [[nodiscard]] bool isSelected(const BoxShape& box) const;
    [[nodiscard]] std::optional<core::Severity> findingOf(const BoxShape& box) const;
    [[nodiscard]] const NodeFigure* figureOf(const BoxShape& box) const;

    const CanvasModel& m_model;
    const CanvasGeometry& m_geometry;
    const CanvasState& m_state;
    const CanvasTexts& m_texts;
    const Theme& m_theme;
};

/// An orthogonal line with rounded corners.
[[nodiscard]] QPainterPath roundedPath(const QPolygonF& points, double radius);

} // namespace views
