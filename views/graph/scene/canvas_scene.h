#pragma once

#include "views/document/document.h"
#include "views/document/selection.h"
#include "views/graph/layout/stage_layout.h"
#include "views/graph/model/canvas_model_builder.h"
#include "views/graph/painting/canvas_figures.h"
#include "views/graph/painting/canvas_painter.h"
#include "views/graph/scene/canvas_camera.h"
#include "views/graph/scene/canvas_commands.h"
#include "views/graph/scene/canvas_motion.h"
#include "views/graph/scene/trial_plans.h"

#include <QObject>

namespace views {

enum class CanvasLayoutKind : std::uint8_t { Stages, Free };

/// What the canvas shows: the model of the open project, its geometry, the figures in the boxes, what is
/// selected and hovered, and the part in view. It rebuilds its model when the project changes, its geometry
/// when the model, the layout or the width changes. View, gestures and keys work on it.
class CanvasScene final : public QObject {
    Q_OBJECT

public:
    /// `surface`: the widget it is drawn on, with its size, theme and keyboard focus. Empty until `rebuild`.
    CanvasScene(Document& document, Selection& selection, CanvasCommands& commands, const QWidget& surface);

    [[nodiscard]] Document& document() const { return m_document; }
    [[nodiscard]] Selection& selection() const { return m_selection; }
    [[nodiscard]] CanvasCommands& commands() const { return m_commands; }
    [[nodiscard]] const QWidget& surface() const { return m_surface; }
    /// Plans between which a gesture hesitates.
    [[nodiscard]] TrialPlans& trials() { return m_trials; }
    [[nodiscard]] CanvasMotion& motion() { return m_motion; }
    [[nodiscard]] CanvasCamera& camera() { return m_camera; }
    [[nodiscard]] const CanvasCamera& camera() const { return m_camera; }
    [[nodiscard]] const CanvasViewport& viewport() const { return m_camera.viewport(); }

    [[nodiscard]] const CanvasModel& model() const { return m_model; }
    [[nodiscard]] const CanvasNode& node(int index) const { return m_model.nodes[std::size_t(index)]; }
    [[nodiscard]] const CanvasGeometry& geometry() const { return m_geometry; }
    [[nodiscard]] const BoxShape& box(int index) const { return m_geometry.boxes[std::size_t(index)]; }
    [[nodiscard]] const CanvasFigures& figures() const { return m_figures; }
    [[nodiscard]] const BlockOptions& options() const { return m_options; }
    /// What the painter is to show beside model and geometry.
    [[nodiscard]] CanvasState& state() { return m_state; }
    [[nodiscard]] const CanvasState& state() const { return m_state; }

    void setLayoutKind(CanvasLayoutKind kind);
    [[nodiscard]] CanvasLayoutKind layoutKind() const { return m_layoutKind; }
    void setOverlay(OverlayMetric metric, bool asHeat);
    [[nodiscard]] OverlayMetric overlay() const { return m_metric; }
    /// Unit of the figures in the boxes, for the header.
    [[nodiscard]] QString overlayUnit() const { return m_overlayUnit; }
    /// The figure at the hot end of the heat, with its unit; empty while boxes are not coloured.
    [[nodiscard]] QString hottest() const { return m_hottest; }

    /// Nodes of the selection.
    [[nodiscard]] std::vector<int> selectedNodes() const;
    /// Whether all of these nodes are selected.
    [[nodiscard]] bool areSelected(const std::vector<int>& nodes) const;
    /// The calls that these nodes show.
    [[nodiscard]] std::set<InvocationKey> keysOf(const std::vector<int>& nodes) const;
    /// What a press at a point of a box takes hold of: the call there, or all members of a group.
    [[nodiscard]] std::vector<int> nodesAt(const QPointF& canvas, int box) const;
    /// Selects these nodes and no others; the first becomes the current one.
    void select(const std::vector<int>& nodes);
    /// The stage whose column a point of the stage layout is in; none where there is one column only.
    [[nodiscard]] core::StageId stageAt(const QPointF& canvas) const;
    /// The edge within `reach` pixels of a point of the canvas; −1 for none.
    [[nodiscard]] int edgeAt(const QPointF& canvas, double reach) const;
    /// Whether the box is the frame of an expanded group.
    [[nodiscard]] bool isFrame(int box) const;
    /// Whether a point of the canvas is in the header of a frame.
    [[nodiscard]] bool isOnHeader(const QPointF& canvas, int box) const;
    /// Places of the selected outermost boxes in the free layout, moved by `shift`.
    [[nodiscard]] std::map<std::string, QPointF> movedPlaces(const QPointF& shift) const;
    /// No node is about to come to another stage.
    void clearLeaving() { m_state.leaving.assign(m_model.nodes.size(), false); }

    /// What the next edit adds stands there while no line begins or ends at it; nothing: where the layout
    /// puts it.
    void expectDrop(std::optional<QPointF> canvas) { m_dropAt = canvas; }

    /// Where the pointer is on the surface; nothing: elsewhere.
    void notePointer(std::optional<QPointF> view) { m_pointer = view; }
    [[nodiscard]] std::optional<QPointF> pointer() const {
        return m_pointer ? std::optional(viewport().toCanvas(*m_pointer)) : std::nullopt;
    }

    void fitSelection();
    void reveal(const InvocationKey& key);
    /// The surface has another size.
    void resized(int widthBefore);
    /// Model, geometry and figures anew: the project, the analysis, the theme or the font are others.
    void rebuild();

    /// Draws what is in view; the texts of the boxes are kept until they change.
    /// `part`: only this of the surface has to be drawn; null for all of it.
    void paint(QPainter& painter, const Theme& theme, const QRectF& part = {});
    /// The whole drawing, whatever part is in view.
    void paintAll(QPainter& painter, const Theme& theme) const;

signals:
    /// Model, geometry or figures are new.
    void drawingChanged();
    /// The part in view is another one, or the drawing in it.
    void viewportChanged();
    void layoutKindChanged();
    /// What is drawn looks different.
    void repaintNeeded();
    /// Another project was opened, or it was closed.
    void projectReplaced();
    /// A search for a layer to add, at a point of the canvas. `from` is set when a line was drawn to there.
    void quickAddRequested(const QPointF& canvas, std::optional<views::TensorSource> from);
    /// A search for what a call is to read.
    void sourceRequested(const views::InvocationKey& reader);
    /// The text of the note on the selected layers is to be edited.
    void noteRequested();
    /// What is going on, for the status line; empty when it is over.
    void messageChanged(const QString& text);

private:
    void replaceProject();
    /// Another project, or more is known about it.
    void follow();
    /// More is known about the project that is drawn.
    void followAnalysis();
    void rebuildGeometry();
    /// The columns reach from one side of the view to the other.
    [[nodiscard]] bool fillsWidth() const;
    void fitFirst();
    /// What one looked at stays where it is, and the boxes slide to their places.
    void keepInPlace();
    /// Whether all stages are within a part of the drawing.
    [[nodiscard]] bool areColumnsSeen(const QRectF& visible) const;
    [[nodiscard]] double wantedNodeWidth() const;
    void rebuildState();
    void computeFigures();
    /// How many copies a box of a repeated block holds, and of how many layers.
    [[nodiscard]] QString repeatText(const BoxShape& box, const QString& facts) const;
    void rebuildFigures();

    Document& m_document;
    Selection& m_selection;
    CanvasCommands& m_commands;
    const QWidget& m_surface;
    CanvasCamera m_camera;
    CanvasMotion m_motion;
    TrialPlans m_trials;
    CanvasModel m_model;
    /// The project that the model is a drawing of.
    ProjectSnapshot m_modelOf;
    LayerLooks m_looks;
    CanvasGeometry m_geometry;
    CanvasState m_state;
    CanvasTexts m_texts;
    CanvasFigures m_figures;
    BlockOptions m_options;
    CanvasLayoutKind m_layoutKind = CanvasLayoutKind::Stages;
    OverlayMetric m_metric = OverlayMetric::Time;
    bool m_asHeat = false;
    std::optional<QPointF> m_pointer;
    std::optional<QPointF> m_dropAt;
    /// Where layers were dropped, by name; it is no part of the project.
    std::map<std::string, QPointF> m_dropped;
    bool m_needsFit = true;
    /// The geometry is that of the model, with what the project keeps of the drawing.
    bool m_isLaidOut = false;
    core::CanvasLayout m_laidOut;
    /// The drawing is of a plan that is previewed.
    bool m_showsPlan = false;
    QString m_overlayUnit;
    QString m_hottest;
};

} // namespace views
