#include "views/graph/layout/rank_order.h"

#include <algorithm>
#include <numeric>

namespace views {

namespace {

/// Position of every node in its rank.
std::vector<int> positionsOf(const RankedGraph& graph, const RankOrder& order) {
    std::vector<int> positions(graph.nodes.size(), 0);
    for (const std::vector<int>& rank : order) {
        for (std::size_t i = 0; i < rank.size(); ++i)
            positions[std::size_t(rank[i])] = int(i);
    }
    return positions;
}

/// Length of the longest way through each node.
std::vector<int> pathLengths(const RankedGraph& graph) {
    std::vector<int> byRank(graph.nodes.size());
    std::iota(byRank.begin(), byRank.end(), 0);
    std::stable_sort(byRank.begin(), byRank.end(),
                     [&](int a, int b) { return graph.ranks[std::size_t(a)] < graph.ranks[std::size_t(b)]; });
    const auto weight = [&](int node) {
        return graph.nodes[std::size_t(node)].kind == LayoutNode::Kind::Bend ? 0 : 1;
    };
    std::vector<int> above(graph.nodes.size(), 0);
    std::vector<int> below(graph.nodes.size(), 0);
    for (const int node : byRank) {
        for (const int s : graph.outgoing[std::size_t(node)]) {
            int& length = above[std::size_t(graph.segments[std::size_t(s)].to)];
            length = std::max(length, above[std::size_t(node)] + weight(node));
        }
    }
    for (auto it = byRank.rbegin(); it != byRank.rend(); ++it) {
        for (const int s : graph.outgoing[std::size_t(*it)]) {
            const int to = graph.segments[std::size_t(s)].to;
            below[std::size_t(*it)] = std::max(below[std::size_t(*it)], below[std::size_t(to)] + weight(to));
        }
    }
    for (std::size_t i = 0; i < above.size(); ++i)
        above[i] += below[i];
    return above;
}

/// The main line (the longest) left, shortcuts to the right of it, otherwise as they came.
RankOrder initialOrder(const RankedGraph& graph) {
    RankOrder order(std::size_t(graph.rankCount));
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        order[std::size_t(graph.ranks[i])].push_back(int(i));
    const std::vector<int> lengths = pathLengths(graph);
    for (std::vector<int>& rank : order)
        std::stable_sort(rank.begin(), rank.end(),
                         [&](int a, int b) { return lengths[std::size_t(a)] > lengths[std::size_t(b)]; });
    return order;
}

double barycenter(const RankedGraph& graph, const std::vector<int>& positions, int node, bool fromAbove) {
    const std::vector<int>& segments =
        fromAbove ? graph.incoming[std::size_t(node)] : graph.outgoing[std::size_t(node)];
    if (segments.empty())
        return -1;
    double sum = 0;
    for (const int segment : segments) {
        const RankedGraph::Segment& piece = graph.segments[std::size_t(segment)];
        const int other = fromAbove ? piece.from : piece.to;
        // Ports of one box differ by a fraction of a position.
        const int port = fromAbove ? piece.fromPort : piece.toPort;
        sum += positions[std::size_t(other)] + port * 0.01;
    }
    return sum / double(segments.size());
}

void sortRank(const RankedGraph& graph, std::vector<int>& rank, std::vector<int>& positions, bool fromAbove) {
    std::vector<std::pair<double, int>> keyed;
    keyed.reserve(rank.size());
    for (std::size_t i = 0; i < rank.size(); ++i) {
        const double center = barycenter(graph, positions, rank[i], fromAbove);
        keyed.emplace_back(center < 0 ? double(i) : center, rank[i]);
    }
    std::stable_sort(keyed.begin(), keyed.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < rank.size(); ++i) {
        rank[i] = keyed[i].second;
        positions[std::size_t(rank[i])] = int(i);
    }
}

std::size_t crossingsBelow(const RankedGraph& graph, const std::vector<int>& rank,
                           const std::vector<int>& positions, std::size_t widthBelow) {
    // Counts inversions of the lower ends with a binary indexed tree (Barth, Mutzel and Jünger).
    std::vector<std::size_t> tree(widthBelow + 1, 0);
    std::size_t crossings = 0;
    std::size_t inserted = 0;
    std::vector<int> lower;
    for (const int node : rank) {
        lower.clear();
        for (const int segment : graph.outgoing[std::size_t(node)])
            lower.push_back(positions[std::size_t(graph.segments[std::size_t(segment)].to)]);
        std::sort(lower.begin(), lower.end());
        for (const int position : lower) {
            std::size_t notRightOf = 0;
            for (auto i = std::size_t(position) + 1; i > 0; i &= i - 1)
                notRightOf += tree[i];
            crossings += inserted - notRightOf;
        }
        for (const int position : lower) {
            for (auto i = std::size_t(position) + 1; i < tree.size(); i += i & (~i + 1))
                ++tree[i];
            ++inserted;
        }
    }
    return crossings;
}

/// Where the lines of each port come from or go to, as a place from left to right.
class PortGoals {
public:
    explicit PortGoals(const RankedGraph& graph)
        : m_graph(graph)
        , m_goals(graph.nodes.size()) {}

    void add(int node, const std::vector<double>& ports, int port, double goal) {
        if (!m_graph.nodes[std::size_t(node)].exchangesPorts)
            return;
        std::vector<std::pair<double, int>>& of = m_goals[std::size_t(node)];
        of.resize(ports.size());
        if (std::size_t(port) < of.size()) {
            of[std::size_t(port)].first += goal;
            ++of[std::size_t(port)].second;
        }
    }

    /// The ports keep their numbers and exchange their places.
    void arrange(int node, std::vector<double>& ports) const {
        const std::vector<std::pair<double, int>>& of = m_goals[std::size_t(node)];
        if (of.size() < 2)
            return;
        std::vector<std::size_t> byGoal(of.size());
        std::iota(byGoal.begin(), byGoal.end(), std::size_t{0});
        const auto goal = [&](std::size_t port) {
            return of[port].second > 0 ? of[port].first / of[port].second : 0.0;
        };
        std::stable_sort(byGoal.begin(), byGoal.end(),
                         [&](std::size_t a, std::size_t b) { return goal(a) < goal(b); });
        std::vector<double> places = ports;
        std::sort(places.begin(), places.end());
        for (std::size_t k = 0; k < byGoal.size(); ++k)
            ports[byGoal[k]] = places[k];
    }

private:
    const RankedGraph& m_graph;
    /// By node and port: sum and number.
    std::vector<std::vector<std::pair<double, int>>> m_goals;
};

/// What comes from outside comes from the left, in the order of the edges; what leaves goes to the right.
void exchangePorts(RankedGraph& graph, const std::vector<int>& positions,
                   const std::vector<LayoutEdge>& edges) {
    constexpr double outside = 1e9;
    PortGoals ins(graph);
    PortGoals outs(graph);
    const auto node = [&](int index) -> LayoutNode& { return graph.nodes[std::size_t(index)]; };
    for (const RankedGraph::Segment& segment : graph.segments) {
        outs.add(segment.from, node(segment.from).outPorts, segment.fromPort,
                 positions[std::size_t(segment.to)]);
        ins.add(segment.to, node(segment.to).inPorts, segment.toPort, positions[std::size_t(segment.from)]);
    }
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const LayoutEdge& edge = edges[i];
        if (edge.from != LayoutEdge::outside && edge.to == LayoutEdge::outside)
            outs.add(edge.from, node(edge.from).outPorts, edge.fromPort, outside);
        if (edge.from == LayoutEdge::outside && edge.to != LayoutEdge::outside)
            ins.add(edge.to, node(edge.to).inPorts, edge.toPort, double(i) - outside);
    }
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        ins.arrange(int(i), graph.nodes[i].inPorts);
        outs.arrange(int(i), graph.nodes[i].outPorts);
    }
}

} // namespace

std::size_t countCrossings(const RankedGraph& graph, const RankOrder& order) {
    const std::vector<int> positions = positionsOf(graph, order);
    std::size_t crossings = 0;
    for (std::size_t r = 0; r + 1 < order.size(); ++r)
        crossings += crossingsBelow(graph, order[r], positions, order[r + 1].size());
    return crossings;
}

void arrangePorts(RankedGraph& graph, const RankOrder& order, std::vector<LayoutEdge>& edges) {
    const std::vector<int> positions = positionsOf(graph, order);
    std::vector<std::vector<std::size_t>> entering(graph.nodes.size());
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (edges[i].from == LayoutEdge::outside && edges[i].to != LayoutEdge::outside)
            entering[std::size_t(edges[i].to)].push_back(i);
    }
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        if (!graph.nodes[i].hasFreeInPorts)
            continue;
        int port = 0;
        for (const std::size_t edge : entering[i])
            edges[edge].toPort = port++;
        std::vector<int> segments = graph.incoming[i];
        std::stable_sort(segments.begin(), segments.end(), [&](int a, int b) {
            return positions[std::size_t(graph.segments[std::size_t(a)].from)] <
                   positions[std::size_t(graph.segments[std::size_t(b)].from)];
        });
        for (const int segment : segments)
            graph.segments[std::size_t(segment)].toPort = port++;
    }
    exchangePorts(graph, positions, edges);
}

RankOrder orderRanks(const RankedGraph& graph) {
    constexpr int sweeps = 6;
    RankOrder best = initialOrder(graph);
    std::size_t fewest = countCrossings(graph, best);
    RankOrder order = best;
    std::vector<int> positions = positionsOf(graph, order);
    for (int sweep = 0; sweep < sweeps && fewest > 0; ++sweep) {
        if (sweep % 2 == 0) {
            for (std::size_t r = 1; r < order.size(); ++r)
                sortRank(graph, order[r], positions, true);
        } else {
            for (std::size_t r = order.size() - 1; r-- > 0;)
                sortRank(graph, order[r], positions, false);
        }
        const std::size_t crossings = countCrossings(graph, order);
        if (crossings < fewest) {
            fewest = crossings;
            best = order;
        }
    }
    return best;
}

} // namespace views
