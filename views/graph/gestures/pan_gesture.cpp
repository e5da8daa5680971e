#include "views/graph/gestures/canvas_gesture.h"

#include "views/graph/scene/canvas_scene.h"

namespace views {

namespace {

class PanGesture final : public CanvasGesture {
public:
    PanGesture(CanvasScene& scene, const QPointF& from)
        : m_scene(scene)
        , m_from(from)
        , m_start(scene.viewport()) {}
    void move(const QPointF& at) override {
        CanvasViewport next = m_start;
        next.origin -= (at - m_from) / next.zoom;
        m_scene.camera().setViewport(next);
    }
    void finish(const QPointF& at) override { move(at); }
    void cancel() override { m_scene.camera().setViewport(m_start); }

    [[nodiscard]] std::optional<Qt::CursorShape> cursor() const override { return Qt::ClosedHandCursor; }

private:
    CanvasScene& m_scene;
    QPointF m_from;
    CanvasViewport m_start;
};

} // namespace

std::unique_ptr<CanvasGesture> panGesture(CanvasScene& scene, const QPointF& from) {
    return std::make_unique<PanGesture>(scene, from);
}

} // namespace views
