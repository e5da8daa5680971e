#include "views/graph/layout/moved_boxes.h"

#include "views/graph/layout/detours.h"
#include "views/graph/layout/stage_layout.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace views {

namespace {

void moveBox(BoxShape& box, const QPointF& by) {
    box.rect.translate(by);
    for (auto& [node, rect] : box.rows)
        rect.translate(by);
    for (QPointF& port : box.inPorts)
        port += by;
    for (QPointF& port : box.outPorts)
        port += by;
}

/// Down, across in the middle, down; around the side when the target is above.
QPolygonF simpleWay(const QPointF& from, const QPointF& to) {
    if (std::abs(from.x() - to.x()) < 0.5 && to.y() >= from.y())
        return {QVector<QPointF>{from, to}};
    if (to.y() >= from.y() + 12) {
        const double y = std::round((from.y() + to.y()) / 2);
        return {QVector<QPointF>{from, {from.x(), y}, {to.x(), y}, to}};
    }
    const double x = std::round((from.x() + to.x()) / 2 + (std::abs(from.x() - to.x()) < 160 ? 120 : 0));
    return {QVector<QPointF>{
        from, {from.x(), from.y() + 10}, {x, from.y() + 10}, {x, to.y() - 10}, {to.x(), to.y() - 10}, to}};
}

/// Along the flow of the box that it leaves, as `simpleWay` goes down.
QPolygonF simpleWay(const DetourEnd& from, const DetourEnd& to) {
    const auto turned = [&](const QPointF& point) {
        return from.flow == FlowDirection::Right  ? QPointF(point.y(), point.x())
               : from.flow == FlowDirection::Down ? point
                                                  : QPointF(point.x(), -point.y());
    };
    QPolygonF way = simpleWay(turned(from.port), turned(to.port));
    std::ranges::transform(way, way.begin(), turned);
    return way;
}

/// Shifts of boxes that the user moved; what is inside an expanded group moves with it.
std::vector<QPointF> shiftsOf(const CanvasModel& model, const CanvasGeometry& geometry,
                              const std::map<std::string, QPointF>& moved) {
    std::vector<QPointF> shifts(geometry.boxes.size());
    std::vector<std::size_t> frames;
    for (std::size_t i = 0; i < geometry.boxes.size(); ++i) {
        const BoxShape& box = geometry.boxes[i];
        // Boxes come after the frames they are in, depth first.
        while (!frames.empty() && geometry.boxes[frames.back()].depth >= box.depth)
            frames.pop_back();
        if (!frames.empty())
            shifts[i] = shifts[frames.back()];
        else if (const auto place = moved.find(boxId(model, box)); place != moved.end())
            shifts[i] = place->second - box.rect.topLeft();
        if (box.isFrame())
            frames.push_back(i);
    }
    return shifts;
}

/// The outermost box around each node.
std::vector<int> outerBoxes(const CanvasModel& model, const CanvasGeometry& geometry) {
    std::vector<int> outer(model.nodes.size(), -1);
    for (std::size_t i = 0; i < geometry.boxes.size(); ++i) {
        if (geometry.boxes[i].depth > 0)
            continue;
        for (const int node : geometry.boxes[i].members)
            outer[std::size_t(node)] = int(i);
    }
    return outer;
}

double distanceOf(const QPointF& a, const QPointF& b) {
    return std::hypot(a.x() - b.x(), a.y() - b.y());
}

QPointF portNear(const std::vector<QPointF>& ports, const QPointF& at) {
    return *std::min_element(ports.begin(), ports.end(), [&](const QPointF& a, const QPointF& b) {
        return distanceOf(a, at) < distanceOf(b, at);
    });
}

/// Boxes that the person moved, and the lines that have to follow or to make way.
class BoxMover {
public:
    BoxMover(CanvasGeometry& geometry, const CanvasModel& model)
        : m_geometry(geometry)
        , m_model(model)
        , m_outer(outerBoxes(model, geometry)) {}

    void move(const std::map<std::string, QPointF>& moved) {
        m_shifts = shiftsOf(m_model, m_geometry, moved);
        std::set<const QPolygonF*> loose;
        for (EdgeShape& shape : m_geometry.edges) {
            const auto [from, to] = endsOf(shape);
            for (QPolygonF& piece : shape.pieces) {
                if (m_shifts[from] == m_shifts[to]) {
                    piece.translate(m_shifts[to]);
                } else if (joins(piece, from, to)) {
                    follow(shape, piece);
                    loose.insert(&piece);
                } else {
                    piece.translate(isInside(piece.back(), to) ? m_shifts[to] : m_shifts[from]);
                }
            }
        }
        for (LabelShape& label : m_geometry.labels)
            label.anchor += m_shifts[std::size_t(m_outer[std::size_t(label.node)])];
        for (std::size_t i = 0; i < m_geometry.boxes.size(); ++i) {
            moveBox(m_geometry.boxes[i], m_shifts[i]);
            if (!m_shifts[i].isNull() && m_geometry.boxes[i].depth == 0)
                m_moved.push_back(m_geometry.boxes[i].rect);
        }
        leadLines(loose);
        for (const BoxShape& box : m_geometry.boxes)
            m_geometry.bounds |= box.rect;
        for (const EdgeShape& shape : m_geometry.edges) {
            for (const QPolygonF& piece : shape.pieces)
                m_geometry.bounds |= piece.boundingRect();
        }
    }

    void makeWay(std::vector<QRectF> boxes) {
        m_moved = std::move(boxes);
        leadLines({});
    }

private:
    /// New ways for lines that lost theirs, and for those that would run through a moved box.
    void leadLines(const std::set<const QPolygonF*>& loose) {
        std::ranges::sort(m_moved, {}, [](const QRectF& box) { return box.top(); });
        for (const QRectF& box : m_moved)
            m_highest = std::max(m_highest, box.height());
        for (EdgeShape& shape : m_geometry.edges) {
            const auto [from, to] = endsOf(shape);
            for (QPolygonF& piece : shape.pieces) {
                if (joins(piece, from, to) && (loose.contains(&piece) || crossesMoved(piece)))
                    lead(shape, piece);
            }
        }
    }

    std::pair<std::size_t, std::size_t> endsOf(const EdgeShape& shape) const {
        const CanvasEdge& edge = m_model.edges[std::size_t(shape.edge)];
        return {std::size_t(m_outer[std::size_t(edge.from)]), std::size_t(m_outer[std::size_t(edge.to)])};
    }

    static bool isPort(const std::vector<QPointF>& ports, const QPointF& point) {
        return std::ranges::any_of(ports, [&](const QPointF& port) { return distanceOf(port, point) < 1; });
    }

    bool joins(const QPolygonF& piece, std::size_t from, std::size_t to) const {
        return from != to && isPort(m_geometry.boxes[from].outPorts, piece.front()) &&
               isPort(m_geometry.boxes[to].inPorts, piece.back());
    }

    bool isInside(const QPointF& point, std::size_t box) const {
        return m_geometry.boxes[box].rect.adjusted(-1, -1, 1, 1).contains(point);
    }

    /// The ends go to where their ports will be; the way between is found when all boxes are in their places.
    void follow(const EdgeShape& shape, QPolygonF& piece) const {
        const auto [from, to] = endsOf(shape);
        piece = QPolygonF{portNear(m_geometry.boxes[from].outPorts, piece.front()) + m_shifts[from],
                          portNear(m_geometry.boxes[to].inPorts, piece.back()) + m_shifts[to]};
    }

    bool crossesMoved(const QPolygonF& piece) const {
        const QRectF all = piece.boundingRect();
        const auto first = std::ranges::lower_bound(m_moved, all.top() - m_highest, {},
                                                    [](const QRectF& box) { return box.top(); });
        for (auto box = first; box != m_moved.end() && box->top() <= all.bottom(); ++box) {
            for (int i = 0; i + 1 < piece.size(); ++i) {
                const QRectF line = QRectF(piece[i], piece[i + 1]).normalized().adjusted(-1, -1, 1, 1);
                if (line.intersects(box->adjusted(2, 2, -2, -2)))
                    return true;
            }
        }
        return false;
    }

    /// A new way for a piece between two outer boxes, around all boxes near it.
    void lead(const EdgeShape& shape, QPolygonF& piece) {
        const auto [from, to] = endsOf(shape);
        const DetourEnd start{piece.front(), m_geometry.boxes[from].flow};
        const DetourEnd end{piece.back(), m_geometry.boxes[to].flow};
        // Where everything was moved the simple way has to do: a search for each line takes too long.
        constexpr int mostWays = 150;
        if (++m_ways > mostWays) {
            piece = simpleWay(start, end);
            return;
        }
        constexpr double reach = 220;
        constexpr std::size_t most = 30;
        const QRectF near = QRectF(start.port, end.port).normalized().adjusted(-reach, -reach, reach, reach);
        std::vector<QRectF> boxes;
        for (const BoxShape& box : m_geometry.boxes) {
            if (box.depth == 0 && box.rect.intersects(near))
                boxes.push_back(box.rect);
        }
        const auto middle = near.center();
        std::ranges::sort(boxes, {}, [&](const QRectF& box) { return distanceOf(box.center(), middle); });
        boxes.resize(std::min(boxes.size(), most));
        for (const std::size_t own : {from, to}) {
            if (std::ranges::find(boxes, m_geometry.boxes[own].rect) == boxes.end())
                boxes.push_back(m_geometry.boxes[own].rect);
        }
        const QPolygonF way = wayAround(start, end, boxes, otherLines(shape, near));
        piece = way.isEmpty() ? simpleWay(start, end) : way;
    }

    /// Lines of other tensors, as far as they have their ways.
    std::vector<QPolygonF> otherLines(const EdgeShape& shape, const QRectF& near) const {
        const CanvasEdge& own = m_model.edges[std::size_t(shape.edge)];
        std::vector<QPolygonF> lines;
        for (const EdgeShape& other : m_geometry.edges) {
            const CanvasEdge& edge = m_model.edges[std::size_t(other.edge)];
            if (edge.from == own.from && edge.output == own.output)
                continue;
            for (const QPolygonF& piece : other.pieces) {
                const bool isStraight = piece.size() > 2 || piece.front().x() == piece.back().x() ||
                                        piece.front().y() == piece.back().y();
                if (isStraight && piece.boundingRect().adjusted(-1, -1, 1, 1).intersects(near))
                    lines.push_back(piece);
            }
        }
        return lines;
    }

    CanvasGeometry& m_geometry;
    const CanvasModel& m_model;
    std::vector<QPointF> m_shifts;
    /// The outermost box around each node.
    std::vector<int> m_outer;
    /// From the top down.
    std::vector<QRectF> m_moved;
    double m_highest = 0;
    int m_ways = 0;
};

} // namespace

void moveBoxes(CanvasGeometry& geometry, const CanvasModel& model,
               const std::map<std::string, QPointF>& moved) {
    BoxMover(geometry, model).move(moved);
}

void makeWay(CanvasGeometry& geometry, const CanvasModel& model, const std::vector<QRectF>& boxes) {
    BoxMover(geometry, model).makeWay(boxes);
}

} // namespace views
