#include "views/graph/layout/detours.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <queue>
#include <tuple>

namespace views {

namespace {

/// Distance of the nearest track from a box, of the next one from that, and from a port to the first turn.
constexpr double clearance = 8;
constexpr double trackGap = 7;
constexpr double stub = 12;
constexpr double costOfCorner = 30;
/// Going along another line costs as much as this many times the way.
constexpr double costOfSharing = 6;

void makeUnique(std::vector<double>& values) {
    std::sort(values.begin(), values.end());
    values.erase(
        std::unique(values.begin(), values.end(), [](double a, double b) { return std::abs(a - b) < 0.5; }),
        values.end());
}

std::size_t indexOf(const std::vector<double>& values, double value) {
    const auto at = std::lower_bound(values.begin(), values.end(), value - 0.5);
    return at == values.end() ? values.size() - 1 : std::size_t(at - values.begin());
}

/// Lines at both sides of every box and through both ends; between two of their crossings the way is free or
/// it is not.
class DetourGrid {
public:
    DetourGrid(const QPointF& from, const QPointF& to, const std::vector<QRectF>& boxes,
               const std::vector<QPolygonF>& others) {
        m_xs = {from.x(), to.x(), std::round((from.x() + to.x()) / 2)};
        m_ys = {from.y(), to.y(), std::round((from.y() + to.y()) / 2)};
        for (const QRectF& box : boxes) {
            for (const double away : {clearance, clearance + trackGap}) {
                m_xs.insert(m_xs.end(), {box.left() - away, box.right() + away});
                m_ys.insert(m_ys.end(), {box.top() - away, box.bottom() + away});
            }
        }
        makeUnique(m_xs);
        makeUnique(m_ys);
        m_right.assign(m_xs.size() * m_ys.size(), 1);
        m_down = m_right;
        for (const QRectF& box : boxes)
            block(box.adjusted(-clearance, -clearance, clearance, clearance));
        for (const QPolygonF& line : others) {
            for (int i = 0; i + 1 < line.size(); ++i)
                share(line[i], line[i + 1]);
        }
    }

    [[nodiscard]] std::size_t columns() const { return m_xs.size(); }
    [[nodiscard]] std::size_t size() const { return m_right.size(); }
    [[nodiscard]] std::size_t nearest(const QPointF& point) const {
        return indexOf(m_ys, point.y()) * columns() + indexOf(m_xs, point.x());
    }
    [[nodiscard]] QPointF point(std::size_t place) const {
        return {m_xs[place % columns()], m_ys[place / columns()]};
    }

    /// Cost of the step from a place in a direction (right, down, left, up), and where it leads.
    [[nodiscard]] std::pair<double, std::size_t> step(std::size_t place, std::size_t direction) const {
        const std::size_t x = place % columns();
        const std::size_t y = place / columns();
        constexpr double none = std::numeric_limits<double>::infinity();
        const auto cost = [&](const std::vector<float>& costs, std::size_t first, double way) {
            return std::isinf(costs[first]) ? none : way * double(costs[first]);
        };
        switch (direction) {
        case 0:
            return x + 1 < columns() ? std::pair(cost(m_right, place, m_xs[x + 1] - m_xs[x]), place + 1)
                                     : std::pair(none, place);
        case 1:
            return y + 1 < m_ys.size()
                       ? std::pair(cost(m_down, place, m_ys[y + 1] - m_ys[y]), place + columns())
                       : std::pair(none, place);
        case 2:
            return x > 0 ? std::pair(cost(m_right, place - 1, m_xs[x] - m_xs[x - 1]), place - 1)
                         : std::pair(none, place);
        default:
            return y > 0
                       ? std::pair(cost(m_down, place - columns(), m_ys[y] - m_ys[y - 1]), place - columns())
                       : std::pair(none, place);
        }
    }

private:
    /// Pieces that run inside of a rectangle; on its sides the way is free.
    void block(const QRectF& rect) {
        constexpr float blocked = std::numeric_limits<float>::infinity();
        for (std::size_t y = 0; y < m_ys.size(); ++y) {
            for (std::size_t x = 0; x < columns(); ++x) {
                const bool isWithinX = m_xs[x] > rect.left() + 0.5 && m_xs[x] < rect.right() - 0.5;
                const bool isWithinY = m_ys[y] > rect.top() + 0.5 && m_ys[y] < rect.bottom() - 0.5;
                if (isWithinY && x + 1 < columns() && m_xs[x] < rect.right() - 0.5 &&
                    m_xs[x + 1] > rect.left() + 0.5)
                    m_right[y * columns() + x] = blocked;
                if (isWithinX && y + 1 < m_ys.size() && m_ys[y] < rect.bottom() - 0.5 &&
                    m_ys[y + 1] > rect.top() + 0.5)
                    m_down[y * columns() + x] = blocked;
            }
        }
    }

    /// Pieces on which another line runs already, or close by.
    void share(const QPointF& a, const QPointF& b) {
        constexpr double close = 4;
        const QRectF line = QRectF(a, b).normalized();
        const bool isLevel = line.width() > line.height();
        for (std::size_t y = 0; isLevel && y < m_ys.size(); ++y) {
            for (std::size_t x = 0; std::abs(m_ys[y] - a.y()) < close && x + 1 < columns(); ++x) {
                if (m_xs[x] < line.right() - 1 && m_xs[x + 1] > line.left() + 1)
                    raise(m_right[y * columns() + x]);
            }
        }
        for (std::size_t x = 0; !isLevel && x < columns(); ++x) {
            for (std::size_t y = 0; std::abs(m_xs[x] - a.x()) < close && y + 1 < m_ys.size(); ++y) {
                if (m_ys[y] < line.bottom() - 1 && m_ys[y + 1] > line.top() + 1)
                    raise(m_down[y * columns() + x]);
            }
        }
    }

    static void raise(float& cost) {
        if (!std::isinf(cost))
            cost = float(costOfSharing);
    }

    std::vector<double> m_xs;
    std::vector<double> m_ys;
    /// Factor of the cost of the piece right of and below each place.
    std::vector<float> m_right;
    std::vector<float> m_down;
};

std::size_t directionOf(FlowDirection flow) {
    return flow == FlowDirection::Right ? 0 : flow == FlowDirection::Down ? 1 : 3;
}

/// Cheapest way from place to place; empty where there is none. A state is a place and the direction in which
/// it was reached.
std::vector<std::size_t> cheapestWay(const DetourGrid& grid, std::size_t from, std::size_t fromDirection,
                                     std::size_t to, std::size_t toDirection) {
    constexpr std::size_t directions = 4;
    constexpr double none = std::numeric_limits<double>::infinity();
    std::vector<double> costs(grid.size() * directions, none);
    std::vector<std::size_t> before(costs.size(), costs.size());
    using Entry = std::tuple<double, std::size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    const std::size_t start = from * directions + fromDirection;
    const std::size_t goal = to * directions + toDirection;
    costs[start] = 0;
    open.emplace(0, start);
    while (!open.empty()) {
        const auto [cost, state] = open.top();
        open.pop();
        if (cost > costs[state])
            continue;
        if (state == goal)
            break;
        const std::size_t place = state / directions;
        const std::size_t direction = state % directions;
        const auto reach = [&](std::size_t next, double more) {
            if (cost + more < costs[next]) {
                costs[next] = cost + more;
                before[next] = state;
                open.emplace(cost + more, next);
            }
        };
        const auto [way, next] = grid.step(place, direction);
        if (way < none)
            reach(next * directions + direction, way);
        reach(place * directions + (direction + 1) % directions, costOfCorner);
        reach(place * directions + (direction + 3) % directions, costOfCorner);
    }
    std::vector<std::size_t> places;
    if (costs[goal] == none)
        return places;
    for (std::size_t at = goal; at < before.size(); at = before[at])
        places.push_back(at / directions);
    std::reverse(places.begin(), places.end());
    return places;
}

/// Appends a point; one in the middle of a straight piece, and one that is there already, is left out.
void extend(QPolygonF& line, const QPointF& point) {
    const auto isNear = [](double a, double b) { return std::abs(a - b) < 0.5; };
    if (!line.isEmpty() && isNear(line.back().x(), point.x()) && isNear(line.back().y(), point.y()))
        return;
    if (line.size() > 1) {
        const QPointF& a = line[line.size() - 2];
        const QPointF& b = line.back();
        const bool isStraight = (isNear(a.x(), b.x()) && isNear(b.x(), point.x())) ||
                                (isNear(a.y(), b.y()) && isNear(b.y(), point.y()));
        if (isStraight)
            line.removeLast();
    }
    line.append(point);
}

} // namespace

QPolygonF wayAround(const DetourEnd& from, const DetourEnd& to, const std::vector<QRectF>& boxes,
                    const std::vector<QPolygonF>& others) {
    const QPointF start = from.port + stepAlong(from.flow) * stub;
    const QPointF end = to.port - stepAlong(to.flow) * stub;
    // A box that lies over an end cannot be gone around.
    std::vector<QRectF> around;
    std::ranges::copy_if(boxes, std::back_inserter(around), [&](const QRectF& box) {
        const QRectF wide = box.adjusted(-clearance + 1, -clearance + 1, clearance - 1, clearance - 1);
        return !wide.contains(start) && !wide.contains(end);
    });
    const DetourGrid grid(start, end, around, others);
    const std::vector<std::size_t> places = cheapestWay(grid, grid.nearest(start), directionOf(from.flow),
                                                        grid.nearest(end), directionOf(to.flow));
    QPolygonF line;
    if (places.empty())
        return line;
    line.append(from.port);
    for (const std::size_t place : places)
        extend(line, grid.point(place));
    extend(line, to.port);
    return line;
}

} // namespace views
