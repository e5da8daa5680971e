#pragma once

#include "views/common/theme/theme.h"
#include "views/graph/model/canvas_geometry.h"
#include "views/graph/model/canvas_model.h"
#include "views/graph/painting/canvas_state.h"
#include "views/graph/painting/canvas_texts.h"

#include <QPainter>
#include <QPainterPath>
#include <optional>
#include <vector>

namespace views {

struct BoxFrame;

/// Draws the canvas: lanes, frames, lines, boxes, labels. The painter is scaled by `zoom` already; `visible`
/// is the part in view, `part` what of it is to be drawn (null: all), in canvas coordinates. Below 70 %
/// labels are left out, below 50 % second lines, below 30 % boxes are plain.
class CanvasPainter {
public:
    CanvasPainter(const CanvasModel& model, const CanvasGeometry& geometry, const CanvasState& state,
                  const CanvasTexts& texts, const Theme& theme);

    void paint(QPainter& painter, const QRectF& visible, double zoom, const QRectF& part = {}) const;

private:
    void paintLanes(QPainter& painter, const QRectF& visible, double zoom) const;
    void paintStageRegions(QPainter& painter, const QRectF& visible) const;
    void paintFrame(QPainter& painter, std::size_t index, double zoom) const;
    void paintEdges(QPainter& painter, const QRectF& visible, double zoom) const;
    void paintEdge(QPainter& painter, const EdgeShape& shape, double zoom) const;
    void paintCutMark(QPainter& painter, const EdgeShape& shape) const;
    void paintBox(QPainter& painter, std::size_t index, double zoom) const;
    void paintPlainBox(QPainter& painter, const BoxShape& box, bool selected, double zoom) const;
    void paintStageParts(QPainter& painter, const BoxFrame& frame, const BoxShape& box) const;
    void paintNodeText(QPainter& painter, std::size_t index, double zoom) const;
    void paintRows(QPainter& painter, std::size_t index, double zoom) const;
    void paintLock(QPainter& painter, const BoxShape& box) const;
    void paintPorts(QPainter& painter, const BoxShape& box, bool hovered) const;
    void paintBadge(QPainter& painter, const BoxShape& box) const;
    void paintLabels(QPainter& painter, const QRectF& visible) const;
    /// How far a box is from its place, and where it is seen.
    [[nodiscard]] QPointF shiftOf(std::size_t index) const;
    [[nodiscard]] QRectF placeOf(std::size_t index) const;
    [[nodiscard]] bool isSelected(const BoxShape& box) const;
    [[nodiscard]] std::optional<core::Severity> findingOf(const BoxShape& box) const;
    [[nodiscard]] bool isUnknown(const BoxShape& box) const;
    [[nodiscard]] const NodeFigure* figureOf(std::size_t index) const;

    const CanvasModel& m_model;
    const CanvasGeometry& m_geometry;
    const CanvasState& m_state;
    const CanvasTexts& m_texts;
    const Theme& m_theme;
};

/// Where a box is drawn that would else be too small to be seen: at least 6 by 1 pixels around its centre.
[[nodiscard]] QRectF visibleBox(const QRectF& rect, double zoom);

/// Fill of a box whose figure is this share (0 … 1) of the largest. Its texts stay readable on it.
[[nodiscard]] QColor heatColor(const Theme& theme, double share);

/// An orthogonal line with rounded corners.
[[nodiscard]] QPainterPath roundedPath(const QPolygonF& points, double radius);

} // namespace views
