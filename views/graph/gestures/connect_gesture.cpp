#include "views/graph/gestures/canvas_gesture.h"

#include "views/common/widgets/tooltip_card.h"
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
        , m_flow(scene.geometry().boxes[std::size_t(box)].flow)
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
        if (box == m_target && port == m_targetPort)
            return;
        m_target = box;
        m_targetPort = port;
        const int node = box < 0 ? -1 : m_scene.box(box).node;
        m_objection = node < 0 || node == m_sourceNode
                          ? std::nullopt
                          : m_scene.commands().objectionTo(m_source, m_scene.node(node).key,
                                                           std::size_t(std::max(0, port)));
        emit m_scene.messageChanged(m_objection ? m_objection->why : QString());
    }

    void finish(const QPointF& at) override {
        move(at);
        if (m_target >= 0) {
            const CanvasNode& node = m_scene.node(m_scene.box(m_target).node);
            if (m_scene.box(m_target).node == m_sourceNode)
                return;
            // Where it is refused the document says why, in the status line and among the messages.
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
            m_target >= 0 && !m_scene.box(m_target).inPorts.empty()
                ? viewport.toView(
                      m_scene.geometry().boxes[std::size_t(m_target)].inPorts[std::size_t(m_targetPort)])
                : m_at;
        QPainterPath path(from);
        const QPointF step = stepAlong(m_flow);
        const double pull = std::max(24.0, std::abs(QPointF::dotProduct(to - from, step)) / 2);
        path.cubicTo(from + step * pull, to - step * pull, to);
        painter.setBrush(Qt::NoBrush);
        const Role line = !m_objection             ? Role::Accent
                          : m_objection->isRefused ? Role::Error
                                                   : Role::WarningFill;
        painter.setPen(QPen(theme.color(line), 1.9));
        painter.drawPath(path);
        if (m_objection)
            paintObjection(painter, theme, line);
    }

    [[nodiscard]] std::optional<Qt::CursorShape> cursor() const override { return Qt::CrossCursor; }

private:
    /// A ring around the target, and below it why.
    void paintObjection(QPainter& painter, const Theme& theme, Role role) const {
        const QRectF box = m_scene.viewport().toView(m_scene.box(m_target).rect);
        painter.setPen(QPen(theme.color(role), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box.adjusted(-3, -3, 3, 3), theme.px(8), theme.px(8));
        const ToolTipContent content{m_objection->isRefused ? CanvasScene::tr("Not possible")
                                                            : CanvasScene::tr("Does not fit"),
                                     {{QString(), m_objection->why}},
                                     {}};
        const QSizeF area(m_scene.surface().size());
        const QSizeF size = toolTipSize(content, area.width() - 2 * theme.px(8), theme);
        paintToolTip(painter, toolTipPlace(box.bottomLeft(), size, QRectF(QPointF(0, 0), area)), content,
                     theme);
    }

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
    FlowDirection m_flow;
    QPointF m_at;
    TensorSource m_source;
    int m_sourceNode = 0;
    /// The box below the pointer that has inputs, whether it may read the tensor or not.
    int m_target = -1;
    std::optional<CanvasCommands::Objection> m_objection;
    int m_targetPort = 0;
    std::vector<bool> m_legal;
};

} // namespace

std::unique_ptr<CanvasGesture> connectGesture(CanvasScene& scene, int box, int port) {
    return std::make_unique<ConnectGesture>(scene, box, port);
}

} // namespace views
