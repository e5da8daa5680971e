#include "views/graph/canvas/layer_drop.h"

#include "views/document/layer_drag.h"

#include <QDragEnterEvent>
#include <QMimeData>

namespace views {

namespace {

constexpr double edgeReach = 8;

} // namespace

void LayerDrop::enter(QDragEnterEvent& event) const {
    if (m_scene.document().isOpen() && event.mimeData()->hasFormat(layerMimeType))
        event.acceptProposedAction();
}

void LayerDrop::move(QDragMoveEvent& event) {
    const int edge = m_scene.edgeAt(m_scene.viewport().toCanvas(event.position()), edgeReach);
    if (edge != m_scene.state().hoveredEdge) {
        m_scene.state().hoveredEdge = edge;
        emit m_scene.repaintNeeded();
    }
    event.acceptProposedAction();
}

void LayerDrop::leave() {
    m_scene.state().hoveredEdge = -1;
    emit m_scene.repaintNeeded();
}

void LayerDrop::drop(QDropEvent& event) {
    const QString className = QString::fromUtf8(event.mimeData()->data(layerMimeType));
    const QPointF canvas = m_scene.viewport().toCanvas(event.position());
    const int edge = m_scene.edgeAt(canvas, edgeReach);
    m_scene.state().hoveredEdge = -1;
    event.acceptProposedAction();
    if (edge >= 0)
        return m_scene.commands().insertLayer(className, m_scene.model(), edge);
    std::optional<TensorSource> from;
    if (const int node = m_scene.geometry().nodeAt(canvas); node >= 0)
        from = TensorSource{m_scene.node(node).key, 0};
    const bool isFree = m_scene.layoutKind() == CanvasLayoutKind::Free;
    if (isFree || from)
        return m_scene.commands().addLayer(className, from, isFree ? std::optional(canvas) : std::nullopt);
    m_scene.expectDrop(canvas);
    m_scene.commands().addLooseLayer(className, m_scene.stageAt(canvas));
    m_scene.expectDrop({});
}

} // namespace views
