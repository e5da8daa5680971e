#include "views/graph/gestures/canvas_gesture.h"

#include "views/graph/scene/canvas_handles.h"
#include "views/graph/scene/canvas_scene.h"

#include <QPainter>
#include <QPainterPath>
#include <cmath>

namespace views {

namespace {

class ConnectGesture final : public CanvasGesture {
public:
    ConnectGesture(CanvasScene& scene, int box, int port)
        : m_scene(scene)
        , m_from(scene.geometry().boxes[std::size_t(box)].outPorts[std::size_t(port)])
        , m_at(scene.viewport().toView(m_from)) {
        const BoxShape& shape = scene.geometry().boxes[std::size_t(box)];
        const auto index = std::size_t(port);
        const int node =
            index < shape.outTensors.size() ? shape.outTensors[index].first : shape.members.back();
        const int output = index < shape.outTensors.size() ? shape.outTensors[index].second : port;
        m_source = {scene.model().nodes[std::size_t(node)].key, std::uint32_t(output)};
        m_sourceNode = node;
        m_legal = legalTargets();
    }

    void move(const QPointF& at) override {
        m_at = at;
        const auto [box, port] = inPortAt(m_scene, m_scene.viewport().toCanvas(at));
        m_target = box >= 0 && m_legal[std::size_t(box)] ? box : -1;
        m_targetPort = port;
    }

    void finish(const QPointF& at) override {
        move(at);
        if (m_target >= 0) {
            const BoxShape& shape = m_scene.geometry().boxes[std::size_t(m_target)];
            const CanvasNode& node = m_scene.model().nodes[std::size_t(shape.node)];
            m_scene.commands().connectTo(m_source, node.key, std::size_t(m_targetPort));
            return;
        }
        if (m_scene.geometry().boxAt(m_scene.viewport().toCanvas(at)) < 0)
            emit m_scene.quickAddRequested(m_scene.viewport().toCanvas(at), m_source);
    }

    void paint(QPainter& painter, const Theme& theme) const override {
        const CanvasViewport& viewport = m_scene.viewport();
        for (std::size_t i = 0; i < m_legal.size(); ++i) {
            if (!m_legal[i])
                continue;
            for (const QPointF& port : m_scene.geometry().boxes[i].inPorts) {
                painter.setPen(QPen(theme.color(Role::Accent), 1.5));
                painter.setBrush(theme.color(Role::AccentSoft));
                const double radius = int(i) == m_target ? 6 : 4.5;
                painter.drawEllipse(viewport.toView(port), radius, radius);
            }
        }
        const QPointF from = viewport.toView(m_from);
        const QPointF to =
            m_target >= 0
                ? viewport.toView(
                      m_scene.geometry().boxes[std::size_t(m_target)].inPorts[std::size_t(m_targetPort)])
                : m_at;
        QPainterPath path(from);
        const double pull = std::max(24.0, std::abs(to.y() - from.y()) / 2);
        path.cubicTo(from + QPointF(0, pull), to - QPointF(0, pull), to);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.color(Role::Accent), 1.9));
        painter.drawPath(path);
    }

    [[nodiscard]] std::optional<Qt::CursorShape> cursor() const override { return Qt::CrossCursor; }

private:
    /// Boxes that may read the tensor: calls that are not above it, and not inputs.
    [[nodiscard]] std::vector<bool> legalTargets() const {
        const CanvasModel& model = m_scene.model();
        std::vector<bool> isAbove(model.nodes.size(), false);
        isAbove[std::size_t(m_sourceNode)] = true;
        for (std::size_t i = model.nodes.size(); i-- > 0;) {
            for (const int edge : model.outgoing[i]) {
                if (isAbove[std::size_t(model.edges[std::size_t(edge)].to)])
                    isAbove[i] = true;
            }
        }
        std::vector<bool> legal;
        for (const BoxShape& box : m_scene.geometry().boxes)
            legal.push_back(box.node >= 0 && !isAbove[std::size_t(box.node)] &&
                            !model.nodes[std::size_t(box.node)].isInput);
        return legal;
    }

    CanvasScene& m_scene;
    QPointF m_from;
    QPointF m_at;
    TensorSource m_source;
    int m_sourceNode = 0;
    int m_target = -1;
    int m_targetPort = 0;
    std::vector<bool> m_legal;
};

} // namespace

std::unique_ptr<CanvasGesture> connectGesture(CanvasScene& scene, int box, int port) {
    return std::make_unique<ConnectGesture>(scene, box, port);
}

} // namespace views
