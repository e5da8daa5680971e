#include "views/graph/canvas/canvas_gesture.h"

#include "views/common/text/elided_text.h"
#include "views/common/theme/active_theme.h"
#include "views/common/theme/color_mix.h"
#include "views/common/theme/control_painters.h"
#include "views/common/widgets/chip.h"
#include "views/graph/canvas/canvas_view.h"

#include <QPainter>
#include <cmath>

namespace views {

namespace {

class PanGesture final : public CanvasGesture {
public:
    PanGesture(CanvasView& view, const QPointF& from)
        : m_view(view)
        , m_from(from)
        , m_start(view.viewport()) {
        view.setCursor(Qt::ClosedHandCursor);
    }
    void move(const QPointF& at) override {
        CanvasViewport next = m_start;
        next.origin -= (at - m_from) / next.zoom;
        m_view.setViewport(next);
    }
    void finish(const QPointF& at) override { move(at); }
    void cancel() override { m_view.setViewport(m_start); }

private:
    CanvasView& m_view;
    QPointF m_from;
    CanvasViewport m_start;
};

class RubberBandGesture final : public CanvasGesture {
public:
    RubberBandGesture(CanvasView& view, const QPointF& from, bool adds)
        : m_view(view)
        , m_from(view.viewport().toCanvas(from))
        , m_to(m_from)
        , m_before(view.selection().state())
        , m_adds(adds) {
        if (!adds)
            select();
    }
    void move(const QPointF& at) override {
        m_to = m_view.viewport().toCanvas(at);
        select();
    }
    void finish(const QPointF&) override {}
    void cancel() override { m_view.selection().set(m_before); }
    void paint(QPainter& painter, const Theme& theme) const override {
        const QRectF band = m_view.viewport().toView(QRectF(m_from, m_to).normalized());
        painter.setPen(QPen(theme.color(Role::Accent), 1));
        painter.setBrush(withAlpha(theme.color(Role::Accent), 0.10));
        painter.drawRect(band);
    }

private:
    void select() {
        const QRectF band = QRectF(m_from, m_to).normalized();
        std::vector<int> nodes;
        for (std::size_t i = 0; i < m_view.model().nodes.size(); ++i) {
            if (m_view.geometry().placeOf[i].intersects(band))
                nodes.push_back(int(i));
        }
        SelectionState next = m_before;
        std::set<InvocationKey> keys = m_view.keysOf(nodes);
        if (m_adds)
            keys.insert(m_before.invocations.begin(), m_before.invocations.end());
        if (!next.current || !keys.contains(*next.current))
            next.current = keys.empty() ? std::nullopt : std::optional(*keys.begin());
        next.invocations = std::move(keys);
        m_view.selection().set(std::move(next));
    }

    CanvasView& m_view;
    QPointF m_from;
    QPointF m_to;
    SelectionState m_before;
    bool m_adds;
};

class CutGesture final : public CanvasGesture {
public:
    CutGesture(CanvasView& view, std::size_t cut)
        : m_view(view)
        , m_cut(cut)
        , m_points(cutPoints(view.model(), view.geometry(), cut)) {
        view.setCursor(Qt::SplitHCursor);
    }

    void move(const QPointF& at) override {
        const std::optional<CutPoint> point =
            cutPointAt(m_points, m_view.geometry(), m_cut, m_view.viewport().toCanvas(at));
        if (point == m_point)
            return;
        m_point = point;
        m_moved = point ? movedNodes(m_view.model(), m_cut, point->entry) : std::vector<int>{};
        std::vector<bool>& leaving = m_view.state().leaving;
        leaving.assign(m_view.model().nodes.size(), false);
        for (const int node : m_moved)
            leaving[std::size_t(node)] = true;
        m_view.document().setPreview(m_moved.empty() ? nullptr
                                                     : m_view.commands().withCutMoved(m_cut, point->entry));
        emit m_view.told(m_moved.empty()
                             ? QString()
                             : CanvasView::tr("%1 to stage %2")
                                   .arg(countedText(std::int64_t(m_moved.size()), CanvasView::tr("layer"),
                                                    CanvasView::tr("layers")))
                                   .arg(receivingStage()));
    }

    void finish(const QPointF& at) override {
        move(at);
        const std::optional<CutPoint> point = m_point;
        const bool changes = !m_moved.empty();
        m_view.document().setPreview(nullptr);
        if (point && changes)
            m_view.commands().moveCut(m_cut, point->entry);
    }

    void cancel() override {
        m_view.document().setPreview(nullptr);
        emit m_view.told({});
    }

    void paint(QPainter& painter, const Theme& theme) const override {
        paintTicks(painter, theme);
        if (m_point && !m_moved.empty())
            paintGhosts(painter, theme);
    }

private:
    [[nodiscard]] std::size_t receivingStage() const { return m_point->column == m_cut ? m_cut + 1 : m_cut; }

    /// Legal places at the side of both columns, and the one that is taken across its column.
    void paintTicks(QPainter& painter, const Theme& theme) const {
        const CanvasViewport& viewport = m_view.viewport();
        for (const CutPoint& point : m_points) {
            const ColumnShape& column = m_view.geometry().columns[point.column];
            const double gutter = m_view.geometry().columns[m_cut + 1].left;
            const double side = point.column == m_cut ? -1 : 1;
            const double y = viewport.toView(QPointF(0, point.y - 8)).y();
            const double x = viewport.toView(QPointF(gutter, 0)).x();
            painter.setPen(QPen(theme.color(Role::Accent), 1.2));
            painter.drawLine(QPointF(x, y), QPointF(x + side * 6, y));
            if (m_point && point.entry == m_point->entry) {
                QPen pen(theme.color(Role::Accent), 1.8);
                pen.setDashPattern({4, 3});
                painter.setPen(pen);
                painter.drawLine(QPointF(viewport.toView(QPointF(column.left + 4, 0)).x(), y),
                                 QPointF(viewport.toView(QPointF(column.right() - 4, 0)).x(), y));
            }
        }
    }

    void paintGhosts(QPainter& painter, const Theme& theme) const {
        const ColumnShape& column = m_view.geometry().columns[receivingStage()];
        constexpr std::size_t most = 5;
        const std::size_t shown = std::min(most, m_moved.size());
        const double rowHeight = theme.px(26);
        const double width = theme.px(150);
        const double height =
            double(shown) * rowHeight + (m_moved.size() > shown ? theme.px(20) : theme.px(6));
        const double x = m_view.viewport().toView(QPointF((column.left + column.right()) / 2, 0)).x();
        double y = m_view.height() / 2.0 - height / 2;
        const QRectF card(x - width / 2 - theme.px(8), y - theme.px(6), width + theme.px(16),
                          height + theme.px(8));
        paintCard(painter, card, theme.px(8), withAlpha(theme.color(Role::Panel), 0.92),
                  theme.color(Role::Accent));
        for (std::size_t i = 0; i < shown; ++i, y += rowHeight) {
            const QRectF ghost(x - width / 2, y, width, rowHeight - theme.px(4));
            QPen pen(theme.color(Role::Accent), 1.2);
            pen.setDashPattern({3, 2.5});
            painter.setPen(pen);
            painter.setBrush(theme.color(Role::AccentSoft));
            painter.drawRoundedRect(ghost, theme.px(5), theme.px(5));
            painter.setPen(theme.color(Role::AccentText));
            paintElided(painter, ghost.adjusted(theme.px(8), 0, -theme.px(6), 0),
                        Qt::AlignLeft | Qt::AlignVCenter, m_view.model().nodes[std::size_t(m_moved[i])].name,
                        theme.font(11, QFont::DemiBold));
        }
        if (m_moved.size() > shown) {
            painter.setPen(theme.color(Role::Text2));
            painter.setFont(theme.font(10));
            painter.drawText(QRectF(card.left(), y, card.width(), theme.px(16)), Qt::AlignCenter,
                             CanvasView::tr("and %1 more").arg(m_moved.size() - shown));
        }
    }

    CanvasView& m_view;
    std::size_t m_cut;
    std::vector<CutPoint> m_points;
    std::optional<CutPoint> m_point;
    std::vector<int> m_moved;
};

class DragGesture final : public CanvasGesture {
public:
    DragGesture(CanvasView& view, const QPointF& from, std::vector<int> clicked, bool selectsOnClick)
        : m_view(view)
        , m_from(from)
        , m_at(from)
        , m_clicked(std::move(clicked))
        , m_selectsOnClick(selectsOnClick) {}

    void move(const QPointF& at) override {
        m_at = at;
        const QPointF offset = at - m_from;
        if (!m_isDragging && std::hypot(offset.x(), offset.y()) < 5)
            return;
        m_isDragging = true;
        m_view.setCursor(Qt::ClosedHandCursor);
    }

    void finish(const QPointF& at) override {
        move(at);
        if (!m_isDragging) {
            if (m_selectsOnClick)
                selectClicked();
            return;
        }
        if (m_view.layoutKind() == CanvasLayoutKind::Stages)
            dropOnStage();
        else
            dropAtPlace();
    }

    void paint(QPainter& painter, const Theme& theme) const override {
        if (!m_isDragging)
            return;
        if (const int column = targetColumn(); column >= 0) {
            const ColumnShape& shape = m_view.geometry().columns[std::size_t(column)];
            const QRectF lane(m_view.viewport().toView(QPointF(shape.left, 0)).x(), 0,
                              shape.width * m_view.viewport().zoom, m_view.height());
            painter.fillRect(lane, withAlpha(theme.color(Role::Accent), 0.07));
        }
        QPen pen(theme.color(Role::Accent), 1.3);
        pen.setDashPattern({3, 2.5});
        painter.setPen(pen);
        painter.setBrush(withAlpha(theme.color(Role::AccentSoft), 0.7));
        for (const QRectF& rect : draggedRects())
            painter.drawRoundedRect(rect.translated(m_at - m_from), theme.px(6), theme.px(6));
    }

private:
    /// Column under the mouse when it is not where all of the selection stands already; −1 otherwise.
    [[nodiscard]] int targetColumn() const {
        const QPointF canvas = m_view.viewport().toCanvas(m_at);
        const std::vector<ColumnShape>& columns = m_view.geometry().columns;
        for (std::size_t i = 0; i < columns.size() && columns.size() > 1; ++i) {
            if (canvas.x() < columns[i].left || canvas.x() >= columns[i].right())
                continue;
            for (const int node : m_view.selectedNodes()) {
                if (m_view.model().nodes[std::size_t(node)].stage != columns[i].stage)
                    return int(i);
            }
        }
        return -1;
    }

    [[nodiscard]] std::vector<QRectF> draggedRects() const {
        std::set<int> boxes;
        for (const int node : m_view.selectedNodes())
            boxes.insert(m_view.geometry().boxOf[std::size_t(node)]);
        std::vector<QRectF> rects;
        for (const int box : boxes) {
            rects.push_back(m_view.viewport().toView(m_view.geometry().boxes[std::size_t(box)].rect));
            if (rects.size() >= 40)
                break;
        }
        return rects;
    }

    void selectClicked() {
        SelectionState next = m_view.selection().state();
        next.invocations = m_view.keysOf(m_clicked);
        next.current = m_view.model().nodes[std::size_t(m_clicked.front())].key;
        m_view.selection().set(std::move(next));
    }

    void dropOnStage() {
        const int column = targetColumn();
        if (column >= 0)
            m_view.commands().assignToStage(m_view.selection().state().invocations,
                                            m_view.geometry().columns[std::size_t(column)].stage);
    }

    void dropAtPlace() {
        const QPointF shift = (m_at - m_from) / m_view.viewport().zoom;
        std::map<std::string, QPointF> places;
        for (const BoxShape& box : m_view.geometry().boxes) {
            const bool isDragged =
                box.depth == 0 && std::any_of(box.members.begin(), box.members.end(), [this](int node) {
                    return m_view.state().selected[std::size_t(node)];
                });
            if (isDragged)
                places[boxId(m_view.model(), box)] = box.rect.topLeft() + shift;
        }
        m_view.commands().moveBoxes(places);
    }

    CanvasView& m_view;
    QPointF m_from;
    QPointF m_at;
    std::vector<int> m_clicked;
    bool m_selectsOnClick;
    bool m_isDragging = false;
};

class ConnectGesture final : public CanvasGesture {
public:
    ConnectGesture(CanvasView& view, int box, int port)
        : m_view(view)
        , m_from(view.geometry().boxes[std::size_t(box)].outPorts[std::size_t(port)])
        , m_at(view.viewport().toView(m_from)) {
        const BoxShape& shape = view.geometry().boxes[std::size_t(box)];
        const auto index = std::size_t(port);
        const int node =
            index < shape.outTensors.size() ? shape.outTensors[index].first : shape.members.back();
        const int output = index < shape.outTensors.size() ? shape.outTensors[index].second : port;
        m_source = {view.model().nodes[std::size_t(node)].key, std::uint32_t(output)};
        m_sourceNode = node;
        m_legal = legalTargets();
        view.setCursor(Qt::CrossCursor);
    }

    void move(const QPointF& at) override {
        m_at = at;
        const auto [box, port] = m_view.inPortAt(m_view.viewport().toCanvas(at));
        m_target = box >= 0 && m_legal[std::size_t(box)] ? box : -1;
        m_targetPort = port;
    }

    void finish(const QPointF& at) override {
        move(at);
        if (m_target >= 0) {
            const BoxShape& shape = m_view.geometry().boxes[std::size_t(m_target)];
            const CanvasNode& node = m_view.model().nodes[std::size_t(shape.node)];
            m_view.commands().connectTo(m_source, node.key, std::size_t(m_targetPort));
            return;
        }
        if (m_view.geometry().boxAt(m_view.viewport().toCanvas(at)) < 0)
            emit m_view.quickAddRequested(m_view.viewport().toCanvas(at), m_source);
    }

    void paint(QPainter& painter, const Theme& theme) const override {
        const CanvasViewport& viewport = m_view.viewport();
        for (std::size_t i = 0; i < m_legal.size(); ++i) {
            if (!m_legal[i])
                continue;
            for (const QPointF& port : m_view.geometry().boxes[i].inPorts) {
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
                      m_view.geometry().boxes[std::size_t(m_target)].inPorts[std::size_t(m_targetPort)])
                : m_at;
        QPainterPath path(from);
        const double pull = std::max(24.0, std::abs(to.y() - from.y()) / 2);
        path.cubicTo(from + QPointF(0, pull), to - QPointF(0, pull), to);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.color(Role::Accent), 1.9));
        painter.drawPath(path);
    }

private:
    /// Boxes that may read the tensor: calls that are not above it, and not inputs.
    [[nodiscard]] std::vector<bool> legalTargets() const {
        const CanvasModel& model = m_view.model();
        std::vector<bool> isAbove(model.nodes.size(), false);
        isAbove[std::size_t(m_sourceNode)] = true;
        for (std::size_t i = model.nodes.size(); i-- > 0;) {
            for (const int edge : model.outgoing[i]) {
                if (isAbove[std::size_t(model.edges[std::size_t(edge)].to)])
                    isAbove[i] = true;
            }
        }
        std::vector<bool> legal;
        for (const BoxShape& box : m_view.geometry().boxes)
            legal.push_back(box.node >= 0 && !isAbove[std::size_t(box.node)] &&
                            !model.nodes[std::size_t(box.node)].isInput);
        return legal;
    }

    CanvasView& m_view;
    QPointF m_from;
    QPointF m_at;
    TensorSource m_source;
    int m_sourceNode = 0;
    int m_target = -1;
    int m_targetPort = 0;
    std::vector<bool> m_legal;
};

bool cross(const QPointF& a, const QPointF& b, const QPointF& c, const QPointF& d) {
    QPointF where;
    return QLineF(a, b).intersects(QLineF(c, d), &where) == QLineF::BoundedIntersection;
}

class KnifeGesture final : public CanvasGesture {
public:
    KnifeGesture(CanvasView& view, const QPointF& from)
        : m_view(view) {
        m_stroke << view.viewport().toCanvas(from);
    }
    void move(const QPointF& at) override { m_stroke << m_view.viewport().toCanvas(at); }
    void finish(const QPointF& at) override {
        move(at);
        std::vector<int> edges;
        for (const EdgeShape& shape : m_view.geometry().edges) {
            if (isCut(shape))
                edges.push_back(shape.edge);
        }
        if (!edges.empty())
            m_view.commands().disconnect(m_view.model(), edges);
    }
    void paint(QPainter& painter, const Theme& theme) const override {
        QPolygonF line;
        for (const QPointF& point : m_stroke)
            line << m_view.viewport().toView(point);
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

    CanvasView& m_view;
    QPolygonF m_stroke;
};

} // namespace

std::unique_ptr<CanvasGesture> panGesture(CanvasView& view, const QPointF& from) {
    return std::make_unique<PanGesture>(view, from);
}

std::unique_ptr<CanvasGesture> rubberBandGesture(CanvasView& view, const QPointF& from, bool adds) {
    return std::make_unique<RubberBandGesture>(view, from, adds);
}

std::unique_ptr<CanvasGesture> cutGesture(CanvasView& view, std::size_t cut) {
    return std::make_unique<CutGesture>(view, cut);
}

std::unique_ptr<CanvasGesture> dragGesture(CanvasView& view, const QPointF& from, std::vector<int> clicked,
                                           bool selectsOnClick) {
    return std::make_unique<DragGesture>(view, from, std::move(clicked), selectsOnClick);
}

std::unique_ptr<CanvasGesture> connectGesture(CanvasView& view, int box, int port) {
    return std::make_unique<ConnectGesture>(view, box, port);
}

std::unique_ptr<CanvasGesture> knifeGesture(CanvasView& view, const QPointF& from) {
    return std::make_unique<KnifeGesture>(view, from);
}

} // namespace views
