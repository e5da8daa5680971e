#include "views/graph/layout/u_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace views {

namespace {

using Pairs = std::vector<std::pair<int, int>>;

/// Length of the longest way to every node, and that way to the end that is furthest away.
struct LongestWay {
    std::vector<int> ranks;
    std::vector<int> nodes;
};

LongestWay longestWay(std::size_t count, const Pairs& edges) {
    LongestWay way;
    way.ranks.assign(count, 0);
    std::vector<int> before(count, -1);
    Pairs sorted = edges;
    std::sort(sorted.begin(), sorted.end());
    for (const auto& [from, to] : sorted) {
        if (way.ranks[std::size_t(from)] + 1 > way.ranks[std::size_t(to)]) {
            way.ranks[std::size_t(to)] = way.ranks[std::size_t(from)] + 1;
            before[std::size_t(to)] = from;
        }
    }
    for (int at = int(std::ranges::max_element(way.ranks) - way.ranks.begin()); at >= 0;
         at = before[std::size_t(at)])
        way.nodes.push_back(at);
    std::reverse(way.nodes.begin(), way.nodes.end());
    return way;
}

/// Where the most edges that pass nodes run side by side: the rank below which to part the two legs.
std::optional<int> deepestRank(const LongestWay& way, const Pairs& edges) {
    const auto last = way.nodes.size();
    std::vector<int> change(last + 1, 0);
    for (const auto& [from, to] : edges) {
        const int upper = way.ranks[std::size_t(from)];
        const int lower = way.ranks[std::size_t(to)];
        if (lower - upper > 1) {
            ++change[std::size_t(upper)];
            --change[std::size_t(lower)];
        }
    }
    int most = 0;
    int first = 0;
    int behind = 0;
    int now = 0;
    for (std::size_t rank = 0; rank < last; ++rank) {
        now += change[rank];
        if (now > most) {
            most = now;
            first = int(rank);
            behind = int(rank);
        } else if (now == most && behind == int(rank) - 1) {
            behind = int(rank);
        }
    }
    return most >= 2 ? std::optional((first + behind + 1) / 2) : std::nullopt;
}

/// What lies at or before the lowest node of the way down, and what is on its way across but no deeper than
/// that.
std::vector<bool> leftLegOf(std::size_t count, const Pairs& edges, const LongestWay& way, int node) {
    std::vector<std::vector<int>> sources(count);
    for (const auto& [from, to] : edges)
        sources[std::size_t(to)].push_back(from);
    std::vector<bool> found(count, false);
    std::vector<int> open{node};
    found[std::size_t(node)] = true;
    while (!open.empty()) {
        const int at = open.back();
        open.pop_back();
        for (const int source : sources[std::size_t(at)]) {
            if (!found[std::size_t(source)]) {
                found[std::size_t(source)] = true;
                open.push_back(source);
            }
        }
    }
    const int deepest = way.ranks[std::size_t(node)];
    for (std::size_t i = 0; i < count; ++i) {
        const bool isAcross =
            !sources[i].empty() && way.ranks[i] <= deepest &&
            std::ranges::all_of(sources[i], [&](int source) { return found[std::size_t(source)]; });
        found[i] = found[i] || isAcross;
    }
    return found;
}

/// What runs across, by the rank of its source: the ranks at which it ends.
std::map<int, std::vector<int>> bridgesOf(const LongestWay& way, const Pairs& edges,
                                          const std::vector<bool>& isLeft, int bottom) {
    std::map<int, std::vector<int>> bridges;
    for (const auto& [from, to] : edges) {
        if (from != bottom && isLeft[std::size_t(from)] && !isLeft[std::size_t(to)])
            bridges[way.ranks[std::size_t(from)]].push_back(way.ranks[std::size_t(to)]);
    }
    return bridges;
}

/// Each inside of the one before, the second not much shorter than the first, and together the greater part
/// of all that passes nodes.
bool areNested(const std::map<int, std::vector<int>>& bridges, const LongestWay& way, const Pairs& edges) {
    if (bridges.size() < 2)
        return false;
    std::vector<int> spans;
    int innerEnd = std::numeric_limits<int>::max();
    for (const auto& [from, ends] : bridges) {
        const auto [nearest, furthest] = std::ranges::minmax(ends);
        if (furthest >= innerEnd)
            return false;
        innerEnd = nearest;
        spans.push_back(nearest - from);
    }
    int total = 0;
    for (const auto& [from, to] : edges) {
        const int span = way.ranks[std::size_t(to)] - way.ranks[std::size_t(from)];
        total += span > 1 ? span : 0;
    }
    constexpr double leastOfFirst = 0.4;
    return spans[1] >= leastOfFirst * spans[0] && 2 * std::accumulate(spans.begin(), spans.end(), 0) >= total;
}

/// Everything below `y` comes down by `by`.
void insertSpace(LayeredLayout& layout, double y, double by) {
    for (QPointF& position : layout.positions)
        position.ry() += position.y() > y ? by : 0;
    for (QPolygonF& route : layout.routes) {
        for (QPointF& point : route)
            point.ry() += point.y() > y ? by : 0;
    }
    layout.size.rheight() += by;
}

/// One of the two legs, with the numbers that its nodes and edges have in the whole.
struct Leg {
    std::vector<LayoutNode> nodes;
    std::vector<int> nodeOf;
    std::vector<LayoutEdge> edges;
    std::vector<int> edgeOf;
    LayeredLayout layout;
};

class UBuilder {
public:
    UBuilder(const std::vector<LayoutNode>& nodes, const std::vector<LayoutEdge>& edges,
             const std::vector<bool>& isRight, const LayoutSpacing& spacing)
        : m_edges(edges)
        , m_isRight(isRight)
        , m_spacing(spacing)
        , m_places(nodes.size()) {
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            Leg& leg = m_legs[isRight[i] ? 1 : 0];
            m_places[i] = int(leg.nodes.size());
            leg.nodes.push_back(nodes[i]);
            leg.nodeOf.push_back(int(i));
        }
        // In the order of the left leg: what comes from further down enters a box of the right one further
        // right.
        std::vector<int> bySource(edges.size());
        std::iota(bySource.begin(), bySource.end(), 0);
        std::stable_sort(bySource.begin(), bySource.end(), [&](int a, int b) {
            return edges[std::size_t(a)].from < edges[std::size_t(b)].from;
        });
        for (const int edge : bySource)
            add(edge);
        for (Leg& leg : m_legs)
            leg.layout = layOut(leg.nodes, leg.edges, spacing);
        turnOver(m_legs[1].layout, m_legs[1].nodes);
        level();
    }

    LayeredLayout build() const {
        constexpr double least = 44;
        const double gap = least + m_spacing.trackGap * double(m_across.size());
        const double right = m_legs[0].layout.size.width() + gap;
        LayeredLayout all;
        all.size = {right + m_legs[1].layout.size.width(),
                    std::max(m_legs[0].layout.size.height(), m_legs[1].layout.size.height())};
        all.positions.resize(m_places.size());
        all.ranks.resize(m_places.size());
        all.inPorts.resize(m_places.size());
        all.outPorts.resize(m_places.size());
        all.routes.resize(m_edges.size());
        for (std::size_t side = 0; side < m_legs.size(); ++side) {
            const Leg& leg = m_legs[side];
            const QPointF origin(side == 0 ? 0 : right, 0);
            for (std::size_t i = 0; i < leg.nodeOf.size(); ++i) {
                const auto node = std::size_t(leg.nodeOf[i]);
                all.positions[node] = leg.layout.positions[i] + origin;
                all.ranks[node] = leg.layout.ranks[i];
                all.inPorts[node] = leg.layout.inPorts[i];
                all.outPorts[node] = leg.layout.outPorts[i];
            }
            for (std::size_t i = 0; i < leg.edgeOf.size(); ++i)
                join(all.routes[std::size_t(leg.edgeOf[i])], leg.layout.routes[i].translated(origin));
        }
        return all;
    }

private:
    /// An edge from one leg to the other: its place in each.
    struct Across {
        int left = 0;
        int right = 0;
    };

    void add(int index) {
        LayoutEdge edge = m_edges[std::size_t(index)];
        const bool isFromRight = m_isRight[std::size_t(edge.from)];
        const bool isToRight = m_isRight[std::size_t(edge.to)];
        const int tensor =
            m_tensors.try_emplace({edge.from, edge.fromPort}, int(m_tensors.size())).first->second;
        edge.from = m_places[std::size_t(edge.from)];
        edge.to = m_places[std::size_t(edge.to)];
        edge.tensor = tensor;
        const auto put = [&](std::size_t side, const LayoutEdge& which) {
            m_legs[side].edges.push_back(which);
            m_legs[side].edgeOf.push_back(index);
        };
        if (isFromRight == isToRight) {
            put(isFromRight ? 1 : 0, edge);
            return;
        }
        m_across.push_back({int(m_legs[0].edges.size()), int(m_legs[1].edges.size())});
        put(0, {edge.from, edge.fromPort, LayoutEdge::outside, 0, tensor});
        put(1, {LayoutEdge::outside, 0, edge.to, edge.toPort, tensor});
    }

    double leavesAt(const Across& edge) const {
        return m_legs[0].layout.routes[std::size_t(edge.left)].back().y();
    }
    double entersAt(const Across& edge) const {
        return m_legs[1].layout.routes[std::size_t(edge.right)].front().y();
    }

    /// From the top down, the leg in which the next line across is higher is drawn out.
    void level() {
        std::stable_sort(m_across.begin(), m_across.end(),
                         [this](const Across& a, const Across& b) { return leavesAt(a) < leavesAt(b); });
        double done = -1;
        std::set<int> levelled;
        for (const Across& edge : m_across) {
            const double left = leavesAt(edge);
            const double right = entersAt(edge);
            const int tensor = m_legs[0].edges[std::size_t(edge.left)].tensor;
            if (left <= done || right <= done || !levelled.insert(tensor).second)
                continue;
            insertSpace(m_legs[left < right ? 0 : 1].layout, done, std::abs(left - right));
            done = std::max(left, right) + 0.5;
        }
    }

    /// Appends the way in the right leg to that in the left one, from level to level where they differ.
    void join(QPolygonF& route, const QPolygonF& next) const {
        if (!route.isEmpty() && std::abs(route.back().y() - next.front().y()) > 0.5) {
            const double x = std::round((route.back().x() + next.front().x()) / 2);
            route << QPointF(x, route.back().y()) << QPointF(x, next.front().y());
        }
        // Level pieces that go on in one another are one.
        const bool isLevel =
            route.size() > 1 && next.size() > 1 && std::abs(route[route.size() - 2].y() - next[1].y()) < 0.5;
        if (isLevel)
            route.removeLast();
        route += isLevel ? QPolygonF(next.mid(1)) : next;
    }

    const std::vector<LayoutEdge>& m_edges;
    const std::vector<bool>& m_isRight;
    const LayoutSpacing& m_spacing;
    std::vector<int> m_places;
    std::array<Leg, 2> m_legs;
    std::vector<Across> m_across;
    std::map<std::pair<int, int>, int> m_tensors;
};

} // namespace

std::vector<bool> rightLegOf(std::size_t count, const std::vector<std::pair<int, int>>& edges) {
    constexpr std::size_t fewest = 6;
    if (count < fewest)
        return {};
    const LongestWay way = longestWay(count, edges);
    const std::optional<int> deepest = deepestRank(way, edges);
    if (!deepest || std::size_t(*deepest) + 1 >= way.nodes.size())
        return {};
    const int bottom = way.nodes[std::size_t(*deepest)];
    const std::vector<bool> isLeft = leftLegOf(count, edges, way, bottom);
    if (!areNested(bridgesOf(way, edges, isLeft, bottom), way, edges))
        return {};
    std::vector<bool> isRight(count);
    for (std::size_t i = 0; i < count; ++i)
        isRight[i] = !isLeft[i];
    return isRight;
}

LayeredLayout layOutAsU(const std::vector<LayoutNode>& nodes, const std::vector<LayoutEdge>& edges,
                        const std::vector<bool>& isRight, const LayoutSpacing& spacing) {
    return UBuilder(nodes, edges, isRight, spacing).build();
}

} // namespace views
