#pragma once

#include "views/graph/scene/canvas_scene.h"

class QDragEnterEvent;
class QDragMoveEvent;
class QDropEvent;

namespace views {

/// A layer class of the palette, dragged over the canvas and dropped: on a line it is inserted there, on a
/// box it reads that box, elsewhere it is added.
class LayerDrop final {
public:
    explicit LayerDrop(CanvasScene& scene)
        : m_scene(scene) {}

    void enter(QDragEnterEvent& event) const;
    void move(QDragMoveEvent& event);
    void leave();
    void drop(QDropEvent& event);

private:
    CanvasScene& m_scene;
};

} // namespace views
