#pragma once

#include "views/common/widgets/tooltip_card.h"
#include "views/document/document.h"
#include "views/document/selection.h"
#include "views/graph/canvas/canvas_commands.h"
#include "views/graph/canvas/canvas_viewport.h"
#include "views/graph/layout/stage_layout.h"
#include "views/graph/model/cut_points.h"
#include "views/graph/painting/canvas_figures.h"
#include "views/graph/painting/canvas_painter.h"

#include <QTimer>
#include <QWidget>
#include <memory>

namespace views {

class CanvasGesture;

enum class CanvasLayoutKind : std::uint8_t { Stages, Free };

/// The model as a drawing that one can take hold of. It rebuilds its model when the project changes, its
/// geometry when the model, the layout or the width changes, and otherwise only paints.
class CanvasView final : public QWidget {
    Q_OBJECT

public:
    CanvasView(Document& document, Selection& selection, CanvasCommands& commands, QWidget* parent = nullptr);
    ~CanvasView() override;

    void setLayoutKind(CanvasLayoutKind kind);
    [[nodiscard]] CanvasLayoutKind layoutKind() const { return m_layoutKind; }
    void setOverlay(OverlayMetric metric, bool asHeat);
    [[nodiscard]] OverlayMetric overlay() const { return m_metric; }
    /// Unit of the figures in the boxes, for the header.
    [[nodiscard]] QString overlayUnit() const { return m_overlayUnit; }

    void fitAll();
    void fitSelection();
    void zoomBy(double factor);
    void resetZoom();
    void reveal(const InvocationKey& key);

    [[nodiscard]] const CanvasModel& model() const { return m_model; }
    [[nodiscard]] const CanvasGeometry& geometry() const { return m_geometry; }
    [[nodiscard]] const CanvasViewport& viewport() const { return m_viewport; }
    [[nodiscard]] const CanvasFigures& figures() const { return m_figures; }
    void setViewport(const CanvasViewport& viewport);

    /// For gestures.
    [[nodiscard]] Document& document() { return m_document; }
    [[nodiscard]] Selection& selection() { return m_selection; }
    [[nodiscard]] CanvasCommands& commands() { return m_commands; }
    [[nodiscard]] CanvasState& state() { return m_state; }
    [[nodiscard]] const BlockOptions& options() const { return m_options; }
    /// Nodes of the selection.
    [[nodiscard]] std::vector<int> selectedNodes() const;
    /// Everything a press on this box selects: the node, or all members of a group.
    [[nodiscard]] std::set<InvocationKey> keysOf(const std::vector<int>& nodes) const;
    /// Rectangle of the grip of a cut, in view coordinates.
    [[nodiscard]] QRectF gripRect(std::size_t cut) const;
    /// Cut whose grip is at a point of the view; −1 for none.
    [[nodiscard]] int gripAt(const QPointF& view) const;
    /// Port of a box near a point of the canvas: (box, port); box −1 for none.
    [[nodiscard]] std::pair<int, int> outPortAt(const QPointF& canvas) const;
    [[nodiscard]] std::pair<int, int> inPortAt(const QPointF& canvas) const;

    /// The whole drawing as a picture, whatever part is in view.
    [[nodiscard]] QSizeF pictureSize() const;
    void paintPicture(QPainter& painter) const;

signals:
    void viewportChanged();
    /// Model or geometry are new.
    void drawingChanged();
    void inspectorRequested();
    void layoutKindChanged();
    /// A search for a layer to add, at a point of the canvas. `from` is set when a line was drawn to there.
    void quickAddRequested(const QPointF& canvas, std::optional<views::TensorSource> from);
    void renameRequested(const views::InvocationKey& key);
    void contextMenuRequested(const QPoint& global);
    /// A sentence for the status bar.
    void told(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool event(QEvent* event) override;

private:
    void rebuildModel();
    void rebuildGeometry();
    void rebuildState();
    void rebuildFigures();
    void openedAnother();
    void updateHover(const QPointF& view);
    [[nodiscard]] ToolTipContent toolTipFor(int node, int box) const;
    void paintOverlays(QPainter& painter) const;
    void paintGrips(QPainter& painter) const;
    void paintCutChips(QPainter& painter) const;
    void moveFocus(const QPointF& direction);
    bool handleDigit(QKeyEvent* event);
    void startGesture(std::unique_ptr<CanvasGesture> gesture);
    void endGesture();

    Document& m_document;
    Selection& m_selection;
    CanvasCommands& m_commands;
    CanvasModel m_model;
    CanvasGeometry m_geometry;
    CanvasState m_state;
    mutable CanvasTexts m_texts;
    CanvasFigures m_figures;
    BlockOptions m_options;
    CanvasViewport m_viewport;
    CanvasLayoutKind m_layoutKind = CanvasLayoutKind::Stages;
    OverlayMetric m_metric = OverlayMetric::Time;
    bool m_asHeat = false;
    bool m_needsFit = true;
    QString m_overlayUnit;
    std::unique_ptr<CanvasGesture> m_gesture;
    ToolTipCard* m_toolTip;
    int m_hoveredGrip = -1;
    bool m_spaceHeld = false;
    bool m_spacePanned = false;
    int m_dropEdge = -1;
};

} // namespace views
