#include "views/graph/layout/layer_ranks.h"

#include <algorithm>
#include <limits>
#include <map>

namespace views {

namespace {

bool isInner(const LayoutEdge& edge) {
    return edge.from != LayoutEdge::outside && edge.to != LayoutEdge::outside;
}

/// Bends are shared by the edges of one tensor as far as they run in the same ranks.
class BendMaker {
public:
    explicit BendMaker(RankedGraph& graph)
        : m_graph(graph) {}

    int bend(int from, int fromPort, int rank) {
        const auto [entry, isNew] = m_bends.try_emplace({from, fromPort, rank}, int(m_graph.nodes.size()));
        if (isNew) {
            LayoutNode node;
            node.kind = LayoutNode::Kind::Bend;
            node.inPorts = {0};
            node.outPorts = {0};
            m_graph.nodes.push_back(std::move(node));
            m_graph.ranks.push_back(rank);
        }
        return entry->second;
    }

    int segment(const RankedGraph::Segment& wanted) {
        const auto key = std::tuple(wanted.from, wanted.fromPort, wanted.to, wanted.toPort);
        const auto [entry, isNew] = m_segments.try_emplace(key, int(m_graph.segments.size()));
        if (isNew)
            m_graph.segments.push_back(wanted);
        return entry->second;
    }

private:
    RankedGraph& m_graph;
    std::map<std::tuple<int, int, int>, int> m_bends;
    std::map<std::tuple<int, int, int, int>, int> m_segments;
};

/// The longest tensors go around when the bends of all would be many times the boxes.
std::vector<bool> edgesAround(const std::vector<LayoutNode>& nodes, const std::vector<LayoutEdge>& edges,
                              const std::vector<int>& ranks) {
    std::map<std::pair<int, int>, int> spanOf;
    for (const LayoutEdge& edge : edges) {
        if (!isInner(edge))
            continue;
        int& span = spanOf[{edge.from, edge.fromPort}];
        span = std::max(span, ranks[std::size_t(edge.to)] - ranks[std::size_t(edge.from)] - 1);
    }
    std::vector<int> spans;
    for (const auto& [source, span] : spanOf)
        spans.push_back(span);
    std::sort(spans.begin(), spans.end());
    std::size_t budget = 20 * nodes.size() + 2000;
    int longest = 0;
    for (const int span : spans) {
        if (budget < std::size_t(span))
            break;
        budget -= std::size_t(span);
        longest = span;
    }
    std::vector<bool> around;
    around.reserve(edges.size());
    for (const LayoutEdge& edge : edges)
        around.push_back(isInner(edge) && spanOf[{edge.from, edge.fromPort}] > longest);
    return around;
}

} // namespace

std::vector<int> assignRanks(const std::vector<LayoutNode>& nodes, const std::vector<LayoutEdge>& edges) {
    const auto count = nodes.size();
    const bool hasEntries = std::any_of(nodes.begin(), nodes.end(), [](const LayoutNode& node) {
        return node.kind == LayoutNode::Kind::Entry;
    });
    std::vector<std::vector<int>> targets(count);
    std::vector<bool> hasInput(count, false);
    for (const LayoutEdge& edge : edges) {
        if (isInner(edge))
            targets[std::size_t(edge.from)].push_back(edge.to);
        if (edge.to != LayoutEdge::outside)
            hasInput[std::size_t(edge.to)] = true;
    }
    std::vector<int> ranks(count, hasEntries ? 1 : 0);
    for (std::size_t i = 0; i < count; ++i) {
        if (nodes[i].kind == LayoutNode::Kind::Entry)
            ranks[i] = 0;
        for (const int target : targets[i])
            ranks[std::size_t(target)] = std::max(ranks[std::size_t(target)], ranks[i] + 1);
    }
    for (std::size_t i = count; i-- > 0;) {
        if (hasInput[i] || targets[i].empty() || nodes[i].kind != LayoutNode::Kind::Box)
            continue;
        int nearest = std::numeric_limits<int>::max();
        for (const int target : targets[i])
            nearest = std::min(nearest, ranks[std::size_t(target)]);
        ranks[i] = nearest - 1;
    }
    int last = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (nodes[i].kind != LayoutNode::Kind::Exit)
            last = std::max(last, ranks[i]);
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (nodes[i].kind == LayoutNode::Kind::Exit)
            ranks[i] = last + 1;
    }
    return ranks;
}

RankedGraph insertBends(const std::vector<LayoutNode>& nodes, const std::vector<LayoutEdge>& edges,
                        std::vector<int> ranks) {
    RankedGraph graph;
    graph.nodes = nodes;
    graph.ranks = std::move(ranks);
    graph.goesAround = edgesAround(nodes, edges, graph.ranks);
    graph.segmentsOfEdge.resize(edges.size());
    BendMaker maker(graph);
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const LayoutEdge& edge = edges[i];
        if (!isInner(edge) || graph.goesAround[i])
            continue;
        int at = edge.from;
        int port = edge.fromPort;
        const int lastRank = graph.ranks[std::size_t(edge.to)];
        for (int rank = graph.ranks[std::size_t(at)] + 1; rank < lastRank; ++rank) {
            const int bend = maker.bend(edge.from, edge.fromPort, rank);
            graph.segmentsOfEdge[i].push_back(maker.segment({at, port, bend, 0, int(i)}));
            at = bend;
            port = 0;
        }
        graph.segmentsOfEdge[i].push_back(maker.segment({at, port, edge.to, edge.toPort, int(i)}));
    }
    for (const int rank : graph.ranks)
        graph.rankCount = std::max(graph.rankCount, rank + 1);
    graph.outgoing.resize(graph.nodes.size());
    graph.incoming.resize(graph.nodes.size());
    for (std::size_t i = 0; i < graph.segments.size(); ++i) {
        graph.outgoing[std::size_t(graph.segments[i].from)].push_back(int(i));
        graph.incoming[std::size_t(graph.segments[i].to)].push_back(int(i));
    }
    return graph;
}

} // namespace views
