#include "views/graph/gestures/canvas_gesture.h"

#include "views/graph/scene/canvas_scene.h"

#include <QLineF>
#include <QPainter>
#include <QPolygonF>

namespace views {

namespace {

bool cross(const QPointF& a, const QPointF& b, const QPointF& c, const QPointF& d) {
    QPointF where;
    return QLineF(a, b).intersects(QLineF(c, d), &where) == QLineF::BoundedIntersection;
}

class KnifeGesture final : public CanvasGesture {
public:
    KnifeGesture(CanvasScene& scene, const QPointF& from)
        : m_scene(scene) {
        m_stroke << scene.viewport().toCanvas(from);
    }
    void move(const QPointF& at) override { m_stroke << m_scene.viewport().toCanvas(at); }
    void finish(const QPointF& at) override {
        move(at);
        std::vector<int> edges;
        for (const EdgeShape& shape : m_scene.geometry().edges) {
            if (isCut(shape))
                edges.push_back(shape.edge);
        }
        if (!edges.empty())
            m_scene.commands().disconnect(m_scene.model(), edges);
    }
    void paint(QPainter& painter, const Theme& theme) const override {
        QPolygonF line;
        for (const QPointF& point : m_stroke)
            line << m_scene.viewport().toView(point);
        painter.setPen(QPen(theme.color(Role::Error), 1.6));
        painter.drawPolyline(line);
    }

private:
    [[nodiscard]] bool isCut(const EdgeShape& shape) const {
        for (const QPolygonF& piece : shape.pieces) {
            for (int p = 0; p + 1 < piece.size(); ++p) {
                for (int s = 0; s + 1 < m_stroke.size(); ++s) {
                    if (cross(piece[p], piece[p + 1], m_stroke[s], m_stroke[s + 1]))
                        return true;
                }
            }
        }
        return false;
    }

    CanvasScene& m_scene;
    QPolygonF m_stroke;
};

} // namespace

std::unique_ptr<CanvasGesture> knifeGesture(CanvasScene& scene, const QPointF& from) {
    return std::make_unique<KnifeGesture>(scene, from);
}

} // namespace views
