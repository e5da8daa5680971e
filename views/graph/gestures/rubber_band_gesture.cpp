#include "views/graph/gestures/canvas_gesture.h"

#include "views/common/theme/color_mix.h"
#include "views/graph/scene/canvas_scene.h"

#include <QPainter>

namespace views {

namespace {

class RubberBandGesture final : public CanvasGesture {
public:
    RubberBandGesture(CanvasScene& scene, const QPointF& from, bool adds)
        : m_scene(scene)
        , m_from(scene.viewport().toCanvas(from))
        , m_to(m_from)
        , m_before(scene.selection().state())
        , m_adds(adds) {
        if (!adds)
            select();
    }
    void move(const QPointF& at) override {
        m_to = m_scene.viewport().toCanvas(at);
        select();
    }
    void finish(const QPointF&) override {}
    void cancel() override { m_scene.selection().set(m_before); }
    void paint(QPainter& painter, const Theme& theme) const override {
        const QRectF band = m_scene.viewport().toView(QRectF(m_from, m_to).normalized());
        painter.setPen(QPen(theme.color(Role::Accent), 1));
        painter.setBrush(withAlpha(theme.color(Role::Accent), 0.10));
        painter.drawRect(band);
    }

private:
    void select() {
        const QRectF band = QRectF(m_from, m_to).normalized();
        std::vector<int> nodes;
        for (std::size_t i = 0; i < m_scene.model().nodes.size(); ++i) {
            if (m_scene.geometry().placeOf[i].intersects(band))
                nodes.push_back(int(i));
        }
        SelectionState next = m_before;
        std::set<InvocationKey> keys = m_scene.keysOf(nodes);
        if (m_adds)
            keys.insert(m_before.invocations.begin(), m_before.invocations.end());
        if (!next.current || !keys.contains(*next.current))
            next.current = keys.empty() ? std::nullopt : std::optional(*keys.begin());
        next.invocations = std::move(keys);
        m_scene.selection().set(std::move(next));
    }

    CanvasScene& m_scene;
    QPointF m_from;
    QPointF m_to;
    SelectionState m_before;
    bool m_adds;
};

} // namespace

std::unique_ptr<CanvasGesture> rubberBandGesture(CanvasScene& scene, const QPointF& from, bool adds) {
    return std::make_unique<RubberBandGesture>(scene, from, adds);
}

} // namespace views
