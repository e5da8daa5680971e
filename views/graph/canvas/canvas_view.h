#pragma once

#include "views/graph/canvas/canvas_damage.h"
#include "views/graph/canvas/canvas_hover.h"
#include "views/graph/canvas/canvas_keys.h"
#include "views/graph/canvas/layer_drop.h"
#include "views/graph/scene/canvas_scene.h"

#include <QWidget>
#include <memory>

namespace views {

class CanvasGesture;

/// The model as a drawing that one can take hold of: paints the scene and hands events on, to the gesture
/// that is going on, to hover, keys, camera or drop.
class CanvasView final : public QWidget {
    Q_OBJECT

public:
    CanvasView(Document& document, Selection& selection, CanvasCommands& commands, QWidget* parent = nullptr);
    ~CanvasView() override;

    [[nodiscard]] CanvasScene& scene() { return m_scene; }
    [[nodiscard]] const CanvasModel& model() const { return m_scene.model(); }
    [[nodiscard]] const CanvasGeometry& geometry() const { return m_scene.geometry(); }
    [[nodiscard]] const CanvasViewport& viewport() const { return m_scene.viewport(); }
    void setViewport(const CanvasViewport& viewport) { m_scene.camera().setViewport(viewport); }

    /// The whole drawing as a picture, whatever part is in view.
    [[nodiscard]] QSizeF pictureSize() const { return m_scene.geometry().bounds.size(); }
    void paintPicture(QPainter& painter, const Theme& theme) const { m_scene.paintAll(painter, theme); }

signals:
    void inspectorRequested();
    void renameRequested(const views::InvocationKey& key);
    void contextMenuRequested(const QPoint& global);

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
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override { m_drop.enter(*event); }
    void dragMoveEvent(QDragMoveEvent* event) override { m_drop.move(*event); }
    void dragLeaveEvent(QDragLeaveEvent*) override { m_drop.leave(); }
    void dropEvent(QDropEvent* event) override { m_drop.drop(*event); }
    bool event(QEvent* event) override;

private:
    void startGesture(std::unique_ptr<CanvasGesture> gesture);
    void paintPreviewFrame(QPainter& painter, const Theme& theme) const;
    void endGesture();
    void showGestureCursor();
    /// The drawing changed: what of it looks different is drawn again with the next frame.
    void followDrawing();

    CanvasScene m_scene;
    CanvasHover m_hover;
    CanvasKeys m_keys;
    LayerDrop m_drop;
    std::unique_ptr<CanvasGesture> m_gesture;
    CanvasDamage m_damage;
    /// An edit changes model, figures and selection one after the other.
    bool m_willLook = false;
    bool m_showsFocus = false;
};

} // namespace views
